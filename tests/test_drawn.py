"""What the drawings of clocks and gears show, read back in pixels, on a reader's own axes as well."""

import re
from math import atan2, cos, pi, radians, sin
from xml.etree import ElementTree

import gears as plain
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Polygon

from clocklab import clocks, dials, sawtooth
from clocklab.exports import figures
from clocklab.exports.faces import clock_faces, gear_faces
from clocklab.exports.figures import style
from clocklab.studies.examples import BOARDS, SAMPLE, SAMPLE_STEPS, sample

mpl.use("agg")
SVG = "{http://www.w3.org/2000/svg}"
STATES = [0, 158351, dials.STATES - 1, *np.random.default_rng(3).integers(dials.STATES, size=4).tolist()]
TEETH = sawtooth.teeth_of(SAMPLE)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def pixels(artist):
    """The points of a line or patch as they are shown, y up."""
    artist.axes.apply_aspect()
    points = artist.get_xydata() if isinstance(artist, mpl.lines.Line2D) else artist.get_path().vertices
    return artist.get_transform().transform(points)


def hand_lines(axes, width):
    return [pixels(line) for line in axes.lines if line.get_linewidth() == width]


def quarters(tail, tip):
    """How many quarters clockwise from straight up a hand points, y up."""
    return (pi / 2 - atan2(*(tip - tail)[::-1])) / (pi / 2) % 4


def by_place(pairs):
    """What belongs to nine places, by rows from the top, given with their points, y up."""
    pairs = sorted(pairs, key=lambda pair: -pair[0][1])
    rows = [sorted(pairs[i : i + 3], key=lambda pair: pair[0][0]) for i in (0, 3, 6)]
    return [what for row in rows for _, what in row]


def hands(lines):
    return [round(q, 6) % 4 for q in by_place([(line[0], quarters(*line[:2])) for line in lines])]


def svg_points(element, degrees=0.0, centre=(0.0, 0.0)):
    """The points of an SVG's hand or tooth, turned as its ``rotate`` says, y up."""
    if element.tag == f"{SVG}polygon":
        points = [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]
    else:
        x, y, rest = re.fullmatch(r"M([\d.]+) ([\d.]+)(.*)", element.get("d")).groups()
        x, y = float(x), float(y)
        points = [(x, y), (x, y + float(rest[1:])) if rest[0] == "v" else tuple(map(float, rest[1:].split()))]
    a = radians(degrees)
    moved = [(x - centre[0], y - centre[1]) for x, y in points]
    return np.array([(centre[0] + cos(a) * x - sin(a) * y, -(centre[1] + sin(a) * x + cos(a) * y)) for x, y in moved])


def rotation(element):
    degrees, *centre = map(float, re.findall(r"-?[\d.]+", element.get("transform")))
    return degrees, centre


def svg_hands(svg):
    root = ElementTree.fromstring(svg)
    groups = [(path, rotation(group)) for group in root.iter(f"{SVG}g") for path in group.iter(f"{SVG}path")]
    paths = groups or [(path, ()) for path in root.iter(f"{SVG}path")]
    return hands([svg_points(path, *turned) for path, turned in paths if path.get("stroke-width") == "4"])


@pytest.mark.parametrize("state", STATES)
def test_the_hands_of_all_drawings_tell_the_state(state):
    clock, gear = plt.figure().subplots(1, 2)
    figures.clocks.faces(clock, state)
    figures.gears.gears(gear, SAMPLE, state)
    expected = list(dials.unpack(state))
    assert hands(hand_lines(clock, 2.6)) == hands(hand_lines(gear, 2.4)) == expected
    assert svg_hands(clock_faces(state)) == svg_hands(gear_faces(SAMPLE, state)) == expected


def sides(places):
    """Which of the four sides of each cell have a tooth, given their middles with those of their cells, y up."""
    found = {}
    for centre, tooth in places:
        found.setdefault(tuple(np.round(centre, 3)), set()).add((round(quarters(centre, tooth)) + 1) % 4)
    return by_place(list(found.items()))


@pytest.mark.parametrize("state", STATES)
def test_teeth_stand_where_the_plain_walk_has_them(state):
    axes = plt.axes()
    figures.gears.gears(axes, SAMPLE, state)
    centres = [line[0] for line in hand_lines(axes, 2.4)]
    teeth = [pixels(patch)[:-1].mean(axis=0) for patch in axes.patches if isinstance(patch, Polygon)]
    drawn = [(min(centres, key=lambda centre, tooth=tooth: np.hypot(*(centre - tooth))), tooth) for tooth in teeth]
    inline = []
    for group in ElementTree.fromstring(gear_faces(SAMPLE, state)).iter(f"{SVG}g"):
        degrees, centre = rotation(group)
        for tooth in group.iter(f"{SVG}polygon"):
            middle = svg_points(tooth, degrees + rotation(tooth)[0], centre).mean(axis=0)
            inline.append((np.array((centre[0], -centre[1])), middle))
    shown = [
        {side for side in range(4) if plain.has_tooth(TEETH, dials.unpack(state), cell, side)} for cell in range(9)
    ]
    assert sides(drawn) == sides(inline) == shown


@pytest.mark.parametrize("cell", range(9))
def test_arrows_go_round_as_the_plain_walk_turns_the_cells(cell):
    axes, state = plt.axes(), STATES[cell % len(STATES)]
    figures.gears.gears(axes, SAMPLE, state, turn=cell)
    centres = [line[0] for line in hand_lines(axes, 2.4)]
    found = {}
    for arrow in (patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)):
        way = axes.transData.transform(arrow.get_path().vertices[:30])
        place = min(range(9), key=lambda i, way=way: np.hypot(*(centres[i] - way.mean(axis=0))))
        (x, y), (along, up) = (way[:-1] - centres[place]).T, np.diff(way, axis=0).T
        clockwise = (x * up - y * along).sum() < 0
        assert to_hex(arrow.get_edgecolor()).upper() == (style.BLUE if clockwise else style.RED)
        assert (arrow.get_linestyle() == "-") == clockwise
        found[place] = 1 if clockwise else -1
    orientations = dials.unpack(state)
    assert found == plain.senses(lambda c: plain.meshed_with(TEETH, orientations, c), cell)
    [thick] = [
        i for i, box in enumerate(p for p in axes.patches if isinstance(p, FancyBboxPatch)) if box.get_lw() > 2
    ]
    assert thick == cell
    links = [pixels(line) for line in axes.lines if line.get_linewidth() == 5]
    pairs = {tuple(min(range(9), key=lambda i, e=e: np.hypot(*(centres[i] - e))) for e in link) for link in links}
    assert pairs == {(a, b) for a in range(9) for b in plain.meshed_with(TEETH, orientations, a) if a < b}
    svg = ElementTree.fromstring(gear_faces(SAMPLE, state))
    bars = [svg_points(path) / 60 for path in svg.iter(f"{SVG}path") if path.get("stroke-width") == "5"]
    assert {tuple(int(x) + 3 * int(-y) for x, y in bar) for bar in bars} == pairs


def test_a_part_of_a_turn_is_made_the_way_it_goes():
    clock, gear = plt.figure().subplots(1, 2)
    figures.clocks.faces(clock, 158351, turn=clocks.WORDS[4], part=0.25)
    figures.gears.gears(gear, SAMPLE, 0, turn=1, part=0.25)
    turned = clocks.MOVES[4]
    assert hands(hand_lines(clock, 2.6)) == [
        (q + 0.25 * (name in turned)) % 4 for q, name in zip(dials.unpack(158351), dials.NAMES, strict=True)
    ]
    senses = plain.senses(lambda c: plain.meshed_with(TEETH, 9 * (0,), c), 1)
    assert hands(hand_lines(gear, 2.4)) == [0.25 * senses.get(cell, 0) % 4 for cell in range(9)]


@pytest.mark.parametrize("orientation", range(4))
def test_pictures_turn_clockwise(orientation):
    axes, pictures = plt.axes(), np.full((9, 8, 8), ".")
    pictures[4, 0, 1:] = "#"  # the cell in the middle, dark along its top but for the left corner
    figures.gears.gears(axes, 0, orientation << 8, pictures=pictures, cells=[4])
    [image] = axes.images
    rows, columns = np.argwhere(image.get_array() == 1).mean(axis=0) - 3.5
    left, right, bottom, top = image.get_extent()
    assert left < right and top < bottom and axes.yaxis_inverted()
    expected = [(0.5, -3.5), (3.5, 0.5), (-0.5, 3.5), (-3.5, -0.5)][orientation]
    assert (columns, rows) == expected


def test_wrong_clocks_are_the_thick_rims_and_letters_name_them():
    axes = plt.axes()
    figures.clocks.faces(axes, 158351, names=dials.NAMES)
    rims = [patch.get_linewidth() > 2 for patch in axes.patches if isinstance(patch, Circle)]
    assert rims == [bool(quarter) for quarter in dials.unpack(158351)]
    assert [text.get_text() for text in axes.texts] == list(dials.NAMES)
    corner = axes.texts[8].get_position()
    assert np.hypot(corner[0] - 2.5, corner[1] - 2.5) < 0.7


def test_on_axes_of_a_readers_own_everything_is_inside():
    axes = plt.axes()
    figures.gears.gears(axes, BOARDS["all teeth"], 0, at=(2, 5), pictures=sample().first)
    box = axes.get_window_extent()
    assert all(box.contains(*point) for patch in axes.patches for point in pixels(patch))


def headed(figure):
    """The orientations of the nine hands under each bold heading of a sheet; NaN where there is none."""
    [axes] = figure.axes
    lines = [line.get_transform().transform(line.get_xydata()) for line in axes.lines if line.get_lw() in (2.4, 2.6)]
    lines = [axes.transData.inverted().transform(line) for line in lines]
    boards = []
    for text in (text for text in axes.texts if text.get_fontweight() == "bold" and text.get_text()):
        x, y = text.get_position()[0] - 1.5, text.get_position()[1] + 0.4
        board = np.full(9, np.nan)
        for tail, tip in lines:
            column, row = int((tail[0] - x) // 1), int((tail[1] - y) // 1)
            if 0 <= column < 3 and 0 <= row < 3:
                board[3 * row + column] = round(quarters(tail * (1, -1), tip * (1, -1)), 6) % 4
        boards.append(board)
    return boards


def test_a_strip_shows_the_states_that_the_plain_walk_passes_through():
    figure = figures.gears.strip(SAMPLE, SAMPLE_STEPS)
    passed = [9 * (0,)]
    for cell in SAMPLE_STEPS:
        passed.append(plain.turn(TEETH, passed[-1], cell))
    assert [tuple(board) for board in headed(figure)] == passed
    words = [text.get_text() for text in figure.axes[0].texts if text.get_text()]
    assert words[:2] == ["step 1: (1,2)", "step 2: (1,2)"] and words[-1] == "after all steps"
    wide, high = figure.get_size_inches()
    assert wide == style.WIDTH and high / wide == pytest.approx(2 * 4 / (4 * 3.8))


def test_a_strip_begins_in_any_state_and_shows_pictures_and_the_goal():
    case = sample()
    figure = figures.gears.strip(case.board, SAMPLE_STEPS, pictures=case.first, goal=case.second)
    shown = [np.asarray(image.get_array() == 1) for image in figure.axes[0].images]
    assert len(shown) == 9 * (len(SAMPLE_STEPS) + 2)
    assert np.array_equal(shown[-9:], case.second == "#") and np.array_equal(shown[-18:-9], shown[-9:])
    assert tuple(headed(figures.gears.strip(0, [], state=158351))[0]) == dials.unpack(158351)


def test_a_strip_of_clocks_shows_the_replay_in_rows_of_five():
    sequence = [4, 5, 8, 9, 1, 1]
    figure = figures.clocks.strip(dials.Dials(158351), sequence)
    [axes] = figure.axes
    tips = [axes.transData.inverted().transform(line) for line in hand_lines(axes, 2.6)]
    shown = [round(quarters(line[0] * (1, -1), line[1] * (1, -1)), 6) % 4 for line in tips]
    states = clocks.replay(158351, sequence)
    assert shown == [quarter for state in states for quarter in dials.unpack(state)]
    assert [line[0][1] > 5 for line in tips] == [i >= 45 for i in range(63)]
    presses = [text.get_text() for text in axes.texts if text.get_text().startswith("press")]
    assert presses == [f"press {move}" for move in sequence]


def test_a_film_ends_in_the_last_state_and_is_the_same_bytes_again(tmp_path):
    clock, gear = figures.clocks.animation(158351, [4]), figures.gears.animation(SAMPLE, [1])
    for film, width, state in ((clock, 2.6, clocks.press(158351, 4)), (gear, 2.4, sawtooth.turn(SAMPLE, 0, 1))):
        figures.save(film, tmp_path / "film.gif")
        assert hands(hand_lines(film.picture.axes[0], width)) == list(dials.unpack(state))
    assert (tmp_path / "film.gif").read_bytes() == figures.gears.animation(SAMPLE, [1]).gif()
    with style.Image.open(tmp_path / "film.gif") as gif:
        assert gif.n_frames == 4 and gif.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_a_film_shows_itself_once_with_its_alt_text_and_has_buttons_for_a_browser():
    film = figures.gears.animation(BOARDS["two"], [0])
    data, metadata = film._repr_mimebundle_()
    assert set(data) == {"image/gif", "text/plain"} and film._repr_html_() is None
    assert data["text/plain"] == metadata["image/gif"]["alt"] and "(1,1)" in data["text/plain"]
    assert ".pause_animation()" in film.to_jshtml()
    assert not plt.get_fignums()


STRANGE = [(dials.STATES, "expected a state"), (-1, "expected a state")]


@pytest.mark.parametrize(("state", "message"), STRANGE)
def test_what_is_no_state_is_refused(state, message):
    makes = [figures.clocks.bits, figures.clocks.strip, figures.clocks.lane_add, figures.clocks.ball]
    makes += [lambda state: figures.gears.turn(SAMPLE, state, 0), figures.clocks.animation]
    makes += [
        lambda state: figures.gears.animation(SAMPLE, [0], state),
        lambda s: figures.clocks.faces(plt.axes(), s),
    ]
    for make in makes:
        with pytest.raises(ValueError, match=message):
            make(state)


@pytest.mark.parametrize("board", [-1, 1 << 36])
def test_what_is_no_board_is_refused(board):
    for make in (lambda: figures.gears.turn(board), lambda: figures.gears.animation(board, [0])):
        with pytest.raises(ValueError, match="expected a board"):
            make()
    with pytest.raises(ValueError, match="expected a cell from 0 to 8, got 9"):
        figures.gears.strip(SAMPLE, [9])
    with pytest.raises(ValueError, match="expected a move from 1 to 9, got 0"):
        figures.clocks.strip(0, [0])
