from functools import partial
from io import BytesIO
from itertools import permutations, product
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocklab import algebra, clocks, enumeration, search
from clocklab.algebra import COSTS, AlgebraError, cost
from clocklab.exports import tables
from clocklab.studies import movesets, puzzles, symmetry
from clocklab.studies.movesets import MoveSet, MoveSetError, move_set, read_matrix, read_state
from clocklab.studies.puzzles import CLOCKS, EXAMPLES, NAMED, lights_out, named

# every example, with its own hours and with 4, whose states are at most 4^9
SMALL = [(t, h) for t in EXAMPLES for h in sorted({t.hours, 4}) if h**t.dials <= 4**9]
DATA = Path(__file__).parents[1] / "data"
LIGHTS_OUT_4 = (1, 16, 120, 560, 1387, 1440, 540, 32)
ids = [f"{puzzle.name}-{hours}" for puzzle, hours in SMALL]


def search_levels(puzzle, hours, metric):
    """Count the states at each distance by plain search from the solved state, a press at a time.

    States are numbers to the base of the hours. "quarter" presses go either way, a "turn" press any number of times.
    """
    weights = hours ** np.arange(puzzle.dials)
    factors = {"clockwise": [1], "quarter": [1, hours - 1], "turn": range(1, hours)}[metric]
    words = [move * k % hours for move in puzzle.matrix.T for k in factors]
    seen, level, counts = np.zeros(hours**puzzle.dials, bool), np.zeros(1, np.int64), []
    seen[0] = True
    while len(level):
        counts.append(len(level))
        dials = level[:, None] // weights % hours
        near = np.zeros_like(seen)
        for word in words:
            near[(dials + word) % hours @ weights] = True
        level = np.flatnonzero(near & ~seen)
        seen |= near
    return tuple(counts)


@pytest.mark.parametrize("metric", COSTS)
@pytest.mark.parametrize(("puzzle", "hours"), SMALL, ids=ids)
def test_distribution_is_that_of_search(puzzle, hours, metric):
    assert puzzle.system(hours).distribution(metric) == search_levels(puzzle, hours, metric)


@pytest.mark.parametrize(("puzzle", "hours"), SMALL, ids=ids)
def test_answers_solve_what_can_be_solved_and_invariants_explain_the_rest(puzzle, hours):
    system, weights = puzzle.system(hours), hours ** np.arange(puzzle.dials)
    presses = np.indices((hours,) * puzzle.matrix.shape[1]).reshape(puzzle.matrix.shape[1], -1).T
    reached = set((presses @ puzzle.matrix.T % hours @ weights).tolist())
    assert system.reachable == len(reached)
    for state in np.random.default_rng(1).integers(0, hours, (20, puzzle.dials)):
        found = puzzle.solve(state, hours)
        assert (found is not None) == (int(state @ weights) in reached)
        if found is None:
            assert np.array(system.invariant(state)) @ state % hours
        else:
            assert not ((state + puzzle.matrix @ found) % hours).any()


def test_the_nine_moves_agree_with_the_packed_search_and_enumeration():
    for metric in clocks.METRICS:
        predicted = CLOCKS.system(4).distribution(metric)
        for distances in (
            enumeration.distances(metric),
            search.distances(0, partial(clocks.neighbours, metric=metric)),
        ):
            assert tuple(np.bincount(distances).tolist()) == predicted


def test_metrics_of_four_hours_are_those_of_the_clocks():
    for metric, costs in clocks.METRICS.items():
        assert tuple(int(COSTS[metric](np.int64(k), 4)) for k in range(4)) == costs
    assert list(COSTS) == list(clocks.METRICS)


@given(st.data())
def test_goals_with_free_dials_are_the_nearest_of_all_that_they_stand_for(data):
    hours, dials = data.draw(st.integers(2, 4)), data.draw(st.integers(1, 3))
    step = st.integers(1 - hours, hours - 1)
    line = st.lists(step, min_size=3, max_size=3)
    puzzle = MoveSet("own", data.draw(st.lists(line, min_size=dials, max_size=dials)), hours)
    hour = st.integers(0, hours - 1)
    state = data.draw(st.lists(hour, min_size=dials, max_size=dials))
    goal = st.lists(hour | st.none(), min_size=dials, max_size=dials)
    goals, metric = data.draw(st.lists(goal, min_size=1, max_size=2)), data.draw(st.sampled_from(sorted(COSTS)))
    presses = np.indices((hours,) * 3).reshape(3, -1).T
    ends = (state + presses @ puzzle.matrix.T) % hours
    right = [all(g in (None, e) for g, e in zip(goal, end, strict=True)) for end in ends.tolist() for goal in goals]
    right = presses[np.array(right).reshape(len(ends), -1).any(axis=1)]
    found = puzzle.solve(state, metric=metric, goals=goals)
    if not len(right):
        assert found is None
    else:
        costs = cost(right, hours, metric)
        assert found == max(map(tuple, right[costs == costs.min()].tolist()))


def test_steps_of_any_size_turn_as_far_as_they_say():
    compass = move_set("A2B-3 B-3C3 A2C3", hours=6)
    assert compass.matrix.tolist() == [[2, 0, 2], [-3, -3, 0], [0, 3, 3]]
    assert (sum(compass.solve([0, 3, 0])), compass.system().count) == (3, 18)
    assert str(compass) == "A2B-3 B-3C3 A2C3"
    assert MoveSet("x", [[2]]).system(4).reachable == 2  # a dial named twice would be turned twice


def test_rubiks_clock_has_the_published_numbers():
    whole = puzzles.RUBIKS_CLOCK
    assert (whole.matrix.shape, whole.system(12).reachable) == ((14, 30), 12**14)
    assert whole.system(2).distribution("turn") == (1, 30, 351, 2034, 5840, 6104, 2000, 24)
    assert whole.system(3).distribution("turn")[:4] == (1, 60, 1560, 22896)
    farthest = {n: len(named(f"rubiks-face-{n}").system(4).distribution("turn")) - 1 for n in (9, 15, 30)}
    assert farthest == {9: 9, 15: 7, 30: 6}
    assert str(puzzles.RUBIKS_FACE) == "BCEF EFHI DEGH ABDE ABCDEF BCEFHI DEFGHI ABDEGH ABCDEFGHI"
    turns = np.array([move * k % 12 for move in whole.matrix.T for k in range(12)])  # one move, or none
    two = np.unique((turns[:, None] + turns) % 12 @ 12 ** np.arange(14))
    one = np.unique(turns @ 12 ** np.arange(14))
    assert (len(one) - 1, len(two) - len(one)) == (330, 51_651)


def test_lights_out_of_4_x_4_has_its_distribution_and_loses_what_its_corank_says():
    assert lights_out(4).system().distribution() == LIGHTS_OUT_4
    assert [lights_out(n).system().count for n in range(1, 6)] == [1, 1, 1, 16, 4]


def pressed(puzzle, move, columns):
    """The lights that a move of a grid switches, as (row, column)."""
    return {divmod(dial, columns) for dial in puzzle.moves[move]}


def test_rules_of_lights_out_switch_what_they_say():
    middle = {rule: pressed(lights_out(5, 6, rule), 2 * 6 + 2, 6) for rule in puzzles.RULES}
    assert middle["plus"] == {(2, 2), (1, 2), (3, 2), (2, 1), (2, 3)}
    assert middle["diagonal"] == {(2, 2), (1, 1), (1, 3), (3, 1), (3, 3)}
    assert middle["king"] == middle["plus"] | middle["diagonal"]
    knight = {(2 + a, 2 + b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)}
    assert middle["knight"] == knight | {(2, 2)}
    assert pressed(lights_out(5, 6, "others"), 14, 6) == middle["plus"] - {(2, 2)}
    assert pressed(lights_out(5, 6, "torus"), 0, 6) == {(0, 0), (0, 1), (1, 0), (0, 5), (4, 0)}
    assert pressed(lights_out(5, 6), 0, 6) == {(0, 0), (0, 1), (1, 0)}
    assert lights_out(2, 2, "torus").matrix.sum(axis=0).tolist() == [3] * 4  # each neighbour once


def test_other_puzzles_turn_what_they_say():
    assert pressed(puzzles.alien_tiles(3, 4), 5, 4) == {(1, 0), (1, 1), (1, 2), (1, 3), (0, 1), (2, 1)}
    assert puzzles.rows_and_columns(2, 3).moves == ((0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5))
    assert puzzles.ring(5).moves == ((0, 1, 4), (0, 1, 2), (1, 2, 3), (2, 3, 4), (0, 3, 4))
    assert [puzzles.ring(n).matrix.sum() for n in (1, 2, 3)] == [1, 4, 9]
    assert nx.is_isomorphic(nx.from_numpy_array(puzzles.ORBIX.matrix), nx.icosahedral_graph())
    assert (
        puzzles.MERLIN.moves
        == CLOCKS.moves
        == tuple(tuple("ABCDEFGHI".index(dial) for dial in move) for move in clocks.MOVES)
    )


@pytest.mark.parametrize("puzzle", {**NAMED, **{p.name: p for p in EXAMPLES}}.values(), ids=lambda p: p.name)
def test_a_puzzle_reads_back_from_its_name_and_its_letters(puzzle):
    assert (named(puzzle.name).matrix == puzzle.matrix).all()
    assert (named(puzzle.name).name, named(puzzle.name).hours) == (puzzle.name, puzzle.hours)
    back = move_set(str(puzzle), dials=puzzle.dials)
    assert (back.matrix == puzzle.matrix).all()
    assert puzzle.source


def test_names_hold_sizes_and_rules():
    assert named("lights-out-5x6").matrix.shape == (30, 30)
    assert (named("lights-out-5x6-torus-knight").matrix == lights_out(5, 6, "torus", "knight").matrix).all()
    assert (named("lights-out-4-others").matrix == lights_out(4, 4, "others").matrix).all()
    assert named("lights-out-30x30").name == "lights-out-30"
    assert named("alien-tiles-7").hours == 4
    assert named("ring-900").dials == 900


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("lights-out-5-hex", "expected one of plus, diagonal, knight, king and torus, others, got 'hex'"),
        ("lights-out-5-knight-king", "got 'knight-king'"),
        ("lights-out-5-torus-torus", "got 'torus-torus'"),
        ("lights-out-5-", "expected one of plus, .* got ''$"),
        ("lights-out-31", "expected 1 to 900 dials in rows and columns, got 31 x 31"),
        ("lights-out-0", "got 0 x 0"),
        ("lights-out-0x0", "got 0 x 0"),
        ("ring-0", "got 1 x 0"),
        ("alien-tiles-5x0", "got 5 x 0"),
        (
            "alien-tiles-5-torus",
            "'a' is not a capital letter .*; the named puzzles are clocks, merlin, .* lights-out-5",
        ),
        ("ring-5x5", "'r' is not a capital letter"),
        ("", "expected 1 to 4096 moves in letters, such as 'AB BC CA', got 0"),
        ("AB aC", "move 2, 'aC': 'a' is not a capital letter from A to Z, nor a step behind one, like 2 or -1"),
        ("AÄ", "'Ä' is not a capital letter"),
        ("AB CBC", "move 2, 'CBC': 'B' is named twice|move 2, 'CBC': 'C' is named twice"),
        ("A2B0", "move 1, 'A2B0': 'B' is turned by 0 hours"),
        ("AB A-", "move 2, 'A-': '-' is not"),
        ("2A", "move 1, '2A': '2' is not"),
        ("A1234567890", "'0' is not"),
        ("ABC " * 10**6, "expected 1 to 4096 moves in letters, such as 'AB BC CA', got 1000000"),
    ],
)
def test_a_bad_name_or_line_is_named(words, message):
    with pytest.raises(MoveSetError, match=message):
        named(words)


def test_dials_that_no_move_turns_can_be_asked_for():
    assert move_set("AB A B", dials=3).matrix.tolist() == [[1, 1, 0], [1, 0, 1], [0, 0, 0]]
    assert named("clocks", 9) is CLOCKS
    with pytest.raises(MoveSetError, match="expected 3 to 26 dials for these letters, got 2"):
        named("AB C", 2)
    with pytest.raises(MoveSetError, match="expected 3 to 26 dials for these letters, got 27"):
        move_set("AB C", dials=27)
    with pytest.raises(MoveSetError, match="expected 9 dials, as clocks has, got 10"):
        named("clocks", 10)


def saved(matrix, **how):
    np.savetxt(text := BytesIO(), matrix, **how)
    return text.getvalue()


def test_matrices_are_read_as_people_have_them():
    matrix = np.array([[1, 0, 2], [0, -1, 1]])
    np.save(npy := BytesIO(), matrix)
    for content in (
        b"1 0 2\n0 -1 1\n", b"\r\n1 0 2  # comment\r\n\r\n0 -1 1",
        saved(matrix), saved(matrix, fmt="%d", delimiter=","),
        str(matrix).encode(), str(matrix.tolist()).replace("],", "],\n").encode(), npy.getvalue(),
    ):  # fmt: skip
        assert read_matrix(content, "dials").matrix.tolist() == matrix.tolist()
        assert read_matrix(content, "moves").matrix.tolist() == matrix.T.tolist()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "file: expected rows of whole numbers, got none"),
        (b"1 0\n\n1 0 1\n", "file, row 2: expected 2 numbers as in row 1, got 3"),
        (b"1 0\n1 x\n", "file, row 2: expected whole numbers, got 'x'"),
        (b"1 0.5", "file, row 1: expected whole numbers, got '0.5'"),
        (b"1 1e99", "expected at most 1048576 numbers of at most 1000000000 in a move matrix"),
        (b"1 1e400", "row 1: expected whole numbers, got '1e400'"),
        (b"1 nan", "got 'nan'"),
        (b"1 1_0", "got '1_0'"),
        (b"1 " + 5000 * b"9", "got '9{40}'\\.\\.\\."),
        (b"2000000000 1", "at most 1000000000"),
        (b"\x93NUMPY\x01\x00", "file: expected a matrix of whole numbers as numpy saves it"),
        (b"\x93NUMPY" + 99 * b"x", "file: expected a matrix of whole numbers as numpy saves it"),
    ],
)
def test_a_bad_matrix_is_named(content, message):
    with pytest.raises(MoveSetError, match=message):
        read_matrix(content, "moves", "file")


def test_saved_arrays_that_are_no_matrix_are_refused():
    for array in (np.ones(3, int), np.ones((2, 2)), np.array([[None]]), np.ones((0, 3), int)):
        np.save(npy := BytesIO(), array)
        with pytest.raises((MoveSetError, AlgebraError), match=r"expected a matrix of whole numbers|expected rows"):
            read_matrix(npy.getvalue(), "dials")


def test_states_are_read_as_digits_numbers_or_hours():
    for text in ("330222212", " 3 3 0\n2 2 2 2 1 2 ", "3,3,0, 2,2,2, 2,1,2", "330\n222\n212\n"):
        assert read_state(CLOCKS, text) == [3, 3, 0, 2, 2, 2, 2, 1, 2]
    assert read_state(CLOCKS, "9 9 12 6 6 6 6 3 6", "hours") == [3, 3, 0, 2, 2, 2, 2, 1, 2]
    assert read_state(move_set("AB B", 12), "11 0") == [11, 0]
    assert read_state(move_set("AB B", 12), "11 12", "hours") == [11, 0]
    assert read_state(move_set("A"), "3") == [3]
    assert read_state(CLOCKS, "3?0??2212", free=True) == [3, None, 0, None, None, 2, 2, 1, 2]


@pytest.mark.parametrize(
    ("text", "notation", "message"),
    [
        ("12", "steps", "expected 3 dials, got 2"),
        ("1 2", "steps", "expected 3 dials, got 2"),
        ("1 2 3 1", "steps", "expected 3 dials, got 4"),
        ("1 2 4", "steps", "dial 3: .* from 0 to 3, got '4'"),
        ("0-1", "steps", "dial 2: .* got '-'"),
        ("11²", "steps", "dial 3"),
        ("11?", "steps", "dial 3: expected a number from 0 to 3, got '\\?'"),
        ("1 1 " + 5000 * "9", "steps", "dial 3: .* got '9{40}'\\.\\.\\."),
        ("12 3 4", "hours", "dial 3: expected one of 12, 3, 6, 9, got '4'"),
        ("12 3 0", "hours", "dial 3: expected one of 12, 3, 6, 9, got '0'"),
    ],
)
def test_a_bad_state_is_named(text, notation, message):
    with pytest.raises(MoveSetError, match=message):
        read_state(move_set("ABC"), text, notation)


def test_bad_hours_dials_and_states_are_named():
    for hours in (1, 0, -4, 10**9 + 1):
        with pytest.raises(MoveSetError, match="expected 2 to 1000000000 hours, got"):
            CLOCKS.system(hours)
    with pytest.raises(MoveSetError, match=r"expected 2, 3, 4, 6 or 12 hours on a dial .* got 5"):
        read_state(move_set("A", 5), "3", "hours")
    with pytest.raises(MoveSetError, match="expected 9 dials, got 2"):
        CLOCKS.solve([1, 2])
    with pytest.raises(MoveSetError, match="dial 1: expected a number from 0 to 3, got '9'"):
        CLOCKS.solve([9, 9, 12, 6, 6, 6, 6, 3, 6])
    for strange in (-1, 0.5, "0", None):
        with pytest.raises(MoveSetError, match="dial 9: expected a number from 0 to 3"):
            CLOCKS.solve([0] * 8 + [strange])
    with pytest.raises(MoveSetError, match="dial 2: expected a number from 0 to 3, got '4'"):
        CLOCKS.solve([0] * 9, goals=[[None, 4] + [0] * 7])
    with pytest.raises(AlgebraError, match="expected a metric"):
        CLOCKS.solve([0] * 9, metric="half")
    with pytest.raises(AlgebraError, match="whole numbers"):
        MoveSet("x", ((0, 0.5),))
    for move in (0, -1, 10):
        with pytest.raises(MoveSetError, match=f"expected a move from 1 to 9, got {move}"):
            CLOCKS.without(move)


@given(st.text(max_size=12), st.text(max_size=12), st.sampled_from(["steps", "hours"]))
def test_any_text_is_a_puzzle_and_a_state_or_a_named_error(line, text, notation):
    try:
        puzzle = named(line)
        label, _ = movesets.answer(puzzle, read_state(puzzle, text, notation))
        assert label in {"presses", "no solution"}
    except MoveSetError as error:
        assert str(error).startswith(("expected", "move", "dial"))


def test_a_left_out_move_leaves_a_quarter_and_one_way():
    for move in range(1, 10):
        system = CLOCKS.without(move).system(4)
        assert (system.reachable, system.count, len(system.invariants)) == (4**8, 1, 1)


def test_symmetries_are_those_of_trying_every_permutation():
    rng = np.random.default_rng(2)
    for _ in range(40):
        matrix = rng.integers(-1, 2, (4, 4))
        moves, swaps = sorted(map(tuple, matrix.T)), list(permutations(range(4)))
        right = [p for p in swaps if sorted(tuple(np.array(m)[np.argsort(p)]) for m in matrix.T) == moves]
        assert list(map(tuple, symmetry.automorphisms(matrix).tolist())) == right
        together = [p for p in swaps if (matrix[np.ix_(p, p)] == matrix).all()]
        assert list(map(tuple, symmetry.automorphisms(matrix, together=True).tolist())) == together
        states = list(product(range(3), repeat=4))
        classes = {min(tuple(state[i] for i in p) for p in right) for state in states}
        assert symmetry.count_classes(symmetry.automorphisms(matrix), 3) == len(classes)


def test_symmetries_of_the_clocks_are_those_of_the_square_and_orbix_has_its_published_classes(monkeypatch):
    square = {tuple(np.argsort(row).tolist()) for row in symmetry.symmetries()}
    assert set(map(tuple, symmetry.automorphisms(CLOCKS.matrix).tolist())) == square
    assert symmetry.count_classes(symmetry.automorphisms(CLOCKS.matrix), 4) == len(symmetry.classes()[0]) == 34960
    assert symmetry.count_classes(symmetry.automorphisms(puzzles.ORBIX.matrix, together=True), 2) == 82
    monkeypatch.setattr(symmetry, "MOST", 23)
    with pytest.raises(ValueError, match="at most 23 symmetries"):
        symmetry.automorphisms(np.eye(4, dtype=int))


def test_the_inverse_table_turns_one_clock_alone():
    table = tables.clock_inverse()
    for i, row in enumerate(table.filter(like="move_").to_numpy()):
        assert (CLOCKS.matrix @ row % 4).tolist() == [int(i == j) for j in range(9)]
        assert [cost(row, 4, metric) for metric in COSTS] == table.loc[i, list(COSTS)].tolist()


def test_the_left_out_table_names_sums_that_the_other_moves_keep():
    for row in tables.clock_left_out().itertuples(index=False):
        kept = [sum(row[2 + dial] for dial in move) % 4 == 0 for move in CLOCKS.moves]
        assert kept == [move != row.move for move in range(1, 10)]
        assert row.reachable == 4**8


def test_the_table_of_move_sets_has_the_facts_of_each():
    facts = tables.move_sets().set_index(["puzzle", "hours"])
    assert len(facts) == 11 * len(EXAMPLES)
    for puzzle, hours in SMALL:  # whose facts are compared with enumeration above
        row, system = facts.loc[puzzle.name, hours], puzzle.system(hours)
        assert row.reachable_one_in * system.reachable == hours**puzzle.dials
        assert row.solutions == system.count
        factors = [int(factor) for factor in row.smith_form.split()]
        assert row.rank_Zm == sum(np.gcd(factor, hours) == 1 for factor in factors)
        assert (row.rank_R, row.rank_GF2) == (np.count_nonzero(factors), sum(factor % 2 for factor in factors))
    assert facts.determinant.isna().sum() == 11


def test_the_tables_of_distances_hold_every_state():
    table = tables.clock_12_hours()
    assert table[list(COSTS)].sum().tolist() == [12**9] * 3
    assert [int(table[table[metric] > 0].distance.max()) for metric in COSTS] == [99, 54, 9]
    for row in tables.clock_farthest().itertuples():
        assert row.clockwise == (5 * row.hours - 9 if row.hours % 5 == 0 else 9 * row.hours - 9)
    patterns = tables.lights_out_distances().groupby("n").patterns.sum()
    assert patterns.to_dict() == {2: 2**4, 3: 2**9, 4: 2**12, 5: 2**23}


def test_the_table_of_lights_out_has_the_published_terms():
    table = tables.lights_out().set_index("n")
    assert table.quiet_dimension[:20].tolist() == [
        0,
        0,
        0,
        4,
        2,
        0,
        0,
        0,
        8,
        0,
        6,
        0,
        0,
        4,
        0,
        8,
        2,
        0,
        16,
        0,
    ]  # A159257
    assert table.quiet_dimension[20:].tolist() == [0, 0, 14, 4, 0, 0, 0, 0, 10, 20]
    assert table.all_on[:10].tolist() == [1, 4, 5, 4, 15, 28, 33, 40, 25, 44]  # A075464
    assert table.all_on[10:20].tolist() == [55, 72, 105, 56, 117, 104, 147, 188, 141, 224]
    assert table.equals(pd.read_csv(DATA / "lights_out.csv").set_index("n"))


def test_the_random_move_sets_are_all_of_a_size_or_near_their_exact_share():
    facts = tables.random_move_sets()
    assert [facts.query("modulus == 3 and size == @n").coins.item() for n in (1, 2, 3)] == [1 / 2, 6 / 16, 174 / 512]
    for row in facts.itertuples():
        assert row.evenly == float(algebra.invertible_share(row.size, row.modulus))
        if row.modulus == 2:  # then coins draw evenly
            spread = 0 if row.all else 3.5 * (row.evenly * (1 - row.evenly) / row.matrices) ** 0.5
            assert abs(row.coins - row.evenly) <= spread + 1e-12
        assert row.matrices == (2 ** (row.size**2) if row.all else 100_000)


def test_an_answer_is_the_cheapest_in_the_metric_asked_for():
    puzzle = move_set("AB BC CA", hours=12)
    assert movesets.answer(puzzle, [1, 1, 0], metric="quarter") == (
        "presses",
        "11 0 0 (distance 1, quarter; one of 2 solutions)",
    )
    assert movesets.answer(puzzle, [1, 1, 0], metric="turn")[1].startswith("11 0 0 (distance 1, turn")
    assert movesets.answer(puzzle, [7, 7, 0], metric="quarter")[1].startswith("5 0 0 (distance 5, quarter")
    assert movesets.written(puzzle, [7, 7, 0], "distance", metric="quarter") == "5"
    assert movesets.written(puzzle, [10, 10, 0], "moves") == "1 1"
    assert movesets.written(puzzle, [1, 0, 0], "presses") == "-1"
    with pytest.raises(MoveSetError, match="expected at most 1048576 moves to list, got 99999999"):
        movesets.written(move_set("A", hours=10**8), [1], "moves")
