"""Reports about executed scenarios; no scenario is executed here."""

import json
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from rebalance_proofs.cli.record import Recorder, Told, require_free
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.groups.run import FOLDER
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.read import own
from tests.each import each

record = import_module("rebalance_proofs.cli.record")
SCENARIO = own("join_leave")


@dataclass
class Lines:
    """What is said, and whether it is wrong."""

    said: list[tuple[str, bool]] = field(default_factory=list)

    def line(self, text: str) -> None:
        self.said.append((text, False))

    def judged(self, text: str, *, wrong: bool) -> None:
        self.said.append((text, wrong))

    verdict = judged


@pytest.fixture
def told(monkeypatch):
    """Function: what is told of a recording in which that was seen, each with whether nothing explains it."""
    monkeypatch.setattr(record.grpc, "concerns", lambda folder: False)
    monkeypatch.setattr(record, "Run", lambda folder: folder)
    monkeypatch.setattr(record, "History", lambda run: run)
    monkeypatch.setattr(record, "seen", lambda history: SEEN[history.name])
    monkeypatch.setattr(record, "explain", lambda history, facts: facts)
    monkeypatch.setattr(record, "of_run", lambda name, history, every: {"scenario": name, "unexplained": 0})
    monkeypatch.setattr(record.told, "kind_of", lambda fact: fact)
    monkeypatch.setattr(record.told, "lines", lambda name, history, every: (one.said for one in every))


def fact(kind: str, *, explained: bool = True) -> SimpleNamespace:
    said = f"  {kind}: 1 of G: {'hand-over' if explained else 'UNEXPLAINED'}"
    return SimpleNamespace(fact=kind, unexplained=not explained, said=said)


SEEN = {
    "nothing": [],
    "known": [fact("twice"), fact("pause")],
    "open": [fact("twice"), fact("never", explained=False)],
}
"""Name of a recording -> what was seen."""


@pytest.mark.parametrize(
    ("name", "never", "wrong"),
    [
        ("nothing", ("twice",), ()),
        ("known", (), ()),
        ("known", ("overlap",), ()),
        ("known", ("overlap", "twice"), ("twice",)),
        ("known", ("twice", "pause"), ("pause", "twice")),
        ("open", (), ("never",)),
        ("open", ("twice",), ("never", "twice")),
    ],
)
def test_never_and_unexplained_findings_fail_a_recording(told, name, never, wrong):
    lines = Lines()
    assert Recorder(lines, never).tell(name, Path(name)).wrong == {*wrong}
    unwanted = [(f"  --never {kind}: observed", True) for kind in sorted({*never} & {*wrong})]
    seen = [(one.said, one.unexplained) for one in SEEN[name]]
    last = ("  UNEXPLAINED: 1", True) if name == "open" else ("  Every problem has a known cause", False)
    assert lines.said == [*seen, *unwanted, last]


def test_one_failing_recording_fails_the_command(told, call):
    for names, status in ((["nothing"], 0), (["nothing", "known"], 1), (["known", "nothing"], 1)):
        read = [word for name in names for word in ("--read", name)]
        assert call("record", *read, "--never", "twice").status == status


@pytest.fixture
def performed(monkeypatch, tmp_path):
    """Function: performs two scenarios of which the first gives that, and tells which are made smaller."""
    monkeypatch.chdir(tmp_path)
    client = SimpleNamespace(release="5.3.3")
    monkeypatch.setattr(record, "_setup", lambda jars, chosen: SimpleNamespace(client=client))

    def of(call, outcomes, *more):
        smaller = []

        def perform(recorder, scenario, setup, folder):
            assert folder == Path("runs/record/java-5.3.3") / scenario.name
            found = outcomes[scenario.name]
            if isinstance(found, LiveError):
                raise found
            return Told({"scenario": scenario.name, "unexplained": 0}, frozenset(found))

        monkeypatch.setattr(Recorder, "perform", perform)
        monkeypatch.setattr(
            Recorder, "shrink", lambda recorder, scenario, *given: smaller.append((scenario.name, given))
        )
        return call("record", *outcomes, *more), smaller

    return of


@pytest.mark.parametrize(
    ("first", "second", "shrink", "status", "smaller"),
    [
        ((), (), "3", 0, []),
        (("twice",), (), "3", 1, ["join_leave"]),
        ((), ("never", "twice"), "3", 1, ["ordered_short"]),
        (("twice",), ("never",), "3", 1, ["join_leave", "ordered_short"]),
        (("twice",), ("never",), None, 1, []),
    ],
)
def test_shrink_option_reduces_failing_scenarios(performed, call, first, second, shrink, status, smaller):
    outcomes = {"join_leave": first, "ordered_short": second}
    called, shrunk = performed(call, outcomes, *(("--shrink", shrink) if shrink else ()))
    assert called.status == status
    assert [name for name, _ in shrunk] == smaller
    assert all(given[1:] == (Path("runs/record/java-5.3.3"), frozenset(outcomes[name]), 3) for name, given in shrunk)


def test_failed_scenario_is_reported_and_others_are_performed(performed, call):
    outcomes = {"join_leave": LiveError("no broker answers"), "ordered_short": ()}
    called, _ = performed(call, outcomes)
    assert called.status == 2
    assert called.out == "join_leave could not be run: no broker answers\n"
    assert "could not run 1 of 2 scenarios: no broker answers" in called.complaint
    answer = json.loads(performed(call, outcomes, "--json")[0].out)
    assert [one["scenario"] for one in answer["runs"]] == ["ordered_short"]
    assert answer["failed"] == [{"scenario": "join_leave", "why": "no broker answers"}]


@pytest.mark.parametrize("least", [0, 1, len(SCENARIO.steps), len(SCENARIO.steps) + 1])
def test_smallest_scenario_with_the_same_finding_is_kept(least, monkeypatch, tmp_path):
    """Scenarios that were not executed, or that show something else, do not count."""
    performed = []

    def perform(recorder, scenario, setup, folder):
        assert (scenario.name, folder) == ("join_leave_tried", tmp_path / "join_leave_tried")
        performed.append(len(scenario.steps))
        folder.mkdir(exist_ok=True)
        (folder / "scenario.toml").write_text(str(len(scenario.steps)), encoding="utf-8")
        if len(performed) == 1:
            raise LiveError("no broker answers")
        return Told({}, frozenset(("twice", "pause") if len(scenario.steps) >= least else ("pause",)))

    monkeypatch.setattr(Recorder, "perform", perform)
    lines = Lines()
    Recorder(lines, ()).shrink(SCENARIO, None, tmp_path, frozenset(("twice", "never")), 60)
    assert lines.said[0] == ("  could not be run: no broker answers", False)
    kept = tmp_path / "join_leave_shrunk"
    steps = len(SCENARIO.steps)
    if least > steps:
        assert lines.said[-1] == ("join_leave: no smaller scenario failed in 60 tries", False)
        assert [*tmp_path.iterdir()] == []
    else:
        (size,) = (int(path.read_text(encoding="utf-8")) for path in tmp_path.rglob("scenario.toml"))
        assert size == min(one for one in performed[1:] if one >= least)
        said = f"join_leave: fails with {size} of {steps} steps: {kept / 'scenario.toml'}"
        assert lines.said[-1] == (said, False)
        assert [*tmp_path.iterdir()] == [kept]


@each(
    ("there", "overwrite", "said"),
    [
        ("", False, ""),
        ("", True, ""),
        ("empty", False, "already exists"),
        ("empty", True, ""),
        ("recording", False, "already exists"),
        ("recording", True, ""),
        ("letters", False, "already exists"),
        ("letters", True, "is not a recording"),
        ("file", True, "is not a recording"),
        ("link", False, "already exists"),
        ("link", True, "is not a recording"),
        ("dangling", False, "already exists"),
        ("dangling", True, "is not a recording"),
    ],
)
def test_only_a_recording_is_replaced_and_only_with_overwrite(tmp_path, there, overwrite, said):
    place = tmp_path / f"{there}-{overwrite}"
    if there in ("empty", "recording", "letters"):
        place.mkdir()
    if there in ("recording", "letters"):
        (place / ("driver.jsonl.gz" if there == "recording" else "letter")).write_text("", encoding="utf-8")
    if there == "file":
        place.write_text("", encoding="utf-8")
    if there == "link":
        place.symlink_to(FOLDER / "java-5.3.3" / "concurrent")
    if there == "dangling":
        place.symlink_to(tmp_path / "nowhere")
    if said:
        with pytest.raises(UsageError, match=said):
            require_free(place, overwrite)
    else:
        require_free(place, overwrite)


def test_scenario_list_describes_each_scenario(call):
    listed = json.loads(call("record", "--json").out)["scenarios"]
    assert {one["name"]: one["about"] for one in listed}["join_leave"] == SCENARIO.about
