"""The hardest boards: every stored row recomputed, and the run over all classes of a smaller board, by all pairs."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from zlib import decompress

import numpy as np
import pytest
from test_diameter import NUMBA, all_pairs

from clocklab import dials, sawtooth, search
from clocklab.plumbing.output import stored as stored_bytes
from clocklab.studies import census, hardest
from clocklab.studies.hardest import STORED, Row

PROOF = Path(__file__).parent.parent / "proof" / "chunks" / "first"  # what a run has kept
ROW = 0b111  # the cells of the smaller board: three beside each other, six that turn alone


def stored():
    return [Row(*line.split(",")) for line in stored_bytes(STORED).decode().splitlines()[1:]]


@pytest.mark.parametrize("row", stored(), ids=lambda row: f"{row.steps}-{row.board[:8]}")
def test_a_stored_row_is_its_boards_farthest_state_and_the_shortest_way_there(row):
    board = sawtooth.board_of(row.board)
    target = dials.pack([int(quarter) for quarter in row.target])
    steps = [int(cell) - 1 for cell in row.sequence]
    distances = search.distances(dials.SOLVED, sawtooth.neighbours(board))
    assert len(steps) == int(row.steps) == distances[target] == distances[distances != search.UNREACHED].max()
    assert sawtooth.replay(board, steps)[-1] == target
    assert tuple(hardest.row_of(board)) == (row.board, row.target, int(row.steps), row.sequence)


def class_of(row):
    classes = census.classes_of(sawtooth.board_of(row.board))
    return sorted((shape, int(census.turned_alike(shape)[number])) for shape, number in classes)


def test_the_stored_rows_are_hard_of_different_classes_and_in_order():
    rows = stored()
    assert rows == sorted(rows, key=lambda row: (-int(row.steps), row.board))
    assert len(rows) == hardest.KEPT == len({str(class_of(row)) for row in rows})
    assert int(rows[0].steps) >= 59
    assert int(rows[9].steps) >= 54


def test_standing_elsewhere_a_board_moves_as_from_there():
    rng = np.random.default_rng(4)
    board, state = sawtooth.random_board(rng), int(rng.integers(dials.STATES))
    there = hardest.standing(board, state)
    for other in rng.integers(dials.STATES, size=20).tolist():
        assert sawtooth.teeth_by_cell(there, other) == sawtooth.teeth_by_cell(board, int(dials.add(state, other)))


def test_beside_five_cells_or_more_there_is_at_most_one_other_cell():
    beside = {5: set(), 6: set(), 7: set(), 8: set(), 9: set()}
    for cells in range(census.BOARD + 1):
        for part in census.parts(cells):
            if part.bit_count() >= 5:
                beside[part.bit_count()].add((cells & ~part).bit_count())
    assert beside == {5: {0, 1}, 6: {0, 1}, 7: {0}, 8: {0}, 9: {0}}


def test_limits_leave_three_turns_for_each_other_cell():
    limits = tuple(range(100, 137))
    assert [hardest.limit(limits, cells, 7) for cells in range(1, 10)] == [-1, -1, -1, -1, 20, 98, 101, 104, 107]
    falling = limits[::-1]
    assert [hardest.limit(falling, cells, 7) for cells in (6, 7)] == [125 - 9, 129 - 6]
    assert hardest.limit(falling[90:] + 37 * (30,), 5, 7) == 30 - 12


@pytest.fixture(scope="module")
def smaller():
    """The smaller board, all that is known of it found plainly: by number of teeth, the distance and the boards."""
    distance, everything = np.full(37, hardest.UNKNOWN), np.zeros(37, dtype=int)
    for filling in product((0, *census.PATTERNS), repeat=3):
        board = sum(pattern << 4 * cell for cell, pattern in enumerate(filling))
        teeth, cells = board.bit_count(), sum(pattern > 0 for pattern in filling)
        distances = all_pairs(board)[1] if board else np.zeros((1, 1))
        finite = np.isfinite(distances)
        distance[teeth] = max(distance[teeth], int(distances[finite].max()) + 3 * (9 - cells))
        lie = int(np.prod([census.TURNED[census.PATTERN_OF[pattern]] for pattern in filling if pattern]))
        everything[teeth] += round(finite.all(axis=1).mean() * lie)
    return distance.tolist(), everything.tolist()


@pytest.fixture
def small(monkeypatch):
    """Let there be no cells but the smaller board's, and chunks of ten classes."""
    shapes = [shape for shape in census.shapes() if shape.bit_count() <= 3]
    monkeypatch.setattr(census, "CHUNK", 10)
    monkeypatch.setattr(census, "shapes", lambda: shapes)
    for module in (census, hardest):
        monkeypatch.setattr(module, "BOARD", ROW)


def bounded(limits, cells, teeth):
    """A limit for the smaller board that leaves classes of three cells to the second examination."""
    return min(limits[teeth], 40) - 3 * (9 - cells) if cells == 3 else -1


def test_a_run_gives_what_all_pairs_give(small, smaller, tmp_path, monkeypatch):
    monkeypatch.setattr(hardest, "limit", bounded)
    distance, everything = smaller
    results = hardest.run(tmp_path, workers=ThreadPoolExecutor(2))
    assert {path.name for path in tmp_path.iterdir()} == {"first", "second"}
    known = hardest.by_teeth(results, exact=True)
    assert list(known) == distance == list(hardest.by_teeth(results))
    verdicts = list(hardest.verdicts(results))
    assert hardest.everything_by_teeth(verdicts) == everything
    assert sum(row.classes for row in verdicts) == sum(chunk.classes.size for chunk in census.chunks())
    for cells, teeth in ways(results):
        row = hardest._row_of_parts(hardest._classes(cells, teeth, results), results)
        assert (row.board.count("1"), row.steps) == (teeth, distance[teeth])


def ways(results):
    """For each number of teeth, cells with a hardest board."""
    most = hardest._most(results, exact=True)
    far = [hardest._far_apart(cells, most) for cells in range(ROW + 1)]
    return [(int(np.argmax([apart[teeth] for apart in far])), teeth) for teeth in range(13)]


def kept():
    """The finished chunks of the proof, by name."""
    return {f"{chunk.shape:03x}-{chunk.number:03d}": chunk for chunk in census.chunks()}


@pytest.mark.skipif(not NUMBA, reason="classes of eight cells take long without numba")
def test_classes_of_the_kept_chunks_are_found_again():
    rng, chunks = np.random.default_rng(14), kept()
    for cells in range(4, 10):
        names = [name for name, chunk in chunks.items() if chunk.shape.bit_count() == cells]
        for name in rng.permutation([name for name in names if (PROOF / name).exists()])[:3].tolist():
            some = np.sort(rng.choice(chunks[name].classes.size, size=8, replace=False))
            found = decompress((PROOF / name).read_bytes().partition(b"\n")[2])
            few = chunks[name]._replace(classes=chunks[name].classes[some])
            again = decompress(hardest.examine(hardest.EASY, few))
            distance = np.frombuffer(found, "u1", len(found) // 5)
            everything = np.frombuffer(found, "<u4", offset=distance.size)
            assert again == distance[some].tobytes() + everything[some].tobytes(), name
