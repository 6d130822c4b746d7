"""What the enumerator found, and how it compares with the solvers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.spark_enum.movement_results import Movement
from rebalance_proofs.spark_enum.transition.results import Promised, TransitionEnumerated


@dataclass(frozen=True, order=True)
class Violation:
    """One group in which a guarantee does not hold. Orders by size: fewest consumers, then fewest queues."""

    consumers: int
    queues: int
    values: tuple[int, ...]
    """The group's digits; see ``model.worlds.groups.Premise``."""
    sentence: str = field(compare=False)
    """What is wrong."""

    @property
    def size(self) -> tuple[int, int]:
        """(consumers, queues)."""
        return self.consumers, self.queues


@dataclass(frozen=True)
class Enumeration:
    """One space of groups, swept for one choice of strategies."""

    world: str
    """The premise that is dropped: ``distinct-ids``; another case, in which all hold: ``agreed``, ``join``."""
    subject: str
    """The strategies: ``avg``, ``avg+circle``."""
    max_queues: int
    max_consumers: int
    groups: int
    """Groups that were enumerated."""
    expected_groups: int
    """The same number by its closed form."""
    results: int
    """Results of single consumers that were computed."""
    positions: int
    """Positions at which concrete result and compiled SMT term were compared."""
    digest: str
    """Hexadecimal; of all groups and results, whatever their order and partition."""
    mismatches: int
    """Groups in which concrete result and compiled term differ."""
    first_mismatch: str
    """The first of them in words; empty when there is none."""
    violations: Mapping[str, int]
    """Guarantee -> in how many groups it does not hold."""
    smallest: Mapping[str, Violation]
    """Guarantee -> the smallest group in which it does not hold; no entry when it always holds."""
    seconds: float
    dropped: bool = False
    """Whether it is without the premise."""
    code_sum: int = 0
    """The sum of the numbers that were looked up, whether they name a group or none."""
    at_place: int = 0
    """Groups that have the number that they ought to have by ``places.Places``."""

    @property
    def name(self) -> str:
        """``avg``, ``avg join``, ``avg without-distinct-ids``."""
        if self.dropped:
            return f"{self.subject} without-{self.world}"
        return self.subject if self.world == "agreed" else f"{self.subject} {self.world}"

    @property
    def complete(self) -> bool:
        """Every group of the space was met once."""
        return self.groups == self.expected_groups


@dataclass(frozen=True)
class AtSize:
    """One claim: at each size, does a violation exist? Asked of the solver and of the enumerator."""

    claim: str
    max_queues: int
    max_consumers: int
    sizes: int
    """Sizes at which both answered."""
    disagreements: int
    first_disagreement: str
    seconds: float
    """Time spent in the solver, over all executors."""


@dataclass(frozen=True)
class Smallest:
    """One claim that is expected to fail: the size of its smallest counterexample by the solver and the enumerator."""

    claim: str
    solver: tuple[int, int] | None
    """(consumers, queues); None when the solver found none."""
    enumerator: tuple[int, int] | None
    max_queues: int
    max_consumers: int

    @property
    def within(self) -> bool:
        """The solver's counterexample lies within the bound of the enumeration."""
        if self.solver is None:
            return False
        consumers, queues = self.solver
        return consumers <= self.max_consumers and queues <= self.max_queues

    @property
    def equal(self) -> bool:
        """Both have the same size; nothing was enumerated where the solver's lies outside the bound."""
        return self.solver == self.enumerator if self.within else self.enumerator is None


@dataclass(frozen=True)
class Enumerated:
    """Everything that came from Spark in one run."""

    spark: str
    """Version of Spark."""
    master: str
    enumerations: tuple[Enumeration, ...] = ()
    movements: tuple[Movement, ...] = ()
    at_size: tuple[AtSize, ...] = ()
    smallest: tuple[Smallest, ...] = ()
    transitions: TransitionEnumerated | None = None
    """The clients' transitions against their terms."""
    promised: tuple[Promised, ...] = ()
    """The claims about transitions on the clients' code."""
    unexpected: tuple[str, ...] = ()
    """What the enumeration says against the expected verdicts, one sentence each."""

    def sweep_of(self, claim: Claim) -> Enumeration | None:
        """The sweep of the claim's groups, if there was one."""
        return self._sweep(claim.world.name, subject(claim.subjects))

    def promised_of(self, claim: Claim) -> Promised | None:
        """What the clients' code says about a claim about transitions."""
        return next((found for found in self.promised if found.claim == claim.id), None)

    def other_sweeps_of(self, claim: Claim) -> tuple[Enumeration, ...]:
        """The sweeps of the other cases that the claim is about too."""
        found = (self._sweep(world.name, subject(claim.subjects)) for world in claim.also)
        return tuple(sweep for sweep in found if sweep)

    def _sweep(self, world: str, strategies: str) -> Enumeration | None:
        matching = (sweep for sweep in self.enumerations if (sweep.world, sweep.subject) == (world, strategies))
        return next(matching, None)
