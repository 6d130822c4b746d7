"""Self-tests detect their planted faults, and a comparer that compares nothing fails them."""

import json
from dataclasses import replace

import pytest

from rebalance_proofs.evidence.self_tests import transitions, vectors, verdicts
from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.recorded.tally import Tally
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.spark_enum import kinds, witness
from rebalance_proofs.spark_enum.allocation import group_check, sweep
from rebalance_proofs.spark_enum.results import Totals
from rebalance_proofs.spark_enum.transition import calls as comparer_of_calls
from rebalance_proofs.spark_enum.transition import relation, trials
from rebalance_proofs.spark_enum.transition import tables as comparer_of_tables
from tests.evidence.said_by_self_tests import ROOMS as PINNED
from tests.pins.table import PINS

ROOMS = {**PINNED, "vectors": lambda: vectors.trials(OWN, conform(OWN))}


@pytest.mark.parametrize("room", ROOMS)
def test_planted_faults_are_detected(room):
    found = [tried(trial) for trial in ROOMS[room]()]
    assert len(found) >= 3
    assert [test for test in found if not test.noticed] == []
    assert len({test.name for test in found}) == len(found)
    assert all(test.name.startswith(f"{room}: ") for test in found)
    if room in PINNED:
        said = json.loads(PINS["self_tests"].pinned())
        pinned = {name: words for name, words in said.items() if name.startswith(f"{room}: ")}
        assert {test.name: test.said for test in found} == pinned, "of other faults than those that are pinned"


def test_every_vectors_file_has_a_self_test():
    names = {trial.name.removeprefix("vectors: the last row of ") for trial in ROOMS["vectors"]()}
    files = {path.relative_to(OWN).as_posix() for path in OWN.rglob("*") if path.suffix in (".tsv", ".jsonl")}
    assert files <= names


@pytest.mark.parametrize("lost", [{"lacking": ("x",)}, {"checks": 0}])
def test_damaged_file_has_no_self_test(lost):
    found = conform(OWN)
    wrong = replace(found.files[0], **lost)
    names = {trial.name for trial in vectors.trials(OWN, replace(found, files=(wrong, *found.files[1:])))}
    assert f"vectors: the last row of {wrong.file}" in {trial.name for trial in vectors.trials(OWN, found)} - names


@pytest.mark.parametrize("what", verdicts.FORMULAS)
def test_wrong_numbers_are_next_to_a_model(what):
    """So that a formula that is parsed slightly wrongly is detected."""
    _, right, wrong = verdicts.FORMULAS[what]
    assert right.keys() == wrong.keys()
    assert sorted(abs(right[name] - wrong[name]) for name in right) == [0, 1]


def test_rounds_are_tried_up_to_the_needed_depth():
    said = json.loads(PINS["self_tests"].pinned())["promises: a guarantee that fails is expected to hold"]
    assert [f"{depth} departures" in said for depth in transitions.DEPTHS] == [True]


def test_silent_comparer_has_not_noticed():
    assert not tried(Trial("x", tuple, tuple)).noticed


def test_always_complaining_comparer_has_not_noticed():
    test = tried(Trial("x", lambda: ("no.",), lambda: ("no.",)))
    assert (test.noticed, test.said) == (False, "it reported a fault in right input: no.")


def test_raising_comparer_has_not_noticed():
    test = tried(Trial("x", tuple, lambda: 1 / 0))
    assert (test.noticed, test.said) == (False, "it raised ZeroDivisionError: division by zero")


def unnoticed(room: str) -> list[str]:
    """The names of self-tests that do not notice."""
    return [test.name for test in map(tried, ROOMS[room]()) if not test.noticed]


SILENT = replace(kinds.KINDS["transition"], against=lambda *_: [])

FAULTS = {
    "lists are not compared": ("positions", (group_check.Rows, "compare", lambda *_: None)),
    "formulas are not compared": ("formulas", (group_check.GroupCheck, "_against_symbolic_groups", lambda *_: None)),
    "no size is compared": ("sizes", (sweep, "compare", lambda claim, n, queues, *_: Totals(counted=queues))),
    "the solver's answer is not looked at": ("sizes", (sweep, "first_violation", lambda *_: None)),
    "no case differs": ("singles", (trials, "_differing", lambda *_: ())),
    "no call differs": ("calls", (comparer_of_calls.Calls, "_differing", lambda *_: ())),
    "rows of terms are all alike": (
        "tables",
        (comparer_of_tables.Packing, "pack", lambda packing, columns: [0] * packing.words),
    ),
    "models are what was expected": ("models", (relation, "seen_by_terms", lambda *_: None)),
    "mismatches are swallowed in singles": ("singles", (Totals, "differs", lambda *_: None)),
    "mismatches are swallowed in groups": ("positions", (Totals, "differs", lambda *_: None)),
    "mismatches are swallowed at sizes": ("sizes", (Totals, "differs", lambda *_: None)),
    "mismatches are swallowed in calls": ("calls", (Totals, "differs", lambda *_: None)),
    "mismatches are swallowed in models": ("models", (Totals, "differs", lambda *_: None)),
    "nothing is said against claims": ("promises", (witness, "KINDS", {"transition": SILENT})),
    "rows are counted and not compared": ("vectors", (Tally, "compare", lambda tally, *_: tally.skip("no"))),
    "a run is always green": ("records", (Run, "green", True)),
    "a run ends with 0": ("records", (Run, "exit_status", 0)),
    "a run has no failures": ("records", (Run, "failures", ())),
    "verdicts are not judged": ("records", (Run, "judged_wrong", ())),
    "self-tests are not judged": ("records", (Run, "unfounded", ())),
}
"""What is wrong, the room that has to notice, and what is put in the place of what."""


@pytest.mark.parametrize("fault", FAULTS)
def test_comparer_without_a_comparison_is_detected(fault, monkeypatch):
    room, patch = FAULTS[fault]
    monkeypatch.setattr(*patch)
    assert unnoticed(room)
