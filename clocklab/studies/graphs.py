"""networkx views of what is small enough to look at."""

from itertools import accumulate

import networkx as nx
import numpy as np

from clocklab import clocks, dials, sawtooth, search
from clocklab.dials import DIALS, State
from clocklab.sawtooth import Board


def ball(start: State, radius: int, metric: str = "clockwise", notation: str | None = None) -> nx.Graph:
    """Return the states within a radius of a state: each node has its ``level``, each edge its ``move``.

    Clockwise presses have a direction, so that graph is a DiGraph; the other metrics go both ways. With a notation,
    "hours" or "quarters", each node has a ``label``, its nine clocks. ValueError where the start is no state.

    >>> ball(0, 2).number_of_nodes(), ball(0, 2, "quarter").number_of_nodes()
    (55, 172)
    >>> ball(158351, 1, notation="hours").nodes[158351]
    {'level': 0, 'label': '9 9 12 6 6 6 6 3 6'}
    """
    levels = search.ball(dials.checked_one(start), lambda states: clocks.neighbours(states, metric), radius)
    graph = nx.DiGraph() if metric == "clockwise" else nx.Graph()
    for level, states in enumerate(levels):
        graph.add_nodes_from(states.tolist(), level=level)
    if notation:
        for state, looks in graph.nodes.items():
            looks["label"] = " ".join(map(str, dials.from_state(state, notation)))
    inside = np.array(graph)
    for step, successors in enumerate(clocks.neighbours(inside, metric)):
        move = step * len(clocks.MOVES) // len(clocks.steps(metric)) + 1
        pairs = zip(inside.tolist(), successors.tolist(), strict=True)
        graph.add_edges_from((pair for pair in pairs if pair[1] in graph), move=move)
    return graph


def turns(board: Board) -> nx.MultiDiGraph:
    """Return the states of a board's cells with teeth, all others standing still: each edge has its ``cell``.

    A cell without teeth turns alone, so what all nine can reach follows from these. Meant for up to four such cells.
    """
    toothed = sawtooth.toothed(board)
    states = sawtooth.goal_states([range(4) if cell in toothed else (0,) for cell in range(DIALS)])
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(states.tolist())
    for cell, successors in enumerate(sawtooth.neighbours(board)(states)):
        if cell in toothed:
            graph.add_edges_from(zip(states.tolist(), successors.tolist(), strict=True), cell=cell)
    return graph


def condensation(board: Board) -> nx.DiGraph:
    """Return the strongly connected components of ``turns``, the one of the start as ``graph["start"]``.

    Each node has the number of its ``states`` and these, packed, as a text, ``members``: a file can hold them so.

    >>> from clocklab.studies.examples import TRAPDOOR
    >>> graph = condensation(TRAPDOOR)
    >>> list(graph.nodes(data="states")), list(graph.edges), graph.graph
    ([(0, 15), (1, 1)], [(1, 0)], {'start': 1})
    """
    graph = nx.condensation(turns(board))
    for _, looks in graph.nodes.items():
        members = sorted(looks["members"])
        looks |= {"states": len(members), "members": " ".join(map(str, members))}
    graph.graph["start"] = graph.graph.pop("mapping")[dials.SOLVED]
    return graph


def mesh(board: Board, state: State) -> nx.Graph:
    """Return the nine cells of a board, an edge between every two that mesh in a state.

    Each node has its ``colour`` on a chequerboard, 0 or 1; two cells that touch never have the same.

    >>> from clocklab.studies.examples import SAMPLE
    >>> [sorted(component) for component in nx.connected_components(mesh(SAMPLE, 0))]
    [[0], [1, 2, 3, 4, 5, 6, 8], [7]]
    """
    graph = nx.Graph()
    graph.add_nodes_from((cell, {"colour": cell % 2}) for cell in range(DIALS))
    pattern = sawtooth.meshing(board)(dials.checked(state))
    graph.add_edges_from(edge for bit, edge in enumerate(sawtooth.EDGES) if pattern >> bit & 1)
    return graph


def clusters(board: Board, state: State) -> list[set[int]]:
    """Return the nine cells of a board in clusters: sets of cells, as large as may be, that never come apart.

    A cluster is meshed in one piece in a state, and still is after one, two and three turns of any of its cells,
    which turn them all, by the colours of a chequerboard. So whatever drives one of them will always drive all.

    >>> clusters(2**36 - 1, 0)  # all teeth
    [{0, 1, 2, 3, 4, 5, 6, 7, 8}]
    """
    everything = int(sawtooth.coupling()[0, -1])  # what one turn adds where all cells are meshed
    meshes = [mesh(board, turned) for turned in accumulate(3 * [everything], dials.add, initial=state)]
    found = [set(range(DIALS))]
    for graph in DIALS * meshes:  # nine rounds: each but the last makes at least one set more
        found = [piece for cells in found for piece in nx.connected_components(graph.subgraph(cells))]
    return found
