"""Nine clock faces as inline SVG: shapes without ids, styles or fonts, since many may share one page."""

from math import cos, pi, sin

from clocklab import dials
from clocklab.dials import State

CELL, RADIUS = 60, 22  # one clock's square and its face, in SVG units
RIGHT, WRONG = ("#222222", "#FFFFFF", 1.5), ("#D55E00", "#FCE9D4", 3)  # rim, face and rim width


def clock_faces(state: State, width: int = 180) -> str:
    """Return an SVG picture of a state, ``width`` pixels wide; a clock that is not at 12 has a thick rim.

    The text picture in hours stands in ``<desc>``, for readers who hear the page.

    >>> clock_faces(0).count("<circle")
    9
    """
    side = 3 * CELL
    size = f'viewBox="0 0 {side} {side}" width="{width}" height="{width}"'
    paper = f'<rect width="{side}" height="{side}" fill="#FFFFFF"/>'
    faces = "".join(_face(i, d) for i, d in enumerate(dials.unpack(state)))
    desc = dials.text(state, "hours")
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><desc>{desc}</desc>{paper}{faces}</svg>'


def _face(dial: int, quarters: int) -> str:
    x, y = CELL * (dial % 3) + 34, CELL * (dial // 3) + 32
    rim, face, stroke = WRONG if quarters else RIGHT
    tip_x, tip_y = (round(c, 2) for c in (x + 17 * sin(quarters * pi / 2), y - 17 * cos(quarters * pi / 2)))
    return (
        f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{face}" stroke="{rim}" stroke-width="{stroke}"/>'
        f'<path d="M{x} {y - RADIUS}v5" stroke="{rim}" stroke-width="1.5"/>'
        f'<path d="M{x} {y}L{tip_x:g} {tip_y:g}" stroke="#222222" stroke-width="4" stroke-linecap="round"/>'
        f'<text x="{x - 26}" y="{y - 14}" font-size="13" text-anchor="middle" fill="#222222">'
        f"{dials.NAMES[dial]}</text>"
    )
