"""Promises about transitions, tried on the clients' code in every case near to a benign round, on Spark."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter, process_time

from pyspark.sql import SparkSession

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.search import cases, count_cases, run_case
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.transition.distinct import MODULUS, digest_of
from rebalance_proofs.spark_enum.transition.results import Promised

CASES = 400
"""Cases of one piece of work, about."""

Size = tuple[int, int]
"""Queues, and departures from a benign round."""

Use = tuple[int, Mode]
"""The number of a claim, and a mode of its scenario."""


@dataclass
class Count:
    """What is known of one claim in one mode. Adding up parts in any order gives the same."""

    gone: int = 0
    """Cases that were gone through, whether the claim's scenario admits them or not."""
    admitted: int = 0
    """Cases that the claim's scenario admits."""
    digest: int = 0
    """Of these cases, and of what the client's code did in them, in whatever order."""
    violations: int = 0
    smallest: tuple[int, int, str] | None = None
    """Queues, departures, and what is wrong."""
    complete: bool = True
    """As many cases were met as the closed form says."""
    seconds: float = 0.0
    """Of the processor, in the workers; shared out evenly among claims that share their runs."""

    def merge(self, other: "Count") -> None:
        """Counts another part in."""
        self.gone += other.gone
        self.admitted += other.admitted
        self.digest = (self.digest + other.digest) % MODULUS
        self.violations += other.violations
        self.smallest = min((found for found in (self.smallest, other.smallest) if found), default=None)
        self.complete &= other.complete
        self.seconds += other.seconds


def done(rounds: Rounds) -> tuple:
    """The case, and everything that the client's code did to every queue in every round."""
    case, mode = rounds.case, rounds.mode
    numbers = [list(found.values()) for found in (case.consumer, *case.queues, *chain.from_iterable(case.rounds))]
    used = (mode.kind, mode.orderly, mode.broadcasting, mode.order, mode.own_store)
    seen = [
        (round_.changed, round_.thrown, [(one.effects, one.before, one.after, one.memory) for one in round_.queues])
        for round_ in rounds.rounds
    ]
    return used, numbers, seen, [one.later for one in rounds.last.queues]


@dataclass(frozen=True)
class Runs:
    """Claims about one client in one mode, whose cases are run in the same way: once for all of them."""

    client: Client
    mode: Mode
    scenario: Scenario
    """Of the first of them."""
    claims: tuple[int, ...]
    """Their numbers."""


@dataclass(frozen=True)
class Trials:
    """All runs of some claims in cases of some sizes, in pieces."""

    claims: tuple[Claim, ...]
    runs: tuple[Runs, ...]
    sizes: tuple[Size, ...]
    pieces: tuple[tuple[int, int, int, int, int], ...]
    """Number of the runs, queues, departures, part, and of how many parts."""

    def __call__(self, piece: int) -> tuple[int, int, list[Count]]:
        """Number of the runs, how many cases were gone through, what is known of each claim."""
        start = process_time()
        number, queues, departures, *part = self.pieces[piece]
        runs = self.runs[number]
        counts = [Count() for _ in runs.claims]
        scenarios: dict[Scenario, list[tuple[Guarantee, Count]]] = {}
        for place, count in zip(runs.claims, counts, strict=True):
            claim = self.claims[place]
            scenarios.setdefault(claim.world, []).append((claim.guarantee, count))
        gone = 0
        for case in cases(runs.scenario, runs.client, runs.mode, queues, departures, *part):
            gone += 1
            admitting = [pair for pair in scenarios.items() if pair[0].admits(case, runs.mode)]
            if not admitting:
                continue
            rounds = run_case(runs.scenario, runs.client, runs.mode, case)
            digest = digest_of(done(rounds))
            for scenario, promise, count in ((pair[0], *promised) for pair in admitting for promised in pair[1]):
                count.admitted += 1
                count.digest = (count.digest + digest) % MODULUS
                said = promise.violation(scenario.meant(rounds))
                if said:
                    count.violations += 1
                    count.smallest = min(filter(None, (count.smallest, (queues, departures, said))))
        for count in counts:
            count.seconds = (process_time() - start) / len(counts)
        return number, gone, counts

    def count(self, runs: Runs) -> int:
        """How many cases there are, by their closed form."""
        return sum(count_cases(runs.scenario, runs.client, runs.mode, *size) for size in self.sizes)


def promises(
    spark: SparkSession,
    claims: Sequence[Claim],
    depths: Sequence[int],
    deepest: int = 0,
    partitions: int | None = None,
) -> tuple[Promised, ...]:
    """Tries every claim in every mode of its scenario; all of them have a ``Scenario`` for a premise.

    All cases with up to ``depths[q - 1]`` departures, of q queues, are looked at. Where a claim is expected to fail,
    and has not in some mode, it is up to ``deepest`` departures. ``partitions`` is how many tasks the work is cut into;
    the result is the same.
    """
    start = perf_counter()
    near = [(queues, fewer) for queues, depth in enumerate(depths, 1) for fewer in range(depth + 1)]
    far = [(queues, more) for queues, depth in enumerate(depths, 1) for more in range(depth + 1, deepest + 1)]
    counts = _tried(spark, trials(claims, uses(claims), near), partitions)
    farther: dict[int, list[str]] = {}
    left = [
        (place, mode)
        for place, mode in uses(claims)
        if claims[place].expected is Verdict.REFUTED and not counts[place, mode].violations
    ]
    for use, count in _tried(spark, trials(claims, left, far), partitions).items():
        counts[use].merge(count)
        farther.setdefault(use[0], []).append(use[1].name)
    # the time of the jobs, shared out by the time that the workers took
    share = (perf_counter() - start) / (sum(count.seconds for count in counts.values()) or 1.0)
    return tuple(
        replace(
            promised(claim, depths, {mode: counts[place, mode] for mode in claim.world.modes}, share),
            farther=tuple(farther.get(place, ())),
        )
        for place, claim in enumerate(claims)
    )


def uses(claims: Sequence[Claim]) -> list[Use]:
    """Every claim in every mode."""
    return [(place, mode) for place, claim in enumerate(claims) for mode in claim.world.modes]


def trials(claims: Sequence[Claim], used: Sequence[Use], sizes: Sequence[Size]) -> Trials:
    """The runs that the claims need in those modes."""
    alike: dict[tuple, list[int]] = {}
    for place, mode in used:
        scenario, client = claims[place].world, claims[place].subjects[0]
        alike.setdefault((client, mode, scenario.rounds, scenario.action, scenario.apart), []).append(place)
    found = [(client, mode, tuple(places)) for (client, mode, *_), places in alike.items()]
    runs = tuple(Runs(client, mode, claims[places[0]].world, places) for client, mode, places in found)
    pieces = []
    for number, one in enumerate(runs):
        for size in sizes:
            parts = -(-count_cases(one.scenario, one.client, one.mode, *size) // CASES)
            pieces += [(number, *size, part, parts) for part in range(parts)]
    return Trials(tuple(claims), runs, tuple(sizes), tuple(pieces))


def _tried(spark: SparkSession, work: Trials, partitions: int | None) -> dict[Use, Count]:
    """One Spark job; none where there is nothing to try."""
    return gathered(work, run(spark, work, len(work.pieces), partitions) if work.pieces else ())


def gathered(work: Trials, pieces: Iterable[tuple[int, tuple[int, int, list[Count]]]]) -> dict[Use, Count]:
    """What the pieces found, each given by its number and its finding, claim by claim and mode by mode."""
    gone = [0] * len(work.runs)
    counts = {(place, runs.mode): Count() for runs in work.runs for place in runs.claims}
    for _, (number, more, found) in pieces:
        gone[number] += more
        runs = work.runs[number]
        for place, part in zip(runs.claims, found, strict=True):
            counts[place, runs.mode].merge(part)
    for runs, met in zip(work.runs, gone, strict=True):
        for place in runs.claims:
            count = counts[place, runs.mode]
            count.gone = met
            count.complete &= met == work.count(runs)
    return counts


def promised(claim: Claim, depths: Sequence[int], counts: Mapping[Mode, Count], share: float = 1.0) -> Promised:
    """The record of one claim; ``share`` turns the workers' seconds into the job's."""
    whole = Count()
    for count in counts.values():
        whole.merge(count)
    return Promised(
        claim=claim.id,
        depths=tuple(depths),
        cases=whole.admitted,
        gone={mode.name: count.gone for mode, count in counts.items()},
        digest=f"{whole.digest:016x}",
        complete=whole.complete,
        violations={mode.name: count.violations for mode, count in counts.items()},
        smallest=whole.smallest[:2] if whole.smallest else None,
        sentence=whole.smallest[2] if whole.smallest else "",
        seconds=whole.seconds * share,
    )
