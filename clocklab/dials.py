"""The packed state: nine quarter-turn dials in one 18-bit word.

Dial A lies in the two lowest bits, dial I in the two highest, so ``state = sum(d[i] << 2 * i)`` and 0 is the
state in which every dial stands at 12. ``pack``, ``unpack``, ``add`` and ``negate`` take one state or an array alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, TypeAlias, TypeVar

import numpy as np

DIALS = 9
STATES = 4**DIALS
SOLVED = 0
NAMES = "ABCDEFGHI"  # dial i is NAMES[i], row by row
NOTATIONS = {"hours": (12, 3, 6, 9), "quarters": (0, 1, 2, 3)}  # NOTATIONS[n][q]: how n writes q quarters past 12
LOW = sum(1 << 2 * i for i in range(DIALS))  # the lower bit of every dial
SHIFTS = np.arange(0, 2 * DIALS, 2)  # dial i stands SHIFTS[i] bits up

State: TypeAlias = int  # one packed state, 0 .. STATES - 1
States: TypeAlias = np.ndarray  # packed states of any shape, int64 since they index tables
Word = TypeVar("Word", int, np.ndarray)  # either of the two


def checked(states: Any, size: int = STATES) -> Any:
    """Return a state, or an array of states, as it is, and a Dials as its state: the public functions ask here.

    ValueError for a number outside 0 .. size - 1, TypeError for what is no whole number.
    """
    if np.ndim(states) == 0:
        low = high = states = index(states)
    elif (states := np.asarray(states)).size == 0:
        return states.astype(np.int64)
    elif states.dtype.kind in "iu":
        low, high = states.min(), states.max()
    else:
        raise TypeError(f"expected states as whole numbers, got {states.dtype}")
    if not 0 <= low <= high < size:
        raise ValueError(f"expected a state from 0 to {size - 1}, got {low if low < 0 else high}")
    return states


def checked_one(state: Any) -> State:
    """Return one state, or that of a Dials; ValueError outside 0 .. 262,143, TypeError for several or no number."""
    if np.ndim(state):
        raise TypeError(f"expected one state, got {np.size(state)} numbers; to_state packs nine dials into one")
    return int(checked(state))


def pack(dials: Sequence[int] | np.ndarray) -> Any:
    """Pack nine dials in quarters into a state; an array of shape (..., 9) becomes states of shape (...).

    Full circles count for nothing: every dial is taken mod 4. ValueError where the last axis is not nine long.

    >>> pack([3, 3, 0, 2, 2, 2, 2, 1, 2])
    158351
    """
    length = dials.shape[-1:] if isinstance(dials, np.ndarray) else (len(dials),)
    if length != (DIALS,):
        raise ValueError(f"expected {DIALS} dials along the last axis, got {length[0] if length else 'no axis'}")
    if isinstance(dials, np.ndarray) and dials.ndim > 1:
        return ((dials & 3).astype(np.int64) << SHIFTS).sum(axis=-1)
    return sum((index(d) & 3) << 2 * i for i, d in enumerate(dials))


def unpack(states: Any) -> Any:
    """Return the nine dials of a state in quarters, A first; states of shape (...) become uint8 of shape (..., 9).

    >>> unpack(158351)
    (3, 3, 0, 2, 2, 2, 2, 1, 2)
    """
    if isinstance(states, np.ndarray):
        return (states[..., None] >> SHIFTS & 3).astype(np.uint8)
    return tuple(states >> 2 * i & 3 for i in range(DIALS))


def add(x: Word, y: Word) -> Word:
    """Add two words dial by dial mod 4; no carry crosses into the next dial.

    The trick: XOR adds bits without carrying, and the one carry that stays inside a dial is the lower bit's.

    >>> unpack(add(pack([3] * 9), pack([0, 1, 2, 3, 0, 1, 2, 3, 0])))
    (3, 0, 1, 2, 3, 0, 1, 2, 3)
    """
    return x ^ y ^ (x & y & LOW) << 1


def negate(x: Word) -> Word:
    """Return the word that brings every dial of ``x`` back to 12: ``add(x, negate(x)) == 0``.

    The trick: mod 4, -1 is 3 and -2 is 2, so an odd dial flips its upper bit and an even one stays.
    """
    return x ^ (x & LOW) << 1


def wrong(state: State) -> list[int]:
    """Return the dials that do not stand at 12, as indices 0 .. 8."""
    return [i for i, d in enumerate(unpack(checked(state))) if d]


def to_state(numbers: Sequence[int], notation: str) -> State:
    """Return the state of nine numbers in a notation ("hours": 12, 3, 6, 9; "quarters": 0 .. 3), or ValueError.

    >>> to_state([9, 9, 12, 6, 6, 6, 6, 3, 6], "hours")
    158351
    """
    if notation not in NOTATIONS:
        raise ValueError(f"expected a notation, {' or '.join(NOTATIONS)}, got {notation!r}")
    hands = NOTATIONS[notation]
    if strange := [number for number in numbers if number not in hands]:
        raise ValueError(f"expected numbers out of {', '.join(map(str, hands))}, got {strange[0]!r}")
    return pack([hands.index(number) for number in numbers])


def from_state(state: State, notation: str) -> tuple[int, ...]:
    """Return the nine numbers by which a notation writes a state.

    >>> from_state(158351, "hours")
    (9, 9, 12, 6, 6, 6, 6, 3, 6)
    """
    return tuple(NOTATIONS[notation][d] for d in unpack(checked(state)))


def text(state: State, notation: str) -> str:
    """Return the text picture of a state, three rows of three numbers.

    >>> print(text(158351, "hours"))
     9  9 12
     6  6  6
     6  3  6
    """
    width = max(len(str(n)) for n in NOTATIONS[notation])
    cells = [f"{n:{width}}" for n in from_state(state, notation)]
    return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))


@dataclass(frozen=True)
class Dials:
    """A state for people: it prints and draws itself, and ``int()`` gives the packed state back.

    >>> print(Dials.of([9, 9, 12, 6, 6, 6, 6, 3, 6], "hours") + Dials(0b01))
    12  9 12
     6  6  6
     6  3  6
    """

    state: State

    def __post_init__(self) -> None:
        """Take a packed state of any integer type; ValueError outside 0 .. 262,143."""
        object.__setattr__(self, "state", checked_one(self.state))

    @classmethod
    def of(cls, numbers: Sequence[int], notation: str) -> "Dials":
        """Return the state that nine numbers name in a notation ("hours" or "quarters")."""
        return cls(to_state(numbers, notation))

    def __index__(self) -> int:
        """Return the packed state, so a Dials indexes a table of distances."""
        return self.state

    def __add__(self, other: "Dials") -> "Dials":
        """Turn every dial on by the other's dial."""
        return Dials(add(self.state, other.state))

    def __neg__(self) -> "Dials":
        """Return what has to be added to bring every dial to 12."""
        return Dials(negate(self.state))

    def __str__(self) -> str:
        """Return the text picture in hours."""
        return text(self.state, "hours")

    def _repr_svg_(self) -> str:
        from clocklab.exports.faces import clock_faces  # only here, for it needs the dials

        return clock_faces(self.state)
