"""Faults of the machines' declarations are rejected by a recorded group, or a reason says why none does."""

import os
import shutil
import subprocess
import sys

import pytest

from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.report.reality.reasons import FAULTS
from tests.each import each
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
OF_OFFSETS = ("actions", "java", "concurrently", "orderly", "watched")
"""The files in which the machines of offsets are declared, but Node's, of whose groups there is no recording."""
BEFORE_ACTIONS, AFTER_ACTIONS = "\n# ---- Actions", "\n# ---- Clients and mutants"
"""Headings of a page: of the actions, and of the part after them."""


def declared(machine):
    """The faults of the machine's declaration alone, which recordings are held against."""
    places = {f"model/{machine}/{name}.py" for name in ("machine", "state", *OF_OFFSETS * (machine == "offsets"))}
    found = {one.name: one for one in EVERY[machine] if all(change.file in places for change in one.changes)}
    folder = ROOT / "model" / "machines"
    page = folder / machine / "actions.py" if (folder / machine).is_dir() else folder / f"{machine}.py"
    if page.is_file():
        machine_itself = page.read_text(encoding="utf-8").partition(AFTER_ACTIONS)[0]
        actions = machine_itself.partition(BEFORE_ACTIONS)[2]
        for one in EVERY[machine]:
            if all(ROOT / change.file == page and change.old in actions for change in one.changes):
                found[one.name] = one
    return found


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
