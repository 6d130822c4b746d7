"""Rows and their readers: results, order, and messages about a bad field."""

import pytest

from rebalance_proofs.recorded.jsonl import Objects, whole_number
from rebalance_proofs.recorded.rows import (
    Row,
    RowError,
    Table,
    anything,
    expect,
    fitting,
    flag,
    in_turn,
    number,
    one_of,
    unless,
    words,
)

TABLE = Table({"name": anything, "count": number, "held": flag})


def said(read, *arguments):
    """The sentence about something that cannot be read."""
    with pytest.raises(RowError) as error:
        read(*arguments)
    return str(error.value)


def test_cells_are_read_by_name_in_order():
    row = TABLE.read("a\t-3\t1")
    assert [*row] == ["a", -3, True]
    assert row.read("held", "name") == [True, "a"]
    assert row.fields == {"name": "a", "count": "-3", "held": "1"}


def test_field_is_read_on_demand():
    row = TABLE.read("a\tx\ty")
    assert row["name"] == "a"
    assert said(row.read, "name", "held", "count") == 'held is "y", not one of 0, 1'
    assert said(lambda: [*row]) == 'count is "x", not a number'


@pytest.mark.parametrize("text", ["", "a\t1", "a\t1\t0\t"])
def test_row_needs_a_cell_per_column(text):
    count = text.count("\t") + 1
    assert said(TABLE.read, text) == f"{count} columns, expected 3 (name, count, held)"


def test_header_needs_its_column_names():
    TABLE.check_header("name\tcount\theld")
    assert said(TABLE.check_header, "name") == "the header is not #name\tcount\theld"
    called = Table({"id": number, "owners": anything}, headings=("id", "who has it"))
    called.check_header("id\twho has it")
    assert said(called.check_header, "id\towners") == "the header is not #id\twho has it"


def test_object_keys_are_read():
    row = Objects({"id": whole_number}).read('{"id": 5, "other": null}')
    assert (row["id"], row.get("note", "none"), row.value("other")) == (5, "none", None)
    assert said(row.value, "note") == 'no "note"'
    part = Objects({"id": whole_number}).row({"id": True}, "java.")
    assert said(part.read, "id") == "java.id is true, not a number"


def test_readers_can_be_combined():
    small = in_turn(number, fitting(lambda found: found < 10, "too many", str))
    assert small("7", "c") == "7"
    assert said(small, "x", "c") == 'c is "x", not a number'
    assert said(small, "70", "c") == "c is 70, too many"
    assert unless("-", small, 0)("-", "c") == 0
    assert said(unless("-", small), "--", "c") == 'c is "--", not a number'
    assert one_of({"a": 1, "b": 2})("b", "c") == 2
    assert said(words("a", "b"), "d", "c") == 'c is "d", not one of a, b'


def test_expectation_raises_its_message():
    expect(True, "it is not")
    assert said(expect, [], "it is not") == "it is not"


def test_part_of_a_row_cannot_be_compared():
    with pytest.raises(LookupError):
        Row({}, {}).compare("java", "it", "1", "2")
