"""Check of a batch of groups: guarantees, and concrete results against compiled formulas.

It uses Python and NumPy, without Spark.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from operator import itemgetter

import numpy as np

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.queues import NOWHERE, MessageQueue, positions_in
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel, unknowns
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.spark_enum.allocation.space import Configuration

# Comparison of the concrete results of strategies with their compiled formulas.


class Rows:
    """Concrete results of single consumers, which are compared with the formulas in one call."""

    def __init__(self) -> None:
        self._views: list[tuple[int, int, int, int]] = []
        self._listed: list[list[int]] = []

    def add(self, place: int, q: int, c: int, index: int, listed: list[int]) -> None:
        """Add the result of one consumer: it got the queue positions ``listed``.

        ``place`` is the number of its group. The consumer sees ``q`` queues and ``c`` consumers, and has the position
        ``index`` among them.
        """
        self._views.append((place, q, c, index))
        self._listed.append(listed)

    def compare(self, strategy: Strategy, compared: np.ndarray, mismatches: dict[int, str]) -> None:
        """Compare the collected results with the strategy's formulas.

        For each group, the number of compared positions is added to ``compared``, and a sentence about the first
        difference is added to ``mismatches``. Both are indexed by the group's number.
        """
        if not self._views:
            return
        owns, list_ = encoding_kernels(strategy)
        place, q, c, index = np.array(self._views, dtype=np.int64).T
        row, position = spread(q + 2)
        position -= 1
        expected = np.zeros(len(row), dtype=bool)
        lengths = np.array([len(listed) for listed in self._listed])
        flat = np.array([position for listed in self._listed for position in listed], dtype=np.int64)
        owner_row, k = spread(lengths)
        starts = np.cumsum(q + 2) - (q + 2)
        expected[starts[owner_row] + flat + 1] = True
        (owned,) = owns(q[row], c[row], index[row], position)
        _, element = list_(q[owner_row], c[owner_row], index[owner_row], k)
        wrong = set(row[owned != expected]) | set(owner_row[element != flat])
        counts, _ = list_(q, c, index, np.zeros_like(q))
        wrong |= set(np.flatnonzero(counts != lengths))
        np.add.at(compared, place, q + 2)
        for number in sorted(wrong):
            said = f"{strategy.name} at q = {q[number]}, c = {c[number]}, index {index[number]}"
            mismatches.setdefault(int(place[number]), f"{said}: concrete result {self._listed[number]}")


def spread(lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For consecutive runs of these lengths, return each item's run number and index in the run."""
    row = np.repeat(np.arange(len(lengths)), lengths)
    ends = np.cumsum(lengths)
    return row, np.arange(len(row)) - np.repeat(ends - lengths, lengths)


@cache
def encoding_kernels(strategy: Strategy) -> tuple[Kernel, Kernel]:
    """Return two functions on arrays, compiled from the strategy's formulas.

    The first computes from (q, c, i, p) whether consumer ``i`` of ``c`` owns position ``p`` of ``q`` queues. The second
    computes from (q, c, i, k) the number of its queues, and its k-th queue.
    """
    q, c, i, p, k = smt.Ints("q c i p k")
    encoding = strategy.encoding
    owns = compile_kernel(("q", "c", "i", "p"), encoding.owns(q, c, i, p))
    return owns, compile_kernel(("q", "c", "i", "k"), encoding.count(q, c, i), encoding.element(q, c, i, k))


Results = list[list[MessageQueue]]
Listed = list[list[int]]
"""For each consumer, its positions in the group's queues."""

MOST_CONSUMERS = 12
"""The largest number of consumers for which the formulas of guarantees are evaluated.

The cost grows polynomially. In larger groups, each member's queues are still compared with the concrete result.
Guarantees are checked on the concrete results of every group.
"""


@dataclass(frozen=True)
class Checked:
    """The results of checking one group."""

    configuration: Configuration
    results: Listed
    positions: int
    """The number of queue positions at which the concrete result and the formula were compared."""
    digest: int
    """A digest of the group and its results, as a signed 64-bit number."""
    mismatch: str | None
    """The first difference between the concrete result and the formula; None if there is none."""
    violations: tuple[str | None, ...]
    """For each guarantee, a sentence about its violation; None if the guarantee holds."""


@dataclass(frozen=True)
class GroupCheck:
    """The check of groups of one world, with given strategies and guarantees.

    A world is a set of groups with one property: all consumers see the same lists, an assumption is dropped, or a
    consumer joins.
    """

    world: Groups
    subjects: tuple[Strategy, ...]
    guarantees: tuple[Guarantee, ...]

    def __call__(self, configurations: Iterable[Configuration]) -> Iterator[Checked]:
        """Compute every group with the concrete code, and compare it with the compiled formulas."""
        batch = list(configurations)
        groups = [self.world.group(self.subjects, c.consumers, c.queues, c.values) for c in batch]
        results = [group.results() for group in groups]
        tests = [guarantee.violation for guarantee in self.guarantees]
        violations = [
            tuple([violation(group, result) for violation in tests])
            for group, result in zip(groups, results, strict=True)
        ]
        listed = [_listed(group, result) for group, result in zip(groups, results, strict=True)]
        compared = np.zeros(len(batch), dtype=np.int64)
        mismatches: dict[int, str] = {}
        if not self.world.sized:
            compared, mismatches = self._against_encoding(groups, results, listed)
        if self.world.varied or self.world.sized:
            self._against_symbolic_groups(batch, listed, violations, compared, mismatches)
        for place, (configuration, positions, count) in enumerate(zip(batch, listed, compared.tolist(), strict=True)):
            digested = digest(configuration, positions)
            yield Checked(configuration, positions, count, digested, mismatches.get(place), violations[place])

    def _against_encoding(
        self, groups: Sequence[Group], results: Sequence[Results], listed: Sequence[Listed]
    ) -> tuple[np.ndarray, dict[int, str]]:
        """Compare each consumer's result with the formulas for its list and for ``owns``.

        ``owns`` is evaluated at every position and at one position beyond either end. Returned are, by group, the
        number of compared positions, and a sentence about the first difference.
        """
        compared = np.zeros(len(groups), dtype=np.int64)
        mismatches: dict[int, str] = {}
        every = [consumer.strategy for group in groups for consumer in group.consumers]
        for strategy in {id(one): one for one in every if one.encoding is not None}.values():
            rows = Rows()
            for place, (group, result) in enumerate(zip(groups, results, strict=True)):
                for consumer, taken, among_all in zip(group.consumers, result, listed[place], strict=True):
                    if consumer.strategy is not strategy:
                        continue
                    if consumer.subscribes and consumer.client_id in consumer.cid_all:
                        index = consumer.cid_all.index(consumer.client_id)
                        own = consumer.mq_all is not group.queues
                        positions = positions_in(consumer.mq_all, taken) if own else among_all
                        if NOWHERE in positions:
                            mismatches[place] = f"{consumer.client_id} takes a queue that is not in its mqAll"
                            continue
                        rows.add(place, len(consumer.mq_all), len(consumer.cid_all), index, positions)
                    elif taken:
                        mismatches[place] = f"{consumer.client_id} is not in its cidAll, yet takes queues"
            rows.compare(strategy, compared, mismatches)
        return compared, mismatches

    def _against_symbolic_groups(
        self,
        batch: Sequence[Configuration],
        listed: Sequence[Listed],
        violations: Sequence[Sequence[str | None]],
        compared: np.ndarray,
        mismatches: dict[int, str],
    ) -> None:
        """Compare each group with the formulas about whole groups that the solvers refute.

        They are evaluated for each of the group's queues. According to the formulas, each member must own exactly the
        queues of the concrete result, and the same number. A guarantee's ``violated`` must hold for some queue exactly
        if its ``violation`` finds a violation in the concrete results.
        """
        by_size: dict[tuple[int, ...], list[int]] = {}
        for place, configuration in enumerate(batch):
            by_size.setdefault(self._size(configuration), []).append(place)
        for size, places in by_size.items():
            names, judged, kernel = violation_kernel(self, *size)
            n = size[0]
            counts = [batch[place].queues for place in places]
            columns = self._columns([batch[place] for place in places], names)
            found = [np.broadcast_to(column, sum(counts)) for column in kernel(*columns)]
            constraints, *others = found
            owned, counted, violated = others[:n], others[n : 2 * n], others[2 * n :]
            starts = np.cumsum([0, *counts[:-1]])
            admitted = np.logical_and.reduceat(constraints, starts)
            for place in np.flatnonzero(~admitted).tolist():
                mismatches.setdefault(places[place], "the symbolic group's constraints exclude this group")
            for number, column in zip(judged, violated, strict=True):
                formula = np.logical_or.reduceat(column, starts)
                concrete = np.array([violations[place][number] is not None for place in places])
                for place in np.flatnonzero(formula != concrete).tolist():
                    said = violations[places[place]][number]
                    name = self.guarantees[number].name
                    mismatches.setdefault(places[place], f"{name}: formula {bool(formula[place])}, concrete {said}")
            taken = _taken([listed[place] for place in places], n, starts, sum(counts))
            row = np.repeat(np.arange(len(places)), counts)
            for number in np.flatnonzero((taken != np.stack(owned, axis=1)).any(axis=1)).tolist():
                queue = number - starts[row[number]]
                mismatches.setdefault(places[row[number]], f"formula and concrete result differ at queue {queue}")
            lengths = np.array([[len(positions) for positions in listed[place]] for place in places])
            for place in np.flatnonzero((lengths != np.stack(counted, axis=1)[starts]).any(axis=1)).tolist():
                mismatches.setdefault(places[place], "formula and concrete result differ in length")
            compared[places] += n * np.array(counts)

    def _columns(self, batch: Sequence[Configuration], names: Sequence[str]) -> list[np.ndarray]:
        """Return the values of the formulas' variables, one row for each queue of each group."""
        assignment = self.world.assignment
        if self.world.sized:  # Only p depends on the queue.
            rows = [assignment(found.consumers, found.queues, found.values, 0) for found in batch]
            q, number = batch[0].queues, itemgetter(*names, "p")
            columns = [np.repeat(column, q) for column in np.array([number(row) for row in rows]).T]
            columns[names.index("p")] = np.tile(np.arange(q), len(rows))
            return columns[: len(names)]
        rows = [
            assignment(found.consumers, found.queues, found.values, queue)
            for found in batch
            for queue in range(found.queues)
        ]
        return [np.array([row[name] for row in rows]) for name in names]

    def _size(self, configuration: Configuration) -> tuple[int, ...]:
        """Return the size of the formulas: consumers, and also queues if the world is sized."""
        if self.world.sized:
            return configuration.consumers, configuration.queues
        return (configuration.consumers,)


def checks(claims: Sequence[Claim]) -> tuple[GroupCheck, ...]:
    """Return one check for each world and choice of strategies in the claims.

    Each check covers all guarantees that the claims require there.
    """
    guarantees: dict[tuple[Groups, tuple[Strategy, ...]], list[Guarantee]] = {}
    for claim in (claim for claim in claims if claim.kind == Groups.kind):
        for world in (claim.world, *claim.also):
            guarantees.setdefault((world, claim.subjects), []).append(claim.guarantee)
    return tuple(GroupCheck(world, strategies, tuple(found)) for (world, strategies), found in guarantees.items())


def _listed(group: Group, results: Results) -> Listed:
    """Return for each consumer the positions of its queues in the group's queues.

    This is faster than ``positions_in``, which looks up each queue again.
    """
    places = {queue: place for place, queue in enumerate(group.queues)}
    if len(places) < len(group.queues):
        return [positions_in(group.queues, result) for result in results]
    return [[places.get(queue, NOWHERE) for queue in result] for result in results]


def _taken(listed: Sequence[Listed], n: int, starts: np.ndarray, rows: int) -> np.ndarray:
    """Return a table: whether each consumer (column) takes each queue of each group (row).

    ``starts`` are the first rows of the groups.
    """
    found = np.zeros((rows, n), dtype=bool)
    cells = [
        (start + position) * n + consumer
        for start, results in zip(starts.tolist(), listed, strict=True)
        for consumer, positions in enumerate(results)
        for position in positions
        if position != NOWHERE
    ]
    found.reshape(-1)[cells] = True
    return found


@cache
def violation_kernel(check: GroupCheck, *size: int) -> tuple[tuple[str, ...], tuple[int, ...], Kernel]:
    """Compile the formulas about a group for one size; the result is cached.

    ``size`` is the number of consumers, and also of queues if the world is sized. Returned are the variables' names,
    the indexes of the guarantees with a formula, and the compiled function. The function computes the constraints, each
    member's queue and count, and the ``violated`` formulas. A guarantee with variables of its own has no value for a
    group, and is left out; so are all guarantees in groups of more than ``MOST_CONSUMERS``.
    """
    group = check.world.symbolic(tuple(strategy.encoding for strategy in check.subjects), *size)
    names = tuple(str(variable) for variable in group.variables)
    owned = [member.owns for member in group.members]
    small = check.world.sized or size[0] <= MOST_CONSUMERS
    formulas = {number: guarantee.violated(group) for number, guarantee in enumerate(check.guarantees) if small}
    judged = {number: formula for number, formula in formulas.items() if unknowns(formula) <= set(names)}
    counts = [smt.If(member.listed, member.count, 0) for member in group.members]
    kernel = compile_kernel(names, smt.And(*group.constraints), *owned, *counts, *judged.values())
    return names, tuple(judged), kernel


def digest(configuration: Configuration, results: Listed) -> int:
    """Return a 64-bit digest of the group and all results.

    It does not depend on the machine or the enumeration order.
    """
    text = f"{configuration.consumers} {configuration.queues} {configuration.values} {results}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)
