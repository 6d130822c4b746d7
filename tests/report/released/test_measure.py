"""Releases are measured step by step: finished steps are kept, missing jars are remembered, faults are reported."""

import hashlib
import json
from pathlib import Path

import pytest

from rebalance_proofs.recorded.cache import CACHE
from rebalance_proofs.recorded.live.artifacts import PARTS, NotServed
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.read import own
from rebalance_proofs.recorded.live.read import text as scenario_text
from rebalance_proofs.report.released import __main__ as command
from rebalance_proofs.report.released import measure as module
from rebalance_proofs.report.released.commands import Commands, Failed, isolates
from rebalance_proofs.report.released.measure import Measure
from rebalance_proofs.report.released.results import ARTIFACT, FILE, NOT_SERVED, PUBLISHED, Released, read, text

SCENARIO = "join_leave"
STRATEGY = {"name": "AVG", "calls": 7, "differ": 0, "smallest": None}
DIFFERENT = {
    "name": "MACHINE_ROOM",
    "calls": 5,
    "differ": 2,
    "smallest": {"call": {"current_cid": "", "mq_all": [], "cid_all": []}, "client": "gives []", "model": "throws X"},
}
STEPS = {"name": "one rebalance", "calls": 3, "differ": 0, "smallest": None}
WRONG_STEPS = STEPS | {"differ": 1, "smallest": {"case": "push, dropped", "client": "unlocks", "model": "keeps"}}
EXPLAINED = {"kind": "pause", "cause": "hand-over", "not_rocketmq": None, "rejected": None, "words": "w"}
UNEXPLAINED = {
    "kind": "back",
    "cause": None,
    "not_rocketmq": None,
    "rejected": "late-commit: refuted",
    "words": "5 to 4",
}


class Scripted(Commands):
    """Commands whose answers are given, and that note what was asked."""

    def __init__(
        self, recordings: Path, *, strategies=(STRATEGY,), steps=STEPS, rejected=(), seen=(EXPLAINED,), fails=""
    ):
        super().__init__()
        self.asked: list[tuple[str, ...]] = []
        self.recordings, self.strategies, self.rejected, self.seen = recordings, strategies, rejected, seen
        self.fails, self.steps = fails, steps

    def answer(self, *words, isolated=False, tolerate=(0, 1)):
        self.asked.append(words)
        if self.fails and self.fails in words:
            raise Failed("it did not start")
        match words:
            case ("conform", "--java", *_):
                return {"strategies": list(self.strategies), "steps": [self.steps]}
            case ("conform", "--cluster", *_):
                machine = {"machine": "registry", "rejected": list(self.rejected)}
                return {"traces": [{"events": 9, "accepted": not self.rejected, "machines": [machine]}]}
            case ("record", "--read", *_):
                return {
                    "runs": [{"unexplained": sum(one is UNEXPLAINED for one in self.seen), "seen": list(self.seen)}]
                }
            case ("record", name, "--release", release, *_):
                folder = self.recordings / f"java-{release}" / name
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "scenario.toml").write_text(scenario_text(own(name)), encoding="utf-8")
                return {}
        raise AssertionError(words)

    @property
    def recorded(self) -> list[tuple[str, ...]]:
        return [words for words in self.asked if words[0] == "record" and words[1] != "--read"]


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A cache with two whole releases and one client; everything else is not served."""
    cache = tmp_path / "cache"
    monkeypatch.setenv(CACHE, str(cache))
    for folder, parts in (("5.1.1", PARTS), ("5.1.4", PARTS), ("5.1.2-client", PARTS[:1])):
        (cache / folder).mkdir(parents=True)
        for part in parts:
            (cache / folder / f"rocketmq-{part}-{folder[:5]}.jar").write_bytes(b"jar")
    asked: list[str] = []
    whole = module.released

    def released(release, option, *, servers=True):
        there = (cache / release).is_dir() or ((cache / f"{release}-client").is_dir() and not servers)
        if there:
            return whole(release, option, servers=servers)
        asked.append(release)
        raise NotServed("not there", ["rocketmq-namesrv"] if servers else ["rocketmq-client"])

    monkeypatch.setattr(module, "released", released)
    return asked


def measured(tmp_path: Path, releases=("5.1.4",), **options) -> tuple[Measure, list[tuple[str, bool]]]:
    """Measure releases with scripted commands; returns the lines of the steps."""
    asks = {key: options.pop(key) for key in ("strategies", "steps", "rejected", "seen", "fails") if key in options}
    recordings = tmp_path / "recordings"
    one = Measure(tmp_path / "releases.json", recordings, (SCENARIO,), commands=Scripted(recordings, **asks), **options)
    return one, [step.do() for release in releases for step in one.steps(release)]


def test_release_is_compared_recorded_and_judged(served, tmp_path):
    one, lines = measured(tmp_path)
    assert lines == [("10 calls, none differ", True), ("9 events, accepted, every problem explained", True)]
    found = read(one.file)["5.1.4"]
    assert (found.client, found.servers, found.jar.name) == (ARTIFACT, ARTIFACT, "rocketmq-client-5.1.4.jar")
    assert found.jar.sha256 == hashlib.sha256(b"jar").hexdigest()
    assert (found.strategies.calls, found.steps.calls) == (7, 3)
    assert [(one.name, one.servers, one.accepted, one.unexplained) for one in found.scenarios] == [
        (SCENARIO, "5.1.4", True, 0)
    ]


def test_finished_steps_are_not_done_again(served, tmp_path):
    measured(tmp_path)
    again, lines = measured(tmp_path)
    assert (lines, again.commands.asked) == ([], [])
    again, lines = measured(tmp_path, again=True)
    assert len(lines) == 2
    assert len(again.commands.recorded) == 1


def test_interrupted_step_is_continued_with_the_recording_that_is_there(served, tmp_path):
    measured(tmp_path)
    results = json.loads((tmp_path / "releases.json").read_text(encoding="utf-8"))
    results["releases"][0]["scenarios"] = []
    (tmp_path / "releases.json").write_text(json.dumps(results), encoding="utf-8")
    again, lines = measured(tmp_path)
    assert (len(lines), again.commands.recorded) == (1, [])


def test_incomplete_or_different_recording_is_made_again(served, tmp_path):
    folder = tmp_path / "recordings" / "java-5.1.4" / SCENARIO
    folder.mkdir(parents=True)
    for there in ("", "about = 'another one'"):
        (folder / "scenario.toml").write_text(there, encoding="utf-8")
        one, _ = measured(tmp_path, again=not there)
        assert len(one.commands.recorded) == 1
        (tmp_path / "releases.json").unlink()


def test_recordings_are_judged_again_without_recording(served, tmp_path):
    measured(tmp_path)
    assert measured(tmp_path, judge=True)[1] == []
    again, lines = measured(tmp_path, judge=True, again=True, seen=(UNEXPLAINED,))
    assert again.commands.recorded == []
    assert lines[1:] == [
        ("9 events, accepted, 1 problem UNEXPLAINED (back: 5 to 4; not late-commit: refuted)", False),
    ]
    (tmp_path / "recordings" / "java-5.1.4" / SCENARIO / "scenario.toml").unlink()
    assert len(measured(tmp_path, judge=True, again=True)[1]) == 1


def test_differences_and_rejections_are_kept_with_their_reasons(served, tmp_path):
    one, lines = measured(tmp_path, strategies=(STRATEGY, DIFFERENT), rejected=({"why": "no such heartbeat"},))
    assert [right for _, right in lines] == [False, False]
    found = one.results["5.1.4"]
    assert (found.strategies.calls, found.strategies.differ) == (12, 2)
    assert found.strategies.reason.startswith("MACHINE_ROOM: currentCID '', 0 queues, 0 consumers, the client gives []")
    assert found.scenarios[0].reason == "registry: no such heartbeat"


def test_client_without_servers_runs_on_the_nearest_release_of_its_line(served, tmp_path):
    one, _ = measured(tmp_path, ("5.1.2",))
    assert ("--broker-release", "5.1.1") == one.commands.recorded[0][-2:]
    found = one.results["5.1.2"]
    assert (found.client, found.servers, found.scenarios[0].servers) == (ARTIFACT, NOT_SERVED, "5.1.1")
    assert found.reason == "Maven's repository does not have rocketmq-namesrv"


def test_release_that_is_not_served_has_no_results_and_is_asked_for_once(served, tmp_path):
    assert measured(tmp_path, ("5.5.1",))[1] == []
    found = read(tmp_path / "releases.json")["5.5.1"]
    assert (found.client, found.servers, found.jar, found.scenarios) == (NOT_SERVED, NOT_SERVED, None, ())
    assert "rocketmq-client, rocketmq-namesrv" in found.reason
    asked = len(served)
    measured(tmp_path, ("5.5.1",))
    assert len(served) == asked
    measured(tmp_path, ("5.5.1",), again=True)
    assert len(served) > asked


def test_step_that_fails_is_reported_and_done_the_next_time(served, tmp_path):
    one = Measure(
        tmp_path / "releases.json", tmp_path / "r", (SCENARIO,), commands=Scripted(tmp_path / "r", fails="--java")
    )
    assert command._run(one, ("5.1.4",), 1) == 1
    assert (one.results["5.1.4"].strategies, len(one.results["5.1.4"].scenarios)) == (None, 1)
    assert [step.name for step in one.steps("5.1.4")] == ["5.1.4 classes"]


def test_missing_maven_is_reported_and_other_releases_are_measured(served, tmp_path, monkeypatch, capsys):
    whole = module.released

    def released(release, option, *, servers=True):
        if release == "5.5.0":
            raise LiveError("--release needs Maven")
        return whole(release, option, servers=servers)

    monkeypatch.setattr(module, "released", released)
    one = Measure(tmp_path / "f.json", tmp_path / "r", (SCENARIO,), commands=Scripted(tmp_path / "r"))
    assert command._run(one, ("5.5.0", "5.1.4"), 2) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "5.5.0: --release needs Maven"
    assert sorted(line.partition(":")[0] for line in printed[1:]) == ["5.1.4 classes", f"5.1.4 {SCENARIO}"]
    assert "5.5.0" not in one.results


@pytest.mark.parametrize("words", [["5.55.0"], ["--scenario", "nothing"], ["--jobs", "0"]])
def test_wrong_arguments_are_refused(words, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert words[-1] in capsys.readouterr().err or words[0] == "--jobs"


def test_commands_return_answers_and_their_own_complaints():
    runs = Commands()
    assert {one["name"] for one in runs.answer("record")["scenarios"]} > {SCENARIO}
    with pytest.raises(Failed, match="unknown scenario 'nothing'"):
        runs.answer("record", "nothing")
    if isolates():
        assert runs.answer("record", isolated=True)["scenarios"]
    runs.end()
    with pytest.raises(Failed, match="interrupted"):
        runs.answer("record")


def test_file_of_results_is_sorted_and_of_its_format(tmp_path):
    rows = read(FILE)
    assert FILE.read_text(encoding="utf-8") == text(rows.values())
    assert list(rows) == [release for release in PUBLISHED if release in rows]
    path = tmp_path / "releases.json"
    path.write_text('{"format": 2, "releases": []}', encoding="utf-8")
    with pytest.raises(ValueError, match="format 1"):
        read(path)
    written = text([Released(release="5.1.10"), Released(release="5.1.9")])
    assert [one["release"] for one in json.loads(written)["releases"]] == ["5.1.9", "5.1.10"]


def test_results_of_this_package_are_complete_and_consistent():
    for one in read(FILE).values():
        assert (one.jar is None) == (one.client == NOT_SERVED), one.release
        assert one.reason or one.servers == ARTIFACT, one.release
        for each in one.scenarios:
            assert one.client == ARTIFACT
            assert (each.servers == one.release) == (one.servers == ARTIFACT)
            assert each.reason or (each.accepted and not each.unexplained)
            assert not each.shipped or (FILE.parent / "groups" / each.shipped).is_dir()


def test_difference_in_a_rebalance_step_is_kept_with_its_reason(served, tmp_path):
    one, lines = measured(tmp_path, steps=WRONG_STEPS)
    found = read(one.file)["5.1.4"]
    assert lines[0] == ("10 calls, 1 differ", False)
    assert (found.strategies.differ, found.steps.differ) == (0, 1)
    assert found.steps.reason == "one rebalance: push, dropped, the client unlocks, the model keeps"
