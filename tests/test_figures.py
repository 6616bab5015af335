"""Every figure is drawn without a warning, in the house's size and style, to the same bytes; captions hold."""

from base64 import b64decode
from io import BytesIO

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from clocklab import clocks, dials, enumeration
from clocklab.exports import figures
from clocklab.exports.figures import FIGURES, style

mpl.use("agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("name", FIGURES)
def test_drawn_at_page_width_with_alt_text_and_without_touching_the_reader_s_settings(name):
    before = dict(mpl.rcParams)
    figure = FIGURES[name]()
    assert figure.get_figwidth() <= style.WIDTH
    assert figure.dpi == style.RC["figure.dpi"]
    assert 50 < len(figure.alt) < 450 and figure.alt.endswith(".") and "Draw" not in figure.alt
    assert FIGURES[name].__doc__.partition("\n")[0].endswith(".")
    assert dict(mpl.rcParams) == before
    assert not plt.get_fignums()  # pyplot, which would show it a second time, does not know it


def test_a_figure_shows_itself_at_twice_its_width_with_its_alt_text():
    figure = figures.clocks.strip(158351, [4, 5])
    data, metadata = figure._repr_mimebundle_()
    picture = Image.open(BytesIO(b64decode(data["image/png"])))
    assert "presses are 4 5, and the wrong clocks 8 7 5." in figure.alt
    assert metadata == {"image/png": {"alt": figure.alt, "width": picture.width / 2}}
    assert data["text/plain"] == picture.text["Description"] == figure.alt


def test_fewer_colours_are_not_seen():
    figure, buffer = FIGURES["clock_readings"](), BytesIO()
    figure.savefig(buffer, format="png", dpi=2 * style.DPI)
    with style.styled():
        full, packed = (Image.open(b).convert("RGB") for b in (buffer, BytesIO(style.content(figure, "png"))))
    off = np.abs(np.asarray(full).astype(int) - np.asarray(packed)).max(axis=-1)
    assert np.mean(off) < 1 and np.mean(off > 24) < 0.005
    assert packed.getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("kind", style.METADATA)
def test_two_exports_are_the_same_bytes(kind, tmp_path):
    for run in ("first", "second"):
        style.save(FIGURES["clock_strip"](), tmp_path / f"{run}.{kind}")
    first, second = ((tmp_path / f"{run}.{kind}").read_bytes() for run in ("first", "second"))
    assert first == second
    assert b"Matplotlib v" not in first or kind != "png"
    assert b"dc:date" not in first and b"/CreationDate" not in first


def shown(figure):
    """The texts of a figure, empty ones left out."""
    return [text.get_text() for axes in figure.axes for text in axes.texts if text.get_text()]


def dials_of(bits):
    """The nine dials that 18 cells show, drawn lane by lane, A first."""
    return tuple(int("".join(bits[2 * i : 2 * i + 2]), 2) for i in range(9))


def test_the_bits_read_as_the_state():
    *_, number = texts = shown(figures.clocks.bits(158351))
    assert dials_of(texts[texts.index("bits") + 1 :]) == dials.unpack(158351)
    assert number.endswith(f"{158351:,}")


def test_lane_add_ends_in_the_pressed_state():
    bits = [text for text in shown(figures.clocks.lane_add(158351, 5)) if text in ("0", "1")]
    assert dials_of(bits[:18]) == dials.unpack(158351)
    assert dials_of(bits[-18:]) == dials.unpack(clocks.press(158351, 5))


def test_heat_map_counts_every_state_once():
    assert sum(int(text.replace(",", "")) for text in shown(figures.clocks.wrong_clocks())) == dials.STATES


def test_a_readers_settings_change_no_file(tmp_path):
    with mpl.rc_context({"savefig.bbox": "tight", "font.size": 20, "savefig.transparent": True}):
        style.save(FIGURES["clock_readings"](), tmp_path / "a.png")
    style.save(FIGURES["clock_readings"](), tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_one_metric_alone_fits_its_axes_and_has_a_label_and_a_title_of_ones_own():
    figure = figures.clocks.distribution(metric="turn", title="My title")
    [axes] = figure.axes
    [line] = axes.lines
    assert line.get_label() == "turn" and axes.get_title("left") == "My title"
    assert line.get_ydata().tolist() == np.bincount(enumeration.distances("turn")).tolist()
    assert axes.get_xlim()[1] < 10 and axes.get_ylim()[1] < 100_000 and axes.get_xticks().tolist() == [0, 7, 9]


def test_charts_are_drawn_on_axes_of_ones_own():
    mine, other = plt.figure().subplots(1, 2)
    assert figures.clocks.distribution(ax=mine) is mine
    assert [line.get_label() for line in mine.lines] == list(clocks.METRICS)
    assert figures.clocks.strip(5, [], ax=other) is other
    assert other.yaxis_inverted() and other.get_aspect() == 1
    panels = plt.figure().subplots(2)
    assert figures.reach.boards(ax=panels) is panels


@pytest.mark.parametrize(("hours", "ends"), [(4, [27, 18, 9]), (5, [16, 10, 7]), (12, [99, 54, 9])])
def test_curves_are_the_distribution_of_the_move_set(hours, ends):
    lines = figures.clocks.distribution(hours).axes[0].lines
    counts = [line.get_ydata() for line in lines]
    assert [len(each) - 1 for each in counts] == ends
    assert {int(each.sum()) for each in counts} == {5**8 if hours == 5 else hours**9}


def test_what_no_figure_can_show_is_refused():
    with pytest.raises(ValueError, match="expected the clockwise or the quarter metric, got 'turn'"):
        figures.clocks.ball(metric="turn")
    with pytest.raises(ValueError, match="metric"):
        figures.clocks.distribution(metric="presses")
