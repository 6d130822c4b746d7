"""Recorded requests to a real broker, sent to the model's broker: the answers are equal."""

from collections import defaultdict

import pytest

from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.ordered.consumer import RebalanceLockManager
from rebalance_proofs.model.subscriptions import Broker, Heartbeat, Refusal, SubscriptionData
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Heard, Table
from rebalance_proofs.recorded.groups.event import Event, Request
from tests.each import each
from tests.recorded.groups.seen import LOCK, PULL, SCENARIOS, UNLOCK, Seen, recorded_run

ORDERED = [scenario for scenario in SCENARIOS if recorded_run(scenario).ordered()]
REFUSALS = {
    "java-4.9.8/b_sigstop": 7,
    "java-4.9.8/j_shutdown": 12,
    "java-5.3.3/concurrent": 56,
    "java-5.3.3/ordered_all": 1,
    "java-5.3.3/zoo": 464,
}
"""How many pulls are held against the model. In zoo three are left out, from the time in which the broker starts again:
what it heard then, and what it had worked on, is seconds apart."""


class Locks:
    """The model's locks of all groups and queues."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.managers: dict[tuple[str | None, str], RebalanceLockManager] = {}
        self.numbers: dict[str | None, int] = defaultdict(lambda: len(self.numbers))

    def lock(self, asked: Request, now: int) -> tuple[str, ...]:
        return tuple(q for q in asked.queues if self._of(asked, q).try_lock(self.numbers[asked.client_id], now))

    def unlock(self, asked: Request) -> None:
        for q in asked.queues:
            self._of(asked, q).unlock(self.numbers[asked.client_id])

    def _of(self, asked: Request, q: str) -> RebalanceLockManager:
        return self.managers.setdefault((asked.consumer_group, q), RebalanceLockManager(self.limit))


def locks_compared(run: Seen, limit: int) -> tuple[int, list[Answered]]:
    """How many requests for locks there are, and those that the model answers otherwise."""
    locks, asked, differ = Locks(limit), 0, []
    for event in run.of(Event, "b0"):
        if isinstance(event, BrokerStarting):
            locks = Locks(limit)
        elif isinstance(event, Answered) and event.code == UNLOCK:
            locks.unlock(event.asked)
        elif isinstance(event, Answered) and event.code == LOCK:
            asked += 1
            if locks.lock(event.asked, event.at) != event.said.granted:
                differ.append(event)
    return asked, differ


@each("scenario", ORDERED)
def test_recorded_locks_equal_the_models_answers(scenario):
    asked, differ = locks_compared(recorded_run(scenario), DEFAULTS.broker)
    assert asked > 5
    assert not differ


@pytest.mark.parametrize("wrong", [DEFAULTS.broker - 2_000, DEFAULTS.broker + 2_000])
def test_other_lock_limit_is_detected(wrong):
    assert locks_compared(recorded_run("java-5.3.3/relock"), wrong)[1]


def heartbeats(said: Request) -> list[Heartbeat]:
    return [
        Heartbeat(
            group.group,
            tuple(
                SubscriptionData(topic, sub_version=int(version.rpartition("@")[2]))
                for topic, version in group.subs.items()
            ),
            without_sub=not group.subs,
        )
        for group in said.groups or ()
    ]


def refusals_compared(run: Seen) -> tuple[int, list[Answered]]:
    """How many refused pulls there are, and those that the model would not refuse so.

    A heartbeat is worked on between its arrival and its answer: either will do. With its last channel a group is gone.
    """
    arrived, answered = Broker(), Broker()
    found, differ = 0, []
    for event in run.of(Event, "b0"):
        if isinstance(event, BrokerStarting):
            arrived.forget()
            answered.forget()
        elif isinstance(event, Table) and event.what == "members" and event.is_ is None:
            arrived.consumer_table.pop(event.of, None)
            answered.consumer_table.pop(event.of, None)
        elif isinstance(event, Heard) and event.code == "HEART_BEAT":
            for data in heartbeats(event.said):
                arrived.heart_beat(data)
        elif isinstance(event, Answered) and event.code == "HEART_BEAT":
            for data in heartbeats(event.asked):
                answered.heart_beat(data)
        elif isinstance(event, Answered) and event.code == PULL:
            found += 1
            topic = (event.asked.q or "").partition(":")[0]
            said = [
                broker.subscription(event.asked.consumer_group or "", topic, event.asked.sub_version or 0)
                for broker in (arrived, answered)
            ]
            if Refusal(event.said.code) not in said:
                differ.append(event)
    return found, differ


@each("scenario", REFUSALS)
def test_recorded_refusals_equal_the_models_refusals(scenario):
    run = recorded_run(scenario)
    found, differ = refusals_compared(run)
    again = [event.at for event in run.of(BrokerStarting, "b0")][1:]
    differ = [event for event in differ if not any(0 < event.at - at < 65_000 for at in again)]
    assert not differ
    assert found >= REFUSALS[scenario] > 0
