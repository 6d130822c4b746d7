"""All claims about ordered consumption."""

from collections.abc import Iterator

from rebalance_proofs.model.ordered.clients import CLIENTS, OLDER, OrderedClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, PREMISES, Circumstances, needed
from rebalance_proofs.proofs.ordered.guarantees import exact_limits, exclusive_listener
from rebalance_proofs.proofs.ordered.halves import HALVES

__all__ = ["claims"]

FOR_ALL = "for all numbers of consumers and queues, and all limits of time that meet the condition"
OUTSIDE = "for all limits of time that do not meet the condition"
EXISTS = "two consumers and one queue suffice; the shortest run, in ticks of ten seconds, is shown"


def in_words(client: OrderedClient) -> str:
    """The condition of time."""
    kept = "the delay, the client's limit and the listener's time are together no longer than the broker's limit"
    if not client.forces:
        return kept
    return f"{kept}, and the client's limit and the listener's time no longer than the unlock delay"


def claims() -> tuple[Claim, ...]:
    """By client: under all premises, without each of them, and that the condition of time is exact.

    Of older versions the first and the last alone.
    """
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: OrderedClient) -> Iterator[Claim]:
    guarantee = exclusive_listener(client)
    yield _exclusive(
        client,
        IN_TIME,
        f"{client.rocketmq_name}: {guarantee.sentence}, if all premises hold: among them, {in_words(client)}.",
        "",
    )
    for world in () if client in OLDER else PREMISES:
        sentence = f"{client.rocketmq_name}: {guarantee.sentence}, even if {world.otherwise}."
        yield _exclusive(client, world, sentence, f"without-{world.name}")
    exact = exact_limits(client)
    yield Claim(
        "ordered",
        (client,),
        exact,
        IN_TIME,
        True,
        f"{client.rocketmq_name}: {exact.sentence}. It is that {in_words(client)}.",
        OUTSIDE,
        exact.source,
        exact.obligations(IN_TIME),
    )


def _exclusive(client: OrderedClient, world: Circumstances, sentence: str, variant: str) -> Claim:
    guarantee = exclusive_listener(client)
    holds = not needed(client, world.name)
    return Claim(
        "ordered",
        (client,),
        guarantee,
        world,
        holds,
        sentence,
        FOR_ALL if holds else EXISTS,
        guarantee.source,
        guarantee.obligations(world) if holds else (),
        variant,
        lemmas=(HALVES,) if holds else (),
    )
