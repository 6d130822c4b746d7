"""Search for the smallest counterexample of a claim about rebalances.

It has the fewest queues, then the fewest deviations. A deviation is a value other than the variable's default. The
defaults describe a rebalance without failures.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, islice, product
from math import prod
from types import SimpleNamespace
from typing import NamedTuple, cast

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import FAILED, LOCKS, PERSISTS, THROWN, UNANSWERED
from rebalance_proofs.model.transition.rounds import Rounds, run, run_apart, run_renewed, run_unsubscribed
from rebalance_proofs.model.transition.variables import MODE, ROUND, Case, Variable
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.transition.scenario import Action, Scenario, SymbolicRounds, numbers_of

# Possible failures in a scenario of a claim about rebalances, in words, from its limits.

NOTHING = "nothing"


def failing(scenario: Scenario) -> str:
    """Return the possible failures, in any rebalance and of any queue: ``locks, unlocks``.

    The result is ``nothing`` if no failure is possible. A lock is denied, or the call fails; an unlock is lost; a
    broker's address is unknown; a query is answered with an error, or not at all; an offset cannot be sent or
    written. Only a user-defined store can throw an unexpected exception.
    """
    able = [words for words, fails in KINDS_OF_FAILURE.items() if any(fails(scenario, mode) for mode in scenario.modes)]
    said = [words for words in able if words in MET[scenario.action]]
    return ", ".join(said) or NOTHING


def _open(scenario: Scenario, name: str, value: int, mode: Mode) -> bool:
    """Return whether the scenario's limits allow that value of the variable in some rebalance."""
    limits = [limit for limit in scenario.limits if limit.name == name]
    rounds = range(scenario.rounds)
    return any(all(limit.admits(value, mode) for limit in limits if limit.round in (None, round_)) for round_ in rounds)


def _lock(scenario: Scenario, word: str, mode: Mode) -> bool:
    asks = mode.order or (mode.orderly and not mode.broadcasting)
    return bool(asks) and _open(scenario, "lock", LOCKS.index(word), mode)


def _can_throw(scenario: Scenario, mode: Mode) -> bool:
    throws = (("persist", PERSISTS.index("throw")), ("stored", THROWN), ("queried", THROWN))
    return bool(mode.own_store) and any(_open(scenario, name, value, mode) for name, value in throws)


def _stores(scenario: Scenario, mode: Mode, *, broadcasting: bool) -> bool:
    own = mode.own_store or bool(mode.broadcasting) is not broadcasting
    return not own and _open(scenario, "persist", PERSISTS.index("throw"), mode)


KINDS_OF_FAILURE: Mapping[str, Callable[[Scenario, Mode], bool]] = {
    "locks": lambda scenario, mode: _lock(scenario, "denied", mode) or _lock(scenario, "exc", mode),
    "unlocks": lambda scenario, mode: _lock(scenario, "unlockexc", mode),
    "broker addresses": lambda scenario, mode: _lock(scenario, "nobroker", mode),
    "offset queries": lambda scenario, mode: (
        _open(scenario, "stored", UNANSWERED, mode) or _open(scenario, "queried", FAILED, mode)
    ),
    "sending offsets": lambda scenario, mode: _stores(scenario, mode, broadcasting=False),
    "writing offsets": lambda scenario, mode: _stores(scenario, mode, broadcasting=True),
    "the user's store": _can_throw,
}
"""Failure in words -> function of scenario and mode of use: whether it is possible."""
MET = {Action.REBALANCES: tuple(KINDS_OF_FAILURE), Action.RENEWS: ("locks",), Action.UNSUBSCRIBES: ()}
"""Action of a client -> the failures that are possible during it.

A renewal of locks only requests locks, and unsubscribing sends no request to a broker.
"""


RENEWED = ("present", "dropped", "locked", "static", "lock")
"""Variables that can influence a renewal of locks; others keep their defaults."""

MOST_DEPARTURES = 4
"""The largest number of deviations (values that differ from defaults) of enumerated cases."""


class Bound(NamedTuple):
    """Restrictions of a query: the client's mode of use, and the largest number of deviations.

    None for no restriction.
    """

    mode: Mode | None = None
    departures: int | None = None


ANY = Bound()


class LookingAtTables(Looking):
    """A search for counterexamples; its sizes are numbers of queues in the client's table."""

    @property
    def limit(self) -> int:
        """Return the largest number of queues that is tried."""
        most: int = self.claim.world.most_queues
        return most

    def sizes(self) -> Iterator[Size]:
        """Return the numbers of queues to try."""
        return ((queues,) for queues in range(1, self.limit + 1))

    def named(self, size: Size, bound: Bound | None = None) -> str:
        """Return a name such as ``queues-1``, ``push-queues-2``, ``queues-1-departures-3``."""
        mode, departures = bound or ANY
        few = "" if departures is None else f"-departures-{departures}"
        return f"{mode.slug if mode else ''}{'-' if mode else ''}queues-{size[0]}{few}"

    def text(self, size: Size, bound: Bound | None = None) -> str:
        """Return an SMT-LIB text, satisfiable exactly if a table of that size breaks the guarantee."""
        scenario, guarantee, (queues,), (mode, departures) = self.claim.world, self.claim.guarantee, size, bound or ANY
        v = SimpleNamespace(**{name: smt.Int(name) for name in scenario.names(queues)})
        if mode:
            for known in MODE:
                setattr(v, known.name, smt.IntVal(getattr(mode, known.name)))
        labelled = scenario.given(v, queues)
        situation = SymbolicRounds(scenario, self.encodings[0], v, queues)
        labelled["the guarantee is broken"] = guarantee.violated(situation)
        few = "" if departures is None else f", at most {departures} deviations from a round without failures"
        if departures is not None:
            away = [smt.If(getattr(v, name) != known.benign, 1, 0) for name, known in scenario.unknowns(queues)]
            labelled["few departures"] = smt.Sum(away) <= departures
        used = f", {mode.name}" if mode else ""
        title = f"{self.title}{used} / a table of {queues} queues{few}\n{guarantee.sentence}: sat = broken"
        return render(title, [Assertion(label, formula) for label, formula in labelled.items()])

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Bound | None = None) -> None:
        """Run the client's code on the case that a solver's model describes."""
        self.replays &= self._breaks(model, size[0], (bound or ANY).mode)

    def _breaks(self, model: Mapping[str, int], queues: int, mode: Mode | None) -> bool:
        scenario = self.claim.world
        case = numbers_of(model, queues, scenario.rounds)
        mode = mode or scenario.mode_of(model)
        if not scenario.admits(case, mode):
            return False
        with within(f"replaying a model of {queues} queues on the client's code"):
            return self.claim.guarantee.violation(run_case(scenario, self.claim.subjects[0], mode, case)) is not None

    async def smallest(self, size: Size) -> Counterexample | None:
        """Return the counterexample with the fewest deviations, by enumeration.

        The solvers confirm that none has fewer. None if some mode of use does not break the guarantee: then the claim
        is not refuted.
        """
        queues = size[0]
        if not await self._broken_everywhere(queues):
            return None
        with within(f"enumerating the cases of {queues} queues"):
            claim = self.claim
            example = plainest_violation(claim.guarantee, claim.world, claim.subjects[0], queues)
        if example is None:
            self.replays = False
            return None
        # the code's violation must satisfy the formula too: other violations of the formula could be larger
        same = await self.ask(size, Bound(departures=example.departures))
        self.replays &= same.outcome is not Outcome.UNSAT
        self.minimal &= same.outcome is Outcome.SAT
        if example.departures:
            smaller = await self.ask(size, Bound(departures=example.departures - 1))
            self.minimal &= smaller.outcome is Outcome.UNSAT
        return example

    async def _broken_everywhere(self, queues: int) -> bool:
        """Return whether every mode of use has a violation with this many queues, or more."""
        modes = self.claim.world.modes
        for mode in modes if len(modes) > 1 else ():
            for count in range(queues, self.limit + 1):
                if (await self.ask((count,), Bound(mode))).outcome is Outcome.SAT:
                    break
            else:
                return False
        return True


def plainest_violation(guarantee: Guarantee, scenario: Scenario, client: Client, queues: int) -> Counterexample | None:
    """Return the violation with the fewest deviations over all modes of use.

    Of several with equally few, it is the one in the first mode of the scenario.
    """
    for departures in range(MOST_DEPARTURES + 1):
        for mode in scenario.modes:
            found = _plainest(guarantee, scenario, client, mode, queues, departures)
            if found:
                return found
    return None


def _failures(example: Counterexample) -> int:
    """Return the number of answers from brokers and store that differ from the default."""
    told = [asked for round_ in cast(Rounds, example.group).case.rounds for asked in round_]
    answers = [known for known in ROUND if known.name != "in_set"]
    return sum(asked[known.name] != known.benign for asked in told for known in answers)


def run_case(scenario: Scenario, client: Client, mode: Mode, case: Case) -> Rounds:
    """Run the case on the client's own code: rebalances, or the scenario's other action."""
    if scenario.action is Action.UNSUBSCRIBES:
        return run_unsubscribed(client, mode, case)
    if scenario.action is Action.RENEWS:
        return scenario.meant(run_renewed(client, mode, case))
    return scenario.meant((run_apart if scenario.apart else run)(client, mode, case))


def cases(
    scenario: Scenario, client: Client, mode: Mode, queues: int, departures: int, part: int = 0, parts: int = 1
) -> Iterator[Case]:
    """Yield all cases of ``queues`` queues with exactly ``departures`` deviations from defaults.

    With ``parts``, only the cases of one part (number ``part``). Variables that the client never uses in that mode
    keep their defaults.
    """
    chosen = combinations(_places(scenario, client, mode, queues), departures)
    for named in islice(chosen, part, None, parts):
        for values in product(*(others for _, others in named)):
            given: Mapping[str, int] = {name: value for (name, _), value in zip(named, values, strict=True)}
            yield numbers_of(given, queues, scenario.rounds)


def count_cases(scenario: Scenario, client: Client, mode: Mode, queues: int, departures: int) -> int:
    """Return the number of cases that ``cases`` yields, in closed form.

    It is an elementary symmetric polynomial of the variables' numbers of values other than the default.
    """
    sums = [1] + [0] * departures
    for _, others in _places(scenario, client, mode, queues):
        for degree in range(departures, 0, -1):
            sums[degree] += len(others) * sums[degree - 1]
    return sums[departures]


def count_part(
    scenario: Scenario, client: Client, mode: Mode, queues: int, departures: int, part: int, parts: int
) -> int:
    """Return the number of cases that ``cases`` yields for one part.

    It is a sum of products of the variables' numbers of values other than the default.
    """
    others = (len(values) for _, values in _places(scenario, client, mode, queues))
    return sum(map(prod, islice(combinations(others, departures), part, None, parts)))


def _places(scenario: Scenario, client: Client, mode: Mode, queues: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return every unknown with its values other than the default.

    The inputs of the rebalances come first: of two smallest cases, the one with changed assigned queues is then
    found.
    """

    def values(known: Variable) -> tuple[int, ...]:
        if scenario.action is Action.RENEWS:
            return known.values if known.name in RENEWED else ()
        return client.values(known, mode.own_store)

    found = [(name, values(known)[1:]) for name, known in scenario.unknowns(queues)]
    return [(name, others) for name, others in found if others]


def first_violation(
    guarantee: Guarantee, scenario: Scenario, client: Client, mode: Mode, queues: int
) -> Counterexample | None:
    """Return the case that breaks the guarantee with the fewest deviations, then failures.

    Tables of several queues have many cases: for them it is the first one in the order of ``cases``.
    """
    for departures in range(MOST_DEPARTURES + 1):
        found = _plainest(guarantee, scenario, client, mode, queues, departures)
        if found:
            return found
    return None


def _plainest(
    guarantee: Guarantee, scenario: Scenario, client: Client, mode: Mode, queues: int, departures: int
) -> Counterexample | None:
    """Return the violation with the fewest failures, for exactly ``departures`` deviations.

    For a table of several queues, it is the first violation. None if there is none.
    """
    found: list[Counterexample] = []
    for case in cases(scenario, client, mode, queues, departures):
        if scenario.admits(case, mode):
            rounds = run_case(scenario, client, mode, case)
            sentence = guarantee.violation(rounds)
            if sentence:
                found.append(Counterexample(1, queues, (), rounds, sentence, departures))
                if queues > 1 or not _failures(found[-1]):
                    break
    return min(found, key=_failures, default=None)
