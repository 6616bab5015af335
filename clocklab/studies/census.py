"""The exact census: on how many of all 2 ** 36 boards every state reaches every other, and two facts more.

Three reductions make it possible. The facts do not depend on the start, so a cell's teeth count up to turning: six
patterns instead of sixteen. A cell without teeth never meshes, so the toothed cells fall into connected *shapes*
that move independently of each other. And a shape may be shifted and turned. A *class* is a shape, one of those
alike, with a pattern for each of its cells; boards are counted by their teeth, as polynomials that multiply.
"""

from collections.abc import Iterator
from functools import cache, reduce
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from clocklab import search
from clocklab.dials import DIALS, SOLVED, STATES, unpack
from clocklab.plumbing.output import npz, stored, write_whole
from clocklab.plumbing.work import Workers, run_chunks
from clocklab.sawtooth import EDGES, Board, neighbours, over_choices, teeth_by_cell, toothed, turned
from clocklab.studies.reach import OUTLINE_BITS, Facts, facts

Shape: TypeAlias = int  # a set of cells, bit i for cell i
Class: TypeAlias = int  # the patterns of a shape's cells as a number in base 5, its lowest cell first
Results: TypeAlias = dict[Shape, np.ndarray]  # flags of every class, uint8 of shape (5 ** cells,), by shape
PATTERNS = (0b0001, 0b0011, 0b0101, 0b0111, 0b1111)  # the ways to have teeth, up to turning
PATTERN_NAMES = ("one tooth", "two beside", "two opposite", "three", "four")
TEETH = np.array([pattern.bit_count() for pattern in PATTERNS])
TURNED = np.array([4, 4, 2, 4, 1])  # in how many ways each pattern can lie on its cell
PATTERN_OF = {turned(pattern, q): i for i, pattern in enumerate(PATTERNS) for q in range(4)}
FLAGS = 1 << np.arange(len(Facts._fields))
BOARD: Shape = 2**DIALS - 1
STORED = "sawtooth_classes.npz"  # the flags of all classes, see ``save``
CHUNK = 2000  # classes handed to a worker at once, a few seconds of work
BOARD_TURN = tuple(3 * (i % 3) + 2 - i // 3 for i in range(DIALS))  # where each cell goes when the whole board turns


class Chunk(NamedTuple):
    """Some classes of one shape, to be examined in one go."""

    shape: Shape
    number: int
    classes: np.ndarray


def cells_of(shape: Shape) -> tuple[int, ...]:
    """Return the cells of a shape, lowest first."""
    return tuple(i for i in range(DIALS) if shape >> i & 1)


def parts(shape: Shape) -> list[Shape]:
    """Return the connected shapes into which a set of cells falls.

    >>> [f"{part:09b}" for part in parts(0b100_001_011)]
    ['000001011', '100000000']
    """
    found: list[Shape] = []
    for cell in cells_of(shape):
        part = 1 << cell
        for a, b in DIALS * EDGES:  # nine rounds: no part is longer
            if part & (1 << a | 1 << b) and shape >> a & shape >> b & 1:
                part |= 1 << a | 1 << b
        if part not in found:
            found.append(part)
    return found


@cache
def places(cells: tuple[int, ...]) -> list[tuple[Shape, tuple[int, ...]]]:
    """Return four ways to lay cells in the upper left corner, one a whole turn: their shape, and where each goes."""
    ways = []
    for _ in range(4):
        row, column = min(cell // 3 for cell in cells), min(cell % 3 for cell in cells)
        way = tuple(cell - 3 * row - column for cell in cells)
        ways.append((sum(1 << place for place in way), way))
        cells = tuple(BOARD_TURN[cell] for cell in cells)
    return ways


def standard(shape: Shape) -> tuple[Shape, tuple[int, ...]]:
    """Return the shape that stands for all shifted and turned ones, and where each cell goes in it."""
    return min(places(cells_of(shape)))


@cache
def shapes() -> list[Shape]:
    """Return the connected shapes up to shifts and turns, small ones first."""
    connected = [shape for shape in range(1, BOARD + 1) if len(parts(shape)) == 1]
    return sorted({standard(shape)[0] for shape in connected}, key=lambda shape: (shape.bit_count(), shape))


def teeth_of(shape: Shape) -> np.ndarray:
    """Return how many teeth each class of a shape has: int64, shape (5 ** cells,)."""
    return over_choices(np.add, [TEETH] * shape.bit_count())


def patterns_of(classes: np.ndarray, size: int) -> np.ndarray:
    """Return the patterns (0 .. 4) of classes of ``size`` cells, shape (..., size), the lowest cell first."""
    return classes[..., None] // 5 ** np.arange(size) % 5


@cache
def turned_alike(shape: Shape) -> np.ndarray:
    """Return, for each class of a shape, the least one that whole turns make of it: int64, shape (5 ** cells,)."""
    return reduce(np.minimum, [renumbered(way) for laid, way in places(cells_of(shape)) if laid == shape])


def renumbered(way: tuple[int, ...]) -> np.ndarray:
    """Return, for each class of a shape, the class that it becomes where its cells go to other places."""
    return over_choices(np.add, [np.arange(len(PATTERNS)) * 5 ** sorted(way).index(place) for place in way])


def board_of_class(shape: Shape, number: Class) -> Board:
    """Return the board on which a shape's cells have the patterns of a class and all others no teeth."""
    return sum(PATTERNS[number // 5**i % 5] << 4 * cell for i, cell in enumerate(cells_of(shape)))


def chunks() -> list[Chunk]:
    """Return all work: of every shape, the least class of those alike, like outlines beside each other."""
    found = []
    kept = np.array([OUTLINE_BITS[pattern].bit_count() for pattern in PATTERNS])
    for shape in shapes():
        least = turned_alike(shape)
        classes = np.flatnonzero(least == np.arange(least.size))
        outlines = over_choices(np.add, [kept * 3**i for i in range(shape.bit_count())])
        classes = classes[np.argsort(outlines[classes], kind="stable")]
        found += [Chunk(shape, i // CHUNK, classes[i : i + CHUNK]) for i in range(0, classes.size, CHUNK)]
    return found


def examine(chunk: Chunk) -> bytes:
    """Return the facts of a chunk's classes, a byte each: bit i is the i-th of ``Facts``."""
    found = [facts(board_of_class(chunk.shape, int(number))) for number in chunk.classes]
    return (np.array(found) @ FLAGS).astype(np.uint8).tobytes()


def run(folder: Path, workers: Workers = None) -> Results:
    """Examine every class, and return the flags of all; ``folder`` keeps the finished chunks.

    The results do not depend on who worked. An interrupted census resumes when it is run again.
    """
    work = {f"{chunk.shape:03x}-{chunk.number:03d}": chunk for chunk in chunks()}
    flags = {shape: np.zeros(5 ** shape.bit_count(), dtype=np.uint8) for shape in sorted(shapes())}
    examined = run_chunks(examine, work, folder, "clocklab census", workers)
    for name, found in examined.items():
        flags[work[name].shape][work[name].classes] = np.frombuffer(found, dtype=np.uint8)
    return {shape: of_least[turned_alike(shape)] for shape, of_least in flags.items()}


def save(results: Results, path: Path) -> None:
    """Write the flags of all classes whole as a compressed ``.npz``: an array for each shape, named by its bits."""
    write_whole(path, npz({f"{shape:09b}": flags for shape, flags in results.items()}))


@cache
def load() -> Results:
    """Return the results of the census that is stored in the package."""
    with np.load(BytesIO(stored(STORED))) as arrays:
        return {int(shape, 2): arrays[shape] for shape in arrays.files}


def by_teeth(results: Results, fact: int | None = None) -> list[int]:
    """Return how many boards have 0 .. 36 teeth and a fact (its place in ``Facts``; None counts them all).

    A set of toothed cells falls into parts. The boards on it that have the fact are put together from parts that have
    it, so their polynomials multiply. (A part has an orphan only where it is the whole board: a cell without teeth
    turns alone, and so leads to every state.)
    """
    if fact not in (None, *range(len(Facts._fields))):
        raise ValueError(f"expected a fact from 0 to {len(Facts._fields) - 1}, got {fact}")
    return over_boards({shape: polynomial(shape, flags, fact) for shape, flags in results.items()})


def over_boards(polynomials: dict[Shape, np.ndarray]) -> list[int]:
    """Return how many boards have 0 .. 36 teeth, of parts that are counted by teeth for each shape."""
    total = np.zeros(4 * DIALS + 1, dtype=np.int64)  # counts stay below 2 ** 36
    for cells in range(BOARD + 1):
        product = reduce(np.convolve, [polynomials[standard(part)[0]] for part in parts(cells)], np.ones(1, np.int64))
        total[: product.size] += product
    return total.tolist()


def polynomial(shape: Shape, flags: np.ndarray, fact: int | None = None) -> np.ndarray:
    """Return how many boards with just these cells toothed have 0, 1, ... teeth; those with the fact only."""
    boards = over_choices(np.multiply, [TURNED] * shape.bit_count()) * (1 if fact is None else flags >> fact & 1)
    return np.bincount(teeth_of(shape), boards).astype(np.int64)  # summed as floats, exact below 2 ** 53


def fullest(results: Results) -> list[Board]:
    """Return the strongly connected boards of one part that have most teeth, one a class up to whole turns."""
    found = []
    for shape, flags in results.items():
        teeth = teeth_of(shape) * (flags & 1)
        classes = np.unique(turned_alike(shape)[teeth == teeth.max()]).tolist()
        found += [(int(teeth.max()), board_of_class(shape, number)) for number in classes]
    return [board for teeth, board in found if teeth == max(found)[0]]


def mirrored(results: Results) -> Results:
    """Return, for every class, the flags of its mirror image, left for right.

    Turns are clockwise, and in a mirror counterclockwise, so these flags are others.
    """
    flags = {}
    for shape in results:
        image = tuple(3 * (cell // 3) + 2 - cell % 3 for cell in cells_of(shape))
        other, way = min(places(image))
        flags[shape] = results[other][renumbered(way)]
    return flags


def classes_of(board: Board) -> list[tuple[Shape, Class]]:
    """Return the classes of a board's connected parts, one for each part of its toothed cells."""
    teeth, classes = teeth_by_cell(board), []
    for part in parts(sum(1 << cell for cell in toothed(board))):
        shape, way = standard(part)
        patterns = {place: PATTERN_OF[teeth[cell]] for cell, place in zip(cells_of(part), way, strict=True)}
        classes.append((shape, sum(patterns[cell] * 5**i for i, cell in enumerate(cells_of(shape)))))
    return classes


def look_up(results: Results, board: Board) -> Facts:
    """Return the facts of a board from the stored flags of its parts."""
    flags = [results[shape][number] for shape, number in classes_of(board)]
    return Facts(*(all(of_part & flag for of_part in flags) for flag in FLAGS))


def report(board: Board) -> Iterator[tuple[str, str]]:
    """Yield what is known of one board as pairs of a label and a text: its classes, their facts, and its reach."""
    yield "teeth", f"{board.bit_count()} of {4 * DIALS}"
    for shape, number in classes_of(board):
        patterns = patterns_of(np.array(number), shape.bit_count())
        rows = "/".join(f"{shape:09b}"[::-1].replace("0", ".").replace("1", "#")[row : row + 3] for row in (0, 3, 6))
        yield "class", f"{rows} with {', '.join(PATTERN_NAMES[p] for p in patterns)}"
    for name, holds in facts(board)._asdict().items():
        yield name.replace("_", " "), "yes" if holds else "no"
    levels = list(search.walk(SOLVED, neighbours(board)))
    yield "reachable states", f"{sum(map(len, levels)):,} of {STATES:,}"
    orientations = " ".join(map(str, unpack(int(levels[-1][0]))))
    yield "farthest distance", f"{len(levels) - 1} steps, first to orientations {orientations}"
