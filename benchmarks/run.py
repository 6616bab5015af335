"""How fast it is, beside other ways to the same answer: best of several, all ways in one run.

`make bench` prints it. Nothing is asserted, and no test depends on a time: the machine may be busy.
"""

import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from scipy.sparse import csgraph, csr_array
from sympy import GF, ZZ
from sympy.polys.matrices import DomainMatrix

from clocklab import clocks, dials, judge, sawtooth, search, solvers
from clocklab.algebra import System, smith_mod
from clocklab.dials import DIALS, SOLVED, STATES
from clocklab.search import UNREACHED, Neighbours
from clocklab.studies import census, diameter
from clocklab.studies.examples import SAMPLE
from clocklab.studies.puzzles import lights_out
from clocklab.studies.reach import facts


class Way(NamedTuple):
    """One way to an answer, how often to try it, and how fast it is asked to be."""

    name: str
    run: Callable[[], Any]
    times: int = 7
    asked: str = ""


def best(way: Way) -> float:
    """Return the shortest of several times, in seconds."""
    times = []
    for _ in range(way.times):
        start = perf_counter()
        way.run()
        times.append(perf_counter() - start)
    return min(times)


def show(title: str, ways: list[Way], unit: str) -> None:
    """Print a table of the ways and of how often each would fit into the time of the first one."""
    print(f"\n{title}\n{'':45}{'best of':>8}{'time':>12}  times as fast as {unit}")
    first = None
    for way in ways:
        seconds = best(way)
        first = first or seconds
        time = f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
        print(f"{way.name:45}{way.times:8}{time:>12}{first / seconds:10.2f}  {way.asked}", flush=True)


def plain_python() -> bytearray:
    """Search breadth-first with packed ints and a queue, as one would without numpy."""
    low, words = dials.LOW, [dials.negate(word) for word in clocks.WORDS]
    distances, queue = bytearray(b"\xff" * STATES), deque([SOLVED])
    distances[SOLVED] = 0
    while queue:
        state = queue.popleft()
        for word in words:
            following = state ^ word ^ (state & word & low) << 1
            if distances[following] == 255:
                distances[following] = distances[state] + 1
                queue.append(following)
    return distances


def arcs(neighbours: Neighbours = clocks.reverse_neighbours) -> csr_array:
    """Return the arcs of a puzzle, of The Clocks reversed, as scipy has them: each row a state, nine ones in it."""
    targets = np.stack(list(neighbours(np.arange(STATES))), axis=1)
    starts = np.arange(0, targets.size + 1, 9)
    return csr_array((np.ones(targets.size), targets.ravel(), starts), shape=(STATES, STATES))


def csgraph_distances(graph: csr_array) -> np.ndarray:
    """Let scipy find the distances: Dijkstra's algorithm, the one of its ways that gives them from one start."""
    return csgraph.dijkstra(graph, indices=SOLVED, unweighted=True)


def csgraph_levels(graph: csr_array) -> np.ndarray:
    """Search with scipy's breadth-first order, and count the steps along its predecessors."""
    order, before = csgraph.breadth_first_order(graph, SOLVED)
    distances = np.full(STATES, UNREACHED, dtype=np.uint8)
    distances[SOLVED] = 0
    for state in order[1:].tolist():
        distances[state] = distances[before[state]] + 1
    return distances


def digraph() -> nx.DiGraph:
    """Return the same graph for networkx."""
    states = np.arange(STATES)
    graph = nx.DiGraph()
    for row in clocks.reverse_neighbours(states):
        graph.add_edges_from(zip(states.tolist(), row.tolist(), strict=True))
    return graph


def distance_tables() -> None:
    """Compare ways to the clockwise distances of all states."""
    graph, networkx_graph = arcs(), digraph()
    answer = solvers.distance_table("enumeration")
    others = [plain_python(), csgraph_levels(graph), csgraph_distances(graph)]
    assert all(np.array_equal(answer, other) for other in map(np.array, others)), "the ways disagree"
    ways = [
        Way("csgraph, distances", lambda: csgraph_distances(graph), 5),
        Way("csgraph, arcs built and distances", lambda: csgraph_distances(arcs()), 3),
        Way("csgraph, order of a search, no distances", lambda: csgraph.breadth_first_order(graph, SOLVED)),
        Way("networkx, graph given", lambda: nx.single_source_shortest_path_length(networkx_graph, SOLVED), 2),
        Way("networkx, graph built before", lambda: nx.single_source_shortest_path_length(digraph(), SOLVED), 1),
        Way("plain Python, packed ints and a queue", plain_python, 3),
        Way("clocklab, search", lambda: solvers.distance_table("search"), 9, "asked: 4"),
        Way("clocklab, enumeration", lambda: solvers.distance_table("enumeration"), 25, "asked: 40, and 3 ms"),
        Way("clocklab, algebra", lambda: solvers.distance_table("algebra"), 25, "asked: 40, and 3 ms"),
    ]
    show(f"The Clocks: the distances of all {STATES:,} states, {9 * STATES:,} arcs", ways, "csgraph")


def plain_gears(board: sawtooth.Board) -> bytearray:
    """Search a board breadth-first with packed ints and a queue, all mesh patterns looked up at once before."""
    patterns = sawtooth.meshing(board)(np.arange(STATES)).tolist()
    low, words = dials.LOW, sawtooth.coupling().T.tolist()
    distances, queue = bytearray(b"\xff" * STATES), deque([SOLVED])
    distances[SOLVED] = 0
    while queue:
        state = queue.popleft()
        for word in words[patterns[state]]:
            following = state ^ word ^ (state & word & low) << 1
            if distances[following] == UNREACHED:
                distances[following] = distances[state] + 1
                queue.append(following)
    return distances


def gears() -> None:
    """Compare ways to explore all that the board of the judge's sample reaches from its start."""
    neighbours = sawtooth.neighbours(SAMPLE)
    graph, answer = arcs(neighbours), search.distances(SOLVED, neighbours)
    others = [plain_gears(SAMPLE), csgraph_levels(graph)]
    assert all(np.array_equal(answer, other) for other in map(np.array, others)), "the ways disagree"
    ways = [
        Way("csgraph, arcs built and distances", lambda: csgraph_distances(arcs(neighbours)), 5),
        Way("csgraph, distances", lambda: csgraph_distances(graph), 5),
        Way("csgraph, arcs and order, no distances", lambda: csgraph.breadth_first_order(arcs(neighbours), SOLVED)),
        Way("csgraph, order of a search, no distances", lambda: csgraph.breadth_first_order(graph, SOLVED)),
        Way("plain Python, packed ints and a queue", lambda: plain_gears(SAMPLE), 3),
        Way("clocklab", lambda: search.distances(SOLVED, sawtooth.neighbours(SAMPLE)), 25, "asked: 5, and 25 ms"),
    ]
    reached = np.count_nonzero(answer != UNREACHED)
    show(f"The Sawtooth Puzzle: the distances of {reached:,} states of the sample's board", ways, "csgraph")


def classes() -> None:
    """Compare finding all three facts of the census's largest classes with exploring the same boards from a start.

    Strong components by scipy are left out: on a board of hundreds of thousands of components they take minutes.
    """
    numbers = np.random.default_rng(36).choice(5**DIALS, size=200, replace=False).tolist()
    boards = [census.board_of_class(census.BOARD, number) for number in numbers]
    ways = [
        Way("explored once", lambda: [search.distances(SOLVED, sawtooth.neighbours(board)) for board in boards], 2),
        Way("the three facts", lambda: [facts(board) for board in boards], 2, "asked: 5 s, 25 ms each"),
    ]
    show("The census: 200 classes of nine cells with teeth", ways, "exploring")


def plain_elimination(matrix: np.ndarray) -> int:
    """Return the rank over GF(2) by elimination with rows as Python's ints, a bit for each column."""
    rows, rank = [int("".join(map(str, row)), 2) for row in matrix.tolist()], 0
    while rows:
        pivot = rows.pop()
        if pivot:
            rank, low = rank + 1, pivot & -pivot
            rows = [row ^ pivot if row & low else row for row in rows]
    return rank


def move_matrices() -> None:
    """Compare ways to the ranks of Lights Out, and to its Smith form, which is all that a solution needs."""
    twelve, thirty = (lights_out(n).matrix for n in (12, 30))
    assert plain_elimination(thirty) == System(thirty, 2).rank, "the ways disagree"
    field = DomainMatrix(twelve.tolist(), twelve.shape, ZZ).convert_to(GF(2))
    assert field.rank() == System(twelve, 2).rank, "the ways disagree"
    ways = [
        Way("sympy, rank over GF(2)", field.rank, 3),
        Way("plain Python, rank over GF(2), rows as ints", lambda: plain_elimination(twelve), 5),
        Way("clocklab, Smith form mod 2 with transforms", lambda: smith_mod(twelve, 2), 9),
        Way("clocklab, Smith form mod 4 with transforms", lambda: smith_mod(twelve, 4), 9, "asked: 0.1 s"),
    ]
    show("Lights Out on 12 x 12: a matrix of 144 x 144", ways, "sympy")
    ways = [
        Way("plain Python, rank over GF(2), rows as ints", lambda: plain_elimination(thirty), 3),
        Way("clocklab, Smith form mod 2 with transforms", lambda: smith_mod(thirty, 2), 3),
        Way("clocklab, all on, the fewest of 2^20 solutions", lambda: System(thirty, 2).fewest([1] * 900), 3),
    ]
    show("Lights Out on 30 x 30: a matrix of 900 x 900", ways, "plain Python")


def bounds() -> None:
    """Compare bounding how far any state is from any start with a search back from one state of the same classes."""
    numbers = np.random.default_rng(36).choice(5**DIALS, size=100, replace=False).tolist()
    boards = [census.board_of_class(census.BOARD, number) for number in numbers]
    room = diameter.room()
    plain, compiled = "a plain search from one start", "a bound for all starts, compiled"
    ways = [
        Way(plain, lambda: [search.distances(SOLVED, sawtooth.neighbours(board)) for board in boards], 2),
        Way(compiled, lambda: [diameter.bound(board, 46, room) for board in boards], 2),
    ]
    show("The proof: 100 classes of nine cells with teeth", ways, "the search")


def random_cases(number: int) -> str:
    """Return as many random cases: half of the teeth, second pictures made by turning each cell at random."""
    rng = np.random.default_rng(3814)
    firsts = np.where(rng.random((number, DIALS, 8, 8)) < 0.5, "#", ".")
    states = rng.integers(STATES, size=number).tolist()
    seconds = map(sawtooth.turn_pictures, firsts, states)
    boards = [sawtooth.random_board(rng) for _ in range(number)]
    return judge.write_cases(list(map(judge.Case, boards, firsts, seconds)))


def processes() -> None:
    """Compare whole processes of the command line with one that only imports numpy."""
    clocklab = [sys.executable, "-m", "clocklab", "solve", "--notation", "quarters"]
    moves = [sys.executable, "-m", "clocklab", "moves"]

    def process(*arguments: str) -> Callable[[], Any]:
        return lambda: subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)

    with tempfile.TemporaryDirectory() as folder:
        one, every, cases = (Path(folder, name) for name in ("one", "every", "cases"))
        one.write_text("330222212\n")
        cases.write_text(random_cases(200))
        every.write_text("".join("".join(quarters) + "\n" for quarters in product("0123", repeat=9)))
        ways = [
            Way('python -c "import numpy"', process(sys.executable, "-c", "import numpy"), 9),
            Way("clocklab solve, one position", process(*clocklab, str(one)), 9, "asked: at least 0.5"),
            Way(
                f"clocklab solve --lines, {STATES:,} positions",
                process(*clocklab, "--lines", str(every)),
                5,
                "asked: 1.5 s",
            ),
            Way(
                "clocklab sawtooth, 200 random cases",
                process(sys.executable, "-m", "clocklab", "sawtooth", str(cases)),
                5,
                "asked: 1.2 s",
            ),
            Way(
                "clocklab moves lights-out-30, all on",
                process(*moves, "lights-out-30", "--solve", 900 * "1", "--answer", "distance"),
                3,
                "asked: 3 s",
            ),
        ]
        show("Whole processes", ways, "numpy's import")


if __name__ == "__main__":
    distance_tables()
    gears()
    classes()
    bounds()
    move_matrices()
    processes()
