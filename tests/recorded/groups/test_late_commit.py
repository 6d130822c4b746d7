"""A suspended member resumes and commits: offsets of queues with other owners by now move back."""

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.member import EntryGone, OffsetRead, Persist
from tests.recorded.groups.seen import Seen, recorded_run


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-4.9.8/b_sigstop")


def set_back(run: Seen) -> dict[str, tuple[int, int]]:
    """What was committed before and after, of each queue whose offset went back."""
    return {
        row.of: (int(row.was), int(row.is_))
        for row in run.of(Table, "b0")
        if row.what == "offset" and row.was and row.is_ and int(row.is_) < int(row.was)
    }


def test_late_commit_rolls_back_all_offsets(run):
    _, goes_on = run.of(Signal, "driver")
    assert set_back(run) == {
        "T1@G:4": (426, 80),
        "T1@G:5": (426, 79),
        "T1@G:6": (426, 79),
        "T1@G:7": (426, 79),
    }
    rows = [row for row in run.of(Table, "b0") if row.of in set_back(run) and row.was and row.is_]
    assert all(0 < row.at - goes_on.at < 400 for row in rows if int(row.is_ or 0) < int(row.was or 0))


def test_rollback_is_the_commit_at_the_removal(run):
    """Its first rebalance removes all its queues."""
    _, goes_on = run.of(Signal, "driver")
    changes = set_back(run)
    for of, change in changes.items():
        q = f"T1:b0:{of.rpartition(':')[2]}"
        gone = next(event for event in run.of(EntryGone, "c1") if event.q == q and event.at > goes_on.at)
        persisted = next(event for event in run.of(Persist, "c1") if event.q == q and event.at > goes_on.at)
        rows = [row for row in run.of(Table, "b0") if row.of == of]
        (row,) = (row for row in rows if (int(row.was or 0), int(row.is_ or 0)) == change)
        assert goes_on.at < persisted.at <= gone.at < row.at < persisted.at + 100


def test_rollback_lasts_until_the_owners_commit(run):
    """Had the queue changed owner before, about 350 messages of each queue would have been consumed again."""
    _, goes_on = run.of(Signal, "driver")
    for of, (before, _) in set_back(run).items():
        q = f"T1:b0:{of.rpartition(':')[2]}"
        rows = [row for row in run.of(Table, "b0") if row.of == of]
        back = next(place for place, row in enumerate(rows) if row.was and int(row.is_ or 0) < int(row.was))
        assert int(rows[back + 1].is_ or 0) >= before
        assert rows[back + 1].at - rows[back].at < 300
        read = next(event for event in run.of(OffsetRead, "c1") if event.q == q and event.at > goes_on.at)
        assert read.at > rows[back + 1].at
        assert read.result >= before


def test_rollback_matches_the_claim(run):
    (claim,) = select(["offsets.java_v4_9.never-back"])
    assert not claim.holds
    assert set_back(run)
