"""Nine clock faces or gears as inline SVG: shapes without ids, styles or fonts, since many may share one page."""

from collections.abc import Iterable
from math import cos, pi, sin

from clocklab import dials, sawtooth
from clocklab.dials import State
from clocklab.sawtooth import Board

CELL, RADIUS = 60, 22  # one clock's or gear's square and a clock's face, in SVG units
RIGHT, WRONG = ("#222222", "#FFFFFF", 1.5), ("#D55E00", "#FCE9D4", 3)  # rim, face and rim width
INK = 'stroke="#222222" stroke-width'


def clock_faces(state: State, width: int = 180) -> str:
    """Return an SVG picture of a state, ``width`` pixels wide; a clock that is not at 12 has a thick rim.

    The text picture in hours stands in ``<desc>``, for readers who hear the page.

    >>> clock_faces(0).count("<circle")
    9
    """
    return _picture(map(_face, range(dials.DIALS), dials.unpack(state)), dials.text(state, "hours"), width)


def gear_faces(board: Board, state: State = dials.SOLVED, width: int = 180) -> str:
    """Return an SVG picture of a board in a state, ``width`` pixels wide: teeth, hands, dark bars where teeth meet.

    The teeth of each cell, left, top, right and bottom, and the orientations in quarters stand in ``<desc>``.

    >>> gear_faces(0b0001_0100).count("<polygon")
    2
    """
    pattern = sawtooth.meshing(board)(state)
    meshed = [(*_middle(a), *_middle(b)) for bit, (a, b) in enumerate(sawtooth.EDGES) if pattern >> bit & 1]
    bars = [f'<path d="M{x} {y}L{to_x} {to_y}" {INK}="5"/>' for x, y, to_x, to_y in meshed]
    gears = [_gear(cell, board >> 4 * cell & 0b1111, quarters) for cell, quarters in enumerate(dials.unpack(state))]
    return _picture(bars + gears, f"{sawtooth.teeth_of(board)}\n{dials.text(state, 'quarters')}", width)


def _picture(shapes: Iterable[str], desc: str, width: int) -> str:
    side = 3 * CELL
    size = f'viewBox="0 0 {side} {side}" width="{width}" height="{width}"'
    paper = f'<rect width="{side}" height="{side}" fill="#FFFFFF"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><desc>{desc}</desc>{paper}{"".join(shapes)}</svg>'


def _face(dial: int, quarters: int) -> str:
    x, y = CELL * (dial % 3) + 34, CELL * (dial // 3) + 32
    rim, face, stroke = WRONG if quarters else RIGHT
    tip_x, tip_y = (round(c, 2) for c in (x + 17 * sin(quarters * pi / 2), y - 17 * cos(quarters * pi / 2)))
    return (
        f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{face}" stroke="{rim}" stroke-width="{stroke}"/>'
        f'<path d="M{x} {y - RADIUS}v5" stroke="{rim}" stroke-width="1.5"/>'
        f'<path d="M{x} {y}L{tip_x:g} {tip_y:g}" {INK}="4" stroke-linecap="round"/>'
        f'<text x="{x - 26}" y="{y - 14}" font-size="13" text-anchor="middle" fill="#222222">'
        f"{dials.NAMES[dial]}</text>"
    )


def _middle(cell: int) -> tuple[int, int]:
    return CELL * (cell % 3) + CELL // 2, CELL * (cell // 3) + CELL // 2


def _gear(cell: int, teeth: int, quarters: int) -> str:
    """Draw a cell with the teeth that it has at orientation 0, turned by some quarters."""
    x, y = _middle(cell)
    corners = f"{x - 20},{y - 8} {x - 28},{y - 4} {x - 28},{y + 4} {x - 20},{y + 8}"
    left = f'<polygon points="{corners}" fill="#C9CED4" {INK}="1"'
    sides = "".join(f'{left} transform="rotate({90 * side} {x} {y})"/>' for side in range(4) if teeth >> side & 1)
    face = f'<rect x="{x - 20}" y="{y - 20}" width="40" height="40" rx="4" fill="#FFFFFF" {INK}="1.5"/>'
    hand = f'<path d="M{x} {y}v-12" {INK}="4" stroke-linecap="round"/>'
    return f'<g transform="rotate({90 * quarters} {x} {y})">{sides}{face}{hand}</g>'
