"""Faults of the machines' declarations are rejected by a recorded group, or a reason says why none does."""

import os
import shutil
import subprocess
import sys

import pytest

from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.report.reality.reasons import FAULTS
from tests.each import each
from tests.faults.anchors import located
from tests.faults.tables import FAULTS as EVERY
from tests.faults.tree import ROOT, changed, copied

HELD = """
import sys
from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.run import all_shipped

machine, *names = sys.argv[1:]
for name in names:
    trace = Trace.read(all_shipped()[name], name.partition("/")[0].removeprefix("java-"))
    print(name, "accepted" if CHECKS[machine](trace, Calls(trace)).accepted else "rejected")
"""
SECONDS = 300
ACTIONS = "\n# ---- Actions"
"""The heading of a page's actions."""
AFTER = ("\n# ---- Clients and mutants", "\n# ---- Mutants", "\n# ---- Actions of Node")
"""Headings of the parts after the actions; no recorded group has a client for Node."""
STATE = {"offsets": ("model/machines/offsets/state.py", "\n# ---- State", "\n# ---- Mutants of actions")}
"""Kind -> parts of actions outside the page: the file, their heading, and the heading after them."""


def declared(machine):
    """The faults of the machine's declaration alone, which recordings are held against."""
    folder = f"model/machines/{machine}"
    page = f"{folder}/actions.py" if (ROOT / folder).is_dir() else f"{folder}.py"
    parts = [(page, ACTIONS, AFTER)]
    if machine in STATE:
        file, first, last = STATE[machine]
        parts.append((file, first, (last,)))
    lines = [(file, *_between(file, first, after)) for file, first, after in parts]

    def inside(place):
        return any(place.file == file and first < place.line <= last for file, first, last in lines)

    at = {one: [located(change.symbol, change.old) for change in one.changes] for one in EVERY[machine]}
    return {one.name: one for one, places in at.items() if all(map(inside, places))}


def _between(file, first, after):
    """The lines between the heading and the next of the headings after it."""
    text = (ROOT / file).read_text(encoding="utf-8")
    begin = text.index(first)
    end = min(found for one in after if (found := text.find(one, begin)) >= 0)
    return text.count("\n", 0, begin), text.count("\n", 0, end)


@each("machine", FAULTS)
def test_each_fault_is_rejected_or_has_a_reason(machine):
    assert FAULTS[machine].keys() == declared(machine).keys()
    for one in FAULTS[machine].values():
        assert bool(one.rejected_by) != bool(one.why_not)
        assert not one.rejected_by or one.rejected_by in all_shipped()


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return copied(ROOT, tmp_path_factory.mktemp("sound"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machine", "name"), [(machine, name) for machine, faults in FAULTS.items() for name in faults]
)
def test_recordings_judge_a_fault_as_the_page_says(machine, name, sound, tmp_path):
    tree = shutil.copytree(sound, tmp_path / "tree" / sound.name)
    for change in declared(machine)[name].changes:
        changed(tree, change)
    told = FAULTS[machine][name]
    names = [told.rejected_by] if told.rejected_by else sorted(all_shipped())
    called = subprocess.run(
        [sys.executable, "-c", HELD, machine, *names],
        cwd=tree.parent,
        env=os.environ | {"PYTHONPATH": str(tree.parent)},
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=True,
    )
    shutil.rmtree(tree)
    said = "rejected" if told.rejected_by else "accepted"
    assert called.stdout.splitlines() == [f"{one} {said}" for one in names]
