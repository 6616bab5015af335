"""Named puzzles of dials, and the spellings of those that come in every size."""

import re

import numpy as np

from clocklab import clocks
from clocklab.algebra import Matrix
from clocklab.plumbing.errors import quoted
from clocklab.studies.movesets import MoveSet, MoveSetError, move_set

MOST = 900  # dials, as many as 30 x 30 lights: elimination in their matrix takes a second

# rule: does a press switch the light that is so many rows and columns away
RULES = {
    "plus": lambda down, right: down + right < 2,
    "diagonal": lambda down, right: (down == right) & (down < 2),
    "knight": lambda down, right: (down * right == 2) | (down + right == 0),
    "king": lambda down, right: (down < 2) & (right < 2),
}
MORE = ("torus", "others")  # goes with any rule


def lights_out(rows: int, columns: int | None = None, *rules: str) -> MoveSet:
    """Return Lights Out on rows x columns lights, or on a square: a press switches a light and its neighbours.

    Neighbours are those of a plus, unless another of the ``RULES`` is named: a diagonal cross, or the lights that a
    knight or a king reaches. On a ``torus`` the edges meet; a light that is a neighbour on two sides is switched
    once. With ``others`` the pressed light itself stays as it is. MoveSetError for any other rule.
    """
    shapes = [rule for rule in rules if rule in RULES]
    if len(shapes) > 1 or len(set(rules)) < len(rules) or (set(rules) - {*RULES, *MORE}):
        raise MoveSetError(f"expected one of {', '.join(RULES)} and {', '.join(MORE)}, got {quoted('-'.join(rules))}")
    name, down, right = _grid("lights-out", rows, columns, "torus" in rules)
    near = RULES[shapes[0] if shapes else "plus"](down, right) & (("others" not in rules) | (down + right > 0))
    source = "Lights Out, Tiger Electronics 1995; OEIS A159257, A075464"
    return MoveSet("-".join([name, *rules]), near.astype(int), 2, source)


def alien_tiles(rows: int, columns: int | None = None) -> MoveSet:
    """Return Alien Tiles on rows x columns tiles: a move turns the whole row and the whole column of a tile."""
    name, down, right = _grid("alien-tiles", rows, columns)
    source = "Alien Tiles, Clifford Pickover; CSPLib problem 27"
    return MoveSet(name, ((down == 0) | (right == 0)).astype(int), 4, source)


def rows_and_columns(rows: int, columns: int | None = None) -> MoveSet:
    """Return the switching game on rows x columns lights: a move switches a whole row, or a whole column."""
    name, down, right = _grid("rows-and-columns", rows, columns)
    lines = np.hstack([down[:, :: columns or rows] == 0, right[:, : columns or rows] == 0])
    return MoveSet(name, lines.astype(int), 2, "the Gale-Berlekamp switching game; Fishburn and Sloane (1989)")


def ring(lights: int) -> MoveSet:
    """Return lights in a ring: a move switches a light and the ones on both sides."""
    _, _, right = _grid("ring", 1, lights, torus=True)
    source = "lights on a cycle; Sutner, Linear cellular automata (1989)"
    return MoveSet(f"ring-{lights}", (right < 2).astype(int), 2, source)


def _grid(family: str, rows: int, columns: int | None, torus: bool = False) -> tuple[str, Matrix, Matrix]:
    """Return a name, and for every two cells of a grid how many rows and how many columns apart they are."""
    columns = rows if columns is None else columns
    if not (rows > 0 and 0 < rows * columns <= MOST):
        raise MoveSetError(f"expected 1 to {MOST} dials in rows and columns, got {rows} x {columns}")
    down, right = (abs(np.subtract.outer(line, line)) for line in divmod(np.arange(rows * columns), columns))
    if torus:
        down, right = np.minimum(down, rows - down), np.minimum(right, columns - right)
    return f"{family}-{rows}" + f"x{columns}" * (rows != columns), down, right


def _pins() -> str:
    """Return the moves of a Rubik's Clock, two for each setting of its pins: those at the front, then at the back.

    A wheel turns the clocks around every pin that is up. Front and back have their own clocks, A to I and J to N, but
    share the four at the corners.
    """
    around, back = ("ABDE", "BCEF", "DEGH", "EFHI"), str.maketrans("BDEFH", "JKLMN")
    ups = [[clocks for pin, clocks in enumerate(around) if setting >> pin & 1] for setting in range(1, 16)]
    front = ["".join(sorted(set("".join(up)))) for up in ups]
    return " ".join(f"{move} {move.translate(back)}" for move in front)


CLOCKS = move_set(" ".join(clocks.MOVES), 4, "clocks", "The Clocks, IOI 1994 day 2; USACO clocks; POJ 1166")
MERLIN = MoveSet("merlin", CLOCKS.matrix, 2, "Merlin's Magic Square, Parker Brothers 1978: clocks with two hours")
RUBIKS_CLOCK = move_set(
    _pins(), 12, "rubiks-clock", "Rubik's Clock, Matchbox 1988: both faces, 15 settings of the pins"
)
FRONT = RUBIKS_CLOCK.matrix[:9]
RUBIKS_FACE_30 = MoveSet("rubiks-face-30", FRONT, 12, "one face of Rubik's Clock, turned from the front and the back")
RUBIKS_FACE_15 = MoveSet("rubiks-face-15", FRONT[:, ::2], 12, "one face of Rubik's Clock, turned from the front")
# The settings UR DR DL UL U R D L ALL, which is how the World Cube Association writes moves.
RUBIKS_FACE = MoveSet(
    "rubiks-face-9",
    FRONT[:, [2, 14, 6, 0, 4, 18, 22, 8, 28]],
    12,
    "one face of Rubik's Clock, nine settings of the pins",
)
ORBIX = move_set(
    "BCDEF ACFGH ABDHI ACEIJ ADFJK ABEGK BFHKL BCGIL CDHJL DEIKL EFGJL GHIJK", 2, "orbix",
    "Orbix, Meffert 1995, game 1: lights as on a dodecahedron, a press switches the five neighbours",
)  # fmt: skip
ALL = (CLOCKS, MERLIN, RUBIKS_CLOCK, RUBIKS_FACE, RUBIKS_FACE_15, RUBIKS_FACE_30, ORBIX)
NAMED = {puzzle.name: puzzle for puzzle in ALL}
# the ones that notebook 04 compares
EXAMPLES = (CLOCKS, RUBIKS_FACE, *map(lights_out, (2, 3, 4, 5)), alien_tiles(3), rows_and_columns(3), ring(9), ORBIX)
GRIDS = {"alien-tiles": alien_tiles, "rows-and-columns": rows_and_columns}
SPELLING = re.compile(r"(lights-out|alien-tiles|rows-and-columns|ring)-([0-9]{1,9})(x[0-9]{1,9})?((?:-[^-]*)*)")
SPELLED = "lights-out-5, lights-out-5x6-torus, alien-tiles-7, rows-and-columns-4 or ring-9"


def named(words: str, dials: int | None = None) -> MoveSet:
    """Return the puzzle of that name, or else the move set that the words spell in letters, for so many dials.

    >>> named("lights-out-5x6-torus").dials
    30
    """
    if puzzle := NAMED.get(words) or _sized(words):
        if dials not in (None, puzzle.dials):
            raise MoveSetError(f"expected {puzzle.dials} dials, as {words} has, got {dials}")
        return puzzle
    try:
        return move_set(words, dials=dials)
    except MoveSetError as error:
        raise MoveSetError(f"{error}; the named puzzles are {', '.join(NAMED)}, or like {SPELLED}") from error


def _sized(words: str) -> MoveSet | None:
    """Return the puzzle of a family whose size, and rules for Lights Out, the words name."""
    if not (found := SPELLING.fullmatch(words)):
        return None
    family, height, width, rules = found.groups()
    rows, columns = int(height), int(width[1:]) if width else None
    if family == "lights-out":
        return lights_out(rows, columns, *rules.split("-")[1:])
    if rules or (family == "ring" and width):
        return None
    return ring(rows) if family == "ring" else GRIDS[family](rows, columns)
