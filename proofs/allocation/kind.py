"""The kind ``allocation``: claims about how a strategy divides queues among consumers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from rebalance_proofs.model.allocation.machine_room import RoomEncoding
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.allocation import claims as one_topic
from rebalance_proofs.proofs.allocation import clients, joins, nearby
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.allocation.search import LookingAtGroups
from rebalance_proofs.proofs.assignment import claims as assignment
from rebalance_proofs.proofs.assignment.claims import slips as of_pop
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.code import claims as code
from rebalance_proofs.proofs.growth import claims as growth
from rebalance_proofs.proofs.hashing import claims as hashing
from rebalance_proofs.proofs.kinds import Kind
from rebalance_proofs.proofs.movement import claims as movement
from rebalance_proofs.proofs.mutation.free import as_mutants
from rebalance_proofs.proofs.topics import claims as topics

# Mutants of strategies' encodings, each wrong in only one part (``proofs.mutation.slips``).


@cache
def slips(encoding: Any) -> tuple[Mutant, ...]:
    """Return the mutants of an encoding, each wrong in one part.

    There are none for an encoding whose mutants are all written by hand.
    """
    if isinstance(encoding, RoomEncoding):
        return as_mutants(*_rooms(encoding))
    if isinstance(encoding, PopEncoding):
        return as_mutants(*of_pop(encoding), *_lists(encoding))
    return as_mutants(*_lists(encoding)) if isinstance(encoding, Encoding) else ()


def _lists(encoding: Encoding) -> tuple[tuple[str, str, Any], ...]:
    def one_more(part: Callable[..., smt.IntTerm]) -> Callable[..., smt.IntTerm]:
        return lambda *arguments: part(*arguments) + 1

    def backwards(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, k: smt.IntTerm) -> smt.IntTerm:
        return encoding.element(q, c, index, encoding.count(q, c, index) - 1 - k)

    def one_before(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        return encoding.owns(q, c, index, position - 1)

    def the_next_too(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        return smt.Or(encoding.owns(q, c, index, position), encoding.owns(q, c, index - 1, position))

    def every_second(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        return smt.And(encoding.owns(q, c, index, position), position % 2 == 0)

    def first_has_more(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
        return encoding.count(q, c, index) + smt.If(index == 0, 1, 0)

    def last_has_less(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
        return encoding.count(q, c, index) - smt.If(index == c - 1, 1, 0)

    return (
        (
            "owner-off-by-one",
            "The owner is the consumer after the true owner.",
            replace(encoding, owner=one_more(encoding.owner)),
        ),
        ("element-off-by-one", "Elements are numbered from 1.", replace(encoding, element=one_more(encoding.element))),
        ("rank-off-by-one", "Ranks are numbered from 1.", replace(encoding, rank=one_more(encoding.rank))),
        ("backwards", "The list is reversed.", replace(encoding, element=backwards)),
        (
            "owns-one-behind",
            "A consumer owns the positions after its true positions.",
            replace(encoding, owns=one_before),
        ),
        ("the-next-too", "The consumer after the owner takes the queue too.", replace(encoding, owns=the_next_too)),
        ("every-second", "A consumer misses every second position that it owns.", replace(encoding, owns=every_second)),
        ("first-has-more", "The first consumer counts one queue too many.", replace(encoding, count=first_has_more)),
        ("last-has-less", "The last consumer counts one queue too few.", replace(encoding, count=last_has_less)),
    )


def _rooms(encoding: RoomEncoding) -> tuple[tuple[str, str, Any], ...]:
    def next_rank(
        p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm, kept: smt.BoolTerm, rank: smt.IntTerm
    ) -> smt.BoolTerm:
        return encoding.takes(p, c, index, position, kept, rank + 1)

    def whoever_is_kept(
        p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm, kept: smt.BoolTerm, rank: smt.IntTerm
    ) -> smt.BoolTerm:
        return encoding.takes(p, c, index, position, smt.BoolVal(True), rank)

    return (
        *_lists(encoding),
        ("keeps-nothing", "No queue is selected.", replace(encoding, keeps=lambda kind: smt.BoolVal(False))),
        ("next-rank", "The owner of the next rank takes a queue.", replace(encoding, takes=next_rank)),
        ("all-kept", "A queue is taken whether it is selected or not.", replace(encoding, takes=whoever_is_kept)),
    )


def of_one_topic() -> tuple[Claim, ...]:
    """Return the claims about one group and one topic."""
    return (*one_topic.claims(), *hashing.claims(), *nearby.claims())


ROOMS: Mapping[str, Callable[[], Sequence[Claim]]] = {
    "allocation": of_one_topic,
    "movement": movement.claims,
    "growth": growth.claims,
    "joins": joins.claims,
    "topics": topics.claims,
    "assignment": assignment.claims,
    "clients": clients.claims,
    "code": code.claims,
}
"""First part of an id -> function that returns the claims whose ids begin with it.

The ledger lists them in this order.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims of this kind, in the order of the ledger."""
    return tuple(claim for room in ROOMS.values() for claim in room())


def mistaken(claim: Claim, mutant: Mutant, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """Return the violation that the claim's check finds for a mutant; see ``Kind``."""
    from rebalance_proofs.proofs.allocation.mistaken import sentence  # only after a proof

    return sentence(claim, mutant, model, size)


ALLOCATION = Kind(claims, LookingAtGroups, observed, mistaken, slips, ROOMS)
