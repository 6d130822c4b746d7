"""The history of measurements, and the page that is made of it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as bench
from benchmarks import page as pages
from benchmarks import starting, transitions
from benchmarks.explorer.section import TITLES
from benchmarks.history import FILE, History, Measured, Record, Table
from benchmarks.markdown import figure, table
from benchmarks.timing import Timing, parsed, seconds

OLD = Record("a", "1 s", "at most 2 s", True, "", "2026-11-21", "one")
NEW = replace(OLD, measured="3 s", met=False, date="2026-11-22")


@pytest.fixture
def history():
    return History({"one": "a machine"}, [NEW, OLD], [Table("t", "n", ("x", "y"), [["1", "2"]], "2026-11-21", "one")])


def test_page_is_up_to_date():
    assert pages.page(History.load()) == (bench.DOCS / "benchmarks.md").read_text(encoding="utf-8")


def test_history_is_saved_unchanged_after_loading(tmp_path):
    History.load().save(tmp_path / "history.json")
    assert (tmp_path / "history.json").read_text(encoding="utf-8") == FILE.read_text(encoding="utf-8")


def test_history_names_a_machine_and_a_date_for_each_entry():
    history = History.load()
    for one in (*history.records, *history.tables):
        assert one.machine in history.machines
        assert one.date


def test_table_rows_have_as_many_cells_as_columns():
    for one in History.load().tables:
        assert {len(row) for row in one.rows} == {len(one.columns)}


def test_newest_record_is_the_last_by_date(history):
    assert history.newest("a") == NEW
    history.records.append(replace(NEW, measured="4 s"))
    assert history.newest("a").measured == "4 s"
    with pytest.raises(LookupError):
        history.newest("b")


def test_new_measurements_are_appended(history, tmp_path):
    history.append([Measured("a", "2 s")], [Table("t", "n", ("x",), [["3"]])], "2026-11-23", "one")
    history.save(tmp_path / "history.json")
    loaded = History.load(tmp_path / "history.json")
    assert loaded.newest("a") == Record("a", "2 s", date="2026-11-23", machine="one")
    assert loaded.newest_table("t").rows == [["3"]]
    assert len(loaded.records) == 3


def test_machine_keeps_its_name(history):
    assert history.machine("two", "a machine") == "one"
    assert history.machine("one", "another machine") == "one 2"
    assert history.machine("one", "another machine") == "one 2"


def test_missed_goal_is_printed(history, monkeypatch):
    monkeypatch.setattr(pages, "SHOWN", {"a": ""})
    assert "| a | ≤ 2 s | 3 s (missed) | one | 2026-11-22 |" in pages.page(history)


def test_benchmark_series_are_in_the_history():
    known = {one.what for one in History.load().records}
    assert {f"`rebalance {what}`, CPU time" for what, _ in starting.CALLS.values()} <= known
    assert {words for words, _ in transitions.WHAT.values()} <= known


def test_transition_comparisons_have_a_rate_and_a_goal():
    found = [
        SimpleNamespace(kind=kind, bounds={"queues": queues}, counted=counted, seconds=60.0)
        for (kind, queues), counted in zip(transitions.WHAT, (9_000_000, 6_000_000, 49_000_000, 600), strict=True)
    ]
    figures = transitions.figures(found)
    assert [one.measured for one in figures][:3] == [f"{rate} million a minute" for rate in ("9.0", "6.0", "49.0")]
    assert figures[3].measured == "600 in 60.0 s"
    assert [one.met for one in figures] == [None, True, False, None]


def test_benchmark_tables_are_in_the_history():
    known = {one.title for one in History.load().tables}
    assert {bench.COST, *TITLES.values()} <= known


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "| a | at least 3 times: not met | 2.94 times; more |",
            Measured("a", "2.94 times", "at least 3 times", False, "more"),
        ),
        ("| a | at most 24 a state: met | 18.8 |", Measured("a", "18.8", "at most 24 a state", True)),
        ("| a |  | 5 s |", Measured("a", "5 s")),
    ],
)
def test_figure_is_parsed_from_a_line(line, expected):
    assert figure(line) == expected


def test_table_is_parsed_from_lines():
    made = table("t", "Note.", ["More.", "", "| x | y |", "|---|---|", "| 1 |  |"])
    assert made == Table("t", "Note. More.", ["x", "y"], [["1", ""]])


@pytest.mark.parametrize("value", [4.8, 0.0797, 0.00004])
def test_seconds_are_parsed(value):
    assert parsed(seconds(value)) == pytest.approx(value)


def test_plot_shows_the_costs_of_the_table():
    costs = {"concrete Python": {8: Timing((0.5,)), 16: Timing((1.5,))}, "Z3 at every size": {8: Timing((2.0,))}}
    ways, constant = bench.plotted(bench.cost_table(costs, Timing((0.25,))))
    assert ways == {"concrete Python": {8: 0.5, 16: 1.5}, "Z3 at every size": {8: 2.0}}
    assert constant == 0.25


def test_plot_of_the_history_can_be_rendered():
    ways, constant = bench.plotted(History.load().newest_table(bench.COST))
    assert set(ways) == set(bench.WAYS)
    assert all(ways.values())
    assert constant > 0
