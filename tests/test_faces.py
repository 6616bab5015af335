"""The inline clock faces, read back as a picture."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocklab import dials
from clocklab.exports.faces import RIGHT, WRONG, clock_faces

SVG = "{http://www.w3.org/2000/svg}"
UP_RIGHT_DOWN_LEFT = [(0, -17), (17, 0), (0, 17), (-17, 0)]


@given(st.integers(0, dials.STATES - 1))
def test_hands_rims_letters_and_text_tell_the_state(state):
    root = ElementTree.fromstring(clock_faces(state))
    rims = [(circle.get("stroke"), circle.get("fill")) for circle in root.iter(f"{SVG}circle")]
    hands = re.findall(r"M(\d+) (\d+)L([\d.-]+) ([\d.-]+)", clock_faces(state))
    quarters = [UP_RIGHT_DOWN_LEFT.index((float(x2) - int(x), float(y2) - int(y))) for x, y, x2, y2 in hands]
    assert tuple(quarters) == dials.unpack(state)
    assert rims == [(WRONG if quarter else RIGHT)[:2] for quarter in quarters]
    assert "".join(text.text for text in root.iter(f"{SVG}text")) == dials.NAMES
    assert root.find(f"{SVG}desc").text == dials.text(state, "hours")


@pytest.mark.parametrize("banned", ["id=", "style", "class=", "font-family", "href"])
def test_many_on_one_page_do_not_disturb_each_other(banned):
    assert banned not in clock_faces(0b1101)


def test_everything_drawn_lies_inside_the_frame():
    root = ElementTree.fromstring(clock_faces(0, width=90))
    side = float(root.get("viewBox").split()[-1])
    assert root.get("width") == root.get("height") == "90"
    for circle in root.iter(f"{SVG}circle"):
        x, y, r = (float(circle.get(key)) for key in ("cx", "cy", "r"))
        assert min(x, y) - r >= 2 and max(x, y) + r <= side - 2


def test_a_state_shows_itself_in_a_notebook():
    assert dials.Dials(5)._repr_svg_() == clock_faces(5)
