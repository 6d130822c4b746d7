"""What is so at first, and is kept by everything that can happen, is always so: obligation by obligation."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from types import SimpleNamespace

import z3

from rebalance_proofs.model.subscriptions.actions import SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import State, started
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.records import made_once
from rebalance_proofs.proofs.subscriptions.invariant import Conjunct
from rebalance_proofs.proofs.subscriptions.members import PULLS, Members
from rebalance_proofs.proofs.subscriptions.variables import LIMITS, NAMES, flags, limits_of, said_of, state_of, unknowns

__all__ = ["ACTIONS", "about", "kept", "never", "possible", "well"]

ACTIONS = {
    "raises": "The member's table of queues changes, and it raises its version.",
    "ticks": "A periodic heartbeat is due.",
    "begins": "Another heartbeat begins.",
    "sends": "The heartbeat is sent to this broker.",
    "arrives": "It comes there.",
    "ends": "It is over.",
    "others": "A heartbeat of another member comes.",
    "prints": "One without subscriptions comes.",
    "forgets": "The broker forgets the group.",
    "pulls": "A pull of the member's comes.",
    "firsts": "The first pull of a queue that the member has added comes.",
    "posts": "One comes that has its expression with it.",
    "pulled": "A pull of another member's comes.",
}
"""What can happen, by the names of an encoding's parts."""
assert set(ACTIONS) == {field.name for field in fields(SubscriptionsEncoding)}

Stated = Callable[[SubscriptionsEncoding, SimpleNamespace], Statement]


def possible(limits: Limits) -> dict[str, z3.BoolRef]:
    """No time is negative, and a heartbeat takes less than the period."""
    return {
        "no limit is negative": z3.And([limit >= 0 for limit in vars(limits).values()]),
        "a heartbeat takes less than the period": limits.beat < limits.period,
    }


def well(conjuncts: Mapping[str, Conjunct], v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """The invariant holds."""
    limits = limits_of(v)
    return flags(v) | possible(limits) | _all(conjuncts, state_of(v), limits)


def never(client: SubscriptionsClient, world: Members) -> Collection[str]:
    """Actions that are never possible there."""
    excluded = ["pulls" if world.posted else "posts"] if world.asks else list(PULLS)
    excluded += [] if world.raises else ["raises"]
    excluded += [] if world.forgets else ["forgets"]
    excluded += [] if world.adds or not world.asks else ["firsts"]
    return excluded + ([] if client.fingerprints else ["prints"])


def kept(conjuncts: Mapping[str, Conjunct], client: SubscriptionsClient, world: Members) -> Iterator[Obligation]:
    """At first it is so; each action keeps it, and time."""
    given = made_once(partial(well, conjuncts))

    def then(state: State, v: SimpleNamespace) -> z3.BoolRef:
        return z3.And(list(_all(conjuncts, state, limits_of(v)).values()))

    def begins(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
        return Statement(flags(v) | possible(limits_of(v)), _at_first(conjuncts, client, v))

    def acts(name: str) -> Stated:
        def state(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
            before, said, limits = state_of(v), said_of(v), limits_of(v)
            turn = getattr(e, name)(before, said, limits)
            can = {"it is possible": turn.can, "the premises allow it": world.allows(name, before, said, limits)}
            return Statement(given(v) | can, then(turn.after, v))

        return state

    def waits(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
        before = state_of(v)
        due = {"nothing is due before": world.waits(before, v.until, limits_of(v))}
        return Statement(given(v) | due, then(replace(before, now=v.until), v))

    if not _by_construction(conjuncts, client):
        yield about("at-first", "At first all is well.", begins)
    for name, sentence in ACTIONS.items():
        if name not in never(client, world):
            yield about(name, f"{sentence} All stays well.", acts(name))
    yield about("time-passes", "Time passes. All stays well.", waits, "until")


def _at_first(conjuncts: Mapping[str, Conjunct], client: SubscriptionsClient, v: SimpleNamespace) -> z3.BoolRef:
    topic = YES if "topic" in conjuncts else v.topic == 1
    state = State(v.now, started(v.now, v.period, fingerprints=client.fingerprints, topic=topic))
    return z3.simplify(z3.And(list(_all(conjuncts, state, limits_of(v)).values())))


def _by_construction(conjuncts: Mapping[str, Conjunct], client: SubscriptionsClient) -> bool:
    """At first it is so whatever the limits are: there is nothing to be proved."""
    return z3.is_true(_at_first(conjuncts, client, unknowns()))


def about(name: str, sentence: str, state: Stated, *more: str) -> Obligation:
    """An obligation about a topic's subscription; ``more``: unknowns besides ``NAMES``."""
    return Obligation(name, sentence, (*NAMES, *more), state, goals=_goals)


def _all(conjuncts: Mapping[str, Conjunct], state: State, limits: Limits) -> dict[str, z3.BoolRef]:
    return {conjunct.sentence: conjunct.holds(state, limits) for conjunct in conjuncts.values()}


def _goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
    yield "now and every limit beyond the bound", z3.And([getattr(v, name) >= bound for name in ("now", *LIMITS)])
