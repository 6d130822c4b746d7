"""Construction of claims about strategies, with their sentences."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Claim, even_if, without
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation

# Display names of queues and consumers, for sentences about violations.

FEW = 3
"""The largest number of queues that are named one by one."""


def name_queue(group: Group, queue: MessageQueue) -> str:
    """Return the queue's name by its index in the topic: ``queue 3``.

    An unknown queue is printed in full.
    """
    return f"queue {group.queues.index(queue)}" if queue in group.queues else f"{queue}"


def name_queues(group: Group, queues: Sequence[MessageQueue]) -> str:
    """Return the names of queues of the topic, more than three as ranges: ``queues 0 to 5 and 7``."""
    if len(queues) <= FEW:
        return ", ".join(name_queue(group, queue) for queue in queues)
    runs: list[list[int]] = []
    for place in sorted(map(group.queues.index, queues)):
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return f"queues {' and '.join([', '.join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]}"


def name_consumer(group: Group, place: int) -> str:
    """Return the client id of the consumer with the index ``place``.

    The index is added if several consumers have that id.
    """
    client_id = group.consumers[place].client_id
    twins = sum(consumer.client_id == client_id for consumer in group.consumers)
    return client_id if twins == 1 else f"{client_id} (process {place})"


def extremes(group: Group, results: Results) -> tuple[int, str]:
    """Return the greatest difference of two consumers' queue counts, and a phrase about them.

    For example, ``c0 has 2 queues, c1 has 0``.
    """
    sizes = [len(result) for result in results]
    low, high = min(sizes), max(sizes)
    most, least = name_consumer(group, sizes.index(high)), name_consumer(group, sizes.index(low))
    return high - low, f"{most} has {high} queues, {least} has {low}"


def stated(
    room: str,
    subjects: tuple[Strategy, ...],
    guarantee: Guarantee,
    world: Groups,
    *,
    holds: bool = True,
    about: str = "",
    obligations: tuple[Obligation, ...] = (),
    scope: str = UNBOUNDED,
    variant: str | None = None,
    also: tuple[Groups, ...] = (),
    assuming: tuple[str, ...] = (),
) -> Claim:
    """Return the claim that strategies give or break a guarantee, with its sentence.

    ``world`` has the assumptions. ``about`` begins the sentence (default: the strategies' names). The event that the
    assumptions allow ends it; the claim then has their source, unless the guarantee's own sentence mentions the
    event. ``variant`` defaults to that of the assumptions. A claim that holds has the guarantee's ``obligations`` and
    ``scope`` by default. For a claim that fails, only the given obligations are tried. ``assuming``: see ``Claim``.
    """
    unusual = "" if guarantee.premise else even_if(world)
    return Claim(
        room,
        subjects,
        guarantee,
        world,
        holds,
        sentence=f"{guarantee.said(f'{about or called(subjects)}: ', unusual)}.",
        scope=scope if holds else EXISTS,
        source=world.source if unusual else guarantee.source,
        obligations=(obligations or guarantee.obligations(world)) if holds else obligations,
        variant=without(world) if variant is None else variant,
        also=also,
        assuming=assuming,
    )


def called(subjects: tuple[Strategy, ...]) -> str:
    """Return the beginning of a claim's sentence: strategy names, and the part of the topic."""
    shown = " and ".join(strategy.rocketmq_name for strategy in subjects)
    over = [strategy.over for strategy in subjects if strategy.over]
    return f"{shown}, {over[0]}" if over else shown
