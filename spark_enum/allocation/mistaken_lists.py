"""The queues of one member by its terms, in one group with values for all unknowns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rebalance_proofs.model.allocation.room_encoding import RoomEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.worlds.groups import Member

K = "k"
"""The unknown index in a result."""

Numbers = Mapping[str, int]
"""The value of each unknown, for one queue of the topic."""


@dataclass(frozen=True)
class Taken:
    """The result of one member according to its terms."""

    listed: bool
    """True if the member's id is in its cidAll."""
    index: int
    """The member's index in cidAll."""
    owned: tuple[int, ...]
    """The positions in the topic that the member takes by ``owns``, ascending."""
    beyond: int
    """The number of owned positions among the two just outside the member's mqAll."""
    elements: tuple[int, ...]
    """The elements of the result by ``element``, as positions in the member's own mqAll."""


def taken(member: Member, queues: Sequence[Numbers]) -> Taken:
    """Return the member's result.

    ``queues`` are the values of the unknowns for each queue of the topic in turn.
    """
    encoding, lists = member.encoding, (member.queues, member.consumers, member.index)
    owns = smt.And(member.sees, _takes(member))
    beyond = smt.Sum([smt.If(encoding.owns(*lists, place), 1, 0) for place in (smt.IntVal(-1), member.queues)])
    terms = (member.listed, member.index, owns, beyond, encoding.count(*lists))
    listed, index, owned, outside, counts = _values(queues, *terms)
    count = int(counts[0])
    places = [{**queues[0], K: place} for place in range(count)]
    (elements,) = _values(places, encoding.element(*lists, smt.Int(K))) if places else ((),)
    return Taken(
        listed=bool(listed[0]),
        index=int(index[0]),
        owned=tuple(map(int, np.flatnonzero(owned))),
        beyond=int(outside[0]),
        elements=tuple(int(found) for found in elements),
    )


def _takes(member: Member) -> smt.BoolTerm:
    """Return the term for taking the queue.

    It is ``owns``, or ``takes`` with rooms if every queue is selected.
    """
    encoding, lists = member.encoding, (member.queues, member.consumers, member.index)
    if isinstance(encoding, RoomEncoding):
        return encoding.takes(*lists, member.position, smt.BoolVal(True), member.position)
    return encoding.owns(*lists, member.position)


def _values(rows: Sequence[Numbers], *terms: smt.Term) -> list[np.ndarray]:
    """Return the values of the terms, row by row."""
    names = tuple(rows[0])
    kernel = compile_kernel(names, *terms)
    columns = [np.array([row[name] for row in rows], dtype=np.int64) for name in names]
    return [np.broadcast_to(column, (len(rows),)) for column in kernel(*columns)]
