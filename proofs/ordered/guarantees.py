"""Guarantees about ordered consumption; each function returns the guarantee for a client."""

from collections.abc import Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.happens import NAMES
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import names
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or, Span, term, truth
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Choices, Ordered
from rebalance_proofs.model.releases import CONSUMERS, SOURCES
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import NO
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.configuration import read
from rebalance_proofs.proofs.machine.kind import ProvedByInduction, violated
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered import alike, exact, exclusive
from rebalance_proofs.proofs.ordered.circumstances import ANYHOW, NOT_LATER, PROMPT, Circumstances, needed
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, happens, is_kept, made, proof, relied_on
from rebalance_proofs.proofs.ordered.invariant import Conjunct
from rebalance_proofs.proofs.ordered.timed import begins, reached
from rebalance_proofs.proofs.unrolling import Unrolling

# Proof of how long a consumer holds a queue's lock after removing its process queue.

# Proof that a shutdown releases the locks of all queues that were in the consumer's table.


def _mine(s: Ordered, limits: Limits) -> Bool:
    crashed = And(s.closed, Not(s.yielded))
    before = Or(s.present, s.adding, s.later, crashed)
    why = Or(s.unlocking, And(Not(s.yielded), before))
    return Implies(s.holder == ME, why)


def _nothing_else(s: Ordered, limits: Limits) -> Bool:
    shut = And(s.stopping, Or(s.yielded, Not(s.closed)))
    return And(Implies(s.yielded, s.stopping), Implies(shut, Not(Or(s.adding, s.later))))


ALL_GIVEN_BACK = (
    Conjunct(
        "mine",
        "The lock's owner has a process queue, adds one, unlocks now or later, or has crashed. After all unlocks, its "
        "unlock is under way.",
        _mine,
    ),
    Conjunct(
        "nothing-else",
        "A consumer that is shut down adds no queue and has no delayed unlock.",
        _nothing_else,
    ),
)


def obligations_given_back(
    client: OrderedClient, conjuncts: Sequence[Conjunct] = ALL_GIVEN_BACK
) -> tuple[Obligation, ...]:
    """Return the obligations that a shutdown leaves no lock behind.

    They include that actions preserve the conjuncts of the invariant.
    """
    conclusion = "given-back", "the consumer does not hold the lock after its shutdown"
    return made(proof(client, PROMPT, conjuncts, is_kept, conclusion), client)


# Proof that a client runs at most one listener call for a queue.
# This includes calls for an old and a new process queue of the queue.

ONCE = Conjunct("once", "The listener is not called while another call is running.", lambda s, limits: Not(s.twice))


def obligations_local(client: OrderedClient) -> Iterator[Obligation]:
    """Return the obligations that each action preserves ``ONCE``, for any events.

    Initially no listener call runs, and other consumers cannot change that.
    """
    actions = CONFIGURATION.machine.actions
    yield from (one for one in proof(client, ANYHOW, (ONCE,)).obligations() if one.name in actions)


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


# Addresses of the RocketMQ sources about ordered consumers and the broker's locks.

LOCAL_LOCK = f"{CONSUMERS}/MessageQueueLock.java"
LOCK = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker/client/rebalance/RebalanceLockManager.java"
ORDERLY = f"{CONSUMERS}/ConsumeMessageOrderlyService.java"
SHUT = f"{CONSUMERS}/DefaultMQPushConsumerImpl.java"


Ran = Run[Ordered, Limits]


@cache
def exclusive_listener(client: OrderedClient) -> Guarantee:
    """Guarantee: the listeners of two consumers never run on one queue at the same time."""
    return ProvedByInduction(
        "exclusive",
        "the listeners of two consumers never run on the same queue at once",
        ORDERLY,
        lambda world: _exclusive(client, world),
        exact.BOTH,
        _both_run,
        lambda world: alike.proved(client) if world.alike else exclusive.proved(client, world),
        lambda proof: tuple((alike if proof.world.alike else exclusive).made(proof, client)),
        brief="two consumers' listeners never run on one queue at once",
    )


def _exclusive(client: OrderedClient, world: Circumstances) -> tuple[Obligation, ...]:
    if needed(client, world.name):
        return ()
    return tuple(alike.obligations(client) if world.alike else exclusive.obligations(client, world))


def _not_sought(found: Unrolling[Ordered, Limits]) -> smt.BoolTerm:
    """Return false, as the violation of a guarantee that is only proved.

    No schedule of two consumers is searched that violates it.
    """
    return NO


def _not_seen(run: Ran) -> str | None:
    return None


@cache
def exact_limits(client: OrderedClient) -> Guarantee:
    """Guarantee: if limits violate the time condition, two listeners can run on one queue.

    This is for any limits.
    """
    return Guarantee(
        "exact",
        "two listeners can run on one queue whenever the time limits break the exclusivity condition",
        ORDERLY,
        lambda world: tuple(exact.obligations(client, world)),
        _not_sought,
        _not_seen,
    )


@cache
def exact_wait(client: OrderedClient) -> Guarantee:
    """Guarantee: if a shutdown does not wait long enough, two listeners can run on one queue."""
    return Guarantee(
        "exact",
        "two listeners can run on one queue whenever a shutdown does not wait long enough for its listener",
        ORDERLY,
        lambda world: tuple(exact.waits(client, world)),
        _not_sought,
        _not_seen,
    )


@cache
def one_call(client: OrderedClient) -> Guarantee:
    """Guarantee: a consumer never runs two listener calls for one queue at the same time."""
    return Guarantee(
        "local",
        "a consumer never runs two listener calls for one queue at once, even across process queues",
        LOCAL_LOCK,
        lambda world: tuple(obligations_local(client)),
        _not_sought,
        _not_seen,
    )


@cache
def lets_go(client: OrderedClient) -> Guarantee:
    """Guarantee: a bound on the time for which a consumer holds an unused lock."""
    return Guarantee(
        "let-go",
        f"after the removal of a process queue, its consumer keeps the broker's lock for at most {KEPT.words}",
        ORDERLY,
        lambda world: obligations(client),
        _not_sought,
        _not_seen,
    )


@cache
def mixed(client: OrderedClient) -> Guarantee:
    """Guarantee: the client changes the lock only as other clients in its group assume."""
    return Guarantee(
        "mixed",
        "its consumers take a lock only if it is free, expired or their own, and release only their own",
        LOCK,
        lambda world: (relied_on(client),),
        _not_sought,
        _not_seen,
        where=("its use: the `exclusive` claims of other clients in the group assume only this about its consumers",),
        covers=("any state and any time limits",),
    )


@cache
def kept_so_long(client: OrderedClient) -> Guarantee:
    """Guarantee: the bound of ``lets_go`` is sharp; no shorter bound holds."""
    return Guarantee(
        "kept-so-long",
        f"whatever the limits, a consumer can keep the lock of a removed process queue for {KEPT.words}",
        ORDERLY,
        lambda world: tuple(longest(client)),
        _not_sought,
        _not_seen,
    )


@cache
def returned_at_shutdown(client: OrderedClient) -> Guarantee:
    """Guarantee: a shutdown leaves no lock behind."""
    return Guarantee(
        "given-back",
        "a shutdown releases the broker's locks of all queues in the consumer's table",
        SHUT,
        lambda world: () if client.rules.renews_on else obligations_given_back(client),
        violated(is_kept),
        _left_behind,
    )


def _left_behind(run: Ran) -> str | None:
    """Describe a run that leaves a lock behind, and how long no consumer gets the lock.

    None for a run that leaves no lock.
    """
    if not any(truth(is_kept(state, run.limits)) for state in run.ends):
        return None
    kept = f"{run.limits.broker / 1000:g} s"
    return (
        f"{NAMES[0]} has been shut down, but still holds the lock of its queue: no consumer gets the lock for {kept}."
    )


def _both_run(run: Ran) -> str | None:
    """Describe a run that ends with two running listeners, and since when both run.

    None for a run that ends differently.
    """
    if not all(state.runs for state in run.ends):
        return None
    one, two = NAMES
    return f"at {run.seen[-1].at / 1000:,.3f} s the listeners of {one} and {two} both run on this queue."
