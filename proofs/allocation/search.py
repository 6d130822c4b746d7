"""Search for the smallest group that violates a guarantee.

It has the fewest consumers, then the fewest queues.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups, SymbolicGroup
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.named import number, truth
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.texts import labelled_text

# SMT-LIB texts that ask for a group that violates a guarantee.


def counterexample(
    subject: str, guarantee: Guarantee, world: Groups, group: SymbolicGroup, queues_at_most: int | None = None
) -> str:
    """Return the text that is satisfiable if a group of n consumers violates the guarantee.

    The number of queues is that of the assumptions if they fix one, else bounded by ``queues_at_most`` or unbounded.
    """
    bound = "any number of" if queues_at_most is None else f"at most {queues_at_most}"
    if world.sized:
        bound = str(group.queues)
    where = f"without the assumption {world.name!r}" if world.dropped else f"in the case {world.name!r}"
    title = (
        f"{subject} / a group of {len(group.members)} consumers, {bound} queues\n"
        f"{guarantee.sentence}, {where}: sat = violated"
    )
    labelled = _violated(guarantee, group)
    if queues_at_most is not None:
        labelled["few queues"] = group.queues <= queues_at_most
    return labelled_text(title, labelled)


SIZE = smt.Int("size")


def violation_at(subject: str, guarantee: Guarantee, world: Groups, group: SymbolicGroup) -> str:
    """Return the text that asks for a violation with n consumers and ``size`` queues.

    ``size`` is an unknown in the text, which the function ``at`` fixes.
    """
    title = f"{subject} / a group of {len(group.members)} consumers and a given number of queues\nsat = violated there"
    return labelled_text(title, _violated(guarantee, group) | {"number of queues": group.queues == SIZE})


def at(text: str, q: int) -> str:
    """Return the text of ``violation_at`` with its number of queues fixed to q."""
    return text.replace("(check-sat)", f"(assert (= {SIZE} {q}))\n(check-sat)")


def _violated(guarantee: Guarantee, group: SymbolicGroup) -> dict[str, smt.BoolTerm]:
    constraints = {f"the group ({number})": constraint for number, constraint in enumerate(group.constraints)}
    return constraints | {"the guarantee is violated": guarantee.violated(group)}


Term = TypeVar("Term", bound=smt.Term)

LIMIT = 4
"""The largest number of consumers tried, if the assumptions do not limit it.

Without any known assumption, a counterexample has at most three consumers.
"""
FEW = 32
"""Distance from the fewest possible queues at which the minimization changes its steps.

Above it, the number of queues is halved; below, it is reduced by one.
"""
LARGEST = 10_000
"""The largest number of queues for which a concrete group is built.

Lists of some unbounded models do not fit into memory.
"""


class LookingAtGroups(Looking):
    """A search for a violation, by number of consumers.

    Its sizes also have a number of queues if every queue has its own unknowns. ``bound`` is the largest number of
    queues allowed.
    """

    most_consumers = LIMIT
    """The largest number of consumers, if the assumptions do not limit it."""
    _size: Size = ()
    _group: SymbolicGroup
    _fewest = 0
    """The smallest number of queues in a solver's model of the last query."""
    _confirmed = 0
    """The number of queues in a model of the last size that the code confirms; 0 for none."""

    @property
    def limit(self) -> int:
        """Return the largest number of consumers that is tried."""
        return self.claim.world.bound[0] if self.claim.world.sized else self.most_consumers

    def sizes(self) -> Iterable[Size]:
        """Return the sizes to try, smallest first.

        If the assumptions limit consumers and queues, these are all sizes within the limit. Else they are numbers of
        consumers, with any number of queues.
        """
        world = self.claim.world
        return sizes_within(world.bound) if world.sized else ((n,) for n in range(1, self.most_consumers + 1))

    def named(self, size: Size, bound: int | None = None) -> str:
        """Return the name of a query, from its size: ``consumers-2``, ``consumers-2-queues-1``."""
        n, *queues = (*size, *([] if bound is None else [bound]))
        return f"consumers-{n}{''.join(f'-queues-{q}' for q in queues)}"

    def text(self, size: Size, bound: int | None = None) -> str:
        """Return the SMT-LIB text that asks for a group of that size with a violation."""
        claim = self.claim
        return counterexample(self.title, claim.guarantee, claim.world, self._at(size), bound)

    def _at(self, size: Size) -> SymbolicGroup:
        if size != self._size:
            self._group = self.claim.world.symbolic(self.encodings, *size)
            self._size, self._confirmed = size, 0
        return self._group

    async def ask(self, size: Size, bound: int | None = None) -> Question:
        """Ask the solvers for a violation, and replay every model that they find."""
        self._fewest = 0
        return await super().ask(size, bound)

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: int | None = None) -> None:
        """Run the strategies' code on the group of a model, unless it is too large to build."""
        group, guarantee = self._at(size), self.claim.guarantee
        q = queues(group, filled(group, model))
        self._fewest = min(q, self._fewest or q)
        if q > LARGEST:
            return
        if self._violates(model, group):
            self._confirmed = q
        elif texts.exact(asked.text) or is_model(guarantee, group, model):
            self.replays = False
        else:
            self.spurious = True
            self.gave_up = (
                f"{asked.name}: a model does not replay. It may be spurious, because products or quotients "
                "of unknowns are named in the text"
            )

    def _violates(self, model: Mapping[str, int], symbolic: SymbolicGroup) -> bool:
        n, world = len(symbolic.members), self.claim.world
        with within(f"replaying a model of {n} consumers on the concrete implementation"):
            q, values = world.configuration(n, filled(symbolic, model))
            return violated(self.claim.guarantee, world.group(self.claim.subjects, n, q, values)) is not None

    async def smallest(self, size: Size) -> Counterexample | None:
        """Return the smallest counterexample with that number of consumers.

        The solvers minimize the number of queues, then the groups of that size are enumerated.
        """
        if self.claim.world.sized:
            return self._first(*size)
        fewest, bound = 1, self._fewest
        while fewest < bound:
            fewer = bound - 1 if bound - fewest < FEW else (fewest + bound) // 2
            found = await self.ask(size, fewer)
            if found.outcome is Outcome.SAT:
                bound = min(fewer, self._fewest)
            elif found.outcome is Outcome.UNSAT:
                fewest = fewer + 1
            else:
                self.minimal = False
                break
        example = self._first(size[0], bound)
        self.minimal &= example is not None or not self.spurious
        return example

    def _first(self, n: int, q: int) -> Counterexample | None:
        """Return the first violation with n consumers and q queues.

        If the solvers' model with q queues was spurious, violations with more queues are tried, too: up to the number
        of queues in a model that the code confirms, or to the limit of the assumptions. The result is therefore still
        the smallest one.
        """
        claim = self.claim
        if q > LARGEST:
            self.gave_up = f"the smallest model of {n} consumers has more than the {LARGEST:,} queues that are tried"
            return None
        most = (self._confirmed or claim.world.bound[1]) if self.spurious and not claim.world.sized else q
        for queues in range(q, max(q, most) + 1):
            with within(f"enumerating the groups of {n} consumers and {queues} queues"):
                example = first_violation(claim.guarantee, claim.world, claim.subjects, n, queues)
            if example:
                return example
        self.replays &= self.spurious
        return None


def is_model(guarantee: Guarantee, group: SymbolicGroup, model: Mapping[str, int]) -> bool:
    """Return whether the group of a solver's model really violates the guarantee.

    It is evaluated with true products and quotients, instead of the names in the text.
    """
    # the guarantee may have unknowns too
    values = {**filled(group, model), **model}
    return all(truth(_at(formula, values)) for formula in (*group.constraints, guarantee.violated(group)))


def filled(group: SymbolicGroup, model: Mapping[str, int]) -> dict[str, int]:
    """Return a value for each of the group's unknowns.

    It is 0 where the model has none, because any value is valid.
    """
    return {str(variable): model.get(str(variable), 0) for variable in group.variables}


def sizes_within(bound: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the sizes (consumers, queues) within the bound.

    Sizes with the fewest consumers come first, then those with the fewest queues.
    """
    consumers, queues = bound
    return product(range(1, consumers + 1), range(1, queues + 1))


def queues(group: SymbolicGroup, assignment: Mapping[str, int]) -> int:
    """Return the group's number of queues, given the values of its unknowns."""
    return number(_at(group.queues, assignment))


def _at(term: Term, assignment: Mapping[str, int]) -> Term:
    return smt.substitute(term, *((smt.Int(name), smt.IntVal(value)) for name, value in assignment.items()))


def violated(guarantee: Guarantee, group: Group) -> str | None:
    """Describe how the concrete results of this group violate the guarantee.

    None if they do not.
    """
    return guarantee.violation(group, group.results())


def first_violation(
    guarantee: Guarantee, world: Groups, strategies: Sequence[Strategy], n: int, q: int
) -> Counterexample | None:
    """Return the first group of n consumers and q queues that violates the guarantee.

    Groups are tried in the order of their numbers (digits of the unknowns).
    """
    for values in world.all_values(n, q):
        group = world.group(strategies, n, q, values)
        sentence = violated(guarantee, group)
        if sentence is not None:
            return Counterexample(n, q, values, group, sentence)
    return None
