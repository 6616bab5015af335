"""The hardest boards of gears: how far any state is from any start, at most, on all 2 ** 36 boards.

The census's classes are examined twice. First each is bounded by a limit that is easy to prove for most; what is
farther comes out exactly. The hardest boards so found set new limits, one for each number of teeth, and the classes
that were not bounded by these are examined again: none exceeds them, or it is the hardest and told exactly.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial, reduce
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeAlias
from zlib import compress, crc32, decompress

import numpy as np

from clocklab import dials, sawtooth, search
from clocklab.dials import DIALS, SOLVED, State
from clocklab.plumbing.output import csv, write_whole
from clocklab.plumbing.work import Workers, run_chunks
from clocklab.sawtooth import Board
from clocklab.studies import census, diameter, reach
from clocklab.studies.census import BOARD, PATTERNS, Chunk, Class, Shape, cells_of, parts, standard

Limits: TypeAlias = tuple[int, ...]  # by number of teeth, 0 to 36: which distance is not of interest, nor any below
STORED, VERDICTS, BY_TEETH = (f"sawtooth_{name}.csv" for name in ("hardest", "verdicts", "diameter"))
NUMBERS = 4 * DIALS + 1  # of teeth
KEPT = 15  # rows of the stored file, one a class
HARD = 50  # the limit of the first examination where harder boards were known when it was first made
EASY: Limits = tuple(HARD if teeth in (22, *range(24, 30), 31) else 46 for teeth in range(NUMBERS))
UNKNOWN = -99  # less than all distances, however they are added


class Row(NamedTuple):
    """A board and the hardest that can be asked of it; the columns of the file."""

    board: str  # 36 digits, four a cell: left, top, right and bottom tooth
    target: str  # the farthest state, the lowest of several: the quarter turns of the nine cells
    steps: int  # the fewest turns that lead there
    sequence: str  # the lowest such turns: cells 1 .. 9, row by row


class Verdict(NamedTuple):
    """What was found out about the classes of a chunk that have one number of teeth."""

    shape: Shape
    chunk: int
    teeth: int
    classes: int
    distance: int  # none has a state that is farther from any start
    everything: int  # on how many boards of these classes, and of those alike, the start reaches every state
    checksum: str  # of the bounds of the classes one by one


class Results(NamedTuple):
    """What was found out about each class, the least of those alike under whole turns; arrays by shape."""

    distance: dict[Shape, np.ndarray]  # uint8 of shape (5 ** cells,)
    exact: dict[Shape, np.ndarray]  # whether this is the largest distance and no bound: bool of that shape
    everything: dict[Shape, np.ndarray]  # on how many boards the start reaches every state: int64 of that shape


def row_of(board: Board) -> Row:
    """Return the row of one board.

    >>> from clocklab.studies.examples import TRAPDOOR
    >>> row_of(TRAPDOOR).steps  # three turns for each cell, but one less for the pair
    26
    """
    target, steps = reach.farthest(board)
    quarters = "".join(map(str, dials.unpack(target)))
    return Row(sawtooth.teeth_of(board), quarters, len(steps), "".join(str(cell + 1) for cell in steps))


def limit(limits: Limits, cells: int, teeth: int) -> int:
    """Return to which distance a class of so many cells and teeth may be bounded for boards to be within limits.

    Each other cell of a board adds three turns. Beside five or six cells one of them may have one to four teeth and
    not touch them; beside more, none. Boards of smaller parts are put together from exact distances, and
    so are those of five cells where these are large: that takes little time.
    """
    if cells <= 4:
        return -1
    most = min(limits[teeth : teeth + (5 if cells <= 6 else 1)]) - 3 * (DIALS - cells)
    return min(most, 20) if cells == 5 else most


def examine(limits: Limits, chunk: Chunk) -> bytes:
    """Return the distances of a chunk's classes, a byte each, and their counts of boards, four bytes each, packed."""
    boards = [census.board_of_class(chunk.shape, int(number)) for number in chunk.classes]
    cells = chunk.shape.bit_count()
    found = [diameter.bound(board, limit(limits, cells, board.bit_count()), _room()) for board in boards]
    distances, everything, _ = np.array(found).T
    return compress(distances.astype(np.uint8).tobytes() + everything.astype("<u4").tobytes())


_room = cache(diameter.room)


def run(folder: Path, workers: Workers = None) -> Results:
    """Examine every class, those that matter a second time; ``folder`` keeps the finished chunks.

    The results do not depend on who worked. An interrupted run resumes when it is run again.
    """
    sizes = {shape: 5 ** shape.bit_count() for shape in census.shapes()}
    results = Results(*({shape: np.zeros(size, kind) for shape, size in sizes.items()} for kind in ("u1", "?", "i8")))
    _run(folder / "first", EASY, census.chunks(), results, workers)
    records = by_teeth(results, exact=True)
    again = [chunk._replace(classes=_beyond(records, chunk, results)) for chunk in census.chunks()]
    _run(folder / "second", records, [chunk for chunk in again if chunk.classes.size], results, workers)
    return results


def _run(folder: Path, limits: Limits, chunks: list[Chunk], results: Results, workers: Workers) -> None:
    """Examine some chunks and fill in the results."""
    work = {f"{chunk.shape:03x}-{chunk.number:03d}": chunk for chunk in chunks}
    about = f"clocklab hardest -- within {' '.join(map(str, limits))}"
    for name, packed in run_chunks(partial(examine, limits), work, folder, about, workers).items():
        (shape, _, classes), found = work[name], decompress(packed)
        distances = np.frombuffer(found, np.uint8, classes.size)
        results.distance[shape][classes] = distances
        results.exact[shape][classes] = distances > _limits(limits, shape)[classes]
        results.everything[shape][classes] = np.frombuffer(found, "<u4", offset=classes.size)


def _limits(limits: Limits, shape: Shape) -> np.ndarray:
    """Return the limit of each class of a shape."""
    return np.array([limit(limits, shape.bit_count(), teeth) for teeth in range(NUMBERS)])[census.teeth_of(shape)]


def _beyond(limits: Limits, chunk: Chunk, results: Results) -> np.ndarray:
    """Return the classes of a chunk that are neither bounded within limits nor exact."""
    shape, _, classes = chunk
    beyond = (results.distance[shape] > _limits(limits, shape)) & ~results.exact[shape]
    return classes[beyond[classes]]


def by_teeth(results: Results, exact: bool = False) -> Limits:
    """Return the largest distance of the boards of 0 .. 36 teeth, or its bound; of ``exact`` ones only, if asked."""
    most = _most(results, exact)
    farthest = np.max([_far_apart(cells, most) for cells in range(BOARD + 1)], axis=0)
    return tuple(np.where(farthest < 0, UNKNOWN, farthest).tolist())


def _most(results: Results, exact: bool) -> dict[Shape, np.ndarray]:
    """Return the largest distance of each shape's classes by number of teeth, UNKNOWN where there is none."""
    most = {shape: np.full(NUMBERS, UNKNOWN) for shape in results.distance}
    for shape, distance in results.distance.items():
        known = results.exact[shape] if exact else distance > 0
        np.maximum.at(most[shape], census.teeth_of(shape)[known], distance[known])
    return most


def _far_apart(cells: Shape, most: dict[Shape, np.ndarray]) -> np.ndarray:
    """Return the largest distance of the boards on which just these cells have teeth, by number of teeth."""
    alone = np.full(NUMBERS, UNKNOWN)
    alone[0] = 3 * (DIALS - cells.bit_count())
    return reduce(_sums, [most[standard(part)[0]] for part in parts(cells)], alone)


def _sums(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the largest sum of distances for each sum of teeth."""
    return np.array([(some[: teeth + 1] + others[teeth::-1]).max() for teeth in range(NUMBERS)])


def verdicts(results: Results) -> Iterator[Verdict]:
    """Yield the verdicts of all chunks."""
    for shape, number, classes in census.chunks():
        teeth, alike = census.teeth_of(shape)[classes], np.bincount(census.turned_alike(shape))[classes]
        for some in np.unique(teeth).tolist():
            chosen = classes[teeth == some]
            distance = results.distance[shape][chosen]
            everything = int(results.everything[shape][chosen] @ alike[teeth == some])
            checksum = f"{crc32(distance.tobytes()):08x}"
            yield Verdict(shape, number, some, chosen.size, int(distance.max()), everything, checksum)


def everything_by_teeth(rows: Iterable[Verdict]) -> list[int]:
    """Return on how many boards of 0 .. 36 teeth the start reaches every state, which it does if it does by parts."""
    polynomials = {shape: np.zeros(4 * shape.bit_count() + 1, np.int64) for shape in census.shapes()}
    for row in rows:
        polynomials[row.shape][row.teeth] += row.everything
    return census.over_boards(polynomials)


def hardest(results: Results) -> list[Row]:
    """Return the KEPT hardest boards, one a class, hardest first; each must have a state farther than HARD."""
    found = []
    for shape, distance in results.distance.items():
        total = distance + np.where(results.exact[shape], 3 * (DIALS - shape.bit_count()), -HARD)
        found += [(int(total[number]), shape, int(number)) for number in np.flatnonzero(total > HARD)]
    least = sorted(found)[-KEPT:][0][0]
    rows = [_row_of_parts([(shape, number)], results) for total, shape, number in found if total >= least]
    return sorted(rows, key=lambda row: (-row.steps, row.board))[:KEPT]


def hardest_by_teeth(results: Results) -> list[Row]:
    """Return one of the hardest boards of each number of teeth, 0 to 36."""
    most = _most(results, exact=True)
    far = np.array([_far_apart(cells, most) for cells in range(BOARD + 1)])
    chosen = far.argmax(axis=0).tolist()
    return [_row_of_parts(_classes(cells, teeth, results), results) for teeth, cells in enumerate(chosen)]


def _classes(cells: Shape, teeth: int, results: Results) -> list[tuple[Shape, Class]]:
    """Return the parts and classes of a hardest board with so many teeth on just these cells."""
    places, choices = parts(cells), []
    for shape in (standard(part)[0] for part in places):
        numbers = np.flatnonzero(results.exact[shape])
        numbers = numbers[np.lexsort((numbers, -results.distance[shape][numbers].astype(int)))]
        # a hardest class of each number of teeth
        first = np.unique(census.teeth_of(shape)[numbers], return_index=True)[1]
        choices.append([(shape, int(number)) for number in numbers[first]])
    counts = {shape: census.teeth_of(shape) for shape in results.distance}
    fitting = [way for way in product(*choices) if sum(counts[shape][number] for shape, number in way) == teeth]
    best = max(fitting, key=lambda way: sum(int(results.distance[shape][number]) for shape, number in way))
    return [(part, number) for part, (_, number) in zip(places, best, strict=True)]


def _row_of_parts(chosen: Sequence[tuple[Shape, Class]], results: Results) -> Row:
    """Return the row of the board on which some connected cells have each a class, from its hardest start."""
    target, board = SOLVED, 0
    for part, number in chosen:
        shape, way = standard(part)
        patterns = dict(zip(cells_of(shape), census.patterns_of(np.array(number), len(way)).tolist(), strict=True))
        cells = zip(cells_of(part), way, strict=True)
        alone = sum(PATTERNS[patterns[place]] << 4 * cell for cell, place in cells)
        target |= diameter.bound(alone, int(results.distance[shape][number]) - 1, _room()).target
        board |= alone
    *_, last = search.walk(target, sawtooth.reverse_neighbours(board))
    return row_of(standing(board, int(last[0])))


def standing(board: Board, state: State) -> Board:
    """Return the board whose start is a state of another: its cells turned as they stand there."""
    return sum(teeth << 4 * cell for cell, teeth in enumerate(sawtooth.teeth_by_cell(board, state)))


def write(results: Results, folder: Path) -> list[Row]:
    """Write into a folder the verdicts, the hardest boards by number of teeth, and those of all; return the last."""
    rows = hardest(results)
    by_number = [(teeth, *row) for teeth, row in enumerate(hardest_by_teeth(results))]
    for stored, header, table in (
        (VERDICTS, Verdict._fields, verdicts(results)),
        (BY_TEETH, ("teeth", *Row._fields), by_number),
        (STORED, Row._fields, rows),
    ):
        write_whole(folder / stored, csv([header, *table]).encode())
    return rows
