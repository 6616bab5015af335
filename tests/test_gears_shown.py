"""What is shown of the gears, as examples, mesh graphs, tables and figures, is what the plain walk says."""

from collections import Counter
from itertools import product
from pathlib import Path

import gears
import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch, Polygon

from clocklab import dials, judge, sawtooth
from clocklab.exports import tables
from clocklab.exports.figures import gears as drawn
from clocklab.exports.figures.style import BLUE, RED
from clocklab.studies import examples, graphs
from clocklab.studies.examples import BOARDS, SAMPLE, SAMPLE_STEPS

mpl.use("agg")
STATES = np.random.default_rng(0).integers(dials.STATES, size=40).tolist()


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_the_sample_is_the_judges_file_and_the_steps_are_its_hint():
    case = examples.sample()
    assert judge.write_cases([case]) == (Path(__file__).parent / "cases" / "sawtooth_official_sample.in").read_text()
    assert case.board == SAMPLE
    assert tuple(sawtooth.solve(case.board, case.goals)) == SAMPLE_STEPS


@pytest.mark.parametrize("name", BOARDS)
def test_parts_of_the_mesh_graph_are_what_a_turn_drives(name):
    teeth = sawtooth.teeth_of(BOARDS[name])
    for state in STATES:
        graph = graphs.mesh(BOARDS[name], state)
        orientations = dials.unpack(state)
        for cell in range(9):
            turning = gears.senses(lambda c, o=orientations: gears.meshed_with(teeth, o, c), cell)
            assert nx.node_connected_component(graph, cell) == set(turning)
            alike = {c for c in turning if graph.nodes[c]["colour"] == graph.nodes[cell]["colour"]}
            assert alike == {c for c, sense in turning.items() if sense == 1}


def test_coupling_counts_every_turn_of_every_state():
    table = tables.sawtooth_coupling().set_index(["board", "cells"])["turns"]
    assert (table.groupby("board").sum() == 9 * dials.STATES).all()
    assert table["no teeth", 1] == table["all teeth", 9] == 9 * dials.STATES
    counts = Counter()
    for three in product(range(4), repeat=3):  # the cells 3, 4 and 7 have teeth; the other six may stand anyhow
        orientations = [0] * 9
        orientations[3], orientations[4], orientations[7] = three
        turns = [gears.turn(sawtooth.teeth_of(BOARDS["six"]), tuple(orientations), cell) for cell in range(9)]
        counts.update(sum(a != b for a, b in zip(turn, orientations, strict=True)) for turn in turns)
    assert table["six"].to_dict() == {cells: counts[cells] * 4**6 for cells in range(1, 10)}


def test_levels_count_what_can_be_reached():
    table = tables.sawtooth_levels().groupby("board", sort=False)["states"].agg(list)
    assert list(table.index) == list(BOARDS)
    assert table["all teeth"] == [1, 2, 1]
    assert sum(table["no teeth"]) == sum(table["six"]) == dials.STATES
    assert len(table["six"]) - 1 == 31


@pytest.mark.parametrize("cell", range(9))
def test_a_drawn_turn_has_its_teeth_its_meshed_edges_and_an_arrow_for_each_driven_cell(cell):
    axes = plt.axes()
    state = STATES[cell]
    drawn.gears(axes, SAMPLE, state, turn=cell)
    teeth, orientations = sawtooth.teeth_of(SAMPLE), dials.unpack(state)
    turning = gears.senses(lambda c: gears.meshed_with(teeth, orientations, c), cell)
    arrows = [to_hex(patch.get_edgecolor()).upper() for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert sorted(arrows) == sorted({1: BLUE, -1: RED}[sense] for sense in turning.values())
    assert sum(isinstance(patch, Polygon) for patch in axes.patches) == teeth.count("1")
    links = [line for line in axes.lines if line.get_linewidth() == 5]
    assert len(links) == sum(len(gears.meshed_with(teeth, orientations, c)) for c in range(9)) / 2


@pytest.mark.parametrize("orientation", range(4))
def test_teeth_and_pictures_turn_clockwise(orientation):
    axes = plt.axes()
    pictures = np.full((9, 8, 8), ".")
    pictures[4, 0, 1:] = "#"  # the cell in the middle, dark along its top
    drawn.gears(axes, sawtooth.board_of("0" * 17 + "1" + "0" * 18), orientation << 8, pictures=pictures, cells=[4])
    [tooth] = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    away = tooth.get_xy()[:-1].mean(axis=0) - 1.5
    assert tuple(np.sign(away.round(2))) == [(0, -1), (1, 0), (0, 1), (-1, 0)][orientation]
    shown = axes.images[0].get_array()
    dark = np.argwhere(shown)[:, ::-1].mean(axis=0) - 3.5
    assert np.allclose(dark / 3.5, [(0.143, -1), (1, 0.143), (-0.143, 1), (-1, -0.143)][orientation], atol=0.01)
