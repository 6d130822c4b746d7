"""Mutants of the machine, each wrong in one thing, which a claim or a proof has to notice."""

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

__all__ = ["FEW", "SLIPS", "WRONG"]

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
        "A consumer trusts in a lock however old.",
        _as_it_is,
        "starts",
        EXCLUSIVE,
        takes_for=lambda s: s.but(stamp=s.now),
    ),
    Mistake(
        "hears-too-much",
        "A consumer takes a renewal for granted.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "renewed",
        EXCLUSIVE,
    ),
    Mistake(
        "grants-to-all",
        "The broker grants a rebalance's lock to whoever asks.",
        lambda s, c, lim, turn: replace(turn, guard=Not(Or(s.present, s.adding, s.closed))),
        "locks",
        EXCLUSIVE,
    ),
    Mistake(
        "renews-for-all",
        "The broker renews a lock for whoever asks.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "returns-too-early",
        "A renewal gives the lock back.",
        lambda s, c, lim, turn: turn.but(unlocking=s.present),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "under-the-listener",
        "A rebalance gives the lock back under a running listener.",
        _under_the_listener,
        "revokes",
        EXCLUSIVE,
        _gives_back,
        lambda s: s.but(orphan=True),
    ),
    Mistake(
        "frees-any",
        "The broker takes a lock back from anyone.",
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
        "A shutdown gives the locks back at once, whatever it was told to wait.",
        lambda s, c, lim, turn: replace(turn.but(cached=s.cached), guard=And(s.stopping, Not(Or(s.yielded, s.closed)))),
        "gives_back",
        EXCLUSIVE,
        _renews_twice,
    ),
    Mistake(
        "pulls-at-once",
        "A new entry is pulled at once.",
        _as_it_is,
        "pulls",
        "exclusive.renewed-alike",
        _renews_twice,
        lambda s: s.but(pulls_from=s.now),
    ),
    MistakenParts(
        "renews-on",
        "Renewals go on when the consumer is shut down.",
        _renews_on,
        "given-back",
        lambda client: client.rules.waits_for_listener and not client.rules.renews_on,
    ),
)
FEW = ("trusts-for-ever", "grants-to-all", "under-the-listener", "pulls-at-once", "renews-on")
"""Names of the mutants for a client that differs from another one in the rebalance alone: mistakes about that, and some
more."""
SLIPS = (
    Mistake(
        "runs-on",
        "Whatever happens, a listener runs then.",
        lambda s, c, lim, turn: turn.but(runs=True, since=turn.after.since + 1, unlocking=True),
    ),
    Mistake(
        "again",
        "Whatever happens, the listener is called twice, and its entry has left later than now.",
        lambda s, c, lim, turn: turn.but(twice=True, left=turn.after.left + 1),
    ),
    Mistake(
        "keeps",
        "Whatever happens, the lock that was given back at the shutdown is the consumer's.",
        lambda s, c, lim, turn: turn.but(yielded=True, stopping=False, unlocking=False, holder=ME),
    ),
    MistakenParts("forgets", "No lock is ever asked for once more.", lambda right: {"listed": lambda s: NO}),
    Mistake("hurries", "The listener is not called in the last moment.", _hurries, "starts"),
    Mistake(
        "sends-again",
        "A return is sent that was not put off.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "returns",
    ),
    MistakenParts("fills", "Where a lock is denied, messages come.", _fills),
)
"""Mutants in which every action also makes a change that it should not make, and others (``proofs.mutation.slips``)."""
