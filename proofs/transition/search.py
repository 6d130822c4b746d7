"""The smallest counterexample of a claim about transitions: fewest queues first, then fewest departures from benign."""

from collections.abc import Iterator, Mapping
from itertools import combinations, islice, product
from types import SimpleNamespace
from typing import cast

import z3

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.rounds import Rounds, run, run_apart, run_renewed, run_unsubscribed
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.variables import MODE, ROUND, Case, Variable
from rebalance_proofs.proofs.limit import OutOfTime, within
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample, Search
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.transition.promise import Promise
from rebalance_proofs.proofs.transition.scenario import Action, Scenario, numbers_of

RENEWED = ("present", "dropped", "locked", "static", "lock")
"""All that matters where locks are renewed."""

MOST_DEPARTURES = 4
"""Cases with more departures from a benign round are not gone through."""


def text(
    subject: str,
    promise: Promise,
    scenario: Scenario,
    encoding: TransitionEncoding,
    queues: int,
    mode: Mode | None = None,
    departures: int | None = None,
) -> str:
    """So many queues that break the promise: unsatisfiable when there are none, in any state whatever."""
    v = SimpleNamespace(**{name: z3.Int(name) for name in scenario.names(queues)})
    if mode:
        for known in MODE:
            setattr(v, known.name, z3.IntVal(getattr(mode, known.name)))
    labelled = scenario.given(v, queues)
    labelled["the promise is broken"] = promise.violated(encoding, v, scenario, queues)
    bound = "" if departures is None else f", at most {departures} departures from a benign round"
    if departures is not None:
        away = [z3.If(getattr(v, name) != known.benign, 1, 0) for name, known in scenario.unknowns(queues)]
        labelled["few departures"] = z3.Sum(away) <= departures
    used = f", {mode.name}" if mode else ""
    title = f"{subject}{used} / a table of {queues} queues{bound}\n{promise.sentence}: sat = broken"
    return render(title, [Assertion(label, formula) for label, formula in labelled.items()])


async def search(subject: str, promise: Promise, scenario: Scenario, clients: tuple[Client, ...], pool: Pool) -> Search:
    """The smallest table that breaks the promise, in any mode of the scenario; each solver's model is replayed.

    A promise that is not broken in every one of the modes is not refuted: there is no counterexample then.
    """
    asking = _Asking(subject, promise, scenario, clients[0], pool)
    try:
        return asking.result(await _example(asking, promise, scenario, clients[0]))
    except OutOfTime as error:
        asking.gave_up = str(error)
        return asking.result(None)


async def _example(asking: "_Asking", promise: Promise, scenario: Scenario, client: Client) -> Counterexample | None:
    for queues in range(1, scenario.most_queues + 1):
        smallest = await asking.ask(queues)
        if smallest.outcome is not Outcome.UNSAT:
            break
    if smallest.outcome is not Outcome.SAT or not await _broken_everywhere(asking, queues):
        return None
    with within(f"going through the cases of {queues} queues"):
        example = plainest_violation(promise, scenario, client, queues)
    if example is None:
        asking.replays = False
        return None
    # what the code breaks has to break the formula too: of its other violations each could be a larger one
    same = await asking.ask(queues, departures=example.departures)
    asking.replays &= same.outcome is not Outcome.UNSAT
    asking.minimal = same.outcome is Outcome.SAT
    if example.departures:
        smaller = await asking.ask(queues, departures=example.departures - 1)
        asking.minimal &= smaller.outcome is Outcome.UNSAT
    return example


def plainest_violation(promise: Promise, scenario: Scenario, client: Client, queues: int) -> Counterexample | None:
    """Of the smallest in each mode the smallest, and of several that of the mode that is named first."""
    found = [first_violation(promise, scenario, client, mode, queues) for mode in scenario.modes]
    return min((one for one in found if one), key=lambda one: one.size, default=None)


def _failures(example: Counterexample) -> int:
    """How many answers of the environment are not benign."""
    told = [asked for round_ in cast(Rounds, example.group).case.rounds for asked in round_]
    answers = [known for known in ROUND if known.name != "in_set"]
    return sum(asked[known.name] != known.benign for asked in told for known in answers)


async def _broken_everywhere(asking: "_Asking", queues: int) -> bool:
    """Whether each mode has a violation, with so many queues or more."""
    for mode in asking.scenario.modes if len(asking.scenario.modes) > 1 else ():
        for count in range(queues, asking.scenario.most_queues + 1):
            question = await asking.ask(count, mode)
            if question.outcome is Outcome.SAT:
                break
        else:
            return False
    return True


class _Asking:
    """The questions of one search, and whether what the solvers found is so."""

    def __init__(self, subject: str, promise: Promise, scenario: Scenario, client: Client, pool: Pool) -> None:
        self.scenario = scenario
        self.minimal = self.replays = True
        self.gave_up = ""
        self._subject, self._promise, self._client, self._pool = subject, promise, client, pool
        self._questions: list[Question] = []

    async def ask(self, queues: int, mode: Mode | None = None, departures: int | None = None) -> Question:
        """Asks for a violation, and replays it."""
        asked = text(self._subject, self._promise, self.scenario, self._client.encoding, queues, mode, departures)
        named = f"{mode.slug}-" if mode else ""
        bound = "" if departures is None else f"-departures-{departures}"
        question = Question(f"{named}queues-{queues}{bound}", asked, await self._pool.ask_all(asked))
        self._questions.append(question)
        for answer in question.answers:
            if answer.outcome is Outcome.SAT:
                self.replays &= self._breaks(answer.model, queues, mode)
        return question

    def _breaks(self, model: Mapping[str, int], queues: int, mode: Mode | None) -> bool:
        case = numbers_of(model, queues, self.scenario.rounds)
        mode = mode or self.scenario.mode_of(model)
        if not self.scenario.admits(case, mode):
            return False
        with within(f"replaying a model of {queues} queues on the client's code"):
            return self._promise.violation(run_case(self.scenario, self._client, mode, case)) is not None

    def result(self, example: Counterexample | None) -> Search:
        """What was found."""
        most = self.scenario.most_queues
        return Search(tuple(self._questions), example, self.minimal, self.replays, most, self.gave_up)


def run_case(scenario: Scenario, client: Client, mode: Mode, case: Case) -> Rounds:
    """The case on the client's own code, as the scenario has it."""
    if scenario.action is Action.UNSUBSCRIBES:
        return run_unsubscribed(client, mode, case)
    if scenario.action is Action.RENEWS:
        return scenario.meant(run_renewed(client, mode, case))
    return scenario.meant((run_apart if scenario.apart else run)(client, mode, case))


async def violation(
    subject: str, promise: Promise, scenario: Scenario, encodings: tuple[TransitionEncoding, ...], pool: Pool
) -> Question | None:
    """The first size of table at which all solvers find a violation, for an encoding without a client behind it."""
    for queues in range(1, scenario.most_queues + 1):
        asked = text(subject, promise, scenario, encodings[0], queues)
        question = Question(f"violation-{queues}", asked, await pool.ask_all(asked))
        if question.outcome is Outcome.SAT:
            return question
    return None


def cases(
    scenario: Scenario, client: Client, mode: Mode, queues: int, departures: int, part: int = 0, parts: int = 1
) -> Iterator[Case]:
    """Every case of so many queues that departs from a benign round in exactly so many values, or a part of them.

    What the client never looks at in that mode stays benign.
    """
    chosen = combinations(_places(scenario, client, mode, queues), departures)
    for named in islice(chosen, part, None, parts):
        for values in product(*(others for _, others in named)):
            given: Mapping[str, int] = {name: value for (name, _), value in zip(named, values, strict=True)}
            yield numbers_of(given, queues, scenario.rounds)


def count_cases(scenario: Scenario, client: Client, mode: Mode, queues: int, departures: int) -> int:
    """Closed form of how many ``cases`` there are: the elementary symmetric polynomial of the other values' numbers."""
    sums = [1] + [0] * departures
    for _, others in _places(scenario, client, mode, queues):
        for degree in range(departures, 0, -1):
            sums[degree] += len(others) * sums[degree - 1]
    return sums[departures]


def _places(scenario: Scenario, client: Client, mode: Mode, queues: int) -> list[tuple[str, tuple[int, ...]]]:
    """Every unknown and its values that are not benign.

    What a round brings comes first: of two smallest cases, the one in which the share changes is told.
    """

    def values(known: Variable) -> tuple[int, ...]:
        if scenario.action is Action.RENEWS:
            return known.values if known.name in RENEWED else ()
        return client.values(known, mode.own_store)

    found = [(name, values(known)[1:]) for name, known in scenario.unknowns(queues)]
    return [(name, others) for name, others in found if others]


def first_violation(
    promise: Promise, scenario: Scenario, client: Client, mode: Mode, queues: int
) -> Counterexample | None:
    """The plainest of the smallest cases in which the client's code breaks the promise.

    Of a table of several queues, whose cases are many, it is the first in the order of ``cases``.
    """
    for departures in range(MOST_DEPARTURES + 1):
        found: list[Counterexample] = []
        for case in cases(scenario, client, mode, queues, departures):
            if scenario.admits(case, mode):
                rounds = run_case(scenario, client, mode, case)
                sentence = promise.violation(rounds)
                if sentence:
                    found.append(Counterexample(1, queues, (), rounds, sentence, departures))
                    if queues > 1 or not _failures(found[-1]):
                        break
        if found:
            return min(found, key=_failures)
    return None
