"""Claims about CONSISTENT_HASH, for any hash function and any number of virtual nodes.

Collisions are included.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.consistent_hash_go import CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.md5_rings import MD5_RINGS
from rebalance_proofs.model.worlds.ring_views import (
    RING_JOINS,
    RING_OF_0,
    RING_ORDERS_APART,
    RINGS,
    RINGS_OF_1,
    RINGS_OF_3,
    RINGS_WITHOUT,
    RINGS_WITHOUT_GO,
)
from rebalance_proofs.proofs.allocation.balanced import BALANCED
from rebalance_proofs.proofs.allocation.contiguous import CONTIGUOUS
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.shares import SHARES
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.allocation.sublist import SUBLIST
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.hashing.filtering import FILTER
from rebalance_proofs.proofs.hashing.joining import JOINING, JOINING_GO
from rebalance_proofs.proofs.hashing.nearest import NEAREST, NEAREST_GO
from rebalance_proofs.proofs.hashing.owner import EXCLUSIVE, OWNER, SAME_OWNER
from rebalance_proofs.proofs.hashing.sublists import SUBLISTS, SUBLISTS_GO
from rebalance_proofs.proofs.hashing.successor import SUCCESSOR, SUCCESSOR_GO
from rebalance_proofs.proofs.movement.monotone import MONOTONE
from rebalance_proofs.proofs.obligation import Obligation

ANY_RING = (
    "for all hash functions, all numbers of queues, of consumers and of virtual nodes (at least one), "
    "collisions included"
)

OF_THE_LIVING = f"{ANY_RING}, if every consumer lists itself and no dead one"

APART = (
    "for all hash functions without colliding virtual nodes, all numbers of queues, of consumers and of virtual nodes "
    "(at least one)"
)

COVERED = (*OWNER, *SAME_OWNER[:2])
"""Obligations for coverage: every queue has an owner, which finds itself as the owner.

The consumer that owns a queue builds the same ring as all others.
"""

FAILS = ((BALANCED, RINGS), (SHARES, RINGS), (IDLE, RINGS), (CONTIGUOUS, RINGS_OF_1))


@dataclass(frozen=True)
class Client:
    """A client's CONSISTENT_HASH, with obligations for its search order on the ring."""

    strategy: Strategy
    about: str
    """The beginning of the claims' sentences."""
    successor: Guarantee
    joining: tuple[Obligation, ...]
    sublists: tuple[Obligation, ...]
    nearest: tuple[Obligation, ...]
    without: tuple[Groups, ...]
    also: tuple[Groups, ...] = ()
    """Further assumptions under which the claims are enumerated.

    They have other numbers of virtual nodes, or the client's default hash function.
    """

    @property
    def holds(self) -> tuple[tuple[Guarantee, Groups, tuple[Obligation, ...]], ...]:
        """Return the guarantees that hold, each with its assumptions and its obligations."""
        return (
            (DISJOINT, RINGS, SAME_OWNER),
            (COVERS, RINGS, COVERED),
            (SUBLIST, RINGS, FILTER),
            (self.successor, RINGS, self.successor.obligations(RINGS)),
            (MONOTONE, RING_JOINS, self.joining),
        )

    @property
    def survives(self) -> Mapping[tuple[str, str], tuple[Obligation, ...]]:
        """Return the guarantees that hold even without an assumption, with their obligations.

        Keys are the names of the guarantee and of the dropped assumption. All other guarantees have a counterexample.
        """
        return {
            ("covers", "distinct-ids"): COVERED,
            ("covers", "same-cid-all"): (*COVERED, *self.sublists),
            ("disjoint", "same-mq-all"): SAME_OWNER,
            ("disjoint", "same-order"): SAME_OWNER,
            ("covers", "same-order"): COVERED,
            ("disjoint", "own-id-listed"): SAME_OWNER,
            ("disjoint", "same-subscription"): SAME_OWNER,
            ("disjoint", RING_ORDERS_APART.name): (*self.nearest, EXCLUSIVE),
            ("covers", RING_ORDERS_APART.name): (*OWNER, *self.nearest),
        }


JAVA = Client(
    CONSISTENT_HASH,
    CONSISTENT_HASH.rocketmq_name,
    SUCCESSOR,
    JOINING,
    SUBLISTS,
    NEAREST,
    (*RINGS_WITHOUT, RING_ORDERS_APART),
    also=(RINGS_OF_3, MD5_RINGS),
)
GO = Client(
    CONSISTENT_HASH_GO,
    f"{CONSISTENT_HASH_GO.rocketmq_name} (Go client)",
    SUCCESSOR_GO,
    JOINING_GO,
    SUBLISTS_GO,
    NEAREST_GO,
    (*RINGS_WITHOUT_GO, RING_ORDERS_APART),
)
CLIENTS = (JAVA, GO)


def claims() -> tuple[Claim, ...]:
    """Return all claims about CONSISTENT_HASH, in the order of the ledger."""
    return tuple(claim for client in CLIENTS for claim in claims_of(client))


def claims_of(client: Client) -> tuple[Claim, ...]:
    """Return the claims about one client."""
    return (
        *(_claim(client, guarantee, world, obligations) for guarantee, world, obligations in client.holds),
        _claim(client, COVERS, RING_OF_0, variant="without-virtual-nodes"),
        *(_claim(client, guarantee, world) for guarantee, world in FAILS),
        *(
            _claim(client, guarantee, world, client.survives.get((guarantee.name, world.name), ()))
            for world in client.without
            for guarantee in (DISJOINT, COVERS)
        ),
    )


def _also(client: Client, guarantee: Guarantee) -> tuple[Groups, ...]:
    """Return further assumptions under which the guarantee is enumerated for the client.

    ``successor`` is not enumerated under MD5, where hash values are missing.
    """
    return tuple(other for other in client.also if other is not MD5_RINGS or guarantee is not client.successor)


def _scope(world: Groups) -> str:
    return {"same-cid-all": OF_THE_LIVING, RING_ORDERS_APART.name: APART}.get(world.name, ANY_RING)


def _assuming(world: Groups) -> tuple[str, ...]:
    one_function = "the same hash function for all consumers"
    return {
        "same-cid-all": (one_function, "no cidAll without the consumer's own id, or with the id of a dead consumer"),
        RING_ORDERS_APART.name: (one_function, "no colliding virtual nodes"),
    }.get(world.name, (one_function,))


def _claim(
    client: Client,
    guarantee: Guarantee,
    world: Groups,
    obligations: tuple[Obligation, ...] = (),
    **told: str,
) -> Claim:
    return stated(
        "allocation",
        (client.strategy,),
        guarantee,
        world,
        about=client.about,
        holds=bool(obligations),
        obligations=obligations,
        scope=_scope(world),
        also=_also(client, guarantee) if obligations and world is RINGS else (),
        assuming=_assuming(world),
        **told,
    )
