"""The claims about CONSISTENT_HASH: for any hash function, any number of virtual nodes, collisions included."""

from model.allocation.consistent_hash import CONSISTENT_HASH
from model.cases.md5_rings import MD5_RINGS
from model.cases.ring_views import RING_JOINS, RING_OF_0, RINGS, RINGS_OF_1, RINGS_OF_3, RINGS_WITHOUT
from model.premises import Premise
from proofs.allocation.balanced import BALANCED
from proofs.allocation.contiguous import CONTIGUOUS
from proofs.allocation.covers import COVERS
from proofs.allocation.disjoint import DISJOINT
from proofs.allocation.idle import IDLE
from proofs.allocation.sublist import SUBLIST
from proofs.claim import Claim, stated
from proofs.guarantee import Guarantee
from proofs.hashing.filtering import FILTER
from proofs.hashing.joining import JOINING
from proofs.hashing.owner import OWNER, SAME_OWNER
from proofs.hashing.sublists import SUBLISTS
from proofs.hashing.successor import SUCCESSOR
from proofs.movement.monotone import MONOTONE
from proofs.obligation import Obligation

ANY_RING = (
    "for all hash functions, all numbers of queues, of consumers and of virtual nodes (at least one), "
    "collisions included"
)

OF_THE_LIVING = f"{ANY_RING}, as long as everybody sees itself and nobody who is dead"

COVERED = (*OWNER, *SAME_OWNER[:2])
"""There is an owner, and its own ring names it."""

HOLDS: tuple[tuple[Guarantee, Premise, tuple[Obligation, ...]], ...] = (
    (DISJOINT, RINGS, SAME_OWNER),
    (COVERS, RINGS, COVERED),
    (SUBLIST, RINGS, FILTER),
    (SUCCESSOR, RINGS, SUCCESSOR.obligations),
    (MONOTONE, RING_JOINS, JOINING),
)
"""What CONSISTENT_HASH gives, and what has to be proved for it."""

FAILS = ((BALANCED, RINGS), (IDLE, RINGS), (CONTIGUOUS, RINGS_OF_1))

SURVIVES = {
    ("covers", "distinct-ids"): COVERED,
    ("covers", "same-cid-all"): (*COVERED, *SUBLISTS),
    ("disjoint", "same-mq-all"): SAME_OWNER,
    ("disjoint", "same-order"): SAME_OWNER,
    ("covers", "same-order"): COVERED,
    ("disjoint", "own-id-listed"): SAME_OWNER,
    ("disjoint", "same-subscription"): SAME_OWNER,
}
"""What is left of it without a premise, and what has to be proved for that; the rest has a counterexample."""


def claims() -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
    return (
        *(_claim(guarantee, premise, obligations) for guarantee, premise, obligations in HOLDS),
        _claim(COVERS, RING_OF_0, (), suffix=".without-virtual-nodes", otherwise="there are no virtual nodes"),
        *(_claim(guarantee, premise) for guarantee, premise in FAILS),
        *(
            _claim(
                guarantee,
                premise,
                SURVIVES.get((guarantee.name, premise.name), ()),
                suffix=f".without-{premise.name}",
                otherwise=premise.otherwise,
            )
            for premise in RINGS_WITHOUT
            for guarantee in (DISJOINT, COVERS)
        ),
    )


def _also(guarantee: Guarantee) -> tuple[Premise, ...]:
    """``successor`` speaks of hash values, which the groups under MD5 do not carry."""
    return (RINGS_OF_3,) if guarantee is SUCCESSOR else (RINGS_OF_3, MD5_RINGS)


def _claim(
    guarantee: Guarantee,
    premise: Premise,
    obligations: tuple[Obligation, ...] = (),
    *,
    suffix: str = "",
    otherwise: str = "",
) -> Claim:
    return stated(
        "allocation",
        (CONSISTENT_HASH,),
        guarantee,
        premise,
        about=CONSISTENT_HASH.rocketmq_name,
        holds=bool(obligations),
        obligations=obligations,
        scope=OF_THE_LIVING if premise.name == "same-cid-all" else ANY_RING,
        suffix=suffix,
        even_if=otherwise,
        also=_also(guarantee) if obligations and premise is RINGS else (),
    )
