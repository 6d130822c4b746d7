"""Rules for recorded runs fail for a single line that RocketMQ would not have produced."""

import gzip
import json
import shutil
from collections.abc import Callable

import pytest

from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.recorded.groups.run import Run
from tests.recorded.groups.seen import Seen, recorded_run
from tests.recorded.groups.test_broker_replayed import locks_compared, refusals_compared
from tests.recorded.groups.test_everywhere import calls_below
from tests.recorded.groups.test_first_pull import first_pulls

Line = dict[str, object]
Changed = Callable[[str, str, Callable[[list[Line]], None]], Seen]


@pytest.fixture
def changed(tmp_path) -> Changed:
    """A copy of a run with other lines for one process."""

    def change(scenario: str, who: str, edit: Callable[[list[Line]], None]) -> Seen:
        shutil.copytree(recorded_run(scenario).run.folder, tmp_path, dirs_exist_ok=True)
        file = tmp_path / f"{who}.jsonl.gz"
        lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
        edit(lines)
        file.write_bytes(gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode(), 1))
        return Seen(Run(tmp_path))

    return change


def test_too_early_first_pull_is_detected(changed):
    def earlier(lines: list[Line]) -> None:
        new = next(line for line in lines if line["ev"] == "entry-new")
        topic, _, number = str(new["q"]).split(":")
        pulls = (line for line in lines if line["ev"] == "ask" and line["said"].get("q") == f"{topic}:{number}")
        pull = next(line for line in pulls if line["code"] == "PULL_MESSAGE")
        pull["at"] = new["at"] + 499

    assert min(first_pulls(changed("java-5.3.3/relock", "R1c0", earlier), "5.3.3")) == 499


def test_wrongly_granted_lock_is_detected(changed):
    def granted(lines: list[Line]) -> None:
        refused = (line for line in lines if line["ev"] == "answered" and line["said"].get("granted") == [])
        line = next(refused)
        line["said"]["granted"] = line["asked"]["queues"]

    _, differ = locks_compared(changed("java-5.3.3/relock", "b0", granted), DEFAULTS.broker)
    assert len(differ) == 1


def test_wrongly_refused_pull_is_detected(changed):
    def older(lines: list[Line]) -> None:
        line = next(line for line in lines if line["ev"] == "answered" and line["said"]["code"] == 25)
        line["asked"]["subVersion"] = "0"

    _, differ = refusals_compared(changed("java-5.3.3/concurrent", "b0", older))
    assert len(differ) == 1


def test_call_with_committed_messages_is_detected(changed):
    def lower(lines: list[Line]) -> None:
        reads = {line["q"]: line["result"] for line in lines if line["ev"] == "offset-read"}
        began = [line for line in lines if line["ev"] == "begin" and reads[line["q"]] > 0]
        began[-1]["offsets"] = [reads[began[-1]["q"]] - 1]

    _, below = calls_below(changed("java-4.9.8/c2_ordered_long", "c0", lower))
    assert len(below) == 1
