"""Transitions enumerated on Spark: code, compiled terms and the solver's models, for some clients."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from time import perf_counter
from typing import Protocol

from pyspark.sql import SparkSession

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import VARIANTS
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.transition.bounds import LetterBounds, TransitionBounds
from rebalance_proofs.spark_enum.transition.calls import Calls
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory
from rebalance_proofs.spark_enum.transition.letters import Alphabet, alphabet
from rebalance_proofs.spark_enum.transition.relation import Relation
from rebalance_proofs.spark_enum.transition.results import (
    CALLS,
    MODELS,
    SINGLES,
    TABLES,
    Comparison,
    Letters,
    TransitionEnumerated,
)
from rebalance_proofs.spark_enum.transition.singles import Singles
from rebalance_proofs.spark_enum.transition.space import every_case, of_mode, real_cases
from rebalance_proofs.spark_enum.transition.tables import Tables
from rebalance_proofs.spark_enum.transition.totals import Totals

BEHAVIOURS, OUTCOMES = 2, 3
"""Groups of letters."""

NOBODY = 0
"""Of ``columns.OTHERS``: no other queue throws."""

JOBS = 6
"""Steps of an enumeration of transitions, the promises included; each is told when it is done."""


class Part(Protocol):
    """Cases that are compared, named by numbers."""

    @property
    def size(self) -> int:
        """How many cases there are."""

    @property
    def codes(self) -> int:
        """Numbers that name them."""

    @property
    def step(self) -> int:
        """How many numbers make a piece of work."""

    def compare(self, begin: int, end: int) -> Totals:
        """What is found in the cases that the numbers ``begin`` .. ``end`` - 1 name."""


@dataclass(frozen=True)
class Named:
    """A part, and what it is about."""

    kind: str
    client: str
    mode: str
    queues: int
    letters: int
    part: Part


@dataclass(frozen=True)
class Work:
    """Parts whose pieces are laid end to end."""

    parts: tuple[Part, ...]

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Where the pieces of each part end."""
        return tuple(accumulate(-(-part.codes // part.step) for part in self.parts))

    def __call__(self, piece: int) -> tuple[int, Totals]:
        """The number of the part, and what is found in the piece."""
        number = bisect_right(self.ends, piece)
        part = self.parts[number]
        begin = (piece - (self.ends[number - 1] if number else 0)) * part.step
        return number, part.compare(begin, min(begin + part.step, part.codes))


def transitions(
    spark: SparkSession,
    clients: Sequence[Client],
    bounds: TransitionBounds | None = None,
    on_progress: Callable[[TransitionEnumerated], None] = lambda so_far: None,
) -> TransitionEnumerated:
    """Compares everything, for every client; of a variant of another client, the cases of one queue.

    ``on_progress`` is given everything that stands after each job.
    """
    bounds = bounds or TransitionBounds()
    found = TransitionEnumerated()

    def went_on(parts: Sequence[Named]) -> None:
        nonlocal found
        found = replace(found, comparisons=(*found.comparisons, *compare(spark, parts)))
        on_progress(found)

    went_on([singles(client, bounds) for client in clients])
    known = alphabets(spark, [client for client in clients if client not in VARIANTS])
    found = replace(found, letters=tuple(_letters(client, mode, letters) for client, mode, letters in known))
    on_progress(found)
    went_on([part for client, mode, letters in known for part in calls(client, mode, letters, bounds)])
    went_on([part for client, mode, letters in known for part in tables(client, mode, letters, bounds)])
    went_on([models(client, mode, letters, bounds) for client, mode, letters in known])
    return found


def compare(spark: SparkSession, parts: Sequence[Named], partitions: int | None = None) -> tuple[Comparison, ...]:
    """Compares all cases of all parts in one Spark job.

    ``partitions`` is how many tasks the work is cut into; the result is the same.
    """
    start = perf_counter()
    work = Work(tuple(named.part for named in parts))
    totals = [Totals() for _ in parts]
    for _, (number, found) in run(spark, work, work.ends[-1], partitions) if parts else ():
        totals[number].merge(found)
    # the time of the job, shared out by the time that the workers took for each part
    share = (perf_counter() - start) / (sum(found.seconds for found in totals) or 1.0)
    return tuple(comparison(named, found, found.seconds * share) for named, found in zip(parts, totals, strict=True))


def comparison(named: Named, found: Totals, seconds: float) -> Comparison:
    """The record of one part."""
    return Comparison(
        kind=named.kind,
        client=named.client,
        mode=named.mode,
        queues=named.queues,
        letters=named.letters,
        cases=found.cases,
        expected_cases=named.part.size,
        digest=f"{found.digest:016x}",
        mismatches=found.mismatches,
        first_mismatch=found.first[1] if found.first else "",
        seconds=seconds,
    )


def alphabets(spark: SparkSession, clients: Sequence[Client]) -> list[tuple[Client, Mode, Alphabet]]:
    """The letters of every client in every mode."""
    used = [(client, mode) for client in clients for mode in client.modes]
    found = dict(run(spark, lambda piece: alphabet(*used[piece]), len(used)))
    return [(client, mode, found[piece]) for piece, (client, mode) in enumerate(used)]


def singles(client: Client, bounds: TransitionBounds) -> Named:
    """Every case of one queue; of a variant in the ways in which it is used, because its code is another client's."""
    space = every_case(client) if bounds.every_case and client not in VARIANTS else real_cases(client)
    return Named(SINGLES, client.name, "", 1, 0, Singles(client, space))


def calls(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Named]:
    """Calls of the client's code with two and with three queues."""
    bound = _of_mode(client, mode, bounds)
    pairs, triples = letters.at_most(bound.pairs, BEHAVIOURS), letters.at_most(bound.triples, BEHAVIOURS)
    return [
        Named(CALLS, client.name, mode.name, 2, len(pairs), Calls(client, mode, pairs, 2, ways=2)),
        Named(CALLS, client.name, mode.name, 3, len(triples), Calls(client, mode, triples, 3)),
    ]


def tables(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Named]:
    """The compiled terms of two and of three queues."""
    found = []
    bound = _of_mode(client, mode, bounds)
    for queues, count in ((2, bound.table_pairs), (3, bound.table_triples)):
        used = letters.at_most(count, OUTCOMES)
        found.append(Named(TABLES, client.name, mode.name, queues, len(used), Tables(client, mode, used, queues)))
    return found


def _of_mode(client: Client, mode: Mode, bounds: TransitionBounds) -> LetterBounds:
    return bounds.letters(calm=Laboratory(client, mode).others == (NOBODY,))


def models(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> Named:
    """The solver's models of one queue."""
    used = letters.at_most(bounds.models, OUTCOMES)
    return Named(MODELS, client.name, mode.name, 1, len(used), Relation(client, mode, used))


def _letters(client: Client, mode: Mode, found: Alphabet) -> Letters:
    return Letters(
        client=client.name,
        mode=mode.name,
        cases=of_mode(client, mode).size,
        traces=len(found.traces),
        behaviours=len(found.behaviours),
        outcomes=len(found.outcomes),
    )
