"""Proof that no two listeners run on one queue if all consumers delay first pulls.

A listener outlives its lock by less than that delay. About one consumer: whenever its listener runs, it was called at
least the first pull's delay after the consumer got the lock. If another consumer gets the lock meanwhile, the
listener returns less than that delay afterwards. About two consumers: the first lock owner had lost the lock when the
second got it. So only one of their listeners runs.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or, term
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.obligation import Obligation, Statement, truths
from rebalance_proofs.proofs.ordered.circumstances import ALIKE
from rebalance_proofs.proofs.ordered.condition import asked
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, Proof, passed_on, proof, relied_on
from rebalance_proofs.proofs.ordered.invariant import Conjunct, invariant, trusted, undisturbed
from rebalance_proofs.proofs.ordered.timed import OTHERS, OTHERS_FLAGS, OWN, one, other


def _mine(s: Ordered, limits: Limits) -> Bool:
    renewed = And(s.present, Not(Or(s.dropped, s.yielded, s.closed)))
    waits = Implies(renewed, s.pulls_from >= s.owned_from + limits.first_pull)
    return And(Implies(Or(s.adding, renewed), Or(s.yielded, Not(s.lost))), waits)


def _waited(s: Ordered, limits: Limits) -> Bool:
    works = Or(s.cached, And(s.runs, Not(s.orphan)))
    pulled = Implies(And(s.present, works), s.pulls_from <= s.now)
    return And(pulled, Implies(s.runs, s.since >= s.call_from + limits.first_pull))


def _outlives(s: Ordered, limits: Limits) -> Bool:
    ends = s.since + limits.listener
    given_back = Implies(Or(s.orphan, Not(undisturbed(s))), ends < s.now + limits.first_pull)
    passed = Implies(s.call_lost, ends < s.call_lost_at + limits.first_pull)
    return Implies(s.runs, And(Or(s.orphan, s.present), given_back, passed))


def _past(s: Ordered, limits: Limits) -> Bool:
    return And(*(time <= s.now for time in (s.lost_at, s.owned_from, s.call_from, s.call_lost_at)))


MINE = Conjunct(
    "mine",
    "The consumer holds the lock of a renewed process queue, and has waited for a first pull since it got the lock.",
    _mine,
)
WAITED = Conjunct(
    "waited", "The listener is called no earlier than a first pull after the consumer got the lock.", _waited
)
OUTLIVES = Conjunct(
    "outlives",
    "A listener that runs after the unlock, or under another's lock, returns before a first pull.",
    _outlives,
)
PAST = Conjunct("past-owners", "No recorded time of an owner is in the future.", _past)


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


def proved(client: OrderedClient) -> Proof:
    """Return the proof about one consumer."""
    more = trusted(ALIKE, MINE, WAITED, OUTLIVES, PAST)
    conjuncts = (*invariant(client, ALIKE), *more)
    return proof(client, ALIKE, conjuncts, asked=lambda limits: asked(client, ALIKE, limits))


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """Yield all obligations of the proof."""
    yield from made(proved(client), client)


def made(own: Proof, client: OrderedClient) -> Iterator[Obligation]:
    """Yield the obligations about one consumer (of the proof ``own``), and about two consumers."""
    yield from own.obligations()
    yield relied_on(client)

    def both(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
        second, limits = other(v), CONFIGURATION.given(v)[2]
        its = {f"the other consumer: {so.sentence}": term(so.holds(second, limits)) for so in own.invariant}
        turn = {"one ownership ended before the other began": term(_in_turn(one(v), second))}
        return own.well(v) | truths(v, OTHERS_FLAGS) | its | turn

    def begins(encoding: Any, v: SimpleNamespace) -> Statement:
        first = CONFIGURATION.machine.begun(CONFIGURATION.given(v)[2], client, now=v.now).terms()
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
