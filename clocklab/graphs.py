"""networkx views of what is small enough to look at."""

import networkx as nx
import numpy as np

from clocklab import clocks, search
from clocklab.dials import State


def ball(start: State, radius: int, metric: str = "clockwise") -> nx.Graph:
    """Return the states within a radius of a state: each node has its ``level``, each edge its ``move``.

    Clockwise presses have a direction, so that graph is a DiGraph; the other metrics go both ways.

    >>> ball(0, 2).number_of_nodes(), ball(0, 2, "quarter").number_of_nodes()
    (55, 172)
    """
    levels = search.ball(start, lambda states: clocks.neighbours(states, metric), radius)
    graph = nx.DiGraph() if metric == "clockwise" else nx.Graph()
    for level, states in enumerate(levels):
        graph.add_nodes_from(states.tolist(), level=level)
    inside = np.array(graph)
    for step, successors in enumerate(clocks.neighbours(inside, metric)):
        move = step * len(clocks.MOVES) // len(clocks.steps(metric)) + 1
        pairs = zip(inside.tolist(), successors.tolist(), strict=True)
        graph.add_edges_from((pair for pair in pairs if pair[1] in graph), move=move)
    return graph
