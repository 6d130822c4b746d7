"""Groups that run a wrong formula (a mutant), to test the checks of guarantees on concrete results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rebalance_proofs.model.allocation.machine_room import RoomEncoding
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup
from rebalance_proofs.proofs.claim import Claim

# The queues that a group's member takes according to formulas, for given variable values.

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


# Groups that run a wrong formula (a mutant), to test the checks of guarantees.
# The checks on concrete results must find the violation that the mutant causes.

Read = Callable[[Taken, Group, Consumer], list[MessageQueue]]

NOWHERE = MessageQueue("nowhere", "no broker", 0)
"""A queue outside mqAll, which no client could assign."""


def sentence(claim: Claim, mutant: Mutant, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """Return the violation that the claim's check finds in a group that runs the mutant's formula.

    ``model`` is the solver's counterexample to the mutant. ``size`` is the number of consumers, and also of queues if
    the world is sized. Results are computed from the formula ``owns``, and then from the formula for the elements of
    the lists; the first violation found is returned. None if neither shows a violation.
    """
    world, n = claim.world, size[0]
    symbolic = world.symbolic((mutant.encoding,), *size)
    numbers = {str(term): model.get(str(term), 0) for term in symbolic.variables}
    q, values = world.configuration(n, numbers)
    group = world.group(claim.subjects, n, q, values)
    if world.sized:  # Only p depends on the queue; a mutant may depend on more than the digits.
        queues = [numbers | {"p": queue} for queue in range(q)]
    else:
        queues = [world.assignment(n, q, values, queue) for queue in range(q)]
    stages = [[taken(member, queues) for member in members] for members in _stages(symbolic)]
    ids = [consumer.client_id for consumer in group.consumers] if world.sized else None
    for read in (_by_owner, _by_element):
        scripted = _scripted(group, stages, read, ids)
        said = claim.guarantee.violation(scripted, scripted.results())
        if said:
            return said
    return None


def _by_owner(found: Taken, group: Group, consumer: Consumer) -> list[MessageQueue]:
    return [*(group.queues[position] for position in found.owned), *[NOWHERE] * found.beyond]


def _by_element(found: Taken, group: Group, consumer: Consumer) -> list[MessageQueue]:
    seen = dict(enumerate(consumer.mq_all))
    return [seen.get(position, NOWHERE) for position in found.elements]


def _stages(symbolic: SymbolicGroup) -> tuple[Sequence[Member], ...]:
    """Return the members of the group, of its reference, and of the reference's reference.

    A reference is an earlier or other group that a guarantee compares with the group.
    """
    return symbolic.members, symbolic.reference, getattr(symbolic, "earlier", ())


def _scripted(group: Group, stages: Sequence[Sequence[Taken]], read: Read, ids: Sequence[str] | None) -> Group:
    """Return the group and its references with strategies that return given results.

    ``stages`` are the results by the formulas: those of the group's members in order, then those of each reference. In
    a reference, ``ids`` name the members in order; without ``ids``, a member's index selects its consumer. ``read``
    selects the formula.
    """
    members, *others = stages
    reference = _reference(group.reference, others, read, ids) if group.reference else None
    pairs = zip(group.consumers, members, strict=True)
    return replace(
        group,
        consumers=tuple(_taking(consumer, read(found, group, consumer), found.listed) for consumer, found in pairs),
        reference=reference,
    )


def _reference(group: Group, stages: Sequence[Sequence[Taken]], read: Read, ids: Sequence[str] | None) -> Group:
    if ids is None:
        at = {found.index: found for found in stages[0] if found.listed}
        members = [at[consumer.cid_all.index(consumer.client_id)] for consumer in group.consumers]
    else:
        named = dict(zip(ids, stages[0], strict=True))
        members = [named[consumer.client_id] for consumer in group.consumers]
    return _scripted(group, [members, *stages[1:]], read, ids)


def _taking(consumer: Consumer, taken: Sequence[MessageQueue], listed: bool) -> Consumer:
    """Return the consumer with a strategy that returns these queues.

    It returns no queues if the consumer's id is not in its cidAll, unless the formulas give it queues nevertheless.
    """
    given = tuple(taken) if listed or consumer.client_id in consumer.cid_all else ()
    return replace(consumer, strategy=replace(consumer.strategy, allocate=lambda *arguments: list(given)))
