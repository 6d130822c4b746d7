"""Claims about CONSISTENT_HASH, for any hash function and any number of virtual nodes.

Collisions are included.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.ring import Nearest, RingEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups
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
from rebalance_proofs.model.worlds.rings import MD5_RINGS
from rebalance_proofs.proofs.allocation.amounts import BALANCED, SHARES
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.lists import CONTIGUOUS, SUBLIST
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.hashing.induction import (
    EXCLUSIVE,
    FIRST,
    JOINING,
    JOINING_GO,
    NEW,
    OWNER,
    SAME_OWNER,
    SECOND,
    SUCCESSOR,
    SUCCESSOR_GO,
    Nearer,
    both_empty,
    first_node,
    invariant,
    is_node,
    nearer,
    nearer_behind,
    new_node,
    state,
)
from rebalance_proofs.proofs.movement.monotone import MONOTONE
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values

# Proof of coverage when consumers have different cidAll.
# The owner among all live consumers takes the queue, whatever other ids are in its cidAll. Two rings are built in
# parallel: one from the ids of all live consumers, one from the owner's cidAll, which includes the owner.

VARIABLES = ("h", "i", *FIRST, *SECOND)


def sublists(nearer: Nearer) -> tuple[Obligation, ...]:
    """Return the obligations that the owner takes the queue whatever its cidAll omits.

    ``nearer`` is the client's search order on the ring.
    """

    def related(v: SimpleNamespace, whole: Nearest, part: Nearest) -> smt.BoolTerm:
        """Return the invariant: the owner i on the whole ring is also that of its cidAll's ring."""
        same = smt.And(part.found, part.hash == whole.hash, part.owner == v.i)
        return smt.And(
            smt.Implies(part.found, smt.And(whole.found, smt.Not(nearer(v.h, part.hash, whole.hash)))),
            smt.Implies(smt.And(whole.found, whole.owner == v.i), same),
        )

    def base(e: RingEncoding, v: SimpleNamespace) -> Statement:
        return Statement(both_empty(v), related(v, state(v), state(v, SECOND)))

    def step_seen(e: RingEncoding, v: SimpleNamespace) -> Statement:
        whole, part = (e.put(v.h, state(v, names), new_node(v)) for names in (FIRST, SECOND))
        return Statement(invariant(v, related), related(v, whole, part))

    def step_unseen(e: RingEncoding, v: SimpleNamespace) -> Statement:
        whole = e.put(v.h, state(v), new_node(v))
        return Statement(invariant(v, related) | {"i sees itself": v.k != v.i}, related(v, whole, state(v, SECOND)))

    def takes(e: RingEncoding, v: SimpleNamespace) -> Statement:
        part = state(v, SECOND)
        return Statement(
            invariant(v, related) | {"i is the owner among all live consumers": smt.And(v.found == 1, v.o == v.i)},
            smt.And(part.found, part.owner == v.i),
        )

    return (
        Obligation("part.base", "The invariant holds for two empty rings.", VARIABLES, base),
        Obligation(
            "part.step-seen",
            "The invariant still holds after a node from i's cidAll is added.",
            (*VARIABLES, *NEW),
            step_seen,
        ),
        Obligation(
            "part.step-unseen",
            "The invariant still holds after a node that is not in i's cidAll is added.",
            (*VARIABLES, *NEW),
            step_unseen,
        ),
        Obligation(
            "part.takes",
            "The owner among all live consumers is also the owner on the ring of its own cidAll.",
            VARIABLES,
            takes,
        ),
    )


SUBLISTS, SUBLISTS_GO = sublists(nearer), sublists(nearer_behind)


# Proof that without collisions, a queue finds its nearest node for any order of insertion.
# The induction is along one ring, in any order. If two rings have the same nodes, the node found on one ring is also
# on the other. So neither of the two found nodes is nearer than the other. Of two different hash values, one is
# nearer. Therefore both found nodes are the same.


def nearest(nearer: Nearer) -> tuple[Obligation, ...]:
    """Return the obligations that a queue finds its nearest node.

    ``nearer`` is the client's search order on the ring.
    """

    def step(e: RingEncoding, v: SimpleNamespace) -> Statement:
        after = e.put(v.h, state(v), new_node(v))
        return Statement(
            truth_values(v, "found")
            | {
                "the queue reaches a node": v.found == 1,
                "no node z on the ring is nearer": smt.Not(nearer(v.h, v.z, v.x)),
                "the next node has no collision": smt.And(v.y != v.x, v.y != v.z),
            },
            smt.And(
                after.found,
                smt.Or(is_node(after, v.x, v.o), is_node(after, v.y, v.k)),
                *(smt.Not(nearer(v.h, other, after.hash)) for other in (v.z, v.x, v.y)),
            ),
        )

    def unique(e: RingEncoding, v: SimpleNamespace) -> Statement:
        return Statement(
            {
                "the node that one ring names is on the other ring, and not nearer": smt.Not(nearer(v.h, v.x, v.x2)),
                "the same holds with the rings exchanged": smt.Not(nearer(v.h, v.x2, v.x)),
                "no two virtual nodes have the same hash value": smt.Implies(v.x == v.x2, v.o == v.o2),
            },
            smt.And(v.x == v.x2, v.o == v.o2),
        )

    return (
        Obligation("nearest.base", "A ring with one virtual node names this node.", ("h", *FIRST, *NEW), first_node),
        Obligation(
            "nearest.step",
            "After one more virtual node, the ring names the old or the new node, and no node is nearer.",
            ("h", *FIRST, *NEW, "z"),
            step,
        ),
        Obligation(
            "nearest.unique",
            "Two rings with the same nodes name the same node, for any orders of insertion.",
            ("h", *FIRST[1:], *SECOND[1:]),
            unique,
        ),
    )


NEAREST, NEAREST_GO = nearest(nearer), nearest(nearer_behind)


# Proof that a result is a sublist: the client visits mqAll once and selects its queues.
# The proof is by induction over the positions. The state of the induction is the last selected position, or -1 if no
# position was selected yet.


def _base(e: object, v: SimpleNamespace) -> Statement:
    return Statement({"no queue was selected, and position 0 is next": smt.And(v.last == -1, v.p == 0)}, v.last < v.p)


def _step(e: object, v: SimpleNamespace) -> Statement:
    kept = v.mine == 1
    after = smt.If(kept, v.p, v.last)
    return Statement(
        truth_values(v, "mine")
        | {"the selected queues precede position p of mqAll": smt.And(-1 <= v.last, v.last < v.p, v.p < v.q)},
        smt.And(after < v.p + 1, smt.Implies(kept, smt.And(0 <= after, after < v.q, v.last < after))),
    )


FILTER = (
    Obligation("filter.base", "At first, no selected queue is at or after the next position.", ("last", "p"), _base),
    Obligation(
        "filter.step",
        "A queue selected at the next position is in mqAll, and after all queues selected before.",
        ("q", "last", "p", "mine"),
        _step,
    ),
)


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
