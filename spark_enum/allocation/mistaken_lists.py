"""The queues that a group's member takes according to formulas, for given variable values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rebalance_proofs.model.allocation.room_encoding import RoomEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.worlds.groups import Member

K = "k"
"""Name of the variable for an index in a member's list of queues."""

Numbers = Mapping[str, int]
"""The value of each variable; one of these mappings describes one queue of the topic."""


@dataclass(frozen=True)
class Taken:
    """The queues that one member takes according to its formulas."""

    listed: bool
    """True if the member's id is in its cidAll."""
    index: int
    """The member's index in cidAll."""
    owned: tuple[int, ...]
    """The positions in the topic that the member takes by the formula ``owns``, ascending."""
    beyond: int
    """By the formula ``owns``, how many of the two positions just outside mqAll it takes."""
    elements: tuple[int, ...]
    """The member's list by the formula ``element``, as positions in the member's own mqAll."""


def taken(member: Member, queues: Sequence[Numbers]) -> Taken:
    """Return the queues that the member takes.

    ``queues`` has the values of the variables for each queue of the topic in turn.
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
    """Return the formula for whether the member takes the queue.

    It is ``owns``. For MACHINE_ROOM_NEARBY it is ``takes``, where every queue is selected.
    """
    encoding, lists = member.encoding, (member.queues, member.consumers, member.index)
    if isinstance(encoding, RoomEncoding):
        return encoding.takes(*lists, member.position, smt.BoolVal(True), member.position)
    return encoding.owns(*lists, member.position)


def _values(rows: Sequence[Numbers], *terms: smt.Term) -> list[np.ndarray]:
    """Return an array for each term: its value for each row of variables."""
    names = tuple(rows[0])
    kernel = compile_kernel(names, *terms)
    columns = [np.array([row[name] for row in rows], dtype=np.int64) for name in names]
    return [np.broadcast_to(column, (len(rows),)) for column in kernel(*columns)]
