"""The hardest boards: every stored row recomputed, the look back against plain search, and a file that only gains."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from command import refused
from command import run as clocklab

from clocklab import dials, sawtooth, search
from clocklab.plumbing.errors import InputError
from clocklab.plumbing.output import stored as stored_bytes
from clocklab.studies import examples, hardest, reach
from clocklab.studies.census import BOARD_TURN, PATTERNS
from clocklab.studies.hardest import STORED, Found, Row

KNOWN = hardest.row_of(examples.STAIRS)
EASY = hardest.row_of(0)


def random_board(rng):
    return sum(int(pattern) << 4 * cell for cell, pattern in enumerate(rng.choice(PATTERNS, size=9)))


def whole_turn(board):
    """The board turned as a whole: each cell goes where BOARD_TURN says, and its teeth turn with it."""
    cells = [board >> 4 * i & 0b1111 for i in range(9)]
    return sum(sawtooth.turned(teeth, 1) << 4 * BOARD_TURN[i] for i, teeth in enumerate(cells))


# The stored rows


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


def test_the_stored_rows_are_hard_of_different_classes_and_in_order():
    text = stored_bytes(STORED).decode()
    rows = hardest.read(text, "stored")
    assert hardest.hardest(rows) == rows
    assert hardest.write(rows) == text
    assert rows[0].steps >= 59
    assert rows[9].steps >= 54


# Looking back


def test_the_look_back_agrees_with_plain_searches_from_the_starts():
    rng = np.random.default_rng(2)
    for _ in range(3):
        found = Found(0, 0)
        while found.steps < 3:
            board, goal = random_board(rng), int(rng.integers(dials.STATES))
            found = hardest.look_back(board, goal, many=40)
        starts = np.concatenate(search.ball(goal, sawtooth.reverse_neighbours(board), 99)).tolist()
        ways = {start: search.shortest(start, np.array([goal]), sawtooth.neighbours(board)) for start in starts}
        steps = max(map(len, ways.values()))
        assert found == Found(board, goal, steps, min(start for start in starts if len(ways[start]) == steps))
        assert hardest.look_back(board, goal, many=len(starts)) == found
        assert hardest.look_back(board, goal, many=len(starts) - 1) == Found(board, goal)


def test_a_board_standing_as_in_a_state_goes_on_from_there():
    rng = np.random.default_rng(3)
    board, state = random_board(rng), int(rng.integers(dials.STATES))
    there = hardest.standing(board, state)
    for cell in range(9):
        after = sawtooth.turn(board, state, cell)
        assert dials.add(state, sawtooth.turn(there, 0, cell)) == after


def test_a_class_is_kept_by_turns_of_cells_and_of_the_board_and_by_nothing_else():
    rng = np.random.default_rng(4)
    board = random_board(rng)
    name = hardest.class_of(board)
    for _ in range(4):
        board = whole_turn(hardest.standing(board, int(rng.integers(dials.STATES))))
        assert hardest.class_of(board) == name
    for bit in range(36):
        assert hardest.class_of(board ^ 1 << bit) != name


# Climbs


def test_a_climb_depends_on_seed_and_number_alone_and_ends_at_a_best_start():
    board = hardest.climb(1, 0, changes=40)
    assert board == hardest.climb(1, 0, changes=40)
    assert len({board, hardest.climb(1, 1, changes=40), hardest.climb(2, 0, changes=40)}) == 3
    goal, steps = reach.farthest(board)
    assert hardest.look_back(board, goal).steps in (len(steps), -1)


def script(monkeypatch, steps):
    """Let a climb find one board after another that takes so many steps; return the boards it starts from."""
    starts, found = [], (Found(number, 0, number_of_steps) for number, number_of_steps in enumerate(steps))
    monkeypatch.setattr(hardest, "_changed", lambda rng, board, goal, cells: (starts.append(board), goal))
    monkeypatch.setattr(hardest, "look_back", lambda board, goal: next(found))
    monkeypatch.setattr(hardest, "_there_and_back", lambda best: best)
    return starts


def test_a_climb_ends_at_the_best_it_came_upon(monkeypatch):
    starts = script(monkeypatch, [5, 9, *(8 for _ in range(40))])
    assert hardest.climb(1, 0, changes=41) == Found(1, 0, 9)
    assert starts[-1] > 1  # it has gone on from a worse one


def test_a_climb_loses_a_few_steps_at_first_and_none_at_its_end(monkeypatch):
    starts = script(monkeypatch, [50, *(49 for _ in range(300))])
    hardest.climb(1, 0, changes=300)
    assert 1 in starts[1:20]
    starts = script(monkeypatch, [*range(300), *(10 for _ in range(10))])
    hardest.climb(1, 0, changes=309)
    assert set(starts[-9:]) == {299}


def test_a_best_start_is_looked_for_again_and_again():
    rng = np.random.default_rng(8)
    rounds = []
    for _ in range(12):
        found = Found(0, 0)
        while found.steps < 9:
            found = hardest.look_back(random_board(rng), int(rng.integers(dials.STATES)))
        goal, steps = reach.farthest(found.board, found.start)
        rounds.append(hardest.look_back(found.board, goal).steps - len(steps))
        board = hardest._there_and_back(found)
        goal, steps = reach.farthest(board)
        assert len(steps) >= found.steps
        assert hardest.look_back(board, goal).steps <= len(steps)
    assert max(rounds) > 0  # one round would not have been enough for all


def test_a_climb_gives_way_to_the_time():
    assert hardest.climb(1, 0, until=time.time() - 1) is None


def test_the_same_climbs_give_the_same_rows_whoever_makes_them(monkeypatch):
    monkeypatch.setattr(hardest, "CLIMBS", 4)
    monkeypatch.setattr(hardest.climb, "__defaults__", (10, np.inf))
    ends = []
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            *_, rows = hardest.run(5, 100, [KNOWN], executor=executor)
        ends.append(rows)
    assert ends[0] == ends[1] == hardest.hardest([KNOWN, *(hardest.row_of(hardest.climb(5, i)) for i in range(4))])


# Files


def test_only_the_hardest_of_a_class_stays():
    turned = hardest.row_of(whole_turn(sawtooth.board_of(KNOWN.board)))
    assert turned.steps == KNOWN.steps
    assert hardest.hardest([EASY, KNOWN, EASY]) == sorted([EASY, KNOWN], key=lambda row: -row.steps)
    assert len(hardest.hardest([KNOWN, turned])) == 1
    rows = [hardest.row_of(hardest.standing(examples.STAIRS, state)) for state in range(0, dials.STATES, 9973)]
    assert len({row.steps for row in rows}) > 2
    hard = min(rows, key=lambda row: (-row.steps, row.board))
    easier = [row for row in rows if row.steps < hard.steps]
    assert easier and all(row.board > hard.board for row in easier)
    assert all(hardest.hardest([row, hard]) == hardest.hardest([hard, row]) == [hard] for row in easier)


def test_a_file_that_is_not_true_is_refused_and_named():
    good = hardest.write([KNOWN])
    assert hardest.read(good, "f") == [KNOWN]
    steps = f",{KNOWN.steps},"
    for bad, message in [
        ("", "f, line 1: expected 'board,target,steps,sequence'"),
        (good + "0101,0,1,1\n", "f, line 3: expected 36 teeth, four for each of 9 cells, got 4"),
        (good.replace(steps, ",99,"), "f, line 2: this is not the farthest state of this board and the way there"),
    ]:
        with pytest.raises(InputError, match=re.escape(message)):
            hardest.read(bad, "f")


def test_the_command_keeps_what_a_file_holds(tmp_path):
    file = tmp_path / "hardest.csv"
    file.write_text(hardest.write([KNOWN]))
    ended = clocklab("hardest", "--seed", "1", "--seconds", "0", "--workers", "1", "-o", str(file))
    assert (ended.status, ended.out) == (0, "")
    assert file.read_text() == hardest.write([KNOWN])
    assert clocklab("hardest", "--seed", "1", "--seconds", "0", "--workers", "1").out == hardest.write([])


def test_the_command_fills_an_empty_file_and_standard_output_by_its_name(tmp_path):
    (file := tmp_path / "empty.csv").touch()
    command = ("hardest", "--seed", "1", "--seconds", "0", "--workers", "1", "-o")
    assert clocklab(*command, str(file)) == (0, "", "")
    assert file.read_text() == clocklab(*command, "/dev/stdout").out == hardest.write([])


@pytest.mark.parametrize("content", [b"dear diary\n", b"\n", b"\xff\xfeb\0o\0", b"caf\xc3\xa9\n"])
def test_the_command_leaves_a_file_that_is_not_its_own(content, tmp_path):
    file = tmp_path / "other.csv"
    file.write_bytes(content)
    message = refused(clocklab("hardest", "--seed", "1", "--seconds", "0", "-o", str(file)))
    assert message == f"{file}, line 1: expected 'board,target,steps,sequence'"
    assert file.read_bytes() == content


def test_a_file_that_cannot_be_written_is_refused_before_the_search(tmp_path):
    assert str(tmp_path) in refused(clocklab("hardest", "--seed", "1", "--seconds", "1000", "-o", str(tmp_path)))
