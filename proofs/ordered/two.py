"""Proofs and runs of two consumers of one ordered queue, which share the broker's lock.

If all consumers delay first pulls, no two listeners run because a listener outlives its lock by less than that delay.
About one consumer: whenever its listener runs, it was called at least the first pull's delay after the consumer got the
lock. If another consumer gets the lock meanwhile, the listener returns less than that delay afterwards. About two
consumers: the first lock owner had lost the lock when the second got it. So only one of their listeners runs.
"""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME, OTHER, seen_as
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags, shared
from rebalance_proofs.model.machine.run import Schedule
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or, term, truth
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import OUT_OF_TIME, Circumstances, Timed, Ways, outside
from rebalance_proofs.model.machines.ordered.claims import HOLDS_LOCK, foreign, passed_on, runs
from rebalance_proofs.model.machines.ordered.state import Choices, Limits, Ordered
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.machine.configuration import part
from rebalance_proofs.proofs.machine.declared import configuration
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import violated
from rebalance_proofs.proofs.machine.run import unrolled
from rebalance_proofs.proofs.named import number
from rebalance_proofs.proofs.obligation import Obligation, Statement, made_once, truths
from rebalance_proofs.proofs.timed_search import Unrolling

CONFIGURATION = configuration("ordered")
Own = Induction[Ordered, Choices, Limits, OrderedClient]

# Unknowns and states of the two consumers.

OWN = tuple(name for name in CONFIGURATION.own if name not in shared(Ordered))
OTHERS = tuple(f"other_{name}" for name in OWN)
"""Names of the unknowns of the second consumer's state."""
OTHERS_FLAGS = tuple(f"other_{name}" for name in OWN if name in flags(Ordered))


def one(v: SimpleNamespace) -> Ordered:
    """Return the first consumer's state, made of the unknowns in ``v``."""
    state: Ordered = CONFIGURATION.given(v)[0]
    return state


@made_once
def other(v: SimpleNamespace) -> Ordered:
    """Return the second consumer's state, from its own viewpoint.

    If the second consumer holds the lock, its own state names itself as the holder; the first consumer's state names
    another consumer (``OTHER``).
    """
    return one(v).but(**part(Ordered, v, OWN, "other_{}".format), holder=seen_as(v.holder, OTHER))


# Further obligations of the proof that two listeners never run at once.


def further(own: Own) -> Sequence[Obligation]:
    """Return the obligations about two consumers, given the proof about each."""
    return tuple(_in_turns(own)) if isinstance(own.world, Circumstances) and own.world.alike else (ONE_RUNS,)


def _one_runs(encoding: Any, v: SimpleNamespace) -> Statement:
    limits = CONFIGURATION.given(v)[2]
    given = {
        f"{whose}: {HOLDS_LOCK}": term(Not(foreign(s, limits)))
        for whose, s in {"one": one(v), "other": other(v)}.items()
    }
    both = And(runs(one(v), limits), runs(other(v), limits))
    return Statement(CONFIGURATION.truths(v) | truths(v, OTHERS_FLAGS) | given, term(Not(both)))


ONE_RUNS = about(CONFIGURATION, "one-runs", "Therefore only one of two consumers' listeners runs.", _one_runs, *OTHERS)
"""Obligation that at most one of two listeners runs, as only one consumer holds the lock."""


Span = tuple[Int, Bool, Int, Bool]
"""One period of holding the lock: its start, whether and when it ended, and its existence."""


def _spans(s: Ordered) -> tuple[Span, Span]:
    """Return two periods of holding the lock: now, and when the listener was called."""
    return (s.owned_from, s.lost, s.lost_at, True), (s.call_from, s.call_lost, s.call_lost_at, s.runs)


def _in_turn(one: Ordered, other: Ordered) -> Bool:
    """Return the condition that the periods in which two consumers hold the lock never overlap.

    The first period ended before the second one began.
    """

    def before(first: Span, then: Span) -> Bool:
        return And(first[1], first[2] <= then[0])

    return And(
        *(
            Implies(And(mine[3], its[3]), Or(before(mine, its), before(its, mine)))
            for mine in _spans(one)
            for its in _spans(other)
        )
    )


def _in_turns(own: Own) -> Iterator[Obligation]:
    def both(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
        second, limits = other(v), CONFIGURATION.given(v)[2]
        its = {f"the other consumer: {so.sentence}": term(so.holds(second, limits)) for so in own.invariant}
        turn = {"one ownership ended before the other began": term(_in_turn(one(v), second))}
        return own.well(v) | truths(v, OTHERS_FLAGS) | its | turn

    def begins(encoding: Any, v: SimpleNamespace) -> Statement:
        first = CONFIGURATION.machine.begun(CONFIGURATION.given(v)[2], own.variant, now=v.now).terms()
        at_first = {
            words: term(And(*(getattr(s, name) == getattr(first, name) for name in OWN)))
            for words, s in {
                "the first consumer has had no lock": one(v),
                "the second consumer has had no lock": other(v),
            }.items()
        }
        given = CONFIGURATION.truths(v) | truths(v, OTHERS_FLAGS) | at_first
        return Statement(given, term(_in_turn(one(v), other(v))))

    def acts(encoding: Any, v: SimpleNamespace) -> Statement:
        s, choices, limits = CONFIGURATION.given(v)
        second, stays = other(v), []
        for name in CONFIGURATION.machine.actions:
            turn = act_of(encoding, name)(s, choices, limits)
            granted = And(turn.after.holder == ME, turn.after.updated == s.now)
            lost = second.where(granted, **passed_on(second))
            stays.append(Implies(turn.guard, _in_turn(turn.after, lost)))
        return Statement(both(v), term(And(*stays)))

    def taken(encoding: Any, v: SimpleNamespace) -> Statement:
        first, second = (s.but(**passed_on(s)) for s in (one(v), other(v)))
        return Statement(both(v), term(_in_turn(first, second)))

    def one_runs(encoding: Any, v: SimpleNamespace) -> Statement:
        return Statement(both(v), term(Not(And(one(v).runs, other(v).runs))))

    turn = "The first of two lock owners has lost the lock when the other one gets it."
    for name, sentence, state in (
        ("two-initiation", f"Initially no consumer has had the lock. {turn}", begins),
        ("two-act", f"One of two consumers acts. {turn}", acts),
        ("two-lose", f"A third consumer takes the lock. {turn}", taken),
        ("one-runs", "Therefore only one of the two consumers' listeners runs.", one_runs),
    ):
        yield about(CONFIGURATION, name, sentence, state, *OTHERS)


# Runs of two consumers.

BOTH = violated(runs, every=True)
"""The condition that both consumers' listeners run at the end of a run."""
Example = tuple[Schedule, tuple[int, ...]]
"""A schedule of actions, with their times in ms."""


def reached(
    client: OrderedClient, encoding: Any, world: Circumstances, limits: Limits, timed: Timed
) -> Unrolling[Ordered, Limits]:
    """Return the unrolling of a run: its constraints, and the states that it reaches."""
    schedule, times = zip(*timed, strict=True)
    return unrolled(CONFIGURATION, client, encoding, world, limits, schedule, times)


def example(client: OrderedClient, limits: Limits, world: Circumstances = OUT_OF_TIME) -> Example:
    """Return a run for the first part of the time condition that the limits violate.

    Times are in ms. Raises ``LookupError`` if no part is violated.
    """
    terms = limits.terms()
    for case in outside(client, world):
        if truth(case.holds(world.trusted(limits))):
            continue
        for timed in case.ways(Ways(client, world, terms)):
            found = reached(client, client.encoding, world, terms, timed)
            if all(map(smt.is_true, map(simplify, (*found.constraints.values(), BOTH(found))))):
                return tuple(happens for happens, _ in timed), tuple(map(_known, (time for _, time in timed)))
    raise LookupError("the condition holds")


def _known(time: Int) -> int:
    return time if isinstance(time, int) else number(simplify(time))
