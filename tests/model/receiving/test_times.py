"""Times of gRPC clients: the broker's revive service stays within its bound, and every release has times."""

import random

import pytest

from rebalance_proofs.model.receiving import times
from rebalance_proofs.model.receiving.times import REVIVED, Entry, revived


def entry(due, late=0, checkpoint=True):
    """A message that is due at a time, and arrives late."""
    return Entry(due + late, due + 1_000, checkpoint)


def drawn(seed):
    """Messages at random distances, and when the service starts: busy, sparse and almost quiet revive queues."""
    random_ = random.Random(seed)
    due, found, late = random_.randint(20_000, 50_000), [], random_.choice([(0, 0), (0, 1_000), (1_000, 1_000)])
    for _ in range(random_.randint(1, 4)):
        gap = random_.choice([(90, 110), (0, 4_200), (1_900, 2_100), (2_900, 3_100), (3_800, 4_150), (0, 14_000)])
        share = random_.choice([0.02, 0.3, 1])
        for _ in range(random_.randint(1, 40)):
            due += random_.randint(*gap)
            found.append(entry(due, random_.randint(*late), random_.random() < share))
    return sorted([*found, entry(due + 1)], key=lambda one: one.arrives), random_.randint(0, 15_000)


def delays(entries, start=0):
    ends = [one.ends for one in entries if one.checkpoint]
    return [at - end for at, end in zip(revived(entries, start), ends, strict=True)]


def test_message_in_a_quiet_queue_is_revived_within_seconds():
    found = [delay for n in range(0, 9_000, 70) for delay in delays([entry(40_000 + n)])]
    assert times.APART < min(found) < 2_200
    assert 3_000 < max(found) < 3_100


@pytest.mark.parametrize("part", range(4))
def test_every_message_is_revived_within_the_bound(part):
    found = [delay for seed in range(part * 250, part * 250 + 250) for delay in delays(*drawn(seed))]
    assert times.APART < min(found)
    assert 5_000 < max(found) <= REVIVED


def test_every_release_that_was_read_has_times():
    assert times.TIMES["grpc-rust"].period == 30_000
    assert {one for one in times.TIMES if times.TIMES[one].skips} == {"grpc-rust", "grpc-python 5.0.9"}
