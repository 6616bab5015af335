"""Balls of the state graph against walks made one press at a time, and the symmetries of the square."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest

from clocklab import clocks, dials, enumeration
from clocklab.studies import graphs, symmetry
from clocklab.studies.examples import STAIRS

START = 158351


def one_step(state, metric):
    """The states one step away, by pressing."""
    times = {"clockwise": (1,), "quarter": (1, 3), "turn": (1, 2, 3)}[metric]
    return {(move, clocks.replay(state, [move] * n)[-1]) for move in range(1, 10) for n in times}


@pytest.mark.parametrize(("metric", "radius"), [("clockwise", 3), ("quarter", 2), ("turn", 1)])
def test_ball_is_what_pressing_reaches(metric, radius):
    level, inside = {START: 0}, [START]
    for state in inside:
        if level[state] < radius:
            for _, successor in one_step(state, metric):
                if successor not in level:
                    level[successor] = level[state] + 1
                    inside.append(successor)
    edges = {(s, t): m for s in inside for m, t in one_step(s, metric) if t in level}
    graph = graphs.ball(START, radius, metric)
    assert nx.get_node_attributes(graph, "level") == level
    assert graph.is_directed() == (metric == "clockwise")
    assert nx.get_edge_attributes(graph.to_directed(), "move") == edges


NINE = [9, 9, 12, 6, 6, 6, 6, 3, 6]


@pytest.mark.parametrize("strange", [NINE, np.array(NINE), dials.STATES, -1, 2.0, None])
def test_what_is_not_one_state_is_refused(strange):
    message = "expected (one state, got 9 numbers|a state from 0 to 262143, got)|as an integer"
    with pytest.raises((TypeError, ValueError), match=message):
        graphs.ball(strange, 1)


@pytest.mark.parametrize(
    "make", [lambda: graphs.ball(dials.Dials(START), 2, notation="hours"), lambda: graphs.condensation(STAIRS)]
)
def test_a_graph_comes_back_from_graphml_as_it_was(make, tmp_path):
    graph = make()
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    back = nx.read_graphml(tmp_path / "graph.graphml", node_type=int)
    assert back.adj == graph.adj and dict(back.nodes.data()) == dict(graph.nodes.data())
    assert back.graph.get("start") == graph.graph.get("start")


def test_the_start_of_a_condensation_lies_in_the_component_named():
    graph = graphs.condensation(STAIRS)
    assert [node for node, members in graph.nodes(data="members") if "0" in members.split()] == [graph.graph["start"]]
    assert all(len(looks["members"].split()) == looks["states"] for looks in graph.nodes.values())


def test_labels_are_the_nine_clocks():
    labels = graphs.ball(START, 1, "turn", notation="quarters").nodes(data="label")
    assert all(dials.to_state(list(map(int, label.split())), "quarters") == state for state, label in labels)


@pytest.mark.parametrize("start", [0, START, 209203])
def test_balls_look_the_same_from_everywhere(start):
    """Shifting by a state carries the ball around the solved state onto the ball around it, moves and all."""
    ball = graphs.ball(0, 2)
    shifted = nx.relabel_nodes(ball, {node: dials.add(node, start) for node in ball})
    assert nx.utils.graphs_equal(shifted, graphs.ball(start, 2))


def test_symmetries_are_the_rearrangements_that_keep_the_move_set():
    """Of all 9! rearrangements of the clocks, exactly these eight carry every move to a move."""
    moves = np.array([[name in move for name in dials.NAMES] for move in clocks.MOVES])
    everything = np.array(list(permutations(range(9))))
    words = np.stack([moves[k][everything] @ (1 << np.arange(9)) for k in range(9)], axis=1)
    kept = everything[np.isin(words, moves @ (1 << np.arange(9))).all(axis=1)]
    assert sorted(map(tuple, kept)) == sorted(map(tuple, symmetry.symmetries()))


def test_images_keep_every_distance():
    images = symmetry.images(np.arange(dials.STATES))
    for metric in clocks.METRICS:
        distances = enumeration.distances(metric)
        assert (distances[images] == distances).all()


def test_images_move_single_clocks_as_the_symmetries_say():
    state = dials.pack([0, 1, 2, 3, 0, 1, 2, 3, 3])
    for image, sources in zip(symmetry.images(np.array(state)), symmetry.symmetries(), strict=True):
        assert dials.unpack(int(image)) == tuple(dials.unpack(state)[source] for source in sources)


def test_classes_are_as_many_as_burnside_counts():
    """The classes are as many as the states fixed by a symmetry, on average: 4 to the number of its cycles."""
    cycles = [
        nx.number_connected_components(nx.Graph(list(enumerate(row)))) for row in symmetry.symmetries().tolist()
    ]
    representatives, sizes = symmetry.classes()
    assert len(representatives) == sum(4**n for n in cycles) // 8 == 34960
    assert sizes.sum() == dials.STATES
    orbits = symmetry.images(representatives)
    assert (orbits.min(axis=0) == representatives).all()
    assert [len(set(orbit)) for orbit in orbits.T[:2000].tolist()] == sizes[:2000].tolist()
