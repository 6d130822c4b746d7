"""Agreement of a group on the owners of its queues, and the claims that guarantee it."""

from collections.abc import Collection

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.machines.settling import CLIENTS
from rebalance_proofs.model.transition.generations import Generation
from rebalance_proofs.spark_enum.explorer.members import Members, share


def owner(strategy: Strategy, queues: int, members: Members, queue: int) -> int | None:
    """Return the live consumer that gets the queue if all live consumers see each other.

    None if no consumer is alive.
    """
    owners = [who for who in members.ids if queue in share(strategy, who, members.ids, queues)]
    return owners[0] if owners else None


def claims(strategy: Strategy, generations: Collection[Generation]) -> tuple[str, ...]:
    """Return ids of claims that together guarantee soon agreement, for groups of all sizes.

    ``generations`` are the client generations that a model represents; their rebalance threads differ.
    """
    settling = [
        f"settling.{client.name}.settles"
        for client in CLIENTS
        if any(generation in client.generations for generation in generations)
    ]
    return (*settling, f"allocation.{strategy.name}.disjoint", f"allocation.{strategy.name}.covers")
