"""The exported tables: what they say, and the same bytes at every run."""

import gzip
import re
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command import refused, run
from test_clocks import apply

from clocklab import clocks, dials
from clocklab.exports import tables
from clocklab.exports.tables import TABLES, save
from clocklab.plumbing import output
from clocklab.search import levels

CLOCK_TABLES = ["clock_distribution.csv", "clock_distances.csv.gz", "clock_distances.npz", "clock_classes.csv"]
CLOCKWISE = [1, 9, 45, 165, 486, 1206, 2598, 4950, 8451, 13051, 18351, 23607, 27876, 30276]


@pytest.fixture(scope="module")
def distances():
    return tables.clock_distances()


def test_distribution_is_the_known_one():
    table = tables.clock_distribution()
    assert table.distance.tolist() == list(range(28))
    assert table.clockwise.tolist() == CLOCKWISE + CLOCKWISE[::-1]
    assert table.quarter.tolist() == [comb(18, k) for k in range(28)]
    assert table.turn.tolist() == [comb(9, k) * 3**k for k in range(28)]


def test_distances_have_a_row_a_state_that_solves_it(distances):
    assert (distances.state == np.arange(dials.STATES)).all()
    for row in distances.sample(300, random_state=1).itertuples():
        assert dials.pack([int(digit) for digit in row.dials]) == row.state
        presses = dials.pack([int(digit) for digit in row.presses])
        assert apply(row.state, presses) == dials.SOLVED
        assert [row.clockwise, row.quarter, row.turn] == [clocks.cost(presses, metric) for metric in clocks.METRICS]


def test_classes_weigh_as_much_as_their_states(distances):
    table = tables.clock_classes()
    assert len(table) == 34960
    for metric in clocks.METRICS:
        weighed = np.bincount(table[metric], weights=table["size"])
        assert weighed.tolist() == levels(distances[metric].to_numpy()).tolist()
    assert table.drop(columns="size").equals(distances.iloc[table.state].reset_index(drop=True))


def explained():
    """The columns that data/README.md explains, by file name; `x_1` … `x_9` stands for all between."""
    text = (Path(__file__).parents[1] / "data" / "README.md").read_text(encoding="utf-8")
    found = {}
    for heading, body in re.findall(r"^### (.+)\n([^#]+)", text, re.MULTILINE):
        columns = []
        for cell in re.findall(r"^\| (`.+?) \|", body, re.MULTILINE):
            names = re.findall(r"`(\w+)`", cell)
            between = range(ord(names[0][-1]), ord(names[-1][-1]) + 1) if "…" in cell else ()
            columns += [names[0][:-1] + chr(last) for last in between] or names
        found |= dict.fromkeys(heading.split(" and "), columns)
    return found


@pytest.mark.parametrize("name", sorted(TABLES.keys() - {"sawtooth_classes.npz"}))  # that one is no table
def test_every_column_is_explained(name):
    assert explained()[name] == list(TABLES[name]())


@pytest.mark.parametrize("name", CLOCK_TABLES)
def test_two_exports_are_the_same_bytes(name, tmp_path):
    for folder in ("first", "second"):
        save(TABLES[name]().head(5000), tmp_path / folder / name)
    first, second = (tmp_path / folder / name for folder in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    assert len(list(first.parent.iterdir())) == 1


def test_csv_reads_back_and_has_bare_line_ends(distances, tmp_path):
    save(distances, tmp_path / "table.csv.gz")
    packed = (tmp_path / "table.csv.gz").read_bytes()
    assert packed[3:8] == bytes(5)  # no file name in the header, and no time
    assert b"\r" not in gzip.decompress(packed)
    back = pd.read_csv(tmp_path / "table.csv.gz", dtype=distances.dtypes.to_dict())
    pd.testing.assert_frame_equal(back, distances)


def test_npz_reads_back_without_pickles(distances, tmp_path):
    save(distances, tmp_path / "table.npz")
    with np.load(tmp_path / "table.npz", allow_pickle=False) as arrays:
        assert list(arrays) == list(distances)
        assert (arrays["clockwise"] == distances.clockwise).all()
        assert arrays["presses"][158351] == b"000110011"


def test_a_table_is_saved_by_its_name(tmp_path):
    save("clock_distribution.csv", tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text().startswith("distance,clockwise,quarter,turn\n0,1,1,1\n")


def test_a_failed_export_leaves_the_old_file(tmp_path):
    (tmp_path / "table.csv").write_text("old")
    with pytest.raises(KeyError):
        save("no_such_table.csv", tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text() == "old"


@pytest.mark.parametrize("name", ["sawtooth_survey.csv", "sawtooth_hardest.csv", "sawtooth_classes.npz"])
def test_what_a_long_run_left_is_believed_only_as_it_was_left(name, tmp_path, monkeypatch):
    """Whatever is changed in it, one digit, a byte of an archive's directory or a column's name, is one line."""
    content = output.stored(name)
    tables.save(name, tmp_path / "exported")
    assert (tmp_path / "exported").read_bytes() == content
    (tmp_path / "SHA256SUMS").write_bytes((output.DATA / "SHA256SUMS").read_bytes())
    monkeypatch.setattr(output, "DATA", tmp_path)
    changed = [content.replace(b"16,0", b"99,0"), content.replace(b"board", b"b0ard"), content[:-9], b""]
    changed.append(content[:-30] + bytes([content[-30] ^ 1]) + content[-29:])
    for other in {*changed} - {content}:
        (tmp_path / name).write_bytes(other)
        ended = run("tables", str(tmp_path / "out"), "--only", name)
        assert f"{name}: changed since it was made" in refused(ended)
        assert not (tmp_path / "out").exists()
