"""What a board reaches, against networkx on the few states of small boards and against plain Python on large ones."""

import networkx as nx
import numpy as np
import pytest
from gears import meshed_with, turn
from hypothesis import given, settings
from hypothesis import strategies as st

from clocklab import dials, sawtooth, search
from clocklab.dials import STATES
from clocklab.exports import figures, tables
from clocklab.studies import graphs, reach, survey
from clocklab.studies.examples import BOARDS, SAMPLE, SPLIT, STAIRS, TRAPDOOR
from clocklab.studies.reach import AGAIN, LONG_WAY, NEVER


def small_boards():
    """The two named boards, and random ones with two to four cells that have teeth."""
    rng = np.random.default_rng(5)
    cells = [(4, 7), (0, 1, 2), (3, 4, 7), (1, 2, 4, 5), (4, 5, 7, 8)]
    teeth = [[7, 7], [5, 15, 15], *rng.integers(3, 16, size=(3, 4)).tolist()]
    drawn = [sum(t << 4 * c for t, c in zip(ts, cs, strict=False)) for cs, ts in zip(cells, teeth, strict=True)]
    return [TRAPDOOR, STAIRS, *drawn]


@pytest.fixture(scope="module", params=small_boards(), ids=lambda board: f"{board:09x}"[::-1])
def small(request):
    """A small board with its graph by networkx, its arcs and its components."""
    arcs = reach.arcs(request.param)
    return request.param, graphs.turns(request.param), arcs, reach.components(arcs)


def test_turns_are_those_of_the_plain_walk(small):
    board, graph, _, _ = small
    teeth = sawtooth.teeth_of(board)
    for before, after, cell in graph.edges(data="cell"):
        assert turn(teeth, dials.unpack(before), cell) == dials.unpack(after)
    toothed = sum(teeth[i : i + 4] != "0000" for i in range(0, 36, 4))
    assert graph.number_of_nodes() == 4**toothed
    assert graph.number_of_edges() == toothed * 4**toothed


def test_components_are_those_of_networkx(small):
    board, graph, _, components = small
    expected = {frozenset(members) for members in nx.strongly_connected_components(graph)}
    found = [frozenset(s for s in graph if components[s] == components[other]) for other in graph]
    assert set(found) == expected
    assert components.max() + 1 == len(expected)  # cells without teeth turn freely and split nothing
    assert {frozenset(map(int, m.split())) for _, m in graphs.condensation(board).nodes(data="members")} == expected
    assert reach.facts(board).strongly_connected == (len(expected) == 1)


def test_components_are_those_of_networkx_for_any_number_of_moves(small):
    _, graph, arcs, _ = small
    back = dials.add(np.arange(STATES), dials.negate(dials.add(arcs, dials.negate(np.arange(STATES)))))
    both_ways = nx.DiGraph(graph)
    both_ways.add_edges_from((state, int(after[state])) for after in back for state in graph if after[state] in graph)
    components = reach.components(np.vstack([arcs, back]))
    assert components.max() + 1 == nx.number_strongly_connected_components(both_ways)


def test_reach_is_that_of_networkx(small):
    board, graph, _, _ = small
    distances = search.distances(0, sawtooth.neighbours(board))
    expected = nx.single_source_shortest_path_length(graph, 0)
    assert {state: distances[state] for state in graph if distances[state] != search.UNREACHED} == expected
    free = STATES // graph.number_of_nodes()
    assert np.count_nonzero(distances != search.UNREACHED) == len(expected) * free


def test_ways_back_by_trying_them(small):
    _, graph, arcs, components = small
    ways = reach.ways_back(arcs, components)
    back = {after: nx.descendants(graph, after) | {after} for after in graph}
    for before, after, cell in graph.edges(data="cell"):
        state, seen = after, set()
        while state != before and state not in seen:
            seen.add(state)
            state = int(arcs[cell, state])
        expected = AGAIN if state == before else LONG_WAY if before in back[after] else NEVER
        assert ways[cell, before] == expected


@pytest.mark.parametrize("teeth", [10, 18, 24, 33])
def test_large_boards_by_the_definitions(teeth):
    board = sawtooth.random_board(np.random.default_rng(teeth), teeth=teeth)
    arcs = reach.arcs(board)
    components, orphans = reach.components(arcs), reach.orphans(arcs)
    led_to = [set(turn.tolist()) for turn in arcs]
    merging = [cell for cell in range(9) if len(led_to[cell]) < STATES]
    assert reach.facts(board) == (components.max() == 0, not merging, not orphans.size)
    assert orphans.tolist() == sorted(set(range(STATES)).difference(*led_to))
    ways = reach.ways_back(arcs, components)
    assert [cell for cell in range(9) if (ways[cell] != AGAIN).any()] == merging


def test_arcs_are_turns():
    rng = np.random.default_rng(3)
    board = sawtooth.random_board(rng)
    arcs = reach.arcs(board)
    assert arcs.shape == (9, STATES)
    for state, cell in zip(rng.integers(STATES, size=50).tolist(), rng.integers(9, size=50).tolist(), strict=True):
        assert arcs[cell, state] == sawtooth.turn(board, state, cell)


@pytest.mark.parametrize("board", [TRAPDOOR, STAIRS, 2**36 - 1])
def test_farthest_is_reached_by_its_steps_and_nothing_is_farther(board):
    distances = search.distances(0, sawtooth.neighbours(board))
    state, steps = reach.farthest(board)
    assert sawtooth.replay(board, steps)[-1] == state
    assert len(steps) == distances[state] == distances[distances != search.UNREACHED].max()
    assert state == np.flatnonzero(distances == distances[state])[0]


def test_farthest_from_another_start():
    state, steps = reach.farthest(2**36 - 1, start=5)
    assert len(steps) == 2
    assert sawtooth.replay(2**36 - 1, steps, 5)[-1] == state


@pytest.mark.parametrize(
    ("full_cells", "locks"),
    [((0, 1), 1), ((0, 1, 2), 2), ((0, 1, 3, 4), 3), ((0, 1, 7, 8), 2), ((0, 2, 4, 6, 8), 0), (range(9), 8)],
)
def test_locks_bound_what_is_reached_and_cells_of_four_teeth_alone_reach_the_bound(full_cells, locks):
    board = sum(0b1111 << 4 * cell for cell in full_cells)
    assert reach.locks(board) == locks
    assert survey.examine(board).reachable == STATES >> 2 * locks


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from([3, 7, 15, 15, 15]), min_size=9, max_size=9))
def test_locks_bound_what_is_reached(teeth):
    board = sum(t << 4 * cell for cell, t in enumerate(teeth))
    assert survey.examine(board).reachable <= STATES >> 2 * reach.locks(board)


def test_trapdoor_loses_its_start_and_nothing_else():
    lost = search.distances(sawtooth.turn(TRAPDOOR, 0, 0), sawtooth.neighbours(TRAPDOOR)) == search.UNREACHED
    assert np.flatnonzero(lost).tolist() == sawtooth.goal_states([(0,), (0,), *[range(4)] * 7]).tolist()
    assert [cell for cell, turn in enumerate(reach.arcs(TRAPDOOR)) if np.unique(turn).size < STATES] == [0, 1]
    assert reach.facts(TRAPDOOR) == (False, False, True)  # something leads to the start: the seven other cells


def test_the_start_of_the_stairs_is_five_steps_from_the_component_that_keeps():
    graph = graphs.condensation(STAIRS)
    assert graph.number_of_nodes() == 23
    assert nx.dag_longest_path_length(graph) == 5
    (keeps,) = [node for node in graph if not graph.out_degree(node)]
    assert max(map(len, nx.all_simple_paths(graph, graph.graph["start"], keeps))) == 6


def test_table_of_the_survey_by_plain_means():
    survey, table = tables.sawtooth_survey(), tables.sawtooth_reach()
    assert table.teeth.tolist() == list(range(37))
    for row in table.iloc[[0, 16, 27, 36]].itertuples():
        boards = survey[survey.teeth == row.teeth]
        assert row.boards == len(boards) == 300
        reachable = boards.reachable.tolist()
        assert row.share == pytest.approx(sum(reachable) / 300 / STATES, abs=1e-8)
        assert row.share_low <= row.share <= row.share_high
        assert row.everything == pytest.approx(sum(r == STATES for r in reachable) / 300, abs=1e-8)
        assert row.strongly_connected == pytest.approx(boards.strongly_connected.sum() / 300, abs=1e-8)
        assert row.median == np.median(reachable)
        assert [row.farthest_min, row.farthest_max] == [min(boards.farthest), max(boards.farthest)]
        assert row.share <= row.bound + 1e-12
    assert [table.everything_low[0], table.everything_high[0]] == pytest.approx([0.98736, 1], abs=1e-5)


def test_boards_without_a_lock_have_no_two_neighbours_of_four_teeth():
    survey, table = tables.sawtooth_survey(), tables.sawtooth_reach()
    for row in table[table.teeth.isin((24, 27, 32))].itertuples():
        cells = [[teeth[i : i + 4] for i in range(0, 36, 4)] for teeth in survey[survey.teeth == row.teeth].board]
        free = [all("0" in nine[a] + nine[b] for a, b in sawtooth.EDGES) for nine in cells]
        shares = survey[survey.teeth == row.teeth].reachable[free] / STATES
        assert row.without_lock == len(shares)
        assert row.share_without_lock == pytest.approx(np.mean(shares), abs=1e-8)
        spread = 1.96 * np.std(shares, ddof=1) / len(shares) ** 0.5
        assert row.share_without_lock_high == pytest.approx(np.mean(shares) + spread, abs=1e-8)
    assert table.without_lock[36] == 0 and np.isnan(table.share_without_lock[36])


def test_the_exact_shares_lie_where_the_survey_expects_them():
    table, exact = tables.sawtooth_reach(), tables.sawtooth_census()
    share = exact.strongly_connected / exact.boards
    inside = share.between(table.strongly_connected_low, table.strongly_connected_high)
    assert inside.sum() >= 33  # of 37 intervals of 95 %; 35 are


def test_table_of_turns_adds_up_to_all_states():
    table = tables.sawtooth_turns()
    assert table.groupby("board", sort=False).size().to_dict() == {"trapdoor": 9, "stairs": 9, "sample": 9}
    assert (table.again + table.long_way + table.never == STATES).all()
    assert ((table.led_to == STATES) == (table.again == STATES)).all()
    row = table.iloc[1]  # the trapdoor's second cell
    assert row.tolist() == ["trapdoor", 1, 2, 14 * 4**7, 8 * 4**7, 7 * 4**7, 4**7]


def test_the_hardest_board_is_drawn_with_its_way():
    board, steps = figures.reach.hardest_board()
    row = tables.sawtooth_hardest().iloc[0]
    assert len(steps) == row.steps
    assert dials.unpack(sawtooth.replay(board, steps)[-1]) == tuple(map(int, row.target))


def test_time_is_spent_as_a_matrix_of_chances_says(small):
    board, graph, arcs, _ = small
    chances = (nx.to_numpy_array(graph) / graph.out_degree(0) + np.eye(len(graph))) / 2
    expected = np.linalg.matrix_power(chances, 2**20).mean(axis=0)  # in the long run, from a random state
    toothed = sum(0b11 << 2 * cell for cell in sawtooth.toothed(board))
    found = np.bincount(np.arange(STATES) & toothed, reach.time_spent(arcs))
    assert np.allclose(found[list(graph)], expected, rtol=0, atol=1e-9)


def test_permutations_spend_the_same_time_everywhere():
    assert np.allclose(reach.time_spent(reach.arcs(0)) * STATES, 1)


def test_time_spent_settles_where_shares_would_swing():
    assert np.allclose(reach.time_spent(np.array([[1, 2, 3, 2]])), [0, 0, 0.5, 0.5], rtol=0, atol=1e-9)


def hangs_together(teeth, orientations, cells):
    """Plain: whether cells are meshed in one piece, by no others."""
    piece = [min(cells)]
    for cell in piece:
        piece += [other for other in meshed_with(teeth, orientations, cell) if other in cells and other not in piece]
    return len(piece) == len(cells)


@pytest.mark.parametrize("board", [SPLIT, SAMPLE, BOARDS["three each"], BOARDS["no teeth"]], ids="abcd")
def test_clusters_are_the_largest_sets_that_hang_together_in_four_positions(board):
    teeth, rng = sawtooth.teeth_of(board), np.random.default_rng(3)
    for state in (0, *rng.integers(STATES, size=4).tolist()):
        quarters = dials.unpack(state)
        turned = [[q + (1, -1)[cell % 2] * n for cell, q in enumerate(quarters)] for n in range(4)]
        sets = [{cell for cell in range(9) if number >> cell & 1} for number in range(1, 512)]
        held = [cells for cells in sets if all(hangs_together(teeth, [q % 4 for q in t], cells) for t in turned)]
        largest = [cells for cells in held if not any(cells < others for others in held)]
        assert sorted(map(sorted, graphs.clusters(board, state))) == sorted(map(sorted, largest))


def test_a_cluster_turns_as_one_whatever_is_turned():
    rng, state = np.random.default_rng(8), 0
    (cluster,) = (cells for cells in graphs.clusters(SPLIT, 0) if len(cells) > 1)
    for cell in rng.integers(9, size=300).tolist():
        senses = sawtooth.senses(SPLIT, state, cell)
        assert len({(senses[i] * (1, 3)[i % 2]) % 4 for i in cluster}) == 1
        state = sawtooth.turn(SPLIT, state, cell)


def test_figure_of_boards_without_a_lock_draws_the_table():
    axes = figures.reach.without_lock().axes[0]
    table = tables.sawtooth_reach().set_index("teeth").loc[20:32]
    few = table[table.without_lock >= 10]
    drawn = [line.get_xydata().T.tolist() for line in axes.lines]
    columns = (table.bound, table.share, few.share_without_lock)
    assert drawn == [[list(column.index), column.tolist()] for column in columns]
    assert few.index.max() == 30
    bars = [bar.get_segments() for bar in axes.collections]
    assert [segment[1][1] for segment in bars[1]] == few.share_without_lock_high.tolist()


def test_figure_of_time_spent_ends_at_all_and_marks_half():
    curve, diagonal, mark = figures.reach.time().axes[0].lines
    assert np.array_equal(diagonal.get_xydata(), [[0, 0], [1, 1]])
    assert curve.get_ydata()[-1] == pytest.approx(1, abs=1e-3) and (np.diff(curve.get_ydata(), n=2) < 1e-12).all()
    ((states, share),) = mark.get_xydata()
    assert share == pytest.approx(0.5, abs=1e-4) and round(states, 3) == 0.105
