"""The Sawtooth Puzzle once more, plain and slow: one look, one walk over meshed cells, one queue."""

from collections import deque
from collections.abc import Callable

LEFT, TOP, RIGHT, BOTTOM = range(4)
BESIDE = {LEFT: (0, -1), TOP: (-1, 0), RIGHT: (0, 1), BOTTOM: (1, 0)}  # side -> the way there, in rows and columns
Dials = tuple[int, ...]


def has_tooth(teeth: str, orientations: Dials, cell: int, side: int) -> bool:
    """Tell whether a cell now shows a tooth on a side: the one that stood so many sides before it at first."""
    return teeth[4 * cell + (side - orientations[cell]) % 4] == "1"


def meshed_with(teeth: str, orientations: Dials, cell: int) -> list[int]:
    """Return the cells that a cell meshes with."""
    row, column = divmod(cell, 3)
    meshed = []
    for side, (down, along) in BESIDE.items():
        if 0 <= row + down < 3 and 0 <= column + along < 3:
            other = 3 * (row + down) + column + along
            if has_tooth(teeth, orientations, cell, side) and has_tooth(teeth, orientations, other, (side + 2) % 4):
                meshed.append(other)
    return meshed


def senses(meshed: Callable[[int], list[int]], cell: int) -> dict[int, int]:
    """Return the cells that turn with a cell, where ``meshed`` tells who meshes: 1 clockwise, -1 the other way."""
    turning = {cell: 1}
    waiting = [cell]
    while waiting:
        driver = waiting.pop()
        for driven in meshed(driver):
            if driven not in turning:
                turning[driven] = -turning[driver]
                waiting.append(driven)
    return turning


def turn(teeth: str, orientations: Dials, cell: int) -> Dials:
    """Return the orientations after one clockwise turn of a cell."""
    turning = senses(lambda c: meshed_with(teeth, orientations, c), cell)
    return tuple((q + turning.get(c, 0)) % 4 for c, q in enumerate(orientations))


def fewest(teeth: str, goals: set[Dials]) -> int | None:
    """Return how many turns lead to the nearest goal, or None if none does."""
    start = (0,) * 9
    distance, waiting = {start: 0}, deque([start])
    while waiting:
        state = waiting.popleft()
        if state in goals:
            return distance[state]
        for cell in range(9):
            after = turn(teeth, state, cell)
            if after not in distance:
                distance[after] = distance[state] + 1
                waiting.append(after)
    return None
