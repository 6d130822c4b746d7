"""Differences in words."""

from rebalance_proofs.model.transition.client import PUSH
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.model.transition.rounds import queue_of
from rebalance_proofs.spark_enum.transition.columns import (
    IN_ADDITION,
    IN_REMOVAL,
    QUIET,
    Became,
    Outcome,
    became_words,
    case_words,
    effects_words,
    outcome_words,
    returned_words,
)
from rebalance_proofs.spark_enum.transition.space import of_mode
from tests.spark_enum.transition.every import letters_of

BENIGN = of_mode(NODE, PUSH).cases(letters_of(NODE, PUSH).traces[:1])[0]
STATE, LATER = (False, True, 5, 6, 0, 0, 0), (True, True, 5, 6, 0, 0, 1)


def test_case_is_described():
    assert case_words(BENIGN) == "push: benign"
    changed = BENIGN | {"kind": 2, "where": 3, "present": 0, "stored": -9, "queried": -8, "lock": 4, "memory": -10}
    assert case_words(changed) == (
        "kind lite, where MIN_OFFSET: present 0, memory none, lock nobroker, stored throw, queried err"
    )


def test_effects_are_described():
    found = [("drop", queue_of(0, 1)), ("in", queue_of(2, 1)), ("rebLater", None, 500)]
    assert effects_words(found) == "drop, in, rebLater 500"
    assert effects_words(found, numbered=True) == "0 drop, 2 in, rebLater 500"
    assert effects_words([]) == "nothing"


def test_outcome_of_a_queue_is_described():
    assert became_words(Became(None, None, False, -10)) == "no process queue"
    assert became_words(Became(STATE, STATE, False, 7)) == "process queue (0, 1, 5, 6, 0, 0, 0), offset 7 in memory"
    assert became_words(Became(LATER, STATE, True, -10)) == (
        "new process queue (0, 1, 5, 6, 0, 0, 0), former (1, 1, 5, 6, 0, 0, 1)"
    )


def test_returned_value_of_a_call_is_described():
    assert returned_words(True, QUIET) == "changed"
    assert returned_words(False, QUIET) == "not changed"
    assert returned_words(None, IN_REMOVAL) == "throws while queues are removed"
    outcome = Outcome((), Became(None, None, False, -10), False, IN_ADDITION, False)
    assert outcome_words(outcome) == "nothing; no process queue; throws while queues are added"
