"""Messages of a pull in another order than that of their offsets (rocketmq#10870)."""

from itertools import permutations

import pytest

from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.machines.offsets.assumptions import ASCENDING
from rebalance_proofs.model.offsets.consumer import Held
from rebalance_proofs.proofs.ledger import select


def consumed(*pulled: int) -> int:
    """Return the offset that the client notes after messages were pulled in this order, and all consumed."""
    held = Held(ProcessQueue(), 0, 0)
    for message in pulled:
        held.tree.add(message)
        held.last = message
    return [held.remove_message(message) for message in sorted(pulled)][-1]


def test_issue_is_reproduced():
    assert consumed(10, 5) == 6
    assert consumed(5, 10) == 11


@pytest.mark.parametrize("pulled", [*permutations((3, 4, 5))])
def test_noted_offset_is_right_exactly_if_the_highest_message_came_last(pulled):
    """A lower offset loses no message: the next owner gets some again."""
    assert consumed(*pulled) == pulled[-1] + 1 <= 6
    assert (consumed(*pulled) == 6) == (pulled[-1] == max(pulled))


def test_only_claims_about_concurrent_listeners_assume_the_order():
    """``commit`` of an ordered listener takes the highest offset of a sorted map."""
    alone = [claim for claim in select(["offsets.**"]) if len(claim.subjects) == 1]
    for claim in alone:
        assert (ASCENDING.sentence in claim.assumes) == (claim.subjects[0].name in ("java_v4_9", "java_v5")), claim.id
