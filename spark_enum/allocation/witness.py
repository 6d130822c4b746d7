"""The enumeration for allocation claims, and contradictions between results and claims."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rebalance_proofs.model.allocation.machine_room import RoomEncoding
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.worlds.groups import Groups, Member, SymbolicGroup
from rebalance_proofs.model.worlds.joins import JOINS as JOINED
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.allocation.joins import all_joins
from rebalance_proofs.spark_enum.allocation.kinds import ENUMERATOR, GROUPS, SIZES, SMALLEST, SOLVER
from rebalance_proofs.spark_enum.allocation.sweep import at_size, name_of, sweep
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Run
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong

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


JOB = 200_000
"""The maximum number of groups in one Spark job.

Small spaces share a job, because a job for each would take longer than its groups.
"""


def jobs(claims: Sequence[Claim], bounds: Bounds, solver: str = "z3") -> list[list[Check]]:
    """Return the checks of each Spark job.

    They enumerate the groups of the claims, count moved queues in joins, and compare the solver with concrete code at
    each size.
    """
    sweeps = [sweep(bounds.space(check.world), check) for check in checks(claims)]
    joined = {subject(claim.subjects) for claim in claims}
    joins = all_joins(bounds.counted, joined) if any(claim.world is JOINED for claim in claims) else []
    sizes = [at_size(claim, bounds.asked(claim.world), solver) for claim in claims if not claim.world.sized]
    return [some for some in (*in_jobs(sweeps), joins, sizes) if some]


def in_jobs(sweeps: Sequence[Check]) -> list[list[Check]]:
    """Divide the enumerations among Spark jobs, in order.

    No job has more than ``JOB`` groups unless one space alone has more.
    """
    found: list[list[Check]] = []
    size = 0
    for swept in sweeps:
        if not found or size + swept.expected > JOB:
            found.append([])
            size = 0
        found[-1].append(swept)
        size += swept.expected
    return found


def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
    """Yield the findings of each job. No job needs the findings of earlier ones."""
    return (findings(some, run(some)) for some in jobs(claims, bounds, solver))


def sweep_of(claim: Claim, world: Groups, enumerated: Enumerated) -> Finding | None:
    """Return the finding about the claim's strategy in one world (set of groups).

    None if these groups were not enumerated.
    """
    return enumerated.named(GROUPS, name_of(subject(claim.subjects), world))


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return contradictions between the enumeration and a claim, one sentence each.

    They can occur in the claim's own groups, in other groups in which it holds too, and between solver and concrete
    code at one size.
    """
    said = []
    swept = sweep_of(claim, claim.world, enumerated)
    if swept:
        said += [*_violated(claim, swept, result), *_unlike(claim, swept, enumerated, result), *_differs(swept)]
    for other in (sweep_of(claim, world, enumerated) for world in claim.also):
        if other:
            said += [*_violated(claim, other, result), *_differs(other)]
    asked = enumerated.named(SIZES, claim.id)
    return [*said, asked.first] if asked and asked.differing else said


def _violated(claim: Claim, swept: Finding, result: ClaimResult | None) -> list[str]:
    found = swept.smallest.get(claim.guarantee.name)
    searched = result.search if result else None
    if claim.expected is Verdict.PROVED and found and not (searched and searched.counterexample):
        consumers, queues = found.size
        return [f"violated with {consumers} consumers and {queues} queues. {found.sentence}"]
    return []


def _unlike(claim: Claim, swept: Finding, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return a sentence if the solver's counterexample is missing or has an unexpected size.

    Its size is compared with that of the smallest enumerated one.
    """
    if claim.expected is not Verdict.REFUTED:
        return []
    if result and result.search:
        compared = smallest(claim, enumerated, result)
        return [compared.first] if compared and compared.differing and result.search.minimal else []
    queues, consumers = swept.bounds["queues"], swept.bounds["consumers"]
    # A space with reduced bounds may end before the first violation.
    wholes = claim.world.bound, (claim.world.usual or claim.world.bound)[:2]
    whole = not claim.world.sized or (consumers, queues) in wholes
    if claim.guarantee.name in swept.smallest or not whole:
        return []
    return [f"expected to fail, but no violation with up to {consumers} consumers and {queues} queues"]


def _differs(swept: Finding) -> list[str]:
    return [f"concrete result and compiled term differ: {swept.first}"] if swept.differing else []


def smallest(claim: Claim, enumerated: Enumerated, result: ClaimResult) -> Finding | None:
    """Compare the smallest counterexamples of the solver and of the enumeration.

    They agree if both have the same size. They also agree if the enumeration found none and the solver's is larger than
    the enumerated groups. The finding counts one case if the solver's is within the bounds.
    """
    swept = sweep_of(claim, claim.world, enumerated)
    if not (swept and result.search):
        return None
    example, found = result.search.counterexample, swept.smallest.get(claim.guarantee.name)
    solver = Wrong((example.consumers, example.queues), example.values, example.sentence) if example else None
    sizes = {who: case for who, case in ((SOLVER, solver), (ENUMERATOR, found)) if case}
    here, there = (case.size if case else None for case in (solver, found))
    within = example and _within(example.consumers, example.queues, swept.bounds)
    differs = here != there if within else there is not None
    return Finding(
        kind=SMALLEST,
        name=claim.id,
        counted=int(bool(within)),
        expected=int(bool(within)),
        subject=swept.subject,
        setting=swept.setting,
        bounds=swept.bounds,
        differing=int(differs),
        first=f"smallest counterexample: solver {here}, enumerator {there}" if differs else "",
        smallest=sizes,
    )


def _within(consumers: int, queues: int, bounds: Mapping[str, int]) -> bool:
    """Return True if groups of that size are within the bounds of the enumeration."""
    most = bounds.get("together", consumers + queues)
    return consumers <= bounds["consumers"] and queues <= bounds["queues"] and consumers + queues <= most


ALLOCATION = Kind(
    jobs=lambda claims, bounds: len(jobs(claims, bounds)),
    found=found,
    against=against,
    mistaken=sentence,
    compared=smallest,
)
