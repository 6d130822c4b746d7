"""What is checked of a batch of groups: guarantees, compiled terms, digest. Plain Python and NumPy, no Spark."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np
import z3

from model.allocation import Strategy
from model.group import Group
from model.premises import Premise
from model.queues import NOWHERE, MessageQueue, positions_in
from model.terms.kernel import Kernel, compile_kernel
from proofs.guarantee import Guarantee
from spark_enum.compiled import Rows
from spark_enum.space import Configuration

Results = list[list[MessageQueue]]


@dataclass(frozen=True)
class Checked:
    """One group and what was found."""

    configuration: Configuration
    positions: int
    """Positions at which concrete result and compiled term were compared."""
    digest: int
    """Signed 64 bits of the group and its results."""
    mismatch: str | None
    """Where concrete result and compiled term differ."""
    violations: tuple[str | None, ...]
    """For each guarantee: what is wrong, None when it holds."""


@dataclass(frozen=True)
class Check:
    """The checks of one space: for one premise, choice of strategies, and set of guarantees."""

    premise: Premise
    strategies: tuple[Strategy, ...]
    guarantees: tuple[Guarantee, ...]

    def __call__(self, configurations: Iterable[Configuration]) -> Iterator[Checked]:
        """Computes every group with the concrete implementation and holds it against the compiled terms."""
        batch = list(configurations)
        groups = [self.premise.group(self.strategies, c.consumers, c.queues, c.values) for c in batch]
        results = [group.allocate() for group in groups]
        violations = [
            tuple(guarantee.violation(group, result) for guarantee in self.guarantees)
            for group, result in zip(groups, results, strict=True)
        ]
        compared, mismatches = self._against_encoding(groups, results)
        if self.premise.dropped:
            self._against_symbolic_groups(batch, violations, mismatches)
        for place, configuration in enumerate(batch):
            yield Checked(
                configuration,
                int(compared[place]),
                digest(configuration, groups[place], results[place]),
                mismatches.get(place),
                violations[place],
            )

    def _against_encoding(
        self, groups: Sequence[Group], results: Sequence[Results]
    ) -> tuple[np.ndarray, dict[int, str]]:
        """Each consumer's result against ``owns``, at every position and one beyond either end, and as a list."""
        compared = np.zeros(len(groups), dtype=np.int64)
        mismatches: dict[int, str] = {}
        for strategy in self.strategies:
            rows = Rows()
            for place, (group, result) in enumerate(zip(groups, results, strict=True)):
                for consumer, taken in zip(group.consumers, result, strict=True):
                    if consumer.strategy is not strategy:
                        continue
                    if consumer.client_id in consumer.cid_all:
                        index = consumer.cid_all.index(consumer.client_id)
                        listed = positions_in(consumer.mq_all, taken)
                        if NOWHERE in listed:
                            mismatches[place] = f"{consumer.client_id} takes a queue that is not in its mqAll"
                            continue
                        rows.add(place, len(consumer.mq_all), len(consumer.cid_all), index, listed)
                    elif taken:
                        mismatches[place] = f"{consumer.client_id} is not in its cidAll, yet takes queues"
            rows.compare(strategy, compared, mismatches)
        return compared, mismatches

    def _against_symbolic_groups(
        self, batch: Sequence[Configuration], violations: Sequence[Sequence[str | None]], mismatches: dict[int, str]
    ) -> None:
        """Each group's violations against the formula that the solvers refute, evaluated for each of its queues."""
        by_consumers: dict[int, list[int]] = {}
        for place, configuration in enumerate(batch):
            by_consumers.setdefault(configuration.consumers, []).append(place)
        for n, places in by_consumers.items():
            names, kernel = violation_kernel(self, n)
            assignments = [
                self.premise.assignment(n, batch[place].queues, batch[place].values, queue)
                for place in places
                for queue in range(batch[place].queues)
            ]
            columns = [np.array([assignment[name] for assignment in assignments]) for name in names]
            constraints, *violated = kernel(*columns)
            starts = np.cumsum([0] + [batch[place].queues for place in places[:-1]])
            admitted = np.logical_and.reduceat(np.broadcast_to(constraints, len(assignments)), starts)
            for number, guarantee in enumerate(self.guarantees):
                formula = np.logical_or.reduceat(np.broadcast_to(violated[number], len(assignments)), starts)
                for place, inside, breaks in zip(places, admitted, formula, strict=True):
                    concrete = violations[place][number]
                    if not inside:
                        mismatches.setdefault(place, "the symbolic group does not admit this group")
                    elif bool(breaks) != (concrete is not None):
                        mismatches.setdefault(place, f"{guarantee.name}: formula {bool(breaks)}, concrete {concrete}")


@cache
def violation_kernel(check: Check, n: int) -> tuple[tuple[str, ...], Kernel]:
    """Over the unknowns of the symbolic group of n consumers: its constraints, then each guarantee's ``violated``."""
    group = check.premise.symbolic(tuple(strategy.encoding for strategy in check.strategies), n)
    names = tuple(str(variable) for variable in group.variables)
    formulas = [guarantee.violated(group) for guarantee in check.guarantees]
    return names, compile_kernel(names, z3.And(*group.constraints), *formulas)


def digest(configuration: Configuration, group: Group, results: Results) -> int:
    """64 bits that depend on the group and on every result, not on the machine or the order of enumeration."""
    listed = [positions_in(group.queues, result) for result in results]
    text = f"{configuration.consumers} {configuration.queues} {configuration.values} {listed}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)
