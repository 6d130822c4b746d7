"""Claims about transitions, tested on client code in all cases with few non-default values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.scenario import Action, Scenario
from rebalance_proofs.proofs.transition.search import cases, count_cases, count_part, run_case
from rebalance_proofs.spark_enum.check import Check, Keep, Run
from rebalance_proofs.spark_enum.distinct import digest_of
from rebalance_proofs.spark_enum.results import Finding, Totals, Wrong
from rebalance_proofs.spark_enum.transition.kinds import ADMITTED, FARTHER, GONE, PROMISES

CASES = 400
"""Approximate number of cases in one piece of work."""

FIRST = 16
"""For large sizes, one part in this many is tried first, and the rest if no claim fails there."""

Size = tuple[int, int]
"""Size of a case: number of queues, and number of non-default values."""

Part = tuple[int, int, int, int]
"""Part of the cases of a size: queues, non-default values, index of the part, number of parts."""

Use = tuple[Claim, Mode]
"""A claim, and one of the modes to which it applies."""

Seen = tuple[Rounds, int, str | None]
"""Observation of a case: rebalances, their digest, and a violation in words (or None)."""


def done(rounds: Rounds) -> tuple[object, ...]:
    """Return the case, and everything that the client code did to every queue, for a digest."""
    mode = rounds.mode
    used = (mode.kind, mode.orderly, mode.broadcasting, mode.order, mode.own_store)
    seen = [
        (round_.changed, round_.thrown, [(one.effects, one.before, one.after, one.memory) for one in round_.queues])
        for round_ in rounds.rounds
    ]
    return used, _numbers(rounds), seen, [one.later for one in rounds.last.queues]


def _numbers(rounds: Rounds) -> list[list[int]]:
    case = rounds.case
    return [list(found.values()) for found in (case.consumer, *case.queues, *chain.from_iterable(case.rounds))]


@dataclass(frozen=True)
class Runs:
    """Several claims about one client and mode that are tested on the same runs of client code.

    The totals have a part for each claim under its id. A violation is counted there under the mode's name.
    """

    client: Client
    mode: Mode
    claims: tuple[Claim, ...]
    parts: tuple[Part, ...]
    sizes: tuple[Size, ...] = ()
    """The sizes of the tested cases, if all cases of these sizes are tested; otherwise empty."""

    @property
    def scenario(self) -> Scenario:
        """The scenario of the first claim, which determines how the code is run."""
        scenario: Scenario = self.claims[0].world
        return scenario

    def check(self) -> Check:
        """Return the check; for whole sizes, the expected number of cases comes from a closed form."""
        of = self.scenario, self.client, self.mode
        whole = sum(count_cases(*of, *size) for size in self.sizes)
        expected = whole if self.sizes else sum(count_part(*of, *part) for part in self.parts)
        name = f"{self.client.name} {self.mode.name}"
        return Check(PROMISES, name, len(self.parts), expected, self, self.client.name, self.mode.name)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        queues, departures, *part = self.parts[piece]
        totals = Totals()
        scenarios: dict[Scenario, list[Claim]] = {}
        for claim in self.claims:
            scenarios.setdefault(claim.world, []).append(claim)
            totals.part(claim.id).broken[self.mode.name] = 0
        kept: dict[str, list[Seen]] = {claim.id: [] for claim in self.claims}
        for case in cases(self.scenario, self.client, self.mode, queues, departures, *part):
            totals.counted += 1
            admitting = [pair for pair in scenarios.items() if pair[0].admits(case, self.mode)]
            if not admitting:
                continue
            rounds = run_case(self.scenario, self.client, self.mode, case)
            digest = digest_of(done(rounds))
            for scenario, claim in ((pair[0], claim) for pair in admitting for claim in pair[1]):
                found = totals.part(claim.id)
                found.counted += 1
                found.adds(digest)
                said = claim.guarantee.violation(scenario.meant(rounds))
                if said:
                    found.breaks(self.mode.name, Wrong((queues, departures), (), said))
                if keep:
                    kept[claim.id].append((rounds, digest, said))
        for name, cases_ in kept.items():
            if keep and cases_:
                self._keep(name, queues, departures, cases_, keep)
        return totals

    def _keep(self, claim: str, queues: int, departures: int, kept: Sequence[Seen], keep: Keep) -> None:
        told, digests, said = zip(*kept, strict=True)
        keep(
            check=[claim] * len(kept),
            queues=[queues] * len(kept),
            digits=[list(chain.from_iterable(_numbers(rounds))) for rounds in told],
            numbers={"departures": [departures] * len(kept)},
            digest=np.array(digests, dtype=np.uint64),
            broken=[[(self.mode.name, sentence)] if sentence else [] for sentence in said],
        )


def promises(run: Run, claims: Sequence[Claim], depths: Sequence[int], deepest: int = 0) -> tuple[Finding, ...]:
    """Test every claim in every mode to which it applies.

    All cases of q queues with up to ``depths[q - 1]`` non-default values are tried. If a claim is expected to fail, and
    does not fail in some mode, cases with up to ``deepest`` non-default values follow, until it fails. Fewer queues and
    values come first.
    """
    near = [(queues, fewer) for queues, depth in enumerate(depths, 1) for fewer in range(depth + 1)]
    far = [(queues, more) for queues, depth in enumerate(depths, 1) for more in range(depth + 1, deepest + 1)]
    found = tried(run, trials(uses(claims), near))
    for size in far:
        found += tried(run, some(unbroken(claims, found), size, 0))
        found += tried(run, some(unbroken(claims, found), size, 1))
    return tuple(promised(claim, found, depths) for claim in claims)


def unbroken(claims: Sequence[Claim], found: Sequence[tuple[Runs, Totals]]) -> list[Use]:
    """Return the claims that should fail, with each mode in which they have not failed yet."""
    broken = {(claim, mode) for _, totals in found for claim, part in totals.parts.items() for mode in +part.broken}
    return [
        (claim, mode)
        for claim, mode in uses(claims)
        if claim.expected is Verdict.REFUTED and (claim.id, mode.name) not in broken
    ]


def tried(run: Run, runs: Sequence[Runs]) -> list[tuple[Runs, Totals]]:
    """Run all ``runs`` in one job, and return each with its totals."""
    return list(zip(runs, run([one.check() for one in runs]), strict=True))


def uses(claims: Sequence[Claim]) -> list[Use]:
    """Return each claim with each mode to which it applies."""
    return [(claim, mode) for claim in claims for mode in claim.world.modes]


def trials(used: Sequence[Use], sizes: Sequence[Size]) -> list[Runs]:
    """Return the runs for these claims and modes, with all cases of these sizes."""
    return [
        Runs(client, mode, claims, tuple(chain.from_iterable(parts.values())), tuple(sizes))
        for client, mode, claims, parts in together(used, sizes)
    ]


def some(used: Sequence[Use], size: Size, turn: int) -> list[Runs]:
    """Return the runs for some cases of one size.

    Turn 0 has one in ``FIRST`` parts of the cases, turn 1 has the other parts. The cases of each part are spread over
    all cases of the size.
    """
    found = []
    for client, mode, claims, parts in together(used, [size]):
        first = -(-len(parts[size]) // FIRST)
        chosen = parts[size][first:] if turn else parts[size][:first]
        found += [Runs(client, mode, claims, chosen)] * bool(chosen)
    return found


def together(
    used: Sequence[Use], sizes: Sequence[Size]
) -> Iterator[tuple[Client, Mode, tuple[Claim, ...], dict[Size, tuple[Part, ...]]]]:
    """Yield claims that can share runs of client code: client, mode, claims, parts of each size."""
    alike: dict[tuple[Client, Mode, int, Action, bool], list[Claim]] = {}
    for claim, mode in used:
        scenario = claim.world
        how = claim.subjects[0], mode, scenario.rounds, scenario.action, scenario.apart
        alike.setdefault(how, []).append(claim)
    for (client, mode, *_), claims in alike.items():
        parts = {}
        for size in sizes:
            of = -(-count_cases(claims[0].world, client, mode, *size) // CASES)
            parts[size] = tuple((*size, part, of) for part in range(of))
        yield client, mode, tuple(claims), parts


def promised(claim: Claim, found: Sequence[tuple[Runs, Totals]], depths: Sequence[int]) -> Finding:
    """Return the finding for one claim, from all runs of which it is a part.

    The first run of a mode has few non-default values. If a run has an unexpected number of cases, it counts as a
    difference.
    """
    whole = Totals()
    counted = expected = 0
    for runs, totals in found:
        if claim in runs.claims:
            due = runs.check().expected
            whole.merge(totals.part(claim.id))
            mode, gone = runs.mode.name, totals.counted
            whole.numbers[f"{FARTHER}, {mode}"] += gone if f"{GONE}, {mode}" in whole.numbers else 0
            whole.numbers[f"{GONE}, {mode}"] += gone
            whole.differing += gone != due
            counted, expected = counted + gone, expected + due
    whole.numbers[ADMITTED] = whole.counted
    numbers = {name: number for name, number in whole.numbers.items() if number or not name.startswith(FARTHER)}
    broken = {mode.name: whole.broken[mode.name] for mode in claim.world.modes}
    return Finding(
        kind=PROMISES,
        name=claim.id,
        expected=expected,
        subject=subject(claim.subjects),
        bounds={f"queues {queues}": depth for queues, depth in enumerate(depths, 1)},
        **whole.told | {"counted": counted, "broken": broken, "numbers": numbers},
    )
