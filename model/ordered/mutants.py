"""Mutants of ordered consumption, each with one error that a claim or a proof must reject."""

from dataclasses import replace
from typing import Any

from rebalance_proofs.model.client.environment import DENIED
from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.mutants import Wrong, WrongParts
from rebalance_proofs.model.machine.values import And, Not, Or, term
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.machine import listed
from rebalance_proofs.model.ordered.rebalance import Transition
from rebalance_proofs.model.ordered.rules import OrderedRules
from rebalance_proofs.model.ordered.state import Choices, Ordered, Variant
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.model.transition.numbers import LOCKS
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown

Mistake = Wrong[Ordered, Choices, Limits, Variant]
MistakenParts = WrongParts[Variant]
Turned = Turn[Ordered]
EXCLUSIVE = "exclusive"


def _as_it_is(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return turn


def _under_the_listener(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    gone = And(s.present, Not(turn.after.present))
    return turn.but(orphan=Or(s.orphan, And(gone, s.runs)))


def _adds_unasked(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return replace(turn, guard=Not(Or(s.present, s.adding, s.runs, s.closed)))


def _hurries(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return replace(turn, guard=And(turn.guard, s.now - s.stamp < lim.client))


def _renews_on(right: Any) -> dict[str, Any]:
    rules: OrderedRules = replace(right.rules, renews_on=True)
    return {"rules": rules, "listed": lambda s: listed(rules, s)}


def _fills(right: Any) -> dict[str, Any]:
    rebalances: Transition = right.step

    def fills(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        step = rebalances(entry, asked, thrown)
        cached = term(Or(step.after.cached, asked.lock == LOCKS.index(DENIED)))
        return replace(step, after=replace(step.after, cached=cached))

    return {"step": fills}


def _gives_back(client: Variant) -> bool:
    return client.gives_back


def _renews_twice(client: Variant) -> bool:
    return client.rules.renews_on


WRONG = (
    Mistake(
        "trusts-for-ever",
        "A consumer relies on a lock however old it is.",
        _as_it_is,
        "starts",
        EXCLUSIVE,
        takes_for=lambda s: s.but(stamp=s.now),
    ),
    Mistake(
        "hears-too-much",
        "A consumer counts a renewal as granted without an answer.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "renewed",
        EXCLUSIVE,
    ),
    Mistake(
        "grants-to-all",
        "The broker grants every lock request of a rebalance.",
        lambda s, c, lim, turn: replace(turn, guard=Not(Or(s.present, s.adding, s.closed))),
        "locks",
        EXCLUSIVE,
    ),
    Mistake(
        "renews-for-all",
        "The broker renews the lock for every consumer that asks.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "returns-too-early",
        "A renewal releases the lock.",
        lambda s, c, lim, turn: turn.but(unlocking=s.present),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "under-the-listener",
        "A rebalance releases the lock under a running listener.",
        _under_the_listener,
        "revokes",
        EXCLUSIVE,
        _gives_back,
        lambda s: s.but(orphan=True),
    ),
    Mistake(
        "frees-any",
        "The broker accepts unlock requests from every consumer.",
        lambda s, c, lim, turn: turn.but(holder=NOBODY),
        "returned",
        EXCLUSIVE,
        _gives_back,
    ),
    Mistake(
        "adds-unasked", "A rebalance adds a queue without its lock.", _adds_unasked, "adds", EXCLUSIVE, _gives_back
    ),
    Mistake(
        "waits-for-nothing",
        "A shutdown releases the locks at once, whatever its wait setting is.",
        lambda s, c, lim, turn: replace(turn.but(cached=s.cached), guard=And(s.stopping, Not(Or(s.yielded, s.closed)))),
        "gives_back",
        EXCLUSIVE,
        _renews_twice,
    ),
    Mistake(
        "pulls-at-once",
        "The first pull of a new process queue is not delayed.",
        _as_it_is,
        "pulls",
        "exclusive.renewed-alike",
        _renews_twice,
        lambda s: s.but(pulls_from=s.now),
    ),
    MistakenParts(
        "renews-on",
        "Renewals continue after the consumer's shutdown.",
        _renews_on,
        "given-back",
        lambda client: client.rules.waits_for_listener and not client.rules.renews_on,
    ),
)
FEW = ("trusts-for-ever", "grants-to-all", "under-the-listener", "pulls-at-once", "renews-on")
"""Names of the mutants for a client that differs from another one only in the rebalance.

They are errors in the rebalance, and a few others.
"""
SLIPS = (
    Mistake(
        "runs-on",
        "After any action, a listener runs.",
        lambda s, c, lim, turn: turn.but(runs=True, since=turn.after.since + 1, unlocking=True),
    ),
    Mistake(
        "again",
        "After any action, two listener calls run, and the process queue leaves the table later than now.",
        lambda s, c, lim, turn: turn.but(twice=True, left=turn.after.left + 1),
    ),
    Mistake(
        "keeps",
        "After any action, the consumer holds the lock that its shutdown released.",
        lambda s, c, lim, turn: turn.but(yielded=True, stopping=False, unlocking=False, holder=ME),
    ),
    MistakenParts("forgets", "No lock is ever renewed.", lambda right: {"listed": lambda s: NO}),
    Mistake("hurries", "The listener is not called at the last permitted moment.", _hurries, "starts"),
    Mistake(
        "sends-again",
        "An unlock request is sent that was not delayed.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "returns",
    ),
    MistakenParts("fills", "Messages arrive where a lock is denied.", _fills),
)
"""Mutants where every action also makes one wrong change, and others.

See ``proofs.mutation.slips``.
"""
