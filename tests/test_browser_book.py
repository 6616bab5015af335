"""The book, opened as files: every page is whole, reads at any width by day and night, and needs nothing outside."""

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import chrome, console, faint, outside, resize, wait
from selenium.webdriver.common.by import By

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "build/book"
if not BOOK.joinpath("index.html").exists():
    pytest.skip("no book: make book", allow_module_level=True)

PAGES = [path.relative_to(BOOK).as_posix() for path in sorted(BOOK.rglob("*.html")) if "_static" not in path.parts]
STORED = {f"notebooks/{path.stem}.html": path for path in sorted(ROOT.glob("notebooks/*.ipynb"))}
LINKS = "return [...document.querySelectorAll('a[href]')].map(link => link.href);"
WIDTHS = 400, 880, 1400


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chrome(tmp_path_factory.mktemp("book")) as browser:
        yield browser


@pytest.fixture(autouse=True)
def alone(opened: Any) -> Iterator[None]:
    """Let no page ask for anything outside, or say a word of trouble on the console."""
    yield
    assert outside(opened) == []
    assert [said for said in console(opened) if "[PST]: " not in said] == []  # the theme tells what it does


def show(opened: Any, page: str, width: int = 1400, **media: str) -> None:
    resize(opened, width, 900, **media)
    opened.get(f"{BOOK.as_uri()}/{page}")


def test_the_book_has_every_page() -> None:
    assert set(PAGES) >= {*STORED, "index.html", "README.html", "data/README.html", "search.html", "play.html"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_reads_at_any_width_by_day_and_night(opened: Any, page: str, scheme: str) -> None:
    for width in WIDTHS:
        show(opened, page, width, prefers_color_scheme=scheme)
        assert opened.execute_script("return document.documentElement.scrollWidth") == width
        assert faint(opened) == []
    for image in opened.find_elements(By.CSS_SELECTOR, ".bd-article img"):
        assert image.get_property("naturalWidth") > 0, image.get_attribute("src")
        if scheme == "dark":  # a picture keeps its white paper
            assert image.value_of_css_property("background-color") == "rgba(255, 255, 255, 1)"
        assert image.value_of_css_property("filter") == "none"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(opened: Any, page: str) -> None:
    show(opened, page)
    for link in opened.execute_script(LINKS):
        if link.startswith("https:"):
            continue
        place, _, name = link.removeprefix("file://").partition("#")
        assert Path(place.partition("?")[0]).is_file(), link
        assert not name or place.endswith("play.html") or f'id="{name}"' in Path(place).read_text("utf-8"), link


@pytest.mark.parametrize("page, path", STORED.items(), ids=list(STORED))
def test_a_notebook_shows_its_stored_outputs(opened: Any, page: str, path: Path) -> None:
    show(opened, page)
    outputs = [output for cell in json.loads(path.read_text("utf-8"))["cells"] for output in cell.get("outputs", ())]
    pictures = [output for output in outputs if {"image/png", "image/svg+xml"} & output.get("data", {}).keys()]
    shown = opened.find_elements(By.CSS_SELECTOR, ".cell_output img")
    assert len(shown) == len(pictures) > 0
    for image, picture in zip(shown, pictures, strict=True):
        if alt := picture["metadata"].get("image/png", {}).get("alt"):
            assert image.get_attribute("alt") == alt
    tables = [output for output in outputs if "text/html" in output.get("data", {})]
    assert len(opened.find_elements(By.CSS_SELECTOR, ".cell_output table")) == len(tables)


def test_formulas_are_drawn_by_the_browser_itself(opened: Any) -> None:
    show(opened, "notebooks/04_move_matrix.html")
    formula = opened.find_element(By.TAG_NAME, "math")
    assert formula.rect["height"] > 20
    assert "$$" not in opened.find_element(By.TAG_NAME, "article").text


def test_the_search_finds_orphans(opened: Any) -> None:
    show(opened, "search.html?q=orphan")
    script = "return [...document.querySelectorAll('#search-results li a')].map(link => link.href);"
    pages = {"06_sawtooth_reach.html", "07_census.html"}
    wait(lambda: pages <= {Path(link).name.partition("?")[0] for link in opened.execute_script(script)}, "not found")


def test_every_table_and_figure_is_there_to_download(opened: Any) -> None:
    show(opened, "data/README.html")
    links = opened.find_elements(By.CSS_SELECTOR, "a.download")
    paths = [Path(link.get_attribute("href").removeprefix("file://")) for link in links]
    taken = {path.name: path.read_bytes() for path in paths}
    stored = [path for path in (ROOT / "data").rglob("*") if path.is_file() and path.suffix != ".md"]
    assert taken.keys() == {path.name for path in stored}
    assert [path.name for path in stored if taken[path.name] != path.read_bytes()] == []


def test_the_page_to_play_on_is_a_click_away_and_leads_back(opened: Any) -> None:
    show(opened, "notebooks/05_sawtooth_gears.html")
    opened.find_element(By.LINK_TEXT, "Play both puzzles").click()
    assert opened.find_element(By.ID, "say").text == "4 presses to go."
    opened.find_element(By.LINK_TEXT, "Clocklab").click()
    assert opened.current_url == BOOK.joinpath("index.html").as_uri()


def test_links_to_the_page_to_play_on_lead_to_where_the_book_has_it() -> None:
    pytest.importorskip("docutils", reason="sphinx is not installed: make extras")
    linked = runpy.run_path(str(ROOT / "docs/conf.py"))["linked"]
    assert linked("[Play](docs/play.html), then [x](data/README.md).") == (
        '<a href="play.html">Play</a>, then [x](data/README.md).'
    )
    assert linked("[59](../docs/play.html#board=01&goal=2)") == '<a href="../play.html#board=01&goal=2">59</a>'
