"""What is shown of the gears, as examples, mesh graphs and tables, is what the plain walk says."""

from collections import Counter
from itertools import product
from pathlib import Path

import gears
import networkx as nx
import numpy as np
import pytest

from clocklab import dials, judge, sawtooth
from clocklab.exports import tables
from clocklab.studies import examples, graphs
from clocklab.studies.examples import BOARDS, SAMPLE, SAMPLE_STEPS

STATES = np.random.default_rng(0).integers(dials.STATES, size=40).tolist()


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
