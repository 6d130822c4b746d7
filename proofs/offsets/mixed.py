"""Consumers of different clients in one group: what the one does is what the other relies on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import z3

from rebalance_proofs.model.offsets.clients import BY_LOOP as LOOPING
from rebalance_proofs.model.offsets.clients import CONCURRENT, ORDERLY, OffsetsClient
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.offsets.brokers import (
    BY_LOOP,
    COMMITTED,
    COMMITTED_STEADY,
    HANDED_OVER,
    IN_TURN,
    IN_TURN_STEADY,
    Brokers,
    Group,
    ordered,
)
from rebalance_proofs.proofs.offsets.handed_over import handed_over
from rebalance_proofs.proofs.offsets.inductive import Kept, kept, relied_on
from rebalance_proofs.proofs.offsets.invariant import Conjunct, back_at_most, not_skipped, only_uncommitted
from rebalance_proofs.proofs.offsets.one_batch import one_batch
from rebalance_proofs.proofs.offsets.run import Run
from rebalance_proofs.proofs.offsets.situation import Situation
from rebalance_proofs.proofs.offsets.sources import COMMIT

__all__ = ["claims_of_pairs", "obligations"]


Invariant = Callable[[Brokers], Mapping[str, Conjunct]]
ABOVE, ABOVE_STEADY = replace(COMMITTED, least=1), replace(COMMITTED_STEADY, least=1)
"""What Node has to have, which commits no offset of 0."""
FOR_ALL = "for all numbers of consumers of the two, queues and messages"
MIXED = "the premises of the claims that are named hold for the consumers of both"


def _together(world: Brokers, *invariants: Invariant) -> Kept:
    """What each of these invariants says; that of the first has the names that others are asked for by."""
    first, *others = (invariant(world) for invariant in invariants)
    rest = {f"{place}-{name}": one for place, conjuncts in enumerate(others) for name, one in conjuncts.items()}
    return {**first, **rest}, world


def _proofs(client: OffsetsClient, *, with_node: bool) -> dict[str, Kept]:
    """The proofs of what is claimed of the client, by the names of the claims."""
    if client.way is Way.BY_LOOP:
        return _shared(BY_LOOP, BY_LOOP)
    if client.way is Way.ORDERLY:
        return {
            SHARED: _together(ordered(COMMITTED), not_skipped, only_uncommitted),
            "`one-batch`": (one_batch(IN_TURN_STEADY), IN_TURN_STEADY),
            BACK: (back_at_most(IN_TURN), IN_TURN),
        }
    if with_node:
        return _shared(ABOVE, ABOVE_STEADY)
    return {**_shared(COMMITTED, COMMITTED_STEADY), "`hand-over`": (handed_over(HANDED_OVER), HANDED_OVER)}


def _shared(world: Brokers, steady: Brokers) -> dict[str, Kept]:
    """What Java's concurrent consumers and Node's give."""
    return {SHARED: _together(world, not_skipped, only_uncommitted), BACK: (back_at_most(steady), steady)}


SHARED, BACK = "`not-skipped` and `only-uncommitted`", "`back-at-most`"


def obligations(first: OffsetsClient, second: OffsetsClient) -> Iterator[Obligation]:
    """What the first does is what the second relies on, proof by proof; and that the first keeps its own invariant,
    where its own claims have another one."""
    with_node = Way.BY_LOOP in (first.way, second.way)
    ours, theirs = _proofs(first, with_node=with_node), _proofs(second, with_node=with_node)
    if with_node and first.way is not Way.BY_LOOP:
        yield from kept(*ours[SHARED])
        yield from (replace(one, name=f"back-{one.name}") for one in kept(*ours[BACK]))
    for number, (mine, yours) in enumerate(zip(ours.values(), theirs.items(), strict=True), start=1):
        named, relying = yours
        sentence = f"What a consumer of {first.rocketmq_name} does to what all share is what {second.rocketmq_name} "
        yield relied_on(f"relied-on-{number}", f"{sentence}relies on for {named}.", mine, relying)


def _mixed(first: OffsetsClient, second: OffsetsClient) -> Guarantee:
    named = " and for ".join(_proofs(second, with_node=Way.BY_LOOP in (first.way, second.way)))
    sentence = (
        f"in a group with consumers of {second.rocketmq_name}, what it does to the offset and the messages of a queue "
        f"is what those rely on for {named}"
    )
    return Guarantee("mixed", sentence, COMMIT, lambda world: tuple(obligations(first, second)), _not_sought, _not_seen)


def _not_sought(found: Situation) -> z3.BoolRef:
    """No run of two clients is sought against it."""
    return NO


def _not_seen(run: Run) -> str | None:
    return None


def claims_of_pairs() -> Iterator[Claim]:
    """Of every two clients whose listeners are of one sort, each beside the other."""
    sorts: Sequence[Sequence[OffsetsClient]] = ((*CONCURRENT, *LOOPING), ORDERLY)
    for first, second in (pair for clients in sorts for pair in permutations(clients, 2)):
        guarantee = _mixed(first, second)
        world = Group("mixed", f"{MIXED[0].upper()}{MIXED[1:]}.", dropped=False, way=first.way)
        yield Claim(
            "offsets",
            (first, second),
            guarantee,
            world,
            True,
            f"{first.rocketmq_name}: {guarantee.sentence}, if {MIXED}.",
            FOR_ALL,
            guarantee.source,
            guarantee.obligations(world),
        )
