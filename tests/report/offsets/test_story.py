"""Runs of two consumers and one message, in words."""

import pytest

from rebalance_proofs.proofs.offsets.claims import claims
from rebalance_proofs.report.offsets.kind import OFFSETS

REFUTED = [claim for claim in claims() if not claim.holds]


def test_what_holds_has_no_run():
    held = next(claim for claim in claims() if claim.holds)
    with pytest.raises(LookupError, match="two consumers do not come to that in 13 actions"):
        OFFSETS.smallest(held)


def test_the_run_in_which_an_ordered_queue_that_changes_hands_repeats_a_batch():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5_2-orderly.once")
    lines = OFFSETS.lines(claim, OFFSETS.smallest(claim))
    assert lines[3:13] == (
        "3. The first pull of X asks for the queue's offset once more, and the broker answers offset 0.",
        "4. X has pulled the message.",
        "5. The listener of X is called with it.",
        "6. A rebalance of X marks the queue.",
        "7. The listener of X returns: the message is consumed.",
        "8. A rebalance takes the queue from X, which sends the offset in its memory, and forgets it.",
        "9. The broker gets the offset that X has sent.",
        "10. A rebalance of Y asks for the queue's offset, and the broker answers offset 0.",
        "11. Y hears the answer and adds the queue, from offset 0 on (in memory is 0).",
        "12. The first pull of Y asks for the queue's offset once more, and the broker answers offset 0.",
    )
    assert lines[-1] == "The message was consumed twice."


def test_the_run_in_which_a_message_is_skipped_that_arrived_before_the_first_pull():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5_2-orderly.since-added")
    lines = OFFSETS.lines(claim, OFFSETS.smallest(claim))
    assert lines[:5] == (
        "Two consumers, X and Y, and one queue; its next message has offset 0; nothing is committed, and the group "
        "begins with the last offset.",
        "1. A rebalance of X asks for the queue's offset, and the broker answers none.",
        "2. X hears the answer and adds the queue, from offset 0 on.",
        "3. The message arrives.",
        "4. The first pull of X asks for the queue's offset once more, and the broker answers none.",
    )


def test_the_run_in_which_what_was_noted_is_forgotten():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5_2-orderly.one-batch.without-steady")
    lines = OFFSETS.lines(claim, OFFSETS.smallest(claim))
    assert lines[1] == (
        "1. The timer of X copies the queues of its table, to send their offsets (`persistAll`); this one is not among "
        "them."
    )
    assert lines[8:11] == (
        "8. X notes the offset behind the batch in its memory (in memory is 1).",
        "9. `persistAll` of X has sent the offsets of those queues, and forgets all others.",
        "10. A rebalance takes the queue from X, which has no offset in its memory to send.",
    )


def test_the_run_in_which_an_offset_is_sent_of_an_entry_that_has_gone():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5.back-at-most.without-steady")
    assert OFFSETS.lines(claim, OFFSETS.smallest(claim))[-2:] == (
        "18. X sends the offset in its memory to the broker: its entry has gone, but `persistAll` was told of the "
        "queue.",
        "An offset is sent that is below where its sender's entry began.",
    )


def test_the_run_in_which_a_brokers_error_is_taken_for_no_offset():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v4_9.not-skipped.without-answers")
    assert OFFSETS.lines(claim, OFFSETS.smallest(claim)) == (
        "Two consumers, X and Y, and one queue with a message at offset 0; committed is offset 0.",
        "1. A rebalance of X asks for the queue's offset, and the broker answers with an error.",
        "2. X hears the answer and adds the queue, from offset 1 on.",
        "3. A pull of X finds nothing, and its next offset is to be noted.",
        "4. X notes the offset in its memory (in memory is 1).",
        "5. X sends the offset in its memory to the broker.",
        "6. The broker gets the offset that X has sent (committed is offset 1).",
        "The message is below the committed offset, and nobody has consumed it.",
    )


def test_the_run_in_which_node_takes_an_offset_of_0_back():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.node.not-skipped.without-above")
    assert OFFSETS.lines(claim, OFFSETS.smallest(claim))[3:7] == (
        "3. X sends the offset in its memory to the broker (in memory is -1).",
        "4. The broker gets the offset that X has sent (committed is -1, which is none).",
        "5. A rebalance of Y asks for the queue's offset, and the broker answers none.",
        "6. Y hears the answer and adds the queue, from offset 1 on.",
    )
