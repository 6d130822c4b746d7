"""All claims about offsets."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from rebalance_proofs.model.offsets.clients import BY_LOOP as LOOPING
from rebalance_proofs.model.offsets.clients import (
    CONCURRENT,
    ORDERLY,
    SLIPS,
    JavaClient,
    OffsetsClient,
    OrderlyClient,
)
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.machine.kind import LookingAtMachine, stated, timed_runs
from rebalance_proofs.proofs.machine.run import observed
from rebalance_proofs.proofs.offsets.brokers import (
    ARRIVING,
    ARRIVING_IN_ORDER,
    AT_ZERO,
    AWAITED,
    BY_LOOP,
    CLOSING,
    COMMITTED,
    COMMITTED_STEADY,
    FAILING,
    FIRST,
    FIRST_BY_LOOP,
    HANDED_ON,
    HANDED_ON_IN_ORDER,
    HANDED_OVER,
    HANDED_OVER_BY_LOOP,
    HEEDED,
    HEEDED_IN_ORDER,
    HELD_BY_TWO,
    IN_TURN,
    IN_TURN_STEADY,
    NOISY,
    NOISY_IN_ORDER,
    NOTHING_COMMITTED,
    NOTHING_COMMITTED_BY_LOOP,
    OUT_OF_TURN,
    REPLACED,
    REPLACED_BY_NONE,
    REPLACED_FIRST,
    RESET,
    RESET_IN_ORDER,
    SWALLOWED,
    SWALLOWED_IN_ORDER,
    UNSTEADY,
    UNSTEADY_IN_TURN,
    WITH_ERRORS,
    WITHOUT_GOODBYE,
    Brokers,
    ordered,
)
from rebalance_proofs.proofs.offsets.configuration import configuration
from rebalance_proofs.proofs.offsets.guarantees import (
    BACK_AT_MOST,
    BUT_OVERTIME,
    FINISHED,
    FROM_AN_OFFSET,
    HAND_OVER,
    NEVER_BACK,
    NOT_SKIPPED,
    ONCE,
    ONE_BATCH,
    ONLY_UNCOMMITTED,
    RESET_HEARD,
    RESET_SENT,
    SINCE_ADDED,
    SINCE_ASKED,
    SINCE_PULLED,
    STOPS,
)
from rebalance_proofs.proofs.offsets.mixed import claims_of_pairs
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.timed_search import TimedRuns

FOR_ALL = "for all numbers of consumers, queues and messages"
ONE_EXISTS = "one consumer, one queue and one message suffice; the shortest run of one consumer is shown"
EXISTS = "two consumers, one queue and one message suffice; the shortest run is shown"
MQ_PUSH_CONSUMER = "https://github.com/ali-sdk/ali-ons/blob/v3.12.2/lib/consumer/mq_push_consumer.js"


def claims() -> tuple[Claim, ...]:
    """Return the claims about offsets by client, with all assumptions and without each one.

    Claims about two clients come last.
    """
    return (
        *(claim for client in CONCURRENT for claim in _concurrently(client)),
        *(claim for client in LOOPING for claim in _by_loop(client)),
        *(claim for client in ORDERLY for claim in _in_order(client)),
        *claims_of_pairs(),
    )


def _concurrently(client: JavaClient) -> Iterator[Claim]:
    yield from _skipped(client, COMMITTED)
    yield _claim(client, ONLY_UNCOMMITTED, COMMITTED)
    yield _claim(client, BACK_AT_MOST, COMMITTED_STEADY)
    yield replace(_without(client, BACK_AT_MOST, UNSTEADY, holds=False), scope=ONE_EXISTS)
    for guarantee in (ONCE, NEVER_BACK):
        yield _claim(client, guarantee, COMMITTED, holds=False)
    yield _claim(client, HAND_OVER, HANDED_OVER)
    yield _without(client, HAND_OVER, HELD_BY_TWO, holds=False)
    yield _claim(client, BUT_OVERTIME, HANDED_OVER, holds=False)
    yield from _finished(client, HEEDED, SWALLOWED)
    awaited = _claim(client, FINISHED, AWAITED, AWAITED.name)
    yield replace(awaited, notices=("drops-failures",))
    yield _without(client, NOT_SKIPPED, REPLACED, holds=True)
    yield _without(client, ONLY_UNCOMMITTED, REPLACED, holds=False)
    yield _without(client, NOT_SKIPPED, REPLACED_BY_NONE, holds=False)
    yield _claim(client, NOT_SKIPPED, REPLACED_FIRST, REPLACED_FIRST.name)
    yield _claim(client, SINCE_ADDED, ARRIVING)
    yield _claim(client, SINCE_ASKED, ARRIVING, holds=False)
    yield _without(client, SINCE_ADDED, HANDED_ON, holds=False)
    yield from _reset(client, RESET, NOISY)


def _finished(client: JavaClient, heeded: Brokers, swallowed: Brokers) -> Iterator[Claim]:
    """Yield the claims about interrupted listeners.

    ``heeded``: listeners respond to the interrupt; ``swallowed``: they may return success.
    """
    yield _claim(client, FINISHED, heeded, heeded.name)
    yield _without(client, FINISHED, swallowed, holds=False)


def _by_loop(client: OffsetsClient) -> Iterator[Claim]:
    """Yield the claims about Node, whose consumers process messages in a pull loop.

    Nearly every assumption that Node does not need is unnecessary for Java's clients too.
    """
    claims_ = [
        _claim(client, NOT_SKIPPED, BY_LOOP),
        *(
            _without(client, NOT_SKIPPED, world, holds=False)
            for world in (FAILING, NOTHING_COMMITTED_BY_LOOP, AT_ZERO, CLOSING)
        ),
        _claim(client, NOT_SKIPPED, FIRST_BY_LOOP, FIRST.name),
        *(_claim(client, guarantee, BY_LOOP) for guarantee in (ONLY_UNCOMMITTED, BACK_AT_MOST)),
        _without(client, BACK_AT_MOST, AT_ZERO, holds=False),
        *(_claim(client, guarantee, BY_LOOP, holds=False) for guarantee in (STOPS, ONCE, NEVER_BACK)),
        *(_claim(client, guarantee, HANDED_OVER_BY_LOOP, holds=False) for guarantee in (HAND_OVER, BUT_OVERTIME)),
    ]
    yield from (replace(claim, source=MQ_PUSH_CONSUMER) for claim in claims_)


def _in_order(client: OrderlyClient) -> Iterator[Claim]:
    """Yield the claims about ordered listeners."""
    world = ordered(COMMITTED)
    yield from _skipped(client, world)
    yield _claim(client, ONLY_UNCOMMITTED, world)
    yield _claim(client, NEVER_BACK, world, holds=False)
    yield _claim(client, FROM_AN_OFFSET, world, holds=client.heeds)
    yield _claim(client, BACK_AT_MOST, IN_TURN)
    yield _claim(client, ONE_BATCH, IN_TURN_STEADY)
    for without in (OUT_OF_TURN, WITHOUT_GOODBYE, UNSTEADY_IN_TURN):
        yield _without(client, ONE_BATCH, without, holds=False)
    yield _claim(client, ONCE, IN_TURN, holds=False)
    yield from _finished(client, HEEDED_IN_ORDER, SWALLOWED_IN_ORDER)
    yield _claim(client, SINCE_PULLED, ARRIVING_IN_ORDER)
    yield _claim(client, SINCE_ADDED, ARRIVING_IN_ORDER, holds=False)
    yield _without(client, SINCE_PULLED, HANDED_ON_IN_ORDER, holds=False)
    yield from _reset(client, RESET_IN_ORDER, NOISY_IN_ORDER)


def _skipped(client: JavaClient, committed: Brokers) -> Iterator[Claim]:
    def among(world: Brokers) -> Brokers:
        return ordered(world) if committed.orderly else world

    yield _claim(client, NOT_SKIPPED, committed)
    yield _without(client, NOT_SKIPPED, among(WITH_ERRORS), holds=not client.rebalance.broker_error_is_none)
    yield _without(client, NOT_SKIPPED, among(NOTHING_COMMITTED), holds=False)
    yield _claim(client, NOT_SKIPPED, among(FIRST), FIRST.name)


def _reset(client: JavaClient, world: Brokers, noisy: Brokers) -> Iterator[Claim]:
    """Yield the claims about an offset reset by the user's code, which all releases do alike."""
    yield _claim(client, RESET_SENT, world)
    yield replace(_without(client, RESET_SENT, noisy, holds=False), scope=ONE_EXISTS)
    yield replace(_claim(client, RESET_HEARD, world, holds=False), scope=ONE_EXISTS)


def _without(client: OffsetsClient, guarantee: Guarantee, world: Brokers, *, holds: bool) -> Claim:
    return _claim(client, guarantee, world, holds=holds)


def _claim(
    client: OffsetsClient, guarantee: Guarantee, world: Brokers, variant: str = "", *, holds: bool = True
) -> Claim:
    return stated(client, guarantee, world, FOR_ALL if holds else EXISTS, holds=holds, variant=variant)


# Registration of claims about offsets with the engine.


def runs_of(claim: Claim) -> TimedRuns:
    """Return the functions that search for runs under the claim's assumptions."""
    return timed_runs(configuration(claim.world))


def looking(claim: Claim, pool: Pool, wrong: Mutant | None = None) -> LookingAtMachine:
    """Return the search for a counterexample to the claim.

    If ``wrong`` is given, the search is for a run in which that mutant breaks the claim.
    """
    return LookingAtMachine(runs_of(claim), claim, pool, wrong)


def observe(client: OffsetsClient) -> Any:
    """Return an encoding that runs the client's code."""
    return observed(configuration(Brokers("", (), way=client.way)), client)


@cache
def slips(right: Any) -> tuple[Mutant, ...]:
    """Return the mutants of an encoding that obligations must reject.

    They are generated, and belong to no guarantee.
    """
    return tuple(slip.mutant(right) for slip in SLIPS)


OFFSETS = Kind(claims, looking, observe, slips)
