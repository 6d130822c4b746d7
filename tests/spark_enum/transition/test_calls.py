"""Several queues in one call."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_0, V5_2
from rebalance_proofs.spark_enum.results import Wrong
from rebalance_proofs.spark_enum.transition.calls import Calls
from tests.spark_enum.transition.every import CROWDED, LOCKED, ORDERED, compared, each_use, letters_of

ENTRY = "process queue (0, 1, 1000000000, 1000000000, 0, 0, 0), offset 55 in memory"


@each_use
def test_each_queue_is_treated_as_if_alone(client, mode):
    letters = letters_of(client, mode)
    for part in (
        Calls(client, mode, letters.at_most(20, 2), 2, ways=2),
        Calls(client, mode, letters.at_most(7, 2)[::-1], 3),
    ):
        found = compared(part)
        assert found.counted == part.size == part.ways * len(part.letters) ** part.queues
        assert (found.differing, found.first) == (0, None)


@pytest.mark.parametrize("client", [V4_9, V5_0, V5_2, NODE], ids=lambda client: client.name)
def test_throwing_letters_are_combined(client):
    mode = client.modes[0] if client is NODE else ORDERED
    part = Calls(client, mode, letters_of(client, mode).traces, 2, ways=2)
    phases = {letter.phase for letter in part._places[0].letters}
    assert phases == ({0, 1, 2} if client in (V5_0, V5_2) else {0, 1})
    assert not compared(part).differing


def test_code_that_reads_other_queues_is_reported():
    letters = letters_of(V5_2, ORDERED).traces[:4]
    pairs = compared(Calls(CROWDED, ORDERED, letters, 2, ways=2))
    assert pairs.differing
    assert pairs.first == Wrong(
        (0,),
        (),
        "order 1, orderly 1, own_store 1: benign | benign: code: 1 drop, 1 persist, 1 tryConsumeLock 500 1, 1 persist, "
        "1 rmOff, 1 pqLocked 0, 1 unlockRPC, 1 releaseConsumeLock, 1 out; "
        f"{ENTRY} | no process queue, former (1, 0, 1000000000, 1000000000, 0, 0, 0), offset 55 in memory; changed. "
        f"Expected: nothing; {ENTRY} | {ENTRY}; not changed",
    )


def test_code_that_is_wrong_for_one_queue_is_still_local():
    assert not compared(Calls(LOCKED, ORDERED, letters_of(V5_2, ORDERED).traces[:9], 3)).differing


def test_letters_of_one_position_are_constant_over_calls():
    part = Calls(V5_2, ORDERED, letters_of(V5_2, ORDERED).traces[:12], 2)
    first = part.compare(0, part.size)
    again = part.compare(0, part.size)
    assert (first.digest, first.differing) == (again.digest, again.differing)


@pytest.mark.parametrize("step", [1, 10, 64])
def test_digest_does_not_depend_on_how_calls_are_split(step):
    part = Calls(NODE, NODE.modes[0], letters_of(NODE, NODE.modes[0]).traces[:8], 2, ways=2)
    whole = part.compare(0, part.size)
    found = compared(part, step)
    assert (found.counted, found.digest) == (whole.counted, whole.digest) == (128, whole.digest)
    other = replace(part, letters=part.letters[::-1])
    assert compared(other).digest != whole.digest
