"""Every fault of the checker is detected, for the right reason, by a command that is green without it."""

import shutil

import pytest

from tests.each import each
from tests.faults.anchors import located
from tests.faults.tables import FAULTS
from tests.faults.tree import ROOT, Ran, changed, copied, ran
from tests.faults.unnoticed import UNNOTICED

EVERY = [pytest.param(fault, id=f"{kind}-{fault.name}") for kind, faults in FAULTS.items() for fault in faults]
EVERY += [
    pytest.param(
        fault,
        id=f"unnoticed-{fault.name}",
        marks=pytest.mark.xfail(strict=True, raises=AssertionError, reason="nothing notices it"),
    )
    for fault in UNNOTICED
]


@pytest.fixture(scope="session")
def sound(tmp_path_factory):
    """An unchanged copy of the tree."""
    return copied(ROOT, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="session")
def without_a_fault(sound):
    """Function that runs a command in that copy, once."""
    known: dict[str, Ran] = {}

    def run(command: str) -> Ran:
        if command not in known:
            known[command] = ran(sound, command)
        return known[command]

    return run


@pytest.mark.slow
@pytest.mark.parametrize("fault", EVERY)
def test_fault_is_detected(fault, sound, without_a_fault, tmp_path):
    right = without_a_fault(fault.command)
    assert right.status == 0, right.said
    assert fault.says not in right.said

    tree = shutil.copytree(sound, tmp_path / "tree" / sound.name)
    for change in fault.changes:
        changed(tree, change)
    wrong = ran(tree, fault.command)
    shutil.rmtree(tree)
    assert wrong.status == 1, wrong.said
    assert "Traceback" not in wrong.said
    assert fault.says in wrong.said, wrong.said


def test_every_kind_has_three_faults_with_unique_names():
    names = [fault.name for faults in FAULTS.values() for fault in faults]
    assert len(names) == len(set(names)) >= 40
    assert [kind for kind, faults in FAULTS.items() if len(faults) < 3] == []


@each("fault", [*UNNOTICED, *(fault for faults in FAULTS.values() for fault in faults)], ids=lambda fault: fault.name)
def test_code_of_a_fault_is_in_one_place(fault):
    """Nothing is executed: a change of the source that removes a fault's code fails at once."""
    for change in fault.changes:
        assert located(change.symbol, change.old).file
