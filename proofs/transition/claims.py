"""Claims about a client's rebalances, in the order of the ledger."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import NamedTuple

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.operators import BOOL, array_sort, sort
from rebalance_proofs.model.transition.client import Client, slug
from rebalance_proofs.model.transition.clients import (
    CLIENTS,
    NODE,
    V4_9,
    V4_9_0,
    V4_9_1,
    V4_9_5,
    V5_0,
    V5_2,
    V5_5,
    VARIANTS,
)
from rebalance_proofs.model.transition.rounds import Rounds, Watched
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values
from rebalance_proofs.proofs.transition import circumstances as when
from rebalance_proofs.proofs.transition.entries import (
    EXACT,
    HEALS,
    IDEMPOTENT,
    KEPT,
    MARKED,
    OTHERS,
    PULLS,
    REBALANCE,
    RETURNS,
)
from rebalance_proofs.proofs.transition.locks import (
    KNOWS_LOCK,
    LATE_UNLOCK,
    LISTENER,
    LOCKED_FIRST,
    NO_GROUP_LOCK,
    NO_STRAY_LOCK,
    RENEWED,
    STRAY_LOCK_FREED,
    UNLOCKED,
    UNSUBSCRIBED_LOCK,
)
from rebalance_proofs.proofs.transition.offsets import OFFSET_KEPT, PERSISTED, UNSUBSCRIBED_OFFSET
from rebalance_proofs.proofs.transition.same import PARTITION, same_entries, same_table
from rebalance_proofs.proofs.transition.scenario import Scenario, SymbolicRounds

# Guarantee about the return value of a rebalance: whether the table changed.


def moved(view: View) -> smt.BoolTerm:
    """Return the condition that the last rebalance removed, added or replaced the process queue."""
    before, after = view.before.present, view.after
    return smt.Or(smt.And(before, smt.Or(smt.Not(after.present), after.fresh)), smt.And(smt.Not(before), after.present))


def _step(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
    possible, (thrown,) = scenario.thrown(encoding, v)
    view = scenario.view(encoding, v)
    changed = smt.Or(v.changed == 1, view.steps[-1].changed)
    has_moved = smt.Or(v.moved == 1, moved(view))
    given = scenario.given(v, 1) | possible | truth_values(v, "changed", "moved")
    given["so far `changed` is true exactly if a process queue was removed or added"] = (v.changed == 1) == (
        v.moved == 1
    )
    given["the method throws nothing"] = smt.Not(thrown.ever)
    return Statement(given, changed == has_moved)


def _obligations(scenario: Scenario) -> tuple[Obligation, ...]:
    return (
        Obligation(
            "changed",
            "After one more queue, `changed` still is true exactly if a process queue was removed or added. "
            "Initially both are false.",
            (*scenario.names(1), *scenario.thrown_names(), "changed", "moved"),
            lambda encoding, v: _step(encoding, v, scenario),
            goals=scenario.goals,
        ),
    )


def _violated(found: SymbolicRounds) -> smt.BoolTerm:
    table = found.table
    said = table.any(lambda view: view.steps[-1].changed)
    return smt.And(smt.Not(table.thrown[-1]), said != table.any(moved))


def _violation(found: Rounds) -> str | None:
    last = found.last
    if last.changed is None:
        return None
    has_moved = any(bool(seen.before) != bool(seen.after) or _renewed(seen) for seen in last.queues)
    if last.changed == has_moved:
        return None
    return f"the client reports {'a' if last.changed else 'no'} change, and {'an' if has_moved else 'no'} entry moved."


def _renewed(seen: Watched) -> bool:
    return bool(seen.before and seen.after and seen.after.fresh and not seen.before.fresh)


CHANGED = Guarantee(
    "changed",
    "the rebalance reports a change exactly when it removed or added a process queue",
    REBALANCE,
    _obligations,
    _violated,
    _violation,
    assumes=("a rebalance that ends without an exception",),
)


# Lemma: a proof about one queue covers all queues of a loop over the table.
# The table of process queues is an array over an uninterpreted sort of queues; the set of visited queues is
# arbitrary, too. The iteration for a queue reads and writes only that queue's entry. Its effect is any function of
# the queue and its entry, so that all answers about the queue are covered. The loop may visit the queues in any order
# and stop at any point.

QUEUE, ENTRY = sort("Queue"), sort("Entry")
step = smt.Function("step", QUEUE, ENTRY, ENTRY)
first, table = (smt.Const(name, array_sort(QUEUE, ENTRY)) for name in ("first", "table"))
visited = smt.Const("visited", array_sort(QUEUE, BOOL))
turn, any_queue = (smt.Const(name, QUEUE) for name in ("turn", "any"))


def _invariant(queue: smt.Term, entries: smt.ArrayTerm, seen: smt.ArrayTerm) -> smt.BoolTerm:
    """Return the invariant: a visited queue's entry is the result of its own iteration.

    Entries of queues that are not in ``seen`` are unchanged.
    """
    kept: smt.BoolTerm = entries[queue] == smt.If(seen[queue], step(queue, first[queue]), first[queue])
    return kept


def _loop(encoding: object, v: SimpleNamespace) -> Statement:
    taken = smt.Store(table, turn, step(turn, table[turn]))
    given = {
        "so far, for the queue of this iteration": _invariant(turn, table, visited),
        "so far, for any queue": _invariant(any_queue, table, visited),
        "no queue has two iterations": smt.Not(visited[turn]),
    }
    return Statement(given, _invariant(any_queue, taken, smt.Store(visited, turn, smt.BoolVal(True))))


LOOP = Obligation(
    "lemma.loop",
    "After every loop iteration, a visited queue's entry is its own iteration's result; other entries are unchanged.",
    (),
    _loop,
    logic="QF_AUFLIA",
)
"""The lemma's obligation: each iteration preserves the invariant.

Initially no queue is visited, and the invariant only states that the table is the initial one.
"""


ANY_TABLE = "for any number of queues, any state and any behavior of broker, offset store and clock"
ANY_SUCH_TABLE = "for any number of queues, in any state and with any answers that the assumptions allow"
EXISTS = "one client suffices; the smallest case is shown"
ONE_AT_A_TIME = "no concurrent rebalance of the consumer (`resume()` rebalances in its caller's thread)"
"""Assumption of every claim about rebalances: a client's rebalances do not overlap."""

JAVA = (V4_9, V5_0, V5_2)


class Row(NamedTuple):
    """A guarantee in one scenario, and the clients for which it is claimed.

    It is claimed to hold for clients in ``holds``, and to fail for other clients in ``of``. A scenario that does not
    mention the offset store covers the built-in store and any other. If the two differ, there is one ``Row`` for
    each.
    """

    guarantee: Guarantee
    scenario: Callable[[Client], Scenario]
    of: tuple[Client, ...]
    holds: tuple[Client, ...]


shipped, own_store = when.shipped, when.own_store

ROWS = (
    Row(MARKED, when.everywhere, (V5_0, V5_2), (V5_0, V5_2)),
    Row(MARKED, shipped(when.everywhere), (V4_9,), (V4_9,)),
    Row(MARKED, own_store(when.everywhere), (V4_9,), ()),
    Row(MARKED, when.in_a_group, (NODE,), ()),
    Row(MARKED, when.broadcasting_unthrown, (NODE,), (NODE,)),
    Row(MARKED, when.persisting_quietly(own_store(when.everywhere)), (V4_9, NODE), (V4_9, NODE)),
    Row(EXACT, when.benignly, CLIENTS, CLIENTS),
    Row(OTHERS, when.everywhere, CLIENTS, CLIENTS),
    Row(OTHERS, when.with_foreign_queues, CLIENTS, ()),
    Row(CHANGED, when.everywhere, CLIENTS, CLIENTS),
    Row(PULLS, when.pushing, (V4_9, NODE), (V4_9, NODE)),
    Row(PULLS, shipped(when.pushing), (V5_0, V5_2), (V5_0, V5_2)),
    Row(PULLS, own_store(when.pushing), (V5_0, V5_2, V4_9_0), ()),
    Row(PULLS, own_store(when.expected), (V5_0, V5_2), (V5_0, V5_2)),
    Row(IDEMPOTENT, when.twice, CLIENTS, CLIENTS),
    Row(KEPT, when.pushing, CLIENTS, ()),
    Row(KEPT, when.pulling, JAVA, JAVA),
    Row(LOCKED_FIRST, when.ordered, JAVA, JAVA),
    Row(KNOWS_LOCK, when.ordered, (*JAVA, V4_9_1, V4_9_0), JAVA),
    Row(PERSISTED, shipped(when.in_a_group), CLIENTS, ()),
    Row(PERSISTED, when.persisting(shipped(when.in_a_group)), CLIENTS, CLIENTS),
    Row(PERSISTED, shipped(when.broadcasting), (*CLIENTS, V4_9_5), ()),
    Row(PERSISTED, when.persisting(shipped(when.broadcasting)), (*CLIENTS, V4_9_5), (V4_9, V5_2)),
    Row(PERSISTED, own_store(when.everywhere), JAVA, JAVA),
    Row(OFFSET_KEPT, when.everywhere, (V5_2, NODE), (V5_2, NODE)),
    Row(OFFSET_KEPT, when.ordered, (V4_9, V5_0), ()),
    Row(OFFSET_KEPT, when.unordered, (V4_9, V5_0), (V4_9, V5_0)),
    Row(UNLOCKED, when.ordered, (V5_2,), ()),
    Row(UNLOCKED, when.unlocks_arrive, JAVA, (V5_2,)),
    Row(RETURNS, when.given_back, (NODE,), (NODE,)),
    Row(RETURNS, shipped(when.given_back_ordered), JAVA, ()),
    Row(RETURNS, shipped(when.given_back_unordered), JAVA, JAVA),
    Row(RETURNS, own_store(when.given_back), JAVA, ()),
    Row(HEALS, when.pushing_overdue, CLIENTS, CLIENTS),
    Row(HEALS, when.pulling_overdue, JAVA, ()),
    Row(NO_STRAY_LOCK, when.unlocks_arrive, JAVA, ()),
    Row(NO_STRAY_LOCK, when.answered, JAVA, (V5_2,)),
    Row(STRAY_LOCK_FREED, shipped(when.twice_unlocking), JAVA, ()),
    Row(RENEWED, when.renewing_without_static_topics, JAVA, JAVA),
    Row(RENEWED, when.renewing, (V5_0, V5_2, V5_5), (V5_5,)),
    Row(NO_GROUP_LOCK, when.broadcasting_with_locks, JAVA, ()),
    Row(NO_GROUP_LOCK, when.broadcasting_without_locks, JAVA, JAVA),
    Row(LISTENER, when.ordered, JAVA, (V4_9, V5_0)),
    Row(LATE_UNLOCK, shipped(when.twice_ordered), JAVA, (V5_2,)),
    Row(PARTITION, when.in_one_group, CLIENTS, CLIENTS),
    Row(UNSUBSCRIBED_OFFSET, when.unsubscribed, (*CLIENTS, V5_5), ()),
    Row(UNSUBSCRIBED_LOCK, when.ordered_unsubscribed, (*JAVA, V5_5), ()),
)
"""The guarantees of a rebalance, with the clients that give or break each of them."""


class Pair(NamedTuple):
    """Two versions of a client in one scenario.

    A claim states whether both versions leave the same table there.
    """

    one: Client
    other: Client
    scenario: Callable[[Client, Client], Scenario]
    alike: bool
    guarantee: Callable[[Client], Guarantee] = same_table


beside, calm = when.beside, when.calm

PAIRS = (
    Pair(V4_9, V5_0, beside(shipped(when.asking)), False),
    Pair(V4_9, V5_0, beside(shipped(when.remembering)), False),
    Pair(V4_9, V5_0, when.answered_or_not(beside(shipped(when.not_remembering))), True),
    Pair(V4_9, V5_0, beside(own_store(when.everywhere)), False),
    Pair(V4_9, V5_0, calm(beside(own_store(when.everywhere))), True),
    Pair(V5_0, V5_2, beside(shipped(when.ordered)), False),
    Pair(V5_0, V5_2, beside(own_store(when.ordered)), False),
    Pair(V5_0, V5_2, beside(shipped(when.remembering)), False),
    Pair(V5_0, V5_2, beside(shipped(when.unordered_not_remembering)), True),
    Pair(V5_0, V5_2, beside(own_store(when.unordered)), True),
    Pair(V5_5, V5_2, beside(when.everywhere), True),
    Pair(V4_9, V5_2, when.answered_or_not(beside(shipped(when.ordered))), False),
    Pair(V4_9_5, V4_9, beside(shipped(when.remembering)), False),
    Pair(V4_9_5, V4_9, beside(shipped(when.not_remembering)), True),
    Pair(V4_9_5, V4_9, beside(own_store(when.everywhere)), True),
    Pair(V4_9_1, V4_9_5, beside(when.everywhere), False),
    Pair(V4_9_1, V4_9_5, beside(when.everywhere), True, same_entries),
    Pair(V4_9_0, V4_9_1, beside(shipped(when.everywhere)), True),
    Pair(V4_9_0, V4_9_1, beside(own_store(when.reading)), False),
    Pair(V4_9_0, V4_9_1, beside(own_store(when.not_reading)), True),
)
"""Pairs of versions of a client; their tables after a rebalance are compared."""


def claims() -> tuple[Claim, ...]:
    """Return all claims about rebalances, client by client."""
    found = [
        _claim((client,), row.guarantee, row.scenario(client), client in row.holds)
        for client in (*CLIENTS, *VARIANTS)
        for row in ROWS
        if client in row.of
    ]
    for pair in PAIRS:
        scenario = pair.scenario(pair.one, pair.other)
        found.append(_claim((pair.one, pair.other), pair.guarantee(pair.other), scenario, pair.alike))
    return tuple(found)


def _claim(clients: tuple[Client, ...], guarantee: Guarantee, scenario: Scenario, holds: bool) -> Claim:
    way = slug(scenario.used.replace(when.OWN_STORE, "own store").replace(when.AS_SHIPPED, "as shipped"))
    used = f", {scenario.used}" if scenario.used else ""
    given = f", if {scenario.when}" if scenario.when else ""
    even_if = f", even if {scenario.even_if}" if scenario.even_if else ""
    return Claim(
        "transition",
        clients,
        guarantee,
        scenario,
        holds,
        sentence=f"{guarantee.said(f'{clients[0].rocketmq_name}{used}: ', f'{even_if}{given}')}.",
        scope=(ANY_SUCH_TABLE if scenario.limits else ANY_TABLE) if holds else EXISTS,
        source=guarantee.source,
        obligations=guarantee.obligations(scenario) if holds else (),
        variant=".".join(part for part in (way, scenario.name) if part),
        lemmas=(LOOP,) if holds else (),
        assuming=(ONE_AT_A_TIME,),
    )
