"""Rows are imported on request, and can be added and removed."""

import sys

import pytest

from rebalance_proofs.proofs.kinds import Table


@pytest.fixture
def table(tmp_path, monkeypatch):
    text = "ROW = ['a row']\ndef named(name):\n    return [name]\n"
    (tmp_path / "far_away.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "far_away", raising=False)
    return Table({"one": "far_away.ROW", "other": "far_away.NONE"})


def test_unused_rows_are_not_imported(table):
    assert list(table) == ["one", "other"]
    assert len(table) == 2
    assert "one" in table
    assert "far_away" not in sys.modules
    assert table["one"] == ["a row"]
    assert table["one"] is table["one"]


def test_row_can_be_made_by_a_function_for_a_name(table):
    made = Table({"three": "far_away.named:third"})
    assert made["three"] == ["third"]
    assert made["three"] is made["three"]


def test_row_can_be_added_and_removed(table):
    table["mine"] = ["mine"]
    table["one"] = ["another"]
    assert list(table) == ["one", "other", "mine"]
    assert [table["one"], table["mine"]] == [["another"], ["mine"]]
    del table["mine"], table["one"]
    assert list(table) == ["other"]


@pytest.mark.parametrize("name", ["mine", ""])
def test_missing_row_raises_key_error(table, name):
    with pytest.raises(KeyError):
        table[name]
    with pytest.raises(KeyError):
        del table[name]
    assert table.get(name) is None
