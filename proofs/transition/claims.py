"""The claims about transitions, in the order of the ledger."""

from collections.abc import Callable
from typing import NamedTuple

from model.transition.client import Client
from model.transition.clients import CLIENTS, NODE, V4_9, V5_0, V5_2
from proofs.claim import Claim, Verdict
from proofs.transition import circumstances as when
from proofs.transition.changed import CHANGED
from proofs.transition.entries import EXACT, HEALS, IDEMPOTENT, KEPT, MARKED, OTHERS, PULLS, RETURNS
from proofs.transition.locks import (
    LISTENER,
    LOCKED_FIRST,
    NO_GROUP_LOCK,
    NO_STRAY_LOCK,
    OFFSET_KEPT,
    PERSISTED,
    UNLOCKED,
    UNSUBSCRIBED_LOCK,
    UNSUBSCRIBED_OFFSET,
)
from proofs.transition.loop import LOOP
from proofs.transition.partition import PARTITION
from proofs.transition.promise import Promise
from proofs.transition.same import same_table
from proofs.transition.scenario import Scenario

ANY_TABLE = "for any number of queues, in any state, whatever broker, offset store and clock say"
ANY_SUCH_TABLE = "for any number of queues, in any state and with any answers that the sentence allows"
EXISTS = "one client suffices; the smallest case is shown"

JAVA = (V4_9, V5_0, V5_2)


class Row(NamedTuple):
    """One promise in one scenario, of some clients: it holds for these, and not for the others."""

    promise: Promise
    scenario: Callable[[Client], Scenario]
    of: tuple[Client, ...]
    holds: tuple[Client, ...]


ROWS = (
    Row(MARKED, when.everywhere, JAVA, (V5_0, V5_2)),
    Row(MARKED, when.in_a_group, (NODE,), ()),
    Row(MARKED, when.broadcasting_unthrown, (NODE,), (NODE,)),
    Row(MARKED, when.persisting, (V4_9, NODE), (V4_9, NODE)),
    Row(EXACT, when.benignly, CLIENTS, CLIENTS),
    Row(OTHERS, when.everywhere, CLIENTS, CLIENTS),
    Row(OTHERS, when.with_foreign_queues, CLIENTS, ()),
    Row(CHANGED, when.everywhere, CLIENTS, CLIENTS),
    Row(PULLS, when.pushing, CLIENTS, (V4_9, NODE)),
    Row(PULLS, when.expected, (V5_0, V5_2), (V5_0, V5_2)),
    Row(IDEMPOTENT, when.twice, CLIENTS, CLIENTS),
    Row(KEPT, when.pushing, CLIENTS, ()),
    Row(KEPT, when.pulling, JAVA, JAVA),
    Row(LOCKED_FIRST, when.ordered, JAVA, JAVA),
    Row(PERSISTED, when.everywhere, JAVA, JAVA),
    Row(PERSISTED, when.in_a_group, (NODE,), ()),
    Row(PERSISTED, when.broadcasting, (NODE,), (NODE,)),
    Row(PERSISTED, when.persisting, (NODE,), (NODE,)),
    Row(OFFSET_KEPT, when.everywhere, (V5_2, NODE), (V5_2, NODE)),
    Row(OFFSET_KEPT, when.ordered, (V4_9, V5_0), ()),
    Row(OFFSET_KEPT, when.unordered, (V4_9, V5_0), (V4_9, V5_0)),
    Row(UNLOCKED, when.broker_known, JAVA, (V5_2,)),
    Row(RETURNS, when.given_back, CLIENTS, (NODE,)),
    Row(HEALS, when.pushing_overdue, CLIENTS, CLIENTS),
    Row(HEALS, when.pulling_overdue, JAVA, ()),
    Row(NO_STRAY_LOCK, when.unlocks_arrive, JAVA, ()),
    Row(NO_STRAY_LOCK, when.answered, JAVA, (V5_2,)),
    Row(NO_GROUP_LOCK, when.broadcasting_with_locks, (V4_9, V5_0), ()),
    Row(NO_GROUP_LOCK, when.broadcasting_before_5_3_2, (V5_2,), ()),
    Row(NO_GROUP_LOCK, when.broadcasting, JAVA, JAVA),
    Row(LISTENER, when.ordered, JAVA, (V4_9, V5_0)),
    Row(PARTITION, when.in_one_group, CLIENTS, CLIENTS),
    Row(UNSUBSCRIBED_OFFSET, when.unsubscribed, CLIENTS, ()),
    Row(UNSUBSCRIBED_LOCK, when.ordered_unsubscribed, JAVA, ()),
)
"""What each client gives, and what it does not."""

COMPARED: tuple[tuple[Client, Client, Scenario, bool], ...] = (
    (V4_9, V5_0, when.both(V4_9, V5_0), False),
    (V4_9, V5_0, when.calm(when.both(V4_9, V5_0)), True),
    (V5_0, V5_2, when.both_ordered(V5_0, V5_2), False),
    (V5_0, V5_2, when.both_unordered(V5_0, V5_2), True),
    (V4_9, V5_2, when.both(V4_9, V5_2), False),
    (V4_9, V5_2, when.calm(when.both_ordered(V4_9, V5_2)), False),
    (V4_9, V5_2, when.calm(when.both_unordered(V4_9, V5_2)), True),
)
"""Two generations of a client, and whether they end in the same table."""


def claims() -> tuple[Claim, ...]:
    """All of them, client by client."""
    found = [
        _claim((client,), row.promise, row.scenario(client), client in row.holds)
        for client in CLIENTS
        for row in ROWS
        if client in row.of
    ]
    found += [_claim((one, other), same_table(other), scenario, holds) for one, other, scenario, holds in COMPARED]
    return tuple(found)


def _claim(clients: tuple[Client, ...], promise: Promise, scenario: Scenario, holds: bool) -> Claim:
    subject = "+".join(client.name for client in clients)
    parts = ("transition", subject, promise.name, scenario.used.replace(" ", "-").replace(".", "-"), scenario.name)
    used = f", {scenario.used}" if scenario.used else ""
    premise = f", as long as {scenario.sentence}" if scenario.sentence else ""
    foreign = ", even if mqSet holds some of them" if scenario.foreign else ""
    return Claim(
        id=".".join(part for part in parts if part),
        sentence=f"{clients[0].rocketmq_name}{used}: {promise.sentence}{foreign}{premise}.",
        expected=Verdict.PROVED if holds else Verdict.REFUTED,
        scope=(ANY_SUCH_TABLE if scenario.limits else ANY_TABLE) if holds else EXISTS,
        source=promise.source,
        strategies=clients,
        guarantee=promise,
        premise=scenario,
        obligations=promise.obligations(scenario) if holds else (),
        lemmas=(LOOP,) if holds else (),
    )
