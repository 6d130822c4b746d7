"""The enumeration for transition claims, and contradictions between results and claims."""

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace

from rebalance_proofs.model.client.effects import SCHEDULE_UNLOCK, UNLOCK, Effect
from rebalance_proofs.model.client.environment import EXC, NO_BROKER, UNLOCK_EXC
from rebalance_proofs.model.client.process_queue_table import FREE
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import VARIANTS
from rebalance_proofs.model.transition.numbers import LOCKS
from rebalance_proofs.model.transition.rounds import Held, Round, Rounds, Watched, queue_of
from rebalance_proofs.model.transition.step import Entry, Step, TransitionEncoding
from rebalance_proofs.model.transition.variables import MODE, Case, name_of
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.named import number, truth
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.transition.scenario import Action, Scenario, numbers_of
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Run
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import LetterBounds, TransitionBounds
from rebalance_proofs.spark_enum.transition.calls import Calls
from rebalance_proofs.spark_enum.transition.columns import Alphabet, Outcome, columns_of
from rebalance_proofs.spark_enum.transition.columns import letters as letters_of
from rebalance_proofs.spark_enum.transition.kinds import PROMISES
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory
from rebalance_proofs.spark_enum.transition.relation import Relation
from rebalance_proofs.spark_enum.transition.space import every_case, real_cases
from rebalance_proofs.spark_enum.transition.tables import Tables
from rebalance_proofs.spark_enum.transition.trials import Singles, promises

# Rebalances according to a wrong formula (a mutant), to test that a claim's check detects it.


def sentence(claim: Claim, mutant: Mutant, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """Return the violation that the claim's check finds with the mutant's formula.

    ``model`` is the solver's counterexample to the mutant, and ``size`` is (queues,). None if the check finds no
    violation.
    """
    scenario, (queues,) = claim.world, size
    case = numbers_of(model, queues, scenario.rounds)
    rounds = rounds_of(claim.subjects[0], mutant.encoding, scenario, scenario.mode_of(model), case)
    return claim.guarantee.violation(scenario.meant(rounds))


def rounds_of(client: Client, encoding: TransitionEncoding, scenario: Scenario, mode: Mode, case: Case) -> Rounds:
    """Return the rebalances of a case according to the formulas.

    ``run_case`` returns the same for the client's code.
    """
    queues = len(case.queues)
    numbers = _unknowns(case) | {known.name: getattr(mode, known.name) for known in MODE}
    v = SimpleNamespace(**{name: smt.IntVal(numbers[name]) for name in scenario.names(queues)})
    table = scenario.table(encoding, v, queues)
    known = [_queue(scenario, case, place) for place in range(queues)]
    told = [_Told(view, queue, case, place) for place, (view, queue) in enumerate(zip(table.views, known, strict=True))]
    found = []
    for round_, thrown in enumerate(table.thrown):
        threw = truth(thrown)
        watched = tuple(one.watched(round_) for one in told)
        changed = any(one.outcomes[round_].changed for one in told)
        effects = tuple(effect for one in watched for effect in one.effects)
        found.append(Round(None if threw else changed, "thrown" if threw else "", effects, watched))
    return Rounds(client, mode, case, tuple(found))


def _unknowns(case: Case) -> dict[str, int]:
    """Return the value of every variable of the case, by the variable's name.

    This is the inverse of ``numbers_of``.
    """
    found = dict(case.consumer)
    for place, state in enumerate(case.queues):
        found |= {name_of(name, place): value for name, value in state.items()}
        for round_, asked in enumerate(case.rounds):
            found |= {name_of(name, place, round_): value for name, value in asked[place].items()}
    return found


def _queue(scenario: Scenario, case: Case, place: int) -> MessageQueue:
    numbers = case.queues[place]
    static = scenario.action is Action.RENEWS and numbers["static"]
    return queue_of(0 if scenario.apart else place, numbers["mine"], case.consumer["retry"], static)


class _Told:
    """One queue in all rebalances of a case, according to the formulas."""

    def __init__(self, view: View, queue: MessageQueue, case: Case, place: int) -> None:
        self._queue = queue
        self._mine = queue.topic == queue_of(0, 1, case.consumer["retry"]).topic
        self._asked = [asked[place] for asked in case.rounds]
        entries = [view.before, *(step.after for step in view.steps)]
        self._held = [_held(entry) for entry in entries]
        self._locks = [number(entry.consume_lock) if truth(entry.present) else FREE for entry in entries]
        self._memory = [number(entry.memory) for entry in entries]
        self.outcomes = [_outcome(*pair, queue) for pair in zip(view.steps, entries, strict=False)]

    def watched(self, round_: int) -> Watched:
        """Return the observation of the queue in the rebalance number ``round_``."""
        last = round_ == len(self.outcomes) - 1
        return Watched(
            queue=self._queue,
            mine=self._mine,
            asked=SimpleNamespace(**self._asked[round_]),
            before=self._held[round_],
            after=self._held[round_ + 1],
            consume_lock=self._locks[round_],
            memory=(self._memory[round_], self._memory[round_ + 1]),
            effects=self.outcomes[round_].effects,
            later=self._later() if last else (),
        )

    def _later(self) -> tuple[Effect, ...]:
        """Return the delayed unlocks of all rebalances, with the answers of the broker."""
        found = []
        for outcome, asked in zip(self.outcomes, self._asked, strict=True):
            said = LOCKS[asked["lock"]]
            if said != NO_BROKER and any(effect[0] == SCHEDULE_UNLOCK for effect in outcome.effects):
                found.append((UNLOCK, self._queue, EXC) if said == UNLOCK_EXC else (UNLOCK, self._queue))
        return tuple(found)


def _outcome(step: Step, before: Entry, queue: MessageQueue) -> Outcome:
    layout, terms = columns_of(step, before)
    return layout.outcome([truth(term) if smt.is_bool(term) else number(term) for term in terms], queue)


def _held(entry: Entry) -> Held | None:
    if not truth(entry.present):
        return None
    return Held(truth(entry.dropped), truth(entry.locked), number(entry.tries), truth(entry.fresh))


# All comparisons of client code, compiled formulas and solver models, in a few Spark jobs.

BEHAVIOURS, OUTCOMES = 2, 3
"""Number of fields of ``Alphabet`` whose letters are used; see ``Alphabet.at_most``."""

NOBODY = 0
"""Index in ``columns.OTHERS`` if no other queue causes an exception."""

JOBS = 5
"""Number of Spark jobs that ``transitions`` runs."""


def transitions(run: Run, clients: Sequence[Client], bounds: TransitionBounds) -> Iterator[tuple[Finding, ...]]:
    """Make all comparisons for every client, and yield the findings of each job when it is done.

    For a variant of another client, only single queues are compared. ``run`` does checks as one job.
    """
    checks = [singles(client, bounds).check() for client in clients]
    yield findings(checks, run(checks))
    used = [(client, mode) for client in clients if client not in VARIANTS for mode in client.modes]
    checks = [letters_of(*use) for use in used]
    found = run(checks)
    yield findings(checks, found)
    letters = [(*use, Alphabet(**totals.kept)) for use, totals in zip(used, found, strict=True)]
    for made in (calls, tables, models):
        checks = [cases.check() for known in letters for cases in made(*known, bounds)]
        yield findings(checks, run(checks))


def singles(client: Client, bounds: TransitionBounds) -> Singles:
    """Return the comparison of client code with formulas for one queue.

    For a variant of a client, it covers only the modes in which its code differs from the adjacent version.
    """
    space = every_case(client) if bounds.every_case and client not in VARIANTS else real_cases(client)
    return Singles(client, space)


def calls(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Calls]:
    """Return the comparisons of calls with two and three queues with calls for each queue alone."""
    bound = _of_mode(client, mode, bounds)
    pairs, triples = letters.at_most(bound.pairs, BEHAVIOURS), letters.at_most(bound.triples, BEHAVIOURS)
    return [
        Calls(client, mode, pairs, 2, ways=2),
        Calls(client, mode, triples, 3),
    ]


def tables(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Tables]:
    """Return comparisons of formulas for two and three queues with client code for one queue."""
    bound = _of_mode(client, mode, bounds)
    counts = ((2, bound.table_pairs), (3, bound.table_triples))
    return [Tables(client, mode, letters.at_most(count, OUTCOMES), queues) for queues, count in counts]


def _of_mode(client: Client, mode: Mode, bounds: TransitionBounds) -> LetterBounds:
    return bounds.letters(calm=Laboratory(client, mode).others == (NOBODY,))


def models(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Relation]:
    """Return the comparison of solver models with client code for one queue."""
    return [Relation(client, mode, letters.at_most(bounds.models, OUTCOMES))]


def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
    """Compare client code, formulas and models; then test each claim on client code."""
    clients = tuple(dict.fromkeys(client for claim in claims for client in claim.subjects))
    yield from transitions(run, clients, bounds.transitions)
    yield promises(run, claims, bounds.transitions.depths, bounds.transitions.deepest)


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return contradictions between the enumeration and a claim, one sentence each.

    Empty for a claim that was not tested.
    """
    promised = enumerated.named(PROMISES, claim.id)
    if promised is None:
        return []
    said = [] if promised.equal else ["some case was missed or counted twice"]
    least = promised.least
    if claim.expected is Verdict.PROVED and least:
        said.append(f"broken with {_size(least.size)}. {least.sentence}")
    unbroken = [mode for mode, violations in promised.broken.items() if not violations]
    if claim.expected is Verdict.REFUTED and unbroken:
        said.append(f"expected to fail, but nothing near to a benign round breaks it for {' and '.join(unbroken)}")
    example = result.search.counterexample if result and result.search else None
    if example and least and least.size != (example.queues, example.departures):
        solver = _size((example.queues, example.departures))
        said.append(f"smallest counterexample: solver {solver}, enumerator {_size(least.size)}")
    return said


def _size(size: tuple[int, ...]) -> str:
    queues, departures = size
    return f"{queues} {'queue' if queues == 1 else 'queues'} and {departures} departures from a benign round"


TRANSITION = Kind(jobs=lambda claims, bounds: JOBS + 1, found=found, against=against, mistaken=sentence)
