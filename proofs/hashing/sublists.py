"""Proof of coverage when consumers have different cidAll.

The owner among all live consumers takes the queue, whatever other ids are in its cidAll. Two rings are built in
parallel: one from the ids of all live consumers, one from the owner's cidAll, which includes the owner.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.ring import Nearest, RingEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.hashing.state import (
    FIRST,
    NEW,
    SECOND,
    Nearer,
    both_empty,
    invariant,
    nearer,
    nearer_behind,
    new_node,
    state,
)
from rebalance_proofs.proofs.obligation import Obligation, Statement

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
