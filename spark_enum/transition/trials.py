"""Claims about transitions, tested on client code in all cases with few non-default values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar

import numpy as np

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.model.transition.rounds import Rounds, answers_of, queue_of
from rebalance_proofs.model.transition.variables import ENTRY, MODE, ROUND
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.scenario import Action, Scenario
from rebalance_proofs.proofs.transition.search import cases, count_cases, count_part, run_case
from rebalance_proofs.spark_enum.check import Check, Keep, Run, added, digest_of, digests_of, distinct
from rebalance_proofs.spark_enum.results import Finding, Totals, Wrong
from rebalance_proofs.spark_enum.transition.columns import (
    NOTHING,
    QUIET,
    Became,
    Consumer,
    Outcome,
    asks_again,
    became_words,
    case_words,
    effects_words,
    phase_of,
    restore,
    returned_words,
    shaped,
    state_of,
    step_kernel,
    told,
)
from rebalance_proofs.spark_enum.transition.space import (
    ADMITTED,
    FARTHER,
    FIXED,
    GONE,
    NAMES,
    PROMISES,
    SINGLES,
    Cases,
    Columns,
    Space,
)

# Comparison of client code with its compiled formulas, for one queue in every case.
# It uses Python and NumPy, without Spark.

STATES = ("present", *(variable.name for variable in ENTRY))
ANSWERS = tuple(variable.name for variable in ROUND if variable.name != "in_set")

CASES_PER_PIECE = 2**14
"""Number of cases in one piece of work."""

Row = tuple[tuple[Effect, ...], Became, bool | None, int]
"""Result of a call: effects, the queue's state, return value (or None), exception's phase."""


@dataclass(frozen=True)
class Singles(Cases):
    """All cases of one client with a single queue."""

    client: Client
    space: Space

    kind: ClassVar[str] = SINGLES
    mode: Mode = field(default=Mode(""), init=False)
    """Not used, because the cases cover all modes."""
    letters: tuple[int, ...] = field(default=(), init=False)
    queues: int = field(default=1, init=False)

    @property
    def size(self) -> int:
        return self.space.size

    @property
    def step(self) -> int:
        return CASES_PER_PIECE

    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """Run client code in the cases ``begin`` .. ``end`` - 1, and compare with the formulas."""
        totals = Totals(counted=end - begin)
        for codes, columns in self.space.parts(begin, end):
            expected, kinds = _expected(self.client, columns)
            outcomes = np.array([digest_of(row) for row in expected], dtype=np.uint64)[kinds]
            wanted = [expected[kind] for kind in kinds.tolist()]
            differs: dict[int, str] = {}
            for place, found in _differing(self.client, columns, wanted):
                outcomes[place] = digest_of(found)
                numbers = {name: int(columns[name][place]) for name in NAMES}
                differs[place] = f"{case_words(numbers)}: code: {_said(found)}. Terms: {_said(wanted[place])}"
                totals.differs(Wrong((int(codes[place]),), (), differs[place]))
            digests = digests_of(codes, outcomes)
            totals.adds(added(digests))
            if keep:
                said = np.array([_said(row) for row in expected], dtype=object)[kinds]
                digits = np.stack([columns[name] for name in NAMES], axis=1)
                self.add(keep, differs, digits=digits, found=said, digest=digests)
        return totals


def _expected(client: Client, columns: Columns) -> tuple[list[Row], np.ndarray]:
    """Return the distinct results according to the formulas, and for each case an index into them."""
    layout, kernel = step_kernel(client)
    again = asks_again(client)
    found = shaped(kernel(*(columns[name] for name in NAMES), *NOTHING), len(columns["mine"]))
    found += [columns["mine"], columns["retry"]]  # the queue is part of every effect
    first, kinds = distinct(found)
    outcomes = []
    for *row, mine, retry in zip(*(column[first].tolist() for column in found), strict=True):
        outcomes.append(_row(layout.outcome(row, queue_of(0, mine, retry)), again))
    return outcomes, kinds


def _row(found: Outcome, again: tuple[Effect, ...]) -> Row:
    """Return the result of a call for a single queue; ``again``: effects of a denied lock."""
    quiet = found.phase == QUIET
    effects = (*found.effects, *again) if found.denied and quiet else found.effects
    return effects, found.became, found.changed if quiet else None, found.phase


def _differing(client: Client, columns: Columns, expected: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    """Yield the cases in which the client code has another result: index, and the code's result."""
    consumers, of_consumer = _kinds(columns, FIXED)
    states, of_state = _kinds(columns, STATES)
    answers, of_answers = _kinds(columns, ANSWERS)
    queues, of_queue = _kinds(columns, ("mine", "retry"))
    called = [_consumer(client, numbers) for numbers in consumers]
    entries = [called[0].entry(numbers | {"memory": NO_OFFSET}) for numbers in states]
    initial = [None if entry is None else state_of(entry) for entry in entries]
    known = [queue_of(0, **numbers) for numbers in queues]
    said = [[{queue: answers_of(numbers)} for numbers in answers] for queue in known]
    rows = (of_consumer, of_queue, of_state, of_answers, columns["memory"].tolist(), columns["in_set"].tolist())
    for place, (row, c, q, s, a, offset, in_set) in enumerate(zip(expected, *rows, strict=True)):
        consumer, queue, entry = called[c], known[q], entries[s]
        table = consumer.table
        table.clear()
        if entry is not None:
            table[queue] = entry
        consumer.memory.clear()
        if offset != NO_OFFSET:
            consumer.memory[queue] = offset
        changed, thrown, effects = consumer.update(said[q][a], consumer.topic, (queue,) if in_set else ())
        became = consumer.became(queue, entry)
        if became[0] != initial[s]:
            restore(entry, initial[s])
        wanted, left, returned, phase = row
        same = effects == wanted or told(effects) == wanted
        if not same or became != left or changed is not returned or phase_of(thrown) != phase:
            yield place, (effects, became, changed, phase_of(thrown))


def _kinds(columns: Columns, names: Sequence[str]) -> tuple[list[dict[str, int]], list[int]]:
    """Return the distinct values of these variables together, and each case's index into them."""
    first, kinds = distinct([columns[name] for name in names])
    return [{name: int(columns[name][place]) for name in names} for place in first], kinds.tolist()


def _consumer(client: Client, numbers: dict[str, int]) -> Consumer:
    mode = Mode("", **{variable.name: numbers[variable.name] for variable in MODE})
    return Consumer(client, mode, numbers["where"], numbers["retry"])


def _said(row: Row) -> str:
    effects, became, changed, phase = row
    return f"{effects_words(effects)}; {became_words(became)}; {returned_words(changed, phase)}"


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
