"""The guide on checking a recording: its rejected example is real, and its table has every machine."""

import gzip
import json
import re
import shutil
from pathlib import Path

from rebalance_proofs.recorded.cluster.scenarios import MANY
from tests.cli.conftest import call  # noqa: F401  # a fixture
from tests.docs.shown import ROOT, agrees

PAGE = (ROOT / "docs" / "how-to" / "check-a-recording.md").read_text(encoding="utf-8")
RECORDING = ROOT / "recorded" / "groups" / "java-4.9.8" / "x_start_threw"


def without(file: Path, event: str) -> None:
    """Remove all events of a name from a file, and number the others without a gap."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        others = [one for one in map(json.loads, lines) if one["ev"] != event]
    with gzip.open(file, "wt", encoding="utf-8") as edited:
        for number, one in enumerate(others):
            print(json.dumps(one | {"n": number}), file=edited)


def test_recording_without_its_allocate_event_is_rejected_as_shown(call, tmp_path):  # noqa: F811
    folder = tmp_path / "java-4.9.8" / "edited"
    shutil.copytree(RECORDING, folder)
    without(folder / "c0.jsonl.gz", "allocate")
    (text,) = re.findall(r"```\n(BAD edited.*?)```", PAGE, re.DOTALL)
    called = call("conform", "--cluster", str(folder))
    assert called.status == 1
    assert agrees(text, called.out)


def test_recording_table_has_every_machine(call):  # noqa: F811
    """As the last lines of an answer name them, with how each is checked."""
    out = call("conform", "--cluster", str(RECORDING)).out
    (states, code, rules) = re.findall(r"^([\w, ]+): by (?:behaviours|runs|monitors)", out, re.M)
    methods = {"states": states, "code": code, "rules": rules}
    expected = {(name, method) for method, names in methods.items() for name in names.split(", ")}
    table = PAGE.partition("| machine | method | checks |\n")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \| (\w+) \|", table, re.M)) == expected


def test_page_names_the_number_of_scenarios_for_spark():
    assert f"from {MANY} on with Spark" in PAGE
