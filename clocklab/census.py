"""The exact census: on how many of all 2 ** 36 boards every state reaches every other, and two facts more.

Three reductions make it possible. The facts do not depend on the start, so a cell's teeth count up to turning: six
patterns instead of sixteen. A cell without teeth never meshes, so the toothed cells fall into connected *shapes* that
move independently of each other. And a shape may be shifted and turned. A *class* is a shape, one of those alike, with
a pattern for each of its cells; the boards of a class are counted by their number of teeth as polynomials.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from clocklab.dials import DIALS
from clocklab.output import write_whole
from clocklab.reach import Facts, facts
from clocklab.sawtooth import BELOW, BESIDE, Board
from clocklab.work import as_finished, executor_for

Shape: TypeAlias = int  # a set of cells, bit i for cell i
Class: TypeAlias = int  # the patterns of a shape's cells as a number in base 5, its lowest cell first
PATTERNS = (0b0001, 0b0011, 0b0101, 0b0111, 0b1111)  # one tooth, two beside, two opposite, three, four
TEETH = np.array([pattern.bit_count() for pattern in PATTERNS])
TURNED = np.array([4, 4, 2, 4, 1])  # how many ways each pattern can be turned on its cell
BOARD: Shape = 2**DIALS - 1
CHUNK = 2000  # classes handed to a worker at once, a few seconds of work
TURN = tuple(3 * (i % 3) + 2 - i // 3 for i in range(DIALS))  # where each cell goes when the whole board turns


class Chunk(NamedTuple):
    """Some classes of one shape, to be examined in one go."""

    shape: Shape
    number: int
    classes: np.ndarray


def cells_of(shape: Shape) -> list[int]:
    """Return the cells of a shape, lowest first."""
    return [i for i in range(DIALS) if shape >> i & 1]


def parts(shape: Shape) -> list[Shape]:
    """Return the connected shapes into which a set of cells falls.

    >>> [f"{part:09b}" for part in parts(0b100_001_011)]
    ['000001011', '100000000']
    """
    found: list[Shape] = []
    for cell in cells_of(shape):
        part = 1 << cell
        for _ in range(DIALS):
            for a, b in (*BESIDE, *BELOW):
                if part & (1 << a | 1 << b) and shape >> a & shape >> b & 1:
                    part |= 1 << a | 1 << b
        if part not in found:
            found.append(part)
    return found


@cache
def places(shape: Shape) -> list[tuple[int, ...]]:
    """Return four ways to lay a shape in the upper left corner, one a whole turn: where each of its cells goes."""
    ways, position = [], {i: i for i in cells_of(shape)}
    for _ in range(4):
        row, column = min(p // 3 for p in position.values()), min(p % 3 for p in position.values())
        ways.append(tuple(p - 3 * row - column for p in position.values()))
        position = {i: TURN[p] for i, p in position.items()}
    return ways


def standard(shape: Shape) -> tuple[Shape, tuple[int, ...]]:
    """Return the shape that stands for all shifted and turned ones, and where each cell goes in it."""
    return min((sum(1 << p for p in way), way) for way in places(shape))


@cache
def shapes() -> list[Shape]:
    """Return the connected shapes up to shifts and turns, small ones first."""
    connected = [shape for shape in range(1, BOARD + 1) if len(parts(shape)) == 1]
    return sorted({standard(shape)[0] for shape in connected}, key=lambda shape: (shape.bit_count(), shape))


def patterns_of(classes: np.ndarray, size: int) -> np.ndarray:
    """Return the patterns (0 .. 4) of many classes of a shape of ``size`` cells: shape (..., size), lowest cell first."""
    return classes[..., None] // 5 ** np.arange(size) % 5


def turned_alike(shape: Shape) -> np.ndarray:
    """Return, for each class of a shape, the least of the classes that whole turns make of it: shape (5 ** cells,)."""
    cells = cells_of(shape)
    least = everything = np.arange(5 ** len(cells))
    patterns = patterns_of(everything, len(cells))
    for way in places(shape):
        if sum(1 << p for p in way) == shape:
            least = np.minimum(least, patterns @ 5 ** np.array([cells.index(p) for p in way]))
    return least


def board_of_class(shape: Shape, number: Class) -> Board:
    """Return the board on which a shape's cells have the patterns of a class and all others no teeth."""
    patterns = patterns_of(np.array(number), shape.bit_count()).tolist()
    return sum(PATTERNS[p] << 4 * cell for p, cell in zip(patterns, cells_of(shape), strict=True))


def chunks() -> list[Chunk]:
    """Return all work: the least class of those alike, of every shape, those with like outlines beside each other."""
    found = []
    for shape in shapes():
        classes = np.unique(turned_alike(shape))
        outline = np.array([2, 2, 1, 2, 0])[patterns_of(classes, shape.bit_count())] @ 3 ** np.arange(shape.bit_count())
        classes = classes[np.argsort(outline, kind="stable")]
        found += [Chunk(shape, i, classes[i : i + CHUNK]) for i in range(0, classes.size, CHUNK)]
    return found


def examine(chunk: Chunk) -> np.ndarray:
    """Return the facts of a chunk's classes as uint8, one bit a fact, the first of ``Facts`` lowest."""
    found = [facts(board_of_class(chunk.shape, int(number))) for number in chunk.classes]
    return (np.array(found) @ [1, 2, 4]).astype(np.uint8)


def run(folder: Path, workers: int | None = None, executor: Executor | None = None) -> np.ndarray:
    """Examine every class, each chunk saved whole in ``folder`` as it ends, and return the flags (see ``collect``).

    Run again after an interruption, it goes on with the chunks that are not there. Any executor does: with Dask,
    ``run(folder, executor=Client(address).get_executor())`` spreads it over a cluster.
    """
    missing = [chunk for chunk in chunks() if not _file(folder, chunk).exists()]
    with executor_for(workers, executor) as pool:
        for chunk, flags in as_finished(examine, missing, pool, "census"):
            write_whole(_file(folder, chunk), flags.tobytes())
    return collect(folder)


def _file(folder: Path, chunk: Chunk) -> Path:
    return folder / f"{chunk.shape:03x}-{chunk.number:03d}.flags"


def collect(folder: Path) -> np.ndarray:
    """Return the flags of a finished folder's chunks, one uint8 a class, in the order of ``chunks``."""
    return np.concatenate([np.frombuffer(_file(folder, chunk).read_bytes(), dtype=np.uint8) for chunk in chunks()])
