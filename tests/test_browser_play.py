"""The page to play on: its rules are the package's, and what it offers works by mouse, finger and keys."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from browser import chrome, console, faint, outside, resize, wait
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from test_docs import PLAY, SCRIPT

from clocklab import clocks, dials, sawtooth, search, solvers
from clocklab.exports import tables
from clocklab.studies import examples, graphs

SIZES = {"phone": (390, 844), "desk": (1280, 900)}
STATES = random.Random(1994).sample(range(dials.STATES), 1000)
BOARDS = [sawtooth.random_board(np.random.default_rng(3814 + i), density=i % 9 / 8) for i in range(1000)]
ALL_TEETH, TRAPDOOR = sawtooth.teeth_of(examples.BOARDS["all teeth"]), sawtooth.teeth_of(examples.TRAPDOOR)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chrome(tmp_path_factory.mktemp("play")) as browser:
        browser.set_script_timeout(300)
        yield browser


@pytest.fixture(params=SIZES)
def page(opened: Any, request: pytest.FixtureRequest) -> Iterator["Page"]:
    resize(opened, *SIZES[request.param])
    page = Page(opened)
    page.open()
    yield page
    assert console(opened) == []
    assert outside(opened) == []


class Page:
    """What a player sees and does, in his words."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def open(self, address: str = "") -> None:
        self.browser.get("about:blank")  # else only the part after # changes
        self.browser.get(PLAY.as_uri() + address)

    def at(self, css: str) -> Any:
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def all(self, css: str) -> list[Any]:
        return self.browser.find_elements(By.CSS_SELECTOR, css)

    def click(self, css: str) -> None:
        """Click in the middle of what is shown there, as a mouse does."""
        made = self.at(css)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", made)
        ActionChains(self.browser, duration=0).move_to_element(made).click().perform()

    def choose(self, puzzle: str) -> None:
        self.browser.find_element(By.LINK_TEXT, puzzle).click()
        wait(lambda: self.at("nav a[aria-current=page]").text == puzzle, f"{puzzle} does not show")

    def press(self, *keys: str) -> None:
        ActionChains(self.browser, duration=0).send_keys(*keys).perform()

    def type(self, css: str, text: str) -> None:
        self.at(css).clear()
        self.at(css).send_keys(text, Keys.ENTER)

    def said(self) -> str:
        return self.at("#say").text

    def numbers(self) -> list[str]:
        return run(self.browser, "return [...document.querySelectorAll('dd')].map(shown => shown.textContent);")

    def address(self) -> str:
        return self.browser.current_url.partition("#")[2]

    def gears(self) -> str:
        """Return the state of the gears, nine digits, as their address names it."""
        return self.address().partition("state=")[2]

    def marks(self) -> tuple[int, ...]:
        """Return what the arrows on the nine gears, or the rings round the nine clocks, say."""
        return tuple(int(dial.get_attribute("data-sense") or 0) for dial in self.all("#board .dial"))

    def angles(self) -> list[int]:
        """Return by how many degrees, clockwise, the nine dials have turned as one sees it."""
        turned = [dial.get_attribute("style") for dial in self.all("#board .dial .spin")]
        return [int(style.partition("rotate(")[2].partition("deg")[0]) for style in turned]

    def bars(self) -> list[bool]:
        """Return which pairs of gears have a bar between them, in the order of EDGES."""
        return ["on" in bar.get_attribute("class") for bar in self.all("#board .bar")]

    def play(self, seconds: float) -> None:
        """Play the answer as fast as it goes, to its end."""
        self.at("#play").click()
        self.browser.execute_script("document.getElementById('speed').value = 8")
        wait(lambda: self.at("#play").text == "Answer", "the answer does not end", seconds)


def run(opened: Any, script: str, *arguments: Any) -> Any:
    return opened.execute_script(f"const [values, more] = arguments; {script}", *arguments)


# ---- The rules beside the package


@pytest.fixture(scope="module")
def rules(opened: Any) -> Any:
    opened.get(PLAY.as_uri())
    return partial(run, opened)


def test_presses_and_spellings_of_1000_states(rules: Any) -> None:
    shown = rules(
        "return values.map(s => [range(1, 9).map(m => Rules.press(s, m)), Rules.spell(s, 'hours'), Rules.digits(s)]);"
        "function range(a, b) { return [...Array(b - a + 1).keys()].map(i => i + a); }",
        STATES,
    )
    for state, (pressed, hours, digits) in zip(STATES, shown, strict=True):
        assert pressed == [clocks.press(state, move) for move in range(1, 10)]
        assert tuple(map(int, hours)) == dials.from_state(state, "hours")
        assert digits == "".join(map(str, dials.unpack(state)))


@pytest.mark.parametrize("metric", clocks.METRICS)
def test_distances_of_all_states(rules: Any, metric: str) -> None:
    shown = rules("return Rules.range(Rules.STATES).map(state => Rules.distance(state, values));", metric)
    assert shown == solvers.distance_table("search", metric).tolist()


def test_answers_to_1000_states_and_the_farthest(rules: Any) -> None:
    assert rules("return values.map(Rules.solve);", STATES) == [solvers.solve(state) for state in STATES]
    assert rules("return Rules.farthestClocks();") == solvers.distance_table().argmax()


def test_turns_of_1000_boards(rules: Any) -> None:
    teeth = [sawtooth.teeth_of(board) for board in BOARDS]
    shown = rules(
        "return values.map((teeth, i) => {"
        "  const board = Rules.boardFrom(teeth), cells = [1, 2, 3, 4, 5, 6, 7, 8, 9];"
        "  return [Rules.teethOf(board), cells.map(cell => Rules.turn(board, more[i], cell)),"
        "    cells.map(cell => Rules.senses(board, more[i], cell))];"
        "});",
        teeth,
        STATES,
    )
    for board, state, (spelt, turned, senses) in zip(BOARDS, STATES, shown, strict=True):
        assert spelt == sawtooth.teeth_of(board)
        assert turned == [sawtooth.turn(board, state, cell) for cell in range(9)]
        assert [tuple(row) for row in senses] == [sawtooth.senses(board, state, cell) for cell in range(9)]


def test_what_100_boards_reach_and_the_ways_from_10_states_of_each(rules: Any) -> None:
    goals, starts = STATES[:100], [STATES[i::100] for i in range(100)]
    shown = rules(
        "return values.map((teeth, i) => {"
        "  const next = Rules.turns(Rules.boardFrom(teeth)), [goal, starts] = more[i];"
        "  const far = Rules.distancesFrom(next, 0), near = Rules.distancesTo(next, goal);"
        "  const farthest = Rules.farthest(far);"
        "  const ways = starts.map(start => Rules.descend(next, near, start));"
        "  return [Rules.reached(far), farthest, far.indexOf(farthest), ways];"
        "});",
        [sawtooth.teeth_of(board) for board in BOARDS[:100]],
        list(zip(goals, starts, strict=True)),
    )
    for board, goal, states, found in zip(BOARDS, goals, starts, shown, strict=False):
        reached, farthest, target, ways = found
        far = search.distances(0, sawtooth.neighbours(board))
        assert (reached, farthest) == (sum(levels := search.levels(far)), len(levels) - 1)
        assert target == np.flatnonzero(far == farthest)[0]
        for state, way in zip(states, ways, strict=True):
            lowest = search.shortest(state, np.array([goal]), sawtooth.neighbours(board))
            assert way == (None if lowest is None else [cell + 1 for cell in lowest])


def test_the_hardest_boards_have_their_stored_answers(rules: Any) -> None:
    for row in tables.sawtooth_hardest().itertuples():
        answer = rules(
            "const next = Rules.turns(Rules.boardFrom(values)), goal = Rules.positionOf(more, 'quarters');"
            "return Rules.descend(next, Rules.distancesTo(next, goal), 0).join('');",
            row.board,
            row.target,
        )
        assert answer == row.sequence
        assert len(answer) == row.steps


# ---- The Clocks


def test_the_worked_example_is_solved_by_clicks(page: Page) -> None:
    assert page.numbers() == ["4", "4", "4", "0"]
    assert page.address() == "clocks=330222212"
    state = dials.pack([3, 3, 0, 2, 2, 2, 2, 1, 2])
    for presses, move in enumerate((4, 5, 8, 9), 1):
        page.click(f"#moves button:nth-child({move})")
        state = clocks.press(state, move)
        assert page.address() == "clocks=" + "".join(map(str, dials.unpack(state)))
        assert page.numbers() == [*3 * [str(4 - presses)], str(presses)]
    assert page.said() == "All clocks stand at 12, in 4 presses; the fewest are 4."
    assert page.all("#board .wrong") == []


def test_hint_undo_and_restart(page: Page) -> None:
    page.click("#hint")
    assert page.said() == "Hint: press move 4. 4 presses to go."
    assert page.at("#moves .hint").accessible_name == "Move 4: turns A, D, G"
    page.press("1", "1")
    assert page.numbers() == ["6", "6", "5", "2"]
    page.click("#undo")
    assert page.numbers() == ["7", "5", "5", "1"]
    page.press("2")
    page.click("#again")
    assert (page.numbers(), page.address()) == (["4", "4", "4", "0"], "clocks=330222212")
    page.press("u", "u", "u")
    assert page.numbers() == ["4", "4", "4", "0"]
    assert not page.at("#undo").is_enabled()


def test_scramble_and_the_farthest_state(page: Page) -> None:
    page.type("#clock-distance", "20")
    assert page.numbers()[0] == "20"
    first = page.address()
    page.click("#scramble-clocks button")
    assert page.numbers()[0] == "20"
    assert page.address() != first
    page.click("#farthest-clocks")
    assert page.numbers() == ["27", "9", "9", "0"]
    assert page.address() == "clocks=303010303"
    page.type("#clock-distance", "28")
    assert page.numbers()[0] == "27", "no state is 28 presses away"


def test_a_position_is_typed_in_either_notation(page: Page) -> None:
    notation = Select(page.at("#notation"))
    page.type("#position", "12 12 12 12 12 12 12 12 9")
    assert page.address() == "clocks=000000003"
    notation.select_by_visible_text("quarters")
    page.click("h1")
    assert page.at("#position").get_property("value") == "0 0 0 0 0 0 0 0 3"
    page.type("#position", "333333333")
    assert page.address() == "clocks=333333333"
    notation.select_by_visible_text("hours")
    page.type("#position", "333333333")
    assert page.address() == "clocks=111111111"


@pytest.mark.parametrize(
    "typed, notation, said",
    [
        ("9 9 12", "hours", "Position: expected nine hours, row by row, got 3."),
        ("9 9 12 6 6 6 6 3 7", "hours", "Position: expected hours out of 12, 3, 6, 9, got 7."),
        ("0000000040", "quarters", "Position: expected quarters out of 0, 1, 2, 3, got 4."),
        ("", "quarters", "Position: expected nine quarters, row by row, got 0."),
    ],
)
def test_a_bad_position_is_told_in_a_line(page: Page, typed: str, notation: str, said: str) -> None:
    Select(page.at("#notation")).select_by_visible_text(notation)
    page.type("#position", typed)
    assert page.said() == said
    assert page.at("#say").get_attribute("class") == "error"
    assert page.address() == "clocks=330222212"


def test_a_clock_is_set_by_click_drag_and_keys(page: Page) -> None:
    page.click("#board .dial:nth-child(3) .face")
    assert page.address() == "clocks=331222212"
    face = page.at("#board .dial:nth-child(5) .face")
    pull = ActionChains(page.browser, duration=0).move_to_element(face).click_and_hold()
    pull.move_by_offset(-10, 1).move_by_offset(-10, 1).release().perform()
    assert page.address() == "clocks=331232212", "the hand of E points left"
    page.press("u")
    assert page.address() == "clocks=331222212"
    page.browser.execute_script("arguments[0].focus()", page.at("#board .dial:nth-child(9)"))
    page.press(Keys.ENTER, Keys.SPACE)
    assert page.address() == "clocks=331222210"
    assert page.at("#board .dial:nth-child(9)").accessible_name == "Clock I at 12; click to turn its hand"


def test_the_answer_is_played_paused_and_played_on(page: Page) -> None:
    page.click("#farthest-clocks")
    page.press("p")
    page.browser.execute_script("document.getElementById('speed').value = 8")
    wait(lambda: int(page.numbers()[-1]) >= 3, "the answer is not played")
    page.press("p")
    made = int(page.numbers()[-1])
    answer = page.at("#answer").text
    assert answer == "111222333444555666777888999"
    assert page.at("#answer s").text == answer[:made]
    page.play(seconds=20)
    assert page.said() == "All clocks stand at 12, in 27 presses; the fewest are 27."
    assert page.address() == "clocks=000000000"


def test_the_speed_is_so_many_presses_a_second(page: Page) -> None:
    page.click("#farthest-clocks")
    page.browser.execute_script(
        "window.delays = []; const later = setTimeout;"
        "window.setTimeout = (run, ms) => delays.push(ms) && later(run, 0);"
    )
    for speed, milliseconds in ("0.5", 2000), ("8", 125):
        page.browser.execute_script("document.getElementById('speed').value = arguments[0]", speed)
        page.press("p")
        wait(lambda: page.at("#play").text == "Answer", "the answer does not end")
        assert page.browser.execute_script("return delays.splice(0)").count(milliseconds) == 26  # between 27 presses
        page.press("r")


def test_a_move_in_focus_shows_the_clocks_that_it_turns(page: Page) -> None:
    ActionChains(page.browser, duration=0).move_to_element(page.at("#moves button:nth-child(5)")).perform()
    assert page.marks() == (0, 1, 0, 1, 1, 1, 0, 1, 0)
    ActionChains(page.browser, duration=0).move_to_element(page.at("h1")).perform()
    assert page.marks() == 9 * (0,)
    page.click("#position")
    back = ActionChains(page.browser, duration=0).key_down(Keys.SHIFT)
    back.send_keys(4 * Keys.TAB).key_up(Keys.SHIFT).perform()  # over three fields to move 9
    assert page.marks() == (0, 0, 0, 0, 1, 1, 0, 1, 1)


# ---- The Sawtooth Puzzle


def test_gears_turn_by_click_and_key_and_show_what_they_drive(page: Page) -> None:
    page.choose("The Sawtooth")
    assert page.numbers() == ["6", "0", "18", "0"]
    state, angles = 0, 9 * [0]
    for turns, cell in enumerate(examples.SAMPLE_STEPS, 1):
        driven = sawtooth.senses(examples.SAMPLE, state, cell)
        if turns % 2:
            page.click(f"#board .gear:nth-of-type({10 + cell}) .face")
        else:
            page.press(str(cell + 1))
            assert page.marks() == driven
        state = sawtooth.turn(examples.SAMPLE, state, cell)
        angles = [angle + (0, 90, 0, -90)[sense] for angle, sense in zip(angles, driven, strict=True)]
        assert page.angles() == angles
        assert page.gears() == "".join(map(str, dials.unpack(state)))
        bars = [edge for edge, on in zip(sawtooth.EDGES, page.bars(), strict=True) if on]
        assert {frozenset(bar) for bar in bars} == set(map(frozenset, graphs.mesh(examples.SAMPLE, state).edges))
        assert page.numbers()[0] == str(6 - turns)
    assert page.said() == "The goal is reached, in 6 turns; the fewest are 6."
    page.press("u")
    assert page.numbers() == ["1", "5", "18", "5"]
    page.click("#hint")
    assert page.said() == "Hint: turn gear 7. 1 turn to go."
    *before, last = examples.SAMPLE_STEPS
    state = sawtooth.replay(examples.SAMPLE, before)[-1]
    assert page.marks() == sawtooth.senses(examples.SAMPLE, state, last)


def test_every_listed_board_is_as_far_as_its_name_says(page: Page) -> None:
    page.open("#board")
    boards = Select(page.at("#boards"))
    for name, teeth, *_ in [row for rows in SCRIPT["listed"]().values() for row in rows]:
        boards.select_by_value(teeth)
        to_goal, from_start, farthest, made = page.numbers()
        assert page.address().startswith(f"board={teeth}&goal=")
        assert (from_start, made) == ("0", "0")
        assert to_goal == ("6" if name == "sample" else farthest)
        assert name.startswith(f"{farthest} turns") or not name[0].isdigit()


def test_the_59_turns_are_played_and_the_address_keeps_them(page: Page) -> None:
    row = tables.sawtooth_hardest().iloc[0]
    page.open(f"#board={row.board}")
    page.play(seconds=60)
    assert page.at("#answer").text == row.sequence
    assert page.gears() == row.target
    assert page.said() == f"The goal is reached, in {row.steps} turns; the fewest are {row.steps}."
    page.press("u")
    kept = page.address()
    page.open("#" + kept)
    assert page.address() == kept
    assert page.numbers() == ["1", str(row.steps - 1), str(row.steps), "0"]


def test_goals_at_a_distance_the_farthest_and_this_state(page: Page) -> None:
    page.open("#board")
    page.type("#gear-distance", "11")
    assert page.numbers() == ["11", "0", "18", "0"]
    page.click("#farthest-gears")
    assert page.numbers() == ["18", "0", "18", "0"]
    page.press("1", "2")
    state = page.gears()
    page.click("#here")
    assert f"goal={state}&state=000000000" in page.address()
    reached = search.levels(search.distances(0, sawtooth.neighbours(examples.SAMPLE))).sum()
    said = f"The start reaches {reached:,} of 262,144 states; the farthest is 18 turns away."
    assert page.at("#reach").text == said


def test_a_start_that_nothing_leads_back_to(page: Page) -> None:
    page.open(f"#board={TRAPDOOR}&goal=000000000&state=100000000")
    assert page.numbers()[0] == "none"
    assert page.said() == "From here, no turns lead to the goal: undo."
    for button in "#hint", "#play":
        page.click(button)
        assert page.said() == "From here, no turns lead to the goal: undo."


def test_teeth_are_edited_on_the_board(page: Page) -> None:
    page.open("#board=" + 36 * "0")
    page.press("1", "5")
    page.click("#edit")
    assert page.gears() == 9 * "0", "the start is what is edited"
    for tooth in 2, 4:  # right of the first gear, left of the second
        page.click(f"#board .edge:nth-last-of-type({36 - tooth})")
    assert {edge.get_attribute("tabindex") for edge in page.all("#board .edge")} == {"0"}
    assert page.address().startswith("board=0010" + "1000" + 28 * "0")
    page.browser.execute_script("arguments[0].focus()", page.at("#board .edge"))
    page.press(Keys.ENTER)
    assert page.address().startswith("board=1010" + "1000" + 28 * "0")
    assert page.at("#board .edge").accessible_name == "Gear 1, left tooth"
    assert page.at("#board .edge").get_attribute("aria-pressed") == "true"
    page.press("1")
    assert page.gears() == 9 * "0", "no gear turns while teeth are edited"
    page.click("#edit")
    page.press("1")
    assert page.gears() == "130000000"


def test_a_board_is_typed(page: Page) -> None:
    page.open("#board")
    page.type("#teeth", " ".join(9 * ["1111"]))
    assert page.address().startswith(f"board={ALL_TEETH}")
    assert page.numbers() == ["2", "0", "2", "0"]  # every turn turns all, some one way and the others the other
    for typed, said in [
        (35 * "1", "Board: expected 36 teeth, four for each of 9 gears, got 35."),
        (35 * "1" + "2", "Board: tooth 36: expected 0 or 1, got 2."),
    ]:
        page.type("#teeth", typed)
        assert page.said() == said
        assert page.address().startswith(f"board={ALL_TEETH}")


# ---- The page


@pytest.mark.parametrize(
    "address, said",
    [
        ("#board=01", "Address: expected 36 teeth, four for each of 9 gears, got 2."),
        ("#board=" + 36 * "x", "Address: tooth 1: expected 0 or 1, got x."),
        (f"#board={36 * '0'}&goal=1", "Address: expected nine quarters, row by row, got 1."),
        (f"#board={36 * '0'}&state=00000000x", "Address: expected quarters out of 0, 1, 2, 3, got x."),
        ("#clocks=12345", "Address: expected quarters out of 0, 1, 2, 3, got 4."),
        ("#gears", "Address: expected #clocks= or #board=, got #gears."),
        ("#%F0%9F%98%80=1", "Address: expected #clocks= or #board=, got #😀."),
    ],
)
def test_a_bad_address_is_told_in_a_line(page: Page, address: str, said: str) -> None:
    for come in page.open, partial(page.browser.execute_script, "location.hash = arguments[0]"):
        come(address)
        wait(lambda: page.said() == said, page.said())
        assert page.numbers() == ["4", "4", "4", "0"], "what can be played stays"
        page.press("4")
        assert page.said() == "Pressed move 4. 3 presses to go."
        page.press("u")


def test_either_puzzle_is_as_it_was_left(page: Page) -> None:
    page.press("4")
    page.choose("The Sawtooth")
    page.press("3")
    page.choose("The Clocks")
    assert page.numbers() == ["3", "3", "3", "1"]
    page.choose("The Sawtooth")
    assert page.numbers()[-1] == "1"


@pytest.mark.parametrize("address", ["#clocks", "#board"])
def test_everything_has_a_name_and_room_for_a_finger(page: Page, address: str) -> None:
    page.open(address)
    page.click("summary")
    made = page.all("button, input, select, summary, nav a, [tabindex='0']")
    shown = [each for each in made if each.is_displayed()]
    assert len(shown) > 20
    for each in shown:
        assert each.accessible_name, each.get_attribute("outerHTML")
        assert each.aria_role not in ("generic", "none")
        assert min(each.rect["width"], each.rect["height"]) >= 44, each.accessible_name


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["#clocks", "#board", "#board=1"])
def test_text_is_read_at_any_width_by_day_and_night(opened: Any, address: str, scheme: str) -> None:
    page = Page(opened)
    for width in 360, 400, 880, 1400:
        resize(opened, width, 800, prefers_color_scheme=scheme)
        page.open(address)
        page.click("summary")
        page.click("#hint")
        assert faint(opened) == []
        assert run(opened, "return document.documentElement.scrollWidth") == width


def test_motion_stops_where_it_is_not_wanted(opened: Any) -> None:
    page = Page(opened)
    script = "return getComputedStyle(document.querySelector('.spin')).transitionDuration"
    for wish, duration in ("no-preference", "0.35s"), ("reduce", "0s"):
        resize(opened, 880, 800, prefers_reduced_motion=wish)
        page.open()
        assert run(opened, script) == duration


def test_a_finger_turns_gears_and_clocks(opened: Any) -> None:
    resize(opened, *SIZES["phone"])
    page = Page(opened)
    for address, place, end in (
        ("#clocks", "#board .dial:nth-child(1) .face", "clocks=030222212"),
        ("#board=" + 36 * "0", "#board .gear .face", "state=100000000"),
    ):
        page.open(address)
        box = page.at(place).rect
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind, points in ("touchStart", [at]), ("touchEnd", []):
            opened.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        wait(lambda: page.address().endswith(end), page.address())  # noqa: B023, it is asked at once
