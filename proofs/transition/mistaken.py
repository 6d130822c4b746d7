"""Rebalances according to a wrong formula (a mutant), to test that a claim's check detects it."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from rebalance_proofs.model.client.effects import SCHEDULE_UNLOCK, UNLOCK, Effect
from rebalance_proofs.model.client.environment import EXC, NO_BROKER, UNLOCK_EXC
from rebalance_proofs.model.client.process_queue_table import FREE
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import LOCKS, MEANINGS
from rebalance_proofs.model.transition.rounds import Held, Round, Rounds, Watched, queue_of
from rebalance_proofs.model.transition.step import Entry, Slot, TransitionEncoding
from rebalance_proofs.model.transition.variables import MODE, Case, name_of
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.named import number, truth, value
from rebalance_proofs.proofs.transition.scenario import Action, Scenario, numbers_of


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
        changed = any(one.changed[round_] for one in told)
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
        self.changed = [truth(step.changed) for step in view.steps]
        self._effects = [
            tuple(_effect(slot, queue) for slot in step.slots if truth(slot.happens)) for step in view.steps
        ]

    def watched(self, round_: int) -> Watched:
        """Return the observation of the queue in the rebalance number ``round_``."""
        last = round_ == len(self._effects) - 1
        return Watched(
            queue=self._queue,
            mine=self._mine,
            asked=SimpleNamespace(**self._asked[round_]),
            before=self._held[round_],
            after=self._held[round_ + 1],
            consume_lock=self._locks[round_],
            memory=(self._memory[round_], self._memory[round_ + 1]),
            effects=self._effects[round_],
            later=self._later() if last else (),
        )

    def _later(self) -> tuple[Effect, ...]:
        """Return the delayed unlocks of all rebalances, with the answers of the broker."""
        found = []
        for effects, asked in zip(self._effects, self._asked, strict=True):
            said = LOCKS[asked["lock"]]
            if said != NO_BROKER and any(effect[0] == SCHEDULE_UNLOCK for effect in effects):
                found.append((UNLOCK, self._queue, EXC) if said == UNLOCK_EXC else (UNLOCK, self._queue))
        return tuple(found)


def _effect(slot: Slot, queue: MessageQueue) -> Effect:
    means = MEANINGS.get(slot.name, int)
    return slot.effect(queue, lambda term: means(value(term)))


def _held(entry: Entry) -> Held | None:
    if not truth(entry.present):
        return None
    return Held(truth(entry.dropped), truth(entry.locked), number(entry.tries), truth(entry.fresh))
