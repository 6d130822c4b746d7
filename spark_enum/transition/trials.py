"""Guarantees about transitions, tested on client code in all cases with few deviations."""

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
from rebalance_proofs.spark_enum.check import Check, Run
from rebalance_proofs.spark_enum.distinct import digest_of
from rebalance_proofs.spark_enum.results import Finding, Wrong
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals
from rebalance_proofs.spark_enum.transition.kinds import ADMITTED, FARTHER, GONE, PROMISES

CASES = 400
"""Approximate number of cases in one piece of work."""

FIRST = 16
"""One part in this many is tried first, for sizes that are searched only until a claim fails."""

Size = tuple[int, int]
"""Number of queues, and of deviations from the defaults."""

Part = tuple[int, int, int, int]
"""Number of queues, deviations, part, and number of parts."""

Use = tuple[Claim, Mode]
"""A claim, and a mode of its scenario."""

Seen = tuple[Rounds, int, str | None]
"""Rounds of a case, their digest, and a sentence about the claim's violation (None if none)."""


def done(rounds: Rounds) -> tuple[object, ...]:
    """Return the case, and everything that the client's code did to every queue in every round."""
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
    """Claims about one client and mode whose cases run in the same way, once for all of them.

    The totals have a part for each claim under its id, whose violations are counted under the mode's name.
    """

    client: Client
    mode: Mode
    claims: tuple[Claim, ...]
    parts: tuple[Part, ...]
    sizes: tuple[Size, ...] = ()
    """Sizes of the parts, if ``parts`` has all parts of these sizes."""

    @property
    def scenario(self) -> Scenario:
        """The scenario of the first claim."""
        scenario: Scenario = self.claims[0].world
        return scenario

    def check(self) -> Check:
        """Return the check, which expects the number of cases: for whole sizes by their closed form."""
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
    """Test every claim in every mode of its scenario; the world of each is a ``Scenario``.

    All cases of q queues with up to ``depths[q - 1]`` deviations are tried. If a claim is expected to fail, and does
    not fail in some mode, cases with up to ``deepest`` deviations follow, fewest queues and deviations first, until it
    fails.
    """
    near = [(queues, fewer) for queues, depth in enumerate(depths, 1) for fewer in range(depth + 1)]
    far = [(queues, more) for queues, depth in enumerate(depths, 1) for more in range(depth + 1, deepest + 1)]
    found = tried(run, trials(uses(claims), near))
    for size in far:
        found += tried(run, some(unbroken(claims, found), size, 0))
        found += tried(run, some(unbroken(claims, found), size, 1))
    return tuple(promised(claim, found, depths) for claim in claims)


def unbroken(claims: Sequence[Claim], found: Sequence[tuple[Runs, Totals]]) -> list[Use]:
    """Return the claims that are expected to fail, each in the modes where it has not failed."""
    broken = {(claim, mode) for _, totals in found for claim, part in totals.parts.items() for mode in +part.broken}
    return [
        (claim, mode)
        for claim, mode in uses(claims)
        if claim.expected is Verdict.REFUTED and (claim.id, mode.name) not in broken
    ]


def tried(run: Run, runs: Sequence[Runs]) -> list[tuple[Runs, Totals]]:
    """Run all ``runs`` in one job."""
    return list(zip(runs, run([one.check() for one in runs]), strict=True))


def uses(claims: Sequence[Claim]) -> list[Use]:
    """Return every claim in every mode."""
    return [(claim, mode) for claim in claims for mode in claim.world.modes]


def trials(used: Sequence[Use], sizes: Sequence[Size]) -> list[Runs]:
    """Return the runs that the claims need in those modes."""
    return [
        Runs(client, mode, claims, tuple(chain.from_iterable(parts.values())), tuple(sizes))
        for client, mode, claims, parts in together(used, sizes)
    ]


def some(used: Sequence[Use], size: Size, turn: int) -> list[Runs]:
    """Return the runs of some cases of one size.

    Turn 0: one part in ``FIRST``; turn 1: the rest. Each part has cases from everywhere.
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
    """Yield the claims whose cases run in the same way, with the parts of each size."""
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
    """Return the finding for one claim, over all runs that it shares.

    The first run of a mode has few deviations. Modes with an unexpected number of cases are counted as differing.
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
