"""Claims about two clients in one group: each does only what the other assumes of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from rebalance_proofs.model.offsets.clients import BY_LOOP as LOOPING
from rebalance_proofs.model.offsets.clients import CONCURRENT, ORDERLY, OffsetsClient
from rebalance_proofs.model.offsets.state import Way
from rebalance_proofs.model.terms.finite import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.rely import rely
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
from rebalance_proofs.proofs.offsets.guarantees import COMMIT, Proof, induction
from rebalance_proofs.proofs.offsets.invariant import Invariant, back_at_most, not_skipped, only_uncommitted
from rebalance_proofs.proofs.offsets.special_invariants import handed_over, one_batch

ABOVE, ABOVE_STEADY = replace(COMMITTED, least=1), replace(COMMITTED_STEADY, least=1)
"""Assumptions for groups with Node, which never commits offset 0."""
FOR_ALL = "for all numbers of consumers of the two, queues and messages"
MIXED = "the assumptions of the claims with these proofs, for the consumers of both clients in one group"
SHARED, BACK = "`not-skipped`, `only-uncommitted`", "`back-at-most`"


def _together(world: Brokers, *invariants: Invariant) -> Proof:
    """Return one proof of several invariants, with each conjunct once."""
    parts = (part for invariant in invariants for part in invariant(world))
    return induction(world, tuple({(part.name, part.sentence): part for part in parts}.values()))


def _proofs(client: OffsetsClient, *, with_node: bool) -> dict[str, Proof]:
    """Return the proofs of the client's claims, by the names of the claims."""
    if client.way is Way.BY_LOOP:
        return _shared(BY_LOOP, BY_LOOP)
    if client.way is Way.ORDERLY:
        return {
            SHARED: _together(ordered(COMMITTED), not_skipped, only_uncommitted),
            "`one-batch`": _together(IN_TURN_STEADY, one_batch),
            BACK: _together(IN_TURN, back_at_most),
        }
    if with_node:
        return _shared(ABOVE, ABOVE_STEADY)
    return {**_shared(COMMITTED, COMMITTED_STEADY), "`hand-over`": _together(HANDED_OVER, handed_over)}


def _shared(world: Brokers, steady: Brokers) -> dict[str, Proof]:
    """Return the proofs that are the same for concurrent consumers of Java and Node."""
    return {SHARED: _together(world, not_skipped, only_uncommitted), BACK: _together(steady, back_at_most)}


def obligations(first: OffsetsClient, second: OffsetsClient) -> Iterator[Obligation]:
    """Yield the obligations that the first client does only what the second one assumes.

    They are grouped by the second client's proofs. If the first client's own claims have another invariant, it must
    also preserve the second client's.
    """
    with_node = Way.BY_LOOP in (first.way, second.way)
    ours, theirs = _proofs(first, with_node=with_node), _proofs(second, with_node=with_node)
    if with_node and first.way is not Way.BY_LOOP:
        yield from ours[SHARED].obligations()
        yield from (replace(one, name=f"back-{one.name}") for one in ours[BACK].obligations())
    for number, (mine, (named, relying)) in enumerate(zip(ours.values(), theirs.items(), strict=True), start=1):
        sentence = f"A consumer of {first.rocketmq_name} changes the shared state only as {second.rocketmq_name} "
        yield rely(mine, relying.others, f"relied-on-{number}", f"{sentence}relies on for {named}.")


def _mixed(first: OffsetsClient, second: OffsetsClient) -> Guarantee:
    named = ", ".join(_proofs(second, with_node=Way.BY_LOOP in (first.way, second.way)))
    sentence = f"its consumers keep the rules that proofs about consumers of {second.rocketmq_name} rely on"
    # No search for a counterexample covers runs of two clients.
    made = tuple(obligations(first, second))
    return Guarantee(
        "mixed",
        sentence,
        COMMIT,
        lambda world: made,
        lambda found: NO,
        lambda run: None,
        where=(f"the rules: assumptions about other consumers in the proofs of {named}",),
    )


def claims_of_pairs() -> Iterator[Claim]:
    """Yield a claim about every pair of clients with the same sort of listener, in one group."""
    sorts: Sequence[Sequence[OffsetsClient]] = ((*CONCURRENT, *LOOPING), ORDERLY)
    for first, second in (pair for clients in sorts for pair in permutations(clients, 2)):
        guarantee = _mixed(first, second)
        world = Group("mixed", (MIXED,), way=first.way)
        yield Claim(
            "offsets",
            (first, second),
            guarantee,
            world,
            True,
            f"{first.rocketmq_name}: {guarantee.sentence}.",
            FOR_ALL,
            guarantee.source,
            guarantee.obligations(world),
        )
