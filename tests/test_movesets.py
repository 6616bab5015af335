from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocklab import algebra, clocks, enumeration, search
from clocklab.algebra import COSTS, AlgebraError, cost, multiply
from clocklab.exports import tables
from clocklab.studies import movesets
from clocklab.studies.movesets import TABLES, MoveSetError, move_set

# every named table, with its own hours and with 4, whose states are at most 4^9
SMALL = [(t, h) for t in TABLES.values() for h in sorted({t.hours, 4}) if h**t.dials <= 4**9]
LIGHTS_OUT_4 = (1, 16, 120, 560, 1387, 1440, 540, 32)
ids = [f"{table.name}-{hours}" for table, hours in SMALL]


def search_levels(table, hours, metric):
    """Count the states at each distance by plain search from the solved state, a press at a time.

    States are numbers to the base of the hours. "quarter" presses go either way, a "turn" press any number of times.
    """
    weights = hours ** np.arange(table.dials)
    factors = {"clockwise": [1], "quarter": [1, hours - 1], "turn": range(1, hours)}[metric]
    words = [np.bincount(move, minlength=table.dials) * k % hours for move in table.moves for k in factors]
    seen, level, counts = np.zeros(hours**table.dials, bool), np.zeros(1, np.int64), []
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


def enumerated(table, hours):
    """Return for every press vector, in order, the state it leads to, a number to the base of the hours."""
    presses = np.indices((hours,) * len(table.moves)).reshape(len(table.moves), -1).T
    return presses, presses @ np.array(table.matrix).T % hours @ hours ** np.arange(table.dials)


@pytest.mark.parametrize("metric", COSTS)
@pytest.mark.parametrize(("table", "hours"), SMALL, ids=ids)
def test_distribution_is_that_of_search(table, hours, metric):
    assert table.system(hours).distribution(metric) == search_levels(table, hours, metric)


@pytest.mark.parametrize(("table", "hours"), SMALL, ids=ids)
def test_reachable_solutions_and_distances_are_those_of_enumeration(table, hours):
    system, (presses, states) = table.system(hours), enumerated(table, hours)
    reached, counts = np.unique(states, return_counts=True)
    assert (system.reachable, {system.count}) == (len(reached), set(counts.tolist()))
    for metric in COSTS:
        least = np.full(hours**table.dials, 999)
        np.minimum.at(least, states, cost(presses, hours, metric))
        assert system.distribution(metric) == tuple(np.bincount(least[reached]).tolist())


@pytest.mark.parametrize(("table", "hours"), SMALL, ids=ids)
def test_answers_solve_what_can_be_solved_and_invariants_explain_the_rest(table, hours):
    system, m = table.system(hours), hours
    reached = set(enumerated(table, hours)[1].tolist())
    weights = hours ** np.arange(table.dials)
    for state in np.random.default_rng(1).integers(0, hours, (20, table.dials)).tolist():
        presses = table.solve(state, hours)
        assert (presses is not None) == (int(np.array(state) @ weights) in reached)
        if presses is None:
            assert multiply((system.invariant(state),), state)[0] % m
        else:
            assert not any((s + b) % m for s, b in zip(state, multiply(table.matrix, presses), strict=True))


def test_the_nine_moves_agree_with_the_packed_search_and_enumeration():
    for metric in clocks.METRICS:
        predicted = movesets.CLOCKS.system(4).distribution(metric)
        for distances in (
            enumeration.distances(metric),
            search.distances(0, partial(clocks.neighbours, metric=metric)),
        ):
            assert tuple(np.bincount(distances).tolist()) == predicted


def test_metrics_of_four_hours_are_those_of_the_clocks():
    for metric, costs in clocks.METRICS.items():
        assert tuple(int(COSTS[metric](np.int64(k), 4)) for k in range(4)) == costs
    assert list(COSTS) == list(clocks.METRICS)


def test_rubiks_clock_has_determinant_1_and_the_distribution_of_the_clocks_for_every_number_of_hours():
    for hours in (2, 3, 4, 5, 12):
        assert movesets.RUBIKS_CLOCK.system(hours).reachable == hours**9
    for metric in COSTS:
        pins, moves = (table.system(12).distribution(metric) for table in (movesets.RUBIKS_CLOCK, movesets.CLOCKS))
        assert pins == moves
        assert sum(pins) == 12**9


def test_lights_out_loses_what_its_corank_says():
    for n in range(2, 6):
        system = movesets.lights_out(n).system()
        assert system.states // system.reachable == 2 ** (0, 0, 0, 4, 2)[n - 1]
    assert movesets.lights_out(4).system().distribution() == LIGHTS_OUT_4


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_reads_back_from_its_letters(table):
    assert move_set(str(table)).moves == table.moves
    assert move_set(str(table)).dials == table.dials
    assert table.source


def test_tables_past_the_letters_print_numbers():
    assert str(movesets.lights_out(6)).startswith("0,1,6 0,1,2,7 ")


def test_a_left_out_move_leaves_a_quarter_and_one_way():
    for move in range(1, 10):
        system = movesets.CLOCKS.without(move).system(4)
        assert (system.reachable, system.count, len(system.invariants)) == (4**8, 1, 1)


@given(st.lists(st.sets(st.sampled_from("ABCD"), min_size=1), min_size=1, max_size=4), st.integers(2, 4))
def test_own_tables_are_searched_as_well(moves, hours):
    table = move_set(" ".join("".join(sorted(move)) for move in moves))
    assert table.system(hours).distribution("quarter") == search_levels(table, hours, "quarter")


def test_states_are_read_as_digits_or_as_numbers():
    read = movesets.parse_state
    assert (
        read(movesets.CLOCKS, "330222212")
        == read(movesets.CLOCKS, " 3 3 0\n2 2 2 2 1 2 ")
        == read(movesets.CLOCKS, "3,3,0, 2,2,2, 2,1,2")
        == (3, 3, 0, 2, 2, 2, 2, 1, 2)
    )
    assert read(move_set("AB B"), "11 0", 12) == (11, 0)
    assert read(move_set("A"), "3") == (3,)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 1 to 144 moves in letters, such as 'AB BC CA', got 0"),
        ("A " * 145, "got 145"),
        ("AB aC", "move 2, 'aC': 'a' is not a capital letter from A to Z"),
        ("AÄ", "'Ä' is not a capital letter"),
        ("AB CBC", "move 2, 'CBC': 'C' is named twice"),
    ],
)
def test_a_bad_table_is_named(line, message):
    with pytest.raises(MoveSetError, match=message):
        move_set(line)
    with pytest.raises(MoveSetError, match="the named tables are clocks, "):
        movesets.named(line)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12", "expected 3 dials, got 2"),
        ("1 2 4", "dial 3: .* from 0 to 3, got '4'"),
        ("0-1", "dial 2: .* got '-'"),
        ("11²", "dial 3"),
        ("1 1 " + 5000 * "9", "dial 3: .* got '9{40}'\\.\\.\\."),
    ],
)
def test_a_bad_state_is_named(text, message):
    with pytest.raises(MoveSetError, match=message):
        movesets.parse_state(move_set("ABC"), text)


def test_bad_hours_and_dials_are_named():
    for hours in (1, 0, -4, 10**9 + 1):
        with pytest.raises(MoveSetError, match="expected 2 to 1000000000 hours, got"):
            movesets.CLOCKS.system(hours)
    with pytest.raises(AlgebraError, match="9 numbers, got 2"):
        movesets.CLOCKS.solve([1, 2])


@given(st.text(max_size=12), st.text(max_size=12), st.integers(-1, 40))
def test_any_text_is_a_table_and_a_state_or_a_named_error(line, text, hours):
    try:
        table = movesets.named(line)
        label, _ = movesets.answer(table, movesets.parse_state(table, text, hours), hours)
        assert label in {"presses", "no solution"}
    except MoveSetError as error:
        assert str(error).startswith(("expected", "move", "dial"))


def test_the_inverse_table_turns_one_clock_alone():
    table = tables.clock_inverse()
    for i, row in enumerate(table.filter(like="move_").to_numpy().tolist()):
        assert [turned % 4 for turned in multiply(movesets.CLOCKS.matrix, row)] == [int(i == j) for j in range(9)]
        assert [cost(row, 4, metric) for metric in COSTS] == table.loc[i, list(COSTS)].tolist()


def test_the_left_out_table_names_sums_that_the_other_moves_keep():
    for row in tables.clock_left_out().itertuples(index=False):
        kept = [sum(row[2 + dial] for dial in move) % 4 == 0 for move in movesets.CLOCKS.moves]
        assert kept == [move != row.move for move in range(1, 10)]
        assert row.reachable == 4**8


def test_the_table_of_tables_has_the_facts_of_each():
    facts = tables.move_sets().set_index(["table", "hours"])
    assert len(facts) == 11 * len(TABLES)
    for table, hours in SMALL:  # whose facts are compared with enumeration above
        row, system = facts.loc[table.name, hours], table.system(hours)
        assert row.reachable_one_in * system.reachable == hours**table.dials
        assert (row.solutions, row.rank_Zm) == (system.count, system.rank)
    assert facts.determinant.isna().sum() == 11


def test_the_twelve_hour_table_holds_every_state_in_every_metric():
    table = tables.clock_12_hours()
    assert table[list(COSTS)].sum().tolist() == [12**9] * 3
    assert [int(table[table[metric] > 0].distance.max()) for metric in COSTS] == [99, 54, 9]


def test_the_random_move_sets_lie_near_their_exact_shares():
    for row in tables.random_move_sets().itertuples():
        assert row.exact == float(algebra.invertible_share(row.size, row.modulus))
        assert abs(row.sampled - row.exact) < 3.5 * (row.exact * (1 - row.exact) / row.samples) ** 0.5


@pytest.mark.parametrize("move", [0, -1, 10])
def test_a_move_that_is_not_there_cannot_be_left_out(move):
    with pytest.raises(movesets.MoveSetError, match=f"expected a move from 1 to 9, got {move}"):
        movesets.CLOCKS.without(move)


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.uint64, np.int64])
def test_states_of_any_whole_type_have_the_same_answer(kind):
    table, state = move_set("AB BC CA", hours=5), np.array([1, 0, 0], kind)
    assert table.solve(state) == table.solve([1, 0, 0]) == (2, 3, 2)
    assert movesets.answer(table, state, 5) == movesets.answer(table, (1, 0, 0), 5)
    assert algebra.multiply(np.full((2, 2), 200, kind), np.array([200, 1], kind)) == (40_200, 40_200)
    assert algebra.cost(np.array([1, 99], kind), 1000, "quarter") == 100


def test_costs_are_exact_for_any_modulus_and_states_are_whole_numbers():
    assert algebra.cost((3, 0, 10**20 - 1), 10**20, "quarter") == 4
    assert algebra.cost([2**63 + 1, 0], 2**64, "clockwise") == 2**63 + 1
    for state in ([0.9] * 3, "100"):
        with pytest.raises(AlgebraError, match="whole numbers"):
            move_set("AB BC CA").solve(state)


def test_an_answer_is_the_cheapest_in_the_metric_asked_for():
    table = move_set("AB BC CA", hours=12)
    assert movesets.answer(table, (1, 1, 0), 12, "quarter") == ("presses", "11 0 0 (distance 1, quarter)")
    assert movesets.answer(table, (1, 1, 0), 12, "turn") == ("presses", "11 0 0 (distance 1, turn)")
    assert movesets.answer(table, (7, 7, 0), 12, "quarter") == ("presses", "5 0 0 (distance 5, quarter)")
    assert movesets.answer(table, (1, 0, 11), 12, "clockwise")[1].endswith("clockwise)")
