"""What the charts and sheets draw is what an independent count says, read back from the lines, bars and texts."""

from itertools import combinations
from math import comb

import gears as plain
import matplotlib as mpl
import networkx as nx
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from test_drawn import headed, quarters

from clocklab import clocks, dials, sawtooth
from clocklab.exports import figures, tables
from clocklab.exports.figures import style
from clocklab.studies import graphs
from clocklab.studies.examples import SAMPLE, SAMPLE_STEPS, SPLIT, STAIRS, TRAPDOOR

mpl.use("agg")
TEETH = sawtooth.teeth_of(SAMPLE)


def texts(axes):
    return [text.get_text() for text in axes.texts if text.get_text()]


def hands(axes, widths=(2.4, 2.6)):
    """The middle of each cell or clock with a hand, in the units of a sheet, and how many quarters it shows."""
    found = []
    for line in axes.lines:
        if line.get_linewidth() in widths and line.get_zorder() != 2.5:
            tail, tip = axes.transData.inverted().transform(line.get_transform().transform(line.get_xydata()))
            found.append((tuple(np.round(tail, 6)), round(quarters(tail * (1, -1), tip * (1, -1))) % 4))
    return found


def boards(axes):
    """The states of sheets that draw nine hands for each, in the order of drawing."""
    shown = [quarter for _, quarter in hands(axes)]
    return [tuple(shown[i : i + 9]) for i in range(0, len(shown), 9)]


def test_moves_are_one_quarter_of_their_letters():
    shown = boards(figures.clocks.moves().axes[0])
    assert shown == [tuple(float(name in move) for name in dials.NAMES) for move in clocks.MOVES]


def test_the_answers_below_the_images_solve_them():
    axes = figures.clocks.symmetric().axes[0]
    answers = [[int(move) for move in text.split()] for text in texts(axes)]
    assert len({tuple(board) for board in boards(axes)}) == len(answers) == 8
    for board, answer in zip(boards(axes), answers, strict=True):
        assert len(answer) == 4 and clocks.replay(dials.pack([int(q) for q in board]), answer)[-1] == dials.SOLVED


def test_the_farthest_states_and_the_two_readings_are_drawn_with_their_distances():
    axes = figures.clocks.farthest().axes[0]
    assert boards(axes) == [(3, 0, 3, 0, 1, 0, 3, 0, 3), (2, 0, 2, 0, 2, 0, 2, 0, 2)]
    assert texts(axes)[1::2] == ["distance 27", "distance 18"]
    axes = figures.clocks.readings().axes[0]
    assert boards(axes) == [9 * (1,), 9 * (3,)] and texts(axes)[1::2] == ["23 presses away", "13 presses away"]


def test_a_commuting_square_has_both_orders():
    axes = figures.clocks.commuting(158351, 4, 5).axes[0]
    one, other = clocks.press(158351, 4), clocks.press(158351, 5)
    states = [158351, clocks.press(one, 5), one, other]
    assert boards(axes) == [dials.unpack(state) for state in states]
    place = {text.get_text(): text.xy for text in axes.texts if text.get_text().startswith("press")}
    assert [text for text in texts(axes) if "press" in text] == ["press 4", "press 5", "press 5", "press 4"]
    assert len(place) == 2


def test_press_words_count_in_two_bits_and_in_three():
    presses = clocks.presses_of([1, 1, 4, 9, 9, 9])
    shown = texts(figures.clocks.press_words(presses).axes[0])
    packed = shown[shown.index("packed") + 1 : shown.index("unary")]
    unary = shown[shown.index("unary") + 1 :]
    assert [int("".join(packed[i : i + 2]), 2) for i in range(0, 18, 2)] == list(dials.unpack(presses))
    assert ["".join(unary[i : i + 3]) for i in range(0, 27, 3)] == [
        f"{(1 << n) - 1:03b}" for n in dials.unpack(presses)
    ]


def test_two_moves_have_distances_of_a_walk_around_a_torus():
    axes = figures.clocks.two_moves().axes[0]
    numbers = [int(text) for text in texts(axes) if text.isdigit()]
    ring = nx.cycle_graph(4, create_using=nx.DiGraph)
    for graph, shown in ((ring, numbers[:16]), (ring.to_undirected(), numbers[16:])):
        torus = nx.cartesian_product(graph, graph)
        lengths = nx.single_source_shortest_path_length(torus, (0, 0))
        assert shown == [lengths[i, j] for i in range(4) for j in range(4)]


def test_a_ball_has_every_pair_of_presses_once_and_the_thick_part_is_two_moves():
    figure = figures.clocks.ball()
    pairs = {"".join(sorted(p)) for p in [*combinations("123456789", 2), *((c, c) for c in "123456789")]}
    assert set(texts(figure.axes[0])) == pairs | set("123456789")
    quarter = figures.clocks.ball(metric="quarter")
    for ball, thin, thick in ((figure, 9 + 81, 6), (quarter, 18 + 306, 16)):
        arrows = [patch for patch in ball.axes[0].patches if isinstance(patch, FancyArrowPatch)]
        colours = [to_hex(arrow.get_edgecolor()).upper() for arrow in arrows]
        assert len(arrows) - colours.count(style.RED) == thin and colours.count(style.RED) == thick
    assert set(texts(quarter.axes[0])) == {"4", "5", "4 back", "5 back"}


def test_wrong_clocks_are_counted_by_rows_and_columns():
    axes = figures.clocks.wrong_clocks().axes[0]
    table = np.zeros((28, 10), dtype=int)
    for text in axes.texts:
        if text.get_text():
            x, y = text.get_position()
            table[int(axes.get_yticklabels()[round(y)].get_text()), round(x)] = int(text.get_text().replace(",", ""))
    assert table[27, 5] == table[0, 0] == 1
    assert [int(label.get_text()) for label in axes.get_yticklabels()] == list(range(28))[::-1]
    assert table.sum(axis=0).tolist() == [comb(9, wrong) * 3**wrong for wrong in range(10)]
    counts = [1]
    for _ in range(9):
        counts = np.convolve(counts, [1, 1, 1, 1])
    assert table.sum(axis=1).tolist() == list(counts)


def test_sequences_are_multinomials():
    points = figures.clocks.sequences().axes[0].lines[0].get_xydata()
    assert len(points) == comb(12, 3) and [4, 24] in points.tolist() and points[0].tolist() == [0, 1]
    assert points[-1].tolist() == [27, pytest.approx(1.0807e21 * 1.00, rel=0.02)]


def test_a_turn_and_two_orders_are_those_of_the_plain_walk():
    before, after = boards(figures.gears.turn(SAMPLE, 0, 1).axes[0])
    assert (before, after) == (9 * (0,), plain.turn(TEETH, 9 * (0,), 1))
    figure = figures.gears.order(SAMPLE)
    start = 9 * (0,)
    ways = [
        (plain.turn(TEETH, start, a), plain.turn(TEETH, plain.turn(TEETH, start, a), b)) for a, b in ((1, 2), (2, 1))
    ]
    assert boards(figure.axes[0]) == [start, *ways[0], *ways[1]]
    faces = [patch for patch in figure.axes[0].patches if patch.get_zorder() == 3]
    shaded = [to_hex(face.get_facecolor()).upper() == figures.gears.SHADED for face in faces]
    differ = [a != b for a, b in zip(ways[0][1], ways[1][1], strict=True)]
    assert shaded == 18 * [False] + differ + 9 * [False] + differ


def test_rings_of_gears_turn_against_their_neighbours():
    axes = figures.gears.jam().axes[0]
    rings = [patch.center for patch in axes.patches if isinstance(patch, Circle)]
    arrows = {}
    for arrow in (patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)):
        middle = arrow.get_path().vertices[:30].mean(axis=0)
        arrows[min(range(7), key=lambda i, m=middle: np.hypot(*(rings[i] - m)))] = to_hex(
            arrow.get_edgecolor()
        ).upper()
    assert len(arrows) == 6 and "?" in texts(axes)
    touching = [(a, b) for a, b in combinations(range(7), 2) if np.hypot(*np.subtract(rings[a], rings[b])) < 1.65]
    assert len(touching) == 3 + 4
    assert all(arrows[a] != arrows[b] for a, b in touching if a in arrows and b in arrows)


def test_mesh_graphs_are_those_of_the_states_of_the_sample():
    axes = figures.gears.mesh_graphs().axes[0]
    orientations, found = 9 * (0,), []
    for cell in (*SAMPLE_STEPS, 0):
        graph = nx.Graph([(a, b) for a in range(9) for b in plain.meshed_with(TEETH, orientations, a)])
        graph.add_nodes_from(range(9))
        found.append((nx.number_connected_components(graph), graph.number_of_edges()))
        orientations = plain.turn(TEETH, orientations, cell)
    assert [int(text.split()[-2]) for text in texts(axes)] == [pieces for pieces, _ in found]
    assert sum(len(lines.get_segments()) for lines in axes.collections if hasattr(lines, "get_segments")) == sum(
        edges for _, edges in found
    )


def test_levels_and_couplings_are_the_tables():
    lines = {line.get_label(): line.get_ydata() for line in figures.gears.levels().axes[0].lines}
    for board in ("no teeth", "six", "sample"):
        assert lines[board].tolist() == tables.sawtooth_levels().query("board == @board").states.tolist()
    assert lines["The Clocks"].tolist() == lines["no teeth"].tolist()
    axes = figures.gears.coupling().axes[0]
    rows = {}
    for text in axes.texts:
        rows.setdefault(round(text.get_position()[1] - 0.02, 1), []).append(text.get_text())
    shares = [[float(text.replace("<", "") or 0) for text in row] for row in rows.values()]
    assert all(abs(sum(row) - 100) < 0.35 for row in shares)
    assert [round(row[0], 1) for row in shares][::7] == [100, 0] and shares[-1][-1] == 100


def test_the_trapdoors_turns_lead_where_the_plain_walk_says():
    teeth = sawtooth.teeth_of(TRAPDOOR)
    shown = [quarter for _, quarter in hands(figures.reach.one_way().axes[0])]
    turns = [(tuple(shown[i : i + 2]), tuple(shown[i + 2 : i + 4])) for i in range(0, len(shown), 4)]
    assert len(set(turns)) == 6
    for i, (before, after) in enumerate(turns):
        cell = int(i > 2)
        assert plain.turn(teeth, (*before, *(7 * (0,))), cell)[:2] == after
        assert (before == (0, 0)) == (i % 3 == 0) and (before[cell] == 3 or i % 3 == 0) and after != (0, 0)


def test_stairs_lead_to_the_largest_component():
    axes = figures.reach.stairs().axes[0]
    disks = [patch for patch in axes.patches if isinstance(patch, Circle)]
    numbers = [int(text) for text in texts(axes) if text.isdigit()]
    assert len(disks) == len(numbers) == 23 and sum(numbers) == 4**4 and max(numbers) == 228
    [start] = [disk for disk in disks if to_hex(disk.get_facecolor()).upper() == style.ORANGE]
    ends = [arrow.xy for arrow in axes.texts if getattr(arrow, "arrow_patch", None)]
    assert len(ends) == graphs.condensation(STAIRS).number_of_edges()
    assert ends and not any(np.allclose(end, start.center) for end in ends)
    assert STAIRS.bit_count() > 4


def test_shares_of_random_boards_are_the_tables_with_their_intervals():
    table = tables.sawtooth_reach()
    axes = figures.reach.shares().axes[0]
    lines = {line.get_marker(): line.get_ydata().tolist() for line in axes.lines if len(line.get_ydata()) == 37}
    marks = {"o": "share", "s": "everything"}
    assert all(lines[mark] == table[column].tolist() for mark, column in marks.items())
    bars = [bar for bar in axes.collections if hasattr(bar, "get_segments")]
    ends = [[segment[:, 1].tolist() for segment in bar.get_segments()] for bar in bars]
    expected = [table[[f"{name}_low", f"{name}_high"]].to_numpy().tolist() for name in ("share", "everything")]
    assert ends == expected


def test_every_surveyed_board_is_in_a_disk_and_far_ones_are_orange():
    rows = tables.sawtooth_survey()
    upper, lower = figures.reach.boards().axes
    cloud = lower.collections[0]
    counts = (cloud.get_sizes() - 3) / 0.4
    assert counts.sum() == pytest.approx(len(rows))
    far = cloud.get_offsets()[:, 1] > 27
    assert [to_hex(colour).upper() == style.RED for colour in cloud.get_facecolors()] == far.tolist()
    assert counts[far].sum() == pytest.approx((rows.farthest > 27).sum())
    reached = upper.collections[0].get_offsets()
    assert reached[:, 1].min() >= 0.5 and reached[:, 1].max() == 9


def test_the_hardest_way_is_the_stored_one():
    board, steps = figures.reach.hardest_board()
    teeth = sawtooth.teeth_of(board)
    states = [9 * (0,)]
    for cell in steps:
        states.append(plain.turn(teeth, states[-1], cell))
    assert "".join(map(str, states[-1])) == tables.sawtooth_hardest().target[0]
    assert boards(figures.reach.hardest().axes[0]) == [states[0], states[-1]]
    assert headed(figures.reach.hardest())[1].tolist() == list(states[-1])
    farthest = (3, 0, 3, 0, 1, 0, 3, 0, 3)
    assert boards(figures.reach.front().axes[0]) == [farthest, 9 * (0,), states[0], states[-1]]
    axes = figures.reach.hardest_steps().axes[0]
    numbers = [int(text) for text in texts(axes) if text.isdigit()]
    small = [quarter for _, quarter in hands(axes, widths=(1.8,))]
    assert [tuple(small[9 * i : 9 * i + 9]) for i in range(len(numbers))] == [states[number] for number in numbers]
    colours = [to_hex(patch.get_facecolor()).upper() for patch in axes.patches if isinstance(patch, Rectangle)]
    for i, number in enumerate(numbers[:-1]):
        meshed = [plain.meshed_with(teeth, states[number], cell) for cell in range(9)]
        senses = plain.senses(meshed.__getitem__, steps[number])
        looks = {0: "#FFFFFF", 1: style.BLUE, -1: style.ORANGE}
        assert colours[9 * i : 9 * i + 9] == [looks[senses.get(cell, 0)] for cell in range(9)]
    left_out = range(numbers[16], numbers[17] - 1)
    assert all(steps[i] == steps[i - 13] for i in left_out)


def test_a_cluster_is_turned_three_times_by_one_of_its_cells():
    states = [9 * (0,)]
    for _ in range(3):
        states.append(plain.turn(sawtooth.teeth_of(SPLIT), states[-1], 3))
    axes = figures.reach.cluster().axes[0]
    assert boards(axes) == states
    assert sum(to_hex(patch.get_facecolor()).upper() == figures.gears.SHADED for patch in axes.patches) == 4 * 4


def test_the_letters_above_the_bits_stand_over_their_lanes():
    axes = figures.clocks.lane_add(158351, 5).axes[0]
    letters = {text.get_text(): text for text in axes.texts if text.get_text() in tuple(dials.NAMES)}
    assert "".join(sorted(letters, key=lambda name: -letters[name].get_position()[0])) == dials.NAMES
    assert {name for name, text in letters.items() if text.get_fontweight() == "bold"} == set(clocks.MOVES[4])


def test_no_two_states_of_a_ball_lie_in_one_place_and_turns_back_lie_opposite():
    for metric, states in (("clockwise", 55), ("quarter", 172)):
        places = figures.clocks.ball(metric=metric).axes[0].collections[0].get_offsets() - figures.clocks.CENTRE
        assert len(np.unique(places.round(3), axis=0)) == states
        assert np.allclose(places[0], 0)
    # all but the nine half turns, which are the same either way, have one opposite
    assert len(np.unique(np.concatenate([places, -places]).round(3), axis=0)) == 172 + 9


def test_moves_of_a_ball_point_round_the_compass_and_the_thick_part_ends_at_its_names():
    axes = figures.clocks.ball().axes[0]
    place = {text.get_text(): np.array(text.get_position()) for text in axes.texts}
    assert np.allclose(place["1"], place[""] - (0, 1))  # up, where y grows downwards
    assert place["3"][0] > place[""][0] > place["8"][0]
    thick = [patch for patch in axes.patches if to_hex(patch.get_edgecolor()).upper() == style.RED]
    ends = {
        min(place, key=lambda name, e=end: np.hypot(*(place[name] - e))) for end in (p._posA_posB[1] for p in thick)
    }
    assert ends == {"4", "5", "44", "45", "55"}
