"""Runs of two consumers and one message, in words."""

import pytest

from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.report.kinds import KINDS as SHOWN

OFFSETS, CLAIMS = SHOWN["offsets"], KINDS["offsets"].claims()
REFUTED = [claim for claim in CLAIMS if not claim.holds]


def test_claim_that_holds_has_no_run():
    held = next(claim for claim in CLAIMS if claim.holds)
    with pytest.raises(LookupError, match="two consumers do not reach this in 13 actions"):
        OFFSETS.smallest(held)


def test_story_of_an_ordered_batch_that_is_repeated():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5_2-orderly.once")
    lines = OFFSETS.lines(claim, OFFSETS.smallest(claim))
    assert lines[3:13] == (
        "3. The first pull of X queries the offset again: the broker returns offset 0.",
        "4. X pulls the message.",
        "5. X calls its listener with the message.",
        "6. A rebalance of X drops the process queue.",
        "7. The listener of X returns: the message is consumed.",
        "8. A rebalance removes the process queue of X, which commits its offset and forgets it.",
        "9. The commit of X reaches the broker.",
        "10. A rebalance of Y queries the committed offset: the broker returns offset 0.",
        "11. Y adds the queue and starts at offset 0 (in memory: 0).",
        "12. The first pull of Y queries the offset again: the broker returns offset 0.",
    )
    assert lines[-1] == "The message was consumed twice."


def test_story_of_a_message_skipped_before_the_first_pull():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5_2-orderly.since-added")
    lines = OFFSETS.lines(claim, OFFSETS.smallest(claim))
    assert lines[:5] == (
        "Consumers X and Y; one queue, whose next message gets offset 0; nothing is committed; the group starts at the "
        "last offset.",
        "1. A rebalance of X queries the committed offset: the broker returns none.",
        "2. X adds the queue and starts at offset 0.",
        "3. A producer's message arrives at the broker.",
        "4. The first pull of X queries the offset again: the broker returns none.",
    )


def test_story_of_a_forgotten_offset():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5_2-orderly.one-batch.without-steady")
    lines = OFFSETS.lines(claim, OFFSETS.smallest(claim))
    assert (
        lines[1]
        == "1. The timer of X lists the queues whose offsets it will send (`persistAll`); this queue is not listed."
    )
    assert lines[8:11] == (
        "8. X records the offset after the batch in memory (in memory: 1).",
        "9. `persistAll` of X has sent the listed offsets and removes all others from memory.",
        "10. A rebalance removes the process queue of X, which has no offset in memory to commit.",
    )


def test_story_of_an_offset_sent_after_its_entry_was_removed():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v5.back-at-most.without-steady")
    assert OFFSETS.lines(claim, OFFSETS.smallest(claim))[-2:] == (
        "18. X commits its in-memory offset: its process queue is gone, but `persistAll` had listed the queue.",
        "An offset is sent that is below its sender's start offset.",
    )


def test_story_of_a_broker_error_read_as_no_offset():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.java_v4_9.not-skipped.without-answers")
    assert OFFSETS.lines(claim, OFFSETS.smallest(claim)) == (
        "Consumers X and Y; one queue with one message, at offset 0; committed: offset 0.",
        "1. A rebalance of X queries the committed offset: the broker returns an error.",
        "2. X adds the queue and starts at offset 1.",
        "3. A pull of X finds no message; X is about to record its next offset.",
        "4. X records the offset in memory (in memory: 1).",
        "5. X commits its in-memory offset.",
        "6. The commit of X reaches the broker (committed: offset 1).",
        "The message is below the committed offset, but no consumer has consumed it.",
    )


def test_story_of_node_that_resets_to_offset_0():
    (claim,) = (claim for claim in REFUTED if claim.id == "offsets.node.not-skipped.without-above")
    assert OFFSETS.lines(claim, OFFSETS.smallest(claim))[3:7] == (
        "3. X commits its in-memory offset (in memory: -1).",
        "4. The commit of X reaches the broker (committed: -1, which means none).",
        "5. A rebalance of Y queries the committed offset: the broker returns none.",
        "6. Y adds the queue and starts at offset 1.",
    )
