"""Guarantees about ordered consumption; each function returns the guarantee for a client."""

from functools import cache

from rebalance_proofs.model.machine.happens import NAMES
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.kind import ProvedByInduction, violated
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered import alike, exact, exclusive, given_back, let_go, local
from rebalance_proofs.proofs.ordered.circumstances import Circumstances, needed
from rebalance_proofs.proofs.ordered.configuration import is_kept, relied_on
from rebalance_proofs.proofs.ordered.sources import LOCAL_LOCK, LOCK, ORDERLY, SHUT
from rebalance_proofs.proofs.unrolling import Unrolling

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
        lambda world: tuple(local.obligations(client)),
        _not_sought,
        _not_seen,
    )


@cache
def lets_go(client: OrderedClient) -> Guarantee:
    """Guarantee: a bound on the time for which a consumer holds an unused lock."""
    return Guarantee(
        "let-go",
        f"after the removal of a process queue, its consumer keeps the broker's lock for at most {let_go.KEPT.words}",
        ORDERLY,
        lambda world: let_go.obligations(client),
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
        f"whatever the limits, a consumer can keep the lock of a removed process queue for {let_go.KEPT.words}",
        ORDERLY,
        lambda world: tuple(let_go.longest(client)),
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
        lambda world: () if client.rules.renews_on else given_back.obligations(client),
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
