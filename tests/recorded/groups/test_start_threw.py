"""A consumer whose ``start()`` threw is still a member of its group."""

import pytest

from rebalance_proofs.recorded.groups.broker import Table, lock_of, members
from rebalance_proofs.recorded.groups.driver import Failed
from rebalance_proofs.recorded.groups.member import EntryNew, Started, Starting
from tests.recorded.groups.seen import Seen, recorded_run

QUEUES = {f"T1:b0:{number}" for number in range(8)}


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-4.9.8/x_start_threw")


def test_start_did_not_return(run):
    assert run.one(Starting, "c0")
    assert not run.of(Started, "c0")
    assert run.one(Failed, "driver").error == "RuntimeError('c0: no started')"


def test_failed_consumer_is_listed_and_locks_all_queues(run):
    (row,) = (row for row in run.of(Table, "b0") if row.what == "members" and row.of == "G")
    assert [member.client_id for member in members(row.is_)] == ["127.0.0.1@c0"]
    assert {event.q for event in run.of(EntryNew, "c0")} == QUEUES
    assert {lock.q for row in run.of(Table, "b0") if (lock := lock_of(row)) and row.is_ == "127.0.0.1@c0"} == QUEUES


def test_failed_consumer_consumes(run):
    assert {call.q for call in run.calls if call.end is not None} == QUEUES
    assert len(run.calls) == 16
