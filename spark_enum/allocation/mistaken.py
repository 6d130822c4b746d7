"""Groups that run a wrong formula (a mutant), to test the checks of guarantees.

The checks on concrete results must find the violation that the mutant causes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.spark_enum.allocation.mistaken_lists import Taken, taken

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
        consumers=tuple(_taking(consumer, read(found, group, consumer)) for consumer, found in pairs),
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


def _taking(consumer: Consumer, taken: Sequence[MessageQueue]) -> Consumer:
    """Return the consumer with a strategy that returns these queues.

    It returns no queues if the consumer's id is not in its cidAll.
    """
    given = tuple(taken) if consumer.client_id in consumer.cid_all else ()
    return replace(consumer, strategy=replace(consumer.strategy, allocate=lambda *arguments: list(given)))
