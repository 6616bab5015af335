"""What one board's gears can reach: lost states, turns that merge states, whether all is one component.

Everything about a board can be read from its ``arcs``: where each cell's turn leads from every state. The three
``Facts``, which do not depend on the start, are told much sooner from *outlines*. A cell with teeth all round, or
with none, meshes alike in all four orientations, and one with just two opposite teeth in two; clearing the bits of a
state that change nothing leaves its outline, and every turn leads from outlines to outlines.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from clocklab import dials, sawtooth, search
from clocklab.dials import DIALS, LOW, SOLVED, STATES, State, States
from clocklab.sawtooth import Board

# teeth of a cell -> the bits of its dial that meshing depends on
OUTLINE_BITS = tuple(0b00 if teeth in (0, 15) else 0b01 if teeth in (5, 10) else 0b11 for teeth in range(16))
AGAIN, LONG_WAY, NEVER = range(3)  # how a turn can be undone: by turns of that cell, with others' help, not at all


def arcs(board: Board) -> np.ndarray:
    """Return where each cell's turn leads from every state: int64 of shape (9, 262,144)."""
    return np.stack(list(sawtooth.neighbours(board)(np.arange(STATES))))


def farthest(board: Board, start: State = SOLVED) -> tuple[State, list[int]]:
    """Return the lowest of the states farthest from a start, and the lowest of the shortest ways there, as cells.

    >>> farthest(0)  # nine cells without teeth: three turns each
    (262143, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8])
    """
    neighbours = sawtooth.neighbours(board)
    *_, last = search.walk(start, neighbours)
    steps = search.shortest(start, last[:1], neighbours)
    return int(last[0]), steps or []


def orphans(arcs: np.ndarray) -> States:
    """Return the states that no turn leads to, in rising order."""
    return np.flatnonzero(~np.logical_or.reduce([_image(turn) for turn in arcs]))


def components(arcs: np.ndarray) -> np.ndarray:
    """Return the strongly connected component of every state, numbered from 0: int32 of shape (262,144,)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ones, rows = np.ones(arcs.size, dtype=np.int8), np.arange(0, arcs.size + 1, len(arcs))
    return connected_components(csr_array((ones, arcs.T.ravel(), rows), (STATES, STATES)), connection="strong")[1]


def ways_back(arcs: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Return how each turn can be undone from where it led: AGAIN, LONG_WAY or NEVER, uint8 of shape (9, 262,144).

    A turn made on and on comes back to a state just when the state lies in the image of any number of such turns;
    a turn between two states of one component can be undone by some way round.
    """
    ways = np.where(components[arcs] == components, LONG_WAY, NEVER).astype(np.uint8)
    for turn, way in zip(arcs, ways, strict=True):
        often = turn
        for _ in range(2 * DIALS):  # 2 ** 18 turns: no state is longer on its way to a cycle
            often = often[often]
        way[_image(often)] = AGAIN
    return ways


def time_spent(arcs: np.ndarray) -> np.ndarray:
    """Return the share of time that random turns spend in each state, in the long run: float64, one for each state.

    Play begins in a random state, and each turn is of a random cell. Every second turn, at random, is left out: that
    changes no share, but without it shares may swing between two values for ever. It takes longest where few turns
    lead into closed components; a second or two for the judge's sample.

    >>> time_spent(np.array([[1, 2, 1]])).round(9).tolist()
    [0.0, 0.5, 0.5]
    """
    cells, states = arcs.shape
    share, before = np.full(states, 1 / states), np.zeros(states)
    while np.abs(share - before).sum() > 1e-12:
        turned = np.bincount(arcs.ravel(), np.tile(share / cells, cells), states)
        share, before = (share + turned) / 2, share
    return share


def locks(board: Board) -> int:
    """Return how many cells follow from others for ever: at most one state in 4 ** locks can be reached.

    Two neighbours with four teeth each always mesh, so they turn against each other and their orientations keep
    their sum; cells linked by such pairs move as one.

    >>> locks(2**36 - 1)  # one cell settles the other eight
    8
    """
    full = [teeth == 0b1111 for teeth in sawtooth.teeth_by_cell(board)]
    always = sum((full[a] and full[b]) << bit for bit, (a, b) in enumerate(sawtooth.EDGES))
    words = sawtooth.coupling()[:, always]
    return DIALS - np.unique((words | words >> 1) & LOW).size  # linked cells drive the same ones


def choices(board: Board) -> float:
    """Return to how many different states the nine turns of a state lead, averaged over those the start reaches.

    >>> choices(0), choices(2**36 - 1)
    (9.0, 2.0)
    """
    neighbours = sawtooth.neighbours(board)
    reached = np.flatnonzero(search.distances(SOLVED, neighbours) != search.UNREACHED)
    after = np.sort(list(neighbours(reached)), axis=0)
    return float((np.diff(after, axis=0) != 0).sum(axis=0).mean() + 1)


class Facts(NamedTuple):
    """What holds for a board whatever its start."""

    strongly_connected: bool  # every state can reach every other
    all_turns_permute: bool  # no turn leads from two states to the same one
    no_orphans: bool  # something leads to every state


def facts(board: Board) -> Facts:
    """Return the three facts of a board, about 1 to 30 milliseconds of work, least where most cells look alike.

    A turn merges two states exactly where it merges two outlines, and leads to a state exactly where it leads to its
    outline; cells without teeth are left out, for they turn alone and lead to every state.
    """
    mask = sum(OUTLINE_BITS[teeth] << 2 * cell for cell, teeth in enumerate(sawtooth.teeth_by_cell(board)))
    states, index = _outlines(mask)
    patterns = sawtooth.meshing(board)(states)
    toothed = sawtooth.toothed(board)
    moved = [dials.add(states, sawtooth.coupling()[cell].take(patterns)) for cell in toothed]
    turns = [index.take(states & mask) for states in moved]
    images = [_image(turn) for turn in turns]
    complete = not toothed or bool(np.logical_or.reduce(images).all())
    return Facts(
        complete and _all_from_first(turns, states.size) and _all_to_first(moved, turns, _free_turns(mask, toothed)),
        all(image.all() for image in images),
        complete or len(toothed) < DIALS,
    )


@lru_cache(maxsize=4)  # 2 MB each; boards that share a mask follow one another in a census
def _outlines(mask: int) -> tuple[States, np.ndarray]:
    """Return the outlines under a mask of 18 bits in rising order, and the place of each of them by outline."""
    kept = [[q for q in range(4) if q & mask >> 2 * cell == q] for cell in range(DIALS)]  # orientations of each cell
    states = sawtooth.goal_states(kept)
    index = np.zeros(STATES, dtype=np.int64)
    index[states] = np.arange(states.size)
    return states, index


def _image(turn: np.ndarray) -> np.ndarray:
    image = np.zeros(turn.size, dtype=bool)
    image[turn] = True
    return image


def _all_from_first(turns: list[np.ndarray], size: int) -> bool:
    """Tell whether the first outline reaches all."""
    distances = search.unreached(size)
    levels = search.walk(0, lambda level: (turn.take(level) for turn in turns), distances)
    return sum(level.size for level in levels) == size


def _free_turns(mask: int, toothed: Iterable[int]) -> int:
    """Return one bit for each way in which states of one outline differ: a quarter turn, or a half where 0b01 stays.

    To move freely within an outline it is enough to move by every combination of these bits: the other differences
    are twice a quarter turn, and a group of such numbers is generated by what generates it mod 2.
    """
    cells = sum(0b11 << 2 * cell for cell in toothed)
    return ~mask & cells & (LOW | (mask & LOW) << 1)


def _all_to_first(moved: list[States], turns: list[np.ndarray], free: int) -> bool:
    """Tell whether all outlines lead to the first one, and from there to every state of its outline.

    ``shift`` holds, for each outline, by which of the ``free`` bits the way found to the first one arrives turned.
    Ways that differ in it, put together, turn cells without changing the outline; all must be had by such ways.
    """
    leads = np.zeros(turns[0].size if turns else 1, dtype=bool)
    shift = np.zeros(leads.size, dtype=np.int64)
    leads[0] = True
    before, now = 0, 1
    while before < now < leads.size:
        before = now
        for states, turn in zip(moved, turns, strict=True):
            new = leads[turn] > leads
            leads |= new
            shift[new] = (states[new] ^ shift[turn[new]]) & free
        now = int(np.count_nonzero(leads))
    if now < leads.size or not free:
        return now == leads.size
    had = {0}  # all that ways put together make of the free bits
    for states, turn in zip(moved, turns, strict=True):
        for difference in np.unique((states ^ shift[turn] ^ shift) & free).tolist():
            if difference not in had:
                had |= {other ^ difference for other in had}
    return len(had) == 2 ** free.bit_count()
