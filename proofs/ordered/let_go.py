"""Proof of how long a consumer holds a queue's lock after removing its process queue."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import names
from rebalance_proofs.model.machine.span import Span
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or, term
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Choices, Ordered
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.machine.configuration import read
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import NOT_LATER
from rebalance_proofs.proofs.ordered.configuration import happens, made, proof
from rebalance_proofs.proofs.ordered.invariant import Conjunct
from rebalance_proofs.proofs.ordered.timed import begins, reached

KEPT = Span(
    "maxLateRequest + broker.lockMaxLiveTime",
    lambda limits: limits.late + limits.broker,
)
"""Longest time in ms for which the lock is held after the removal of the process queue."""


def _concerned(s: Ordered) -> Bool:
    return Or(s.present, s.adding)


def _past(s: Ordered, limits: Limits) -> Bool:
    return And(s.granted_at <= s.now, s.left <= s.now)


def _granted(s: Ordered, limits: Limits) -> Bool:
    return Implies(s.holder == ME, s.updated == s.granted_at)


def _not_later(s: Ordered, limits: Limits) -> Bool:
    return Or(_concerned(s), s.granted_at <= s.left + limits.late)


ALL = (
    Conjunct("past", "No recorded time is in the future.", _past),
    Conjunct("granted", "If the consumer holds the lock, the lock's time is the time of the last grant.", _granted),
    Conjunct(
        "not-later", "Without a process queue, the last grant is no later than the latest lock request.", _not_later
    ),
)


def _late(s: Ordered, limits: Limits) -> Bool:
    """Return the condition that a consumer holds the lock longer than the bound ``KEPT``.

    It has no process queue, and the lock has not expired.
    """
    over = And(Not(_concerned(s)), s.now > s.left + KEPT.of(limits))
    return And(over, s.holder == ME, s.now - s.updated <= limits.broker)


def obligations(client: OrderedClient, conjuncts: Sequence[Conjunct] = ALL) -> tuple[Obligation, ...]:
    """Return the obligations that the lock is free after the bound ``KEPT``.

    Each action preserves the conjuncts of the invariant.
    """
    conclusion = "let-go", "the lock has expired after the bound, or the consumer does not hold it"
    return made(proof(client, NOT_LATER, conjuncts, _late, conclusion), client)


def longest(client: OrderedClient) -> Iterator[Obligation]:
    """Yield the obligation that the bound can be attained: the lock is held for that long.

    This is for any limits.
    """

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        limits, zero = read(Limits, v), smt.IntVal(0)
        given_back = ((happens(0, "returned", False), zero),) if client.gives_back else ()
        timed = (
            *begins(0, client, NOT_LATER, limits, zero, zero)[:-1],
            (happens(0, "revokes", False), zero),
            *given_back,
            (happens(0, "renews", False), limits.late),
        )
        found = reached(client, encoding, NOT_LATER, limits, timed)
        mine, other = found.states
        last = other.at_time(KEPT.of(limits))
        denied = Not(act_of(encoding, "locks")(last, Choices.blank().terms(), limits).guard)
        then = And(*found.constraints.values(), Not(_concerned(mine)), denied)
        given = {words: term(so) for words, so in NOT_LATER.given(limits).items()}
        return Statement(given, term(then))

    sentence = "A late request takes the lock once more, and the broker denies it to others until the bound."
    yield Obligation("taken-back", sentence, names(Limits), state)
