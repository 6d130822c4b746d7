"""The kind ``transition``: claims about the effect of a rebalance on a client's table."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from rebalance_proofs.model.client.effects import OUT, SCHEDULE_UNLOCK, UNLOCK, Effect, about, addition_begins
from rebalance_proofs.model.client.environment import EXC, NO_BROKER, THROW, THROWS, UNLOCK_EXC, Answers
from rebalance_proofs.model.client.process_queue_table import FREE, ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.drivers import NOW, Done
from rebalance_proofs.model.transition.numbers import LOCKS, MEANINGS, NO_OFFSET
from rebalance_proofs.model.transition.rounds import (
    BROKER,
    OTHER,
    STATIC,
    Held,
    Round,
    Rounds,
    Watched,
    answers_of,
    queue_of,
)
from rebalance_proofs.model.transition.step import Asked, Batch, Entry, Slot, Step, Thrown, TransitionEncoding
from rebalance_proofs.model.transition.variables import MODE, QUEUE, Case, name_of
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import Kind
from rebalance_proofs.proofs.named import number, truth, value
from rebalance_proofs.proofs.transition.claims import claims
from rebalance_proofs.proofs.transition.scenario import Action, Scenario, numbers_of, slips
from rebalance_proofs.proofs.transition.search import LookingAtTables

# The client's own code with the interface of an SMT encoding of a rebalance.
# Statements about encodings can then be evaluated on the code.

BENIGN_QUEUE = {variable.name: variable.benign for variable in QUEUE}


def observe_transition(client: Client) -> TransitionEncoding:
    """Return an encoding that runs the client's code; all arguments must be numerals."""

    def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        return _Observed(client, entry, asked).rebalance(asked, thrown)

    def unsubscribe(entry: Entry) -> Step:
        return _Observed(client, entry, None).unsubscribe()

    def renew(entry: Entry, asked: Asked, batch: Batch) -> Step:
        return _Observed(client, entry, asked, static=truth(asked.static)).renew(asked, batch)

    return TransitionEncoding(step, client.encoding.possible, unsubscribe, renew)


class _Observed:
    def __init__(self, client: Client, entry: Entry, asked: Asked | None, *, static: bool = False) -> None:
        self._client = client
        self._was = entry
        mine = asked is None or truth(asked.mine)
        retry = asked is not None and truth(asked.retry)
        self._topic = queue_of(0, 1, retry).topic
        self._queue = queue_of(5, mine, retry, static)
        self._driver = client.drive(_mode(asked) if asked else client.modes[0], number(asked.where) if asked else 0)
        self._entry: ProcessQueue | None = None

    def unsubscribe(self) -> Step:
        """Return the effects of unsubscribing from the topic."""
        self._put()
        return self._step(self._driver.unsubscribe())

    def renew(self, asked: Asked, batch: Batch) -> Step:
        """Return the effects on one queue of renewing all locks.

        In the request to its broker, the queue comes after another queue, or is alone.
        """
        first = MessageQueue(OTHER, BROKER, 0)
        if truth(batch.found):
            self._driver.put(first, BENIGN_QUEUE)
        self._put()
        answers = {self._queue: answers_of(_numbers(asked))}
        brokers = {self._queue: BROKER} if self._queue.topic == STATIC else {}
        return self._step(self._driver.renew(answers, brokers))

    def rebalance(self, asked: Asked, thrown: Thrown) -> Step:
        """Return the effects of one rebalance on one queue.

        Other queues, before and after it, cause exceptions as ``thrown`` specifies.
        """
        queue = self._queue
        answers = {queue: answers_of(_numbers(asked))}
        early, late = (MessageQueue(self._topic, "broker-a", place) for place in (0, 9))
        mq_set = [queue] if truth(asked.in_set) else []
        if truth(thrown.removing):
            self._driver.put(early, BENIGN_QUEUE)
            answers[early] = Answers(persist=THROW)
        self._put()
        if truth(thrown.adding) and not truth(thrown.removing):
            self._driver.put(late, BENIGN_QUEUE)
            answers[late] = Answers(persist=THROW)
        elif truth(thrown.ever) and not truth(thrown.adding):
            mq_set.append(late)
            answers[late] = Answers(stored=THROWS)
        return self._step(self._driver.update(answers, self._topic, mq_set))

    def _put(self) -> None:
        self._driver.put(self._queue, _queue_numbers(self._was))
        self._entry = self._driver.table.get(self._queue)
        if self._entry:
            self._entry.try_unlock_times = number(self._was.tries)

    def _remembered(self) -> smt.IntTerm:
        """Return the queue's offset in the client's offset store in memory."""
        return smt.IntVal(self._driver.memory.get(self._queue, NO_OFFSET))

    def _step(self, done: Done) -> Step:
        effects = about(done.effects, self._queue)
        names = [effect[0] for effect in effects]
        here = self._driver.table.get(self._queue)
        end = addition_begins(effects)
        slots = [Slot(smt.BoolVal(True), effect[0], effect[2:]) for effect in effects]
        entered = here is not None and here is not self._entry
        fresh = truth(self._was.fresh)
        threw = bool(done.thrown) and done.effects[-1][1] == self._queue
        return Step(
            removal=tuple(slots[:end]),
            addition=tuple(slots[end:]),
            after=_terms(here, self._remembered(), fresh=entered or (here is not None and fresh)),
            former=_terms(self._entry, self._was.memory, fresh=fresh),
            out=smt.BoolVal(OUT in names),
            entered=smt.BoolVal(entered),
            changed=smt.BoolVal(here is not self._entry),
            denied=smt.BoolVal(False),
            removing_throws=smt.BoolVal(threw and not slots[end:]),
            adding_throws=smt.BoolVal(threw and bool(slots[end:])),
        )


def _queue_numbers(entry: Entry) -> dict[str, int]:
    """Return the fields of a process queue as the numbers of ``variables.QUEUE``, by name."""
    found = {name: number(getattr(entry, name)) for name in ("pull_age", "lock_age", "consume_lock", "memory")}
    return found | {name: int(truth(getattr(entry, name))) for name in ("present", "dropped", "locked", "cached")}


def _terms(entry: ProcessQueue | None, memory: smt.IntTerm, *, fresh: bool) -> Entry:
    present = entry is not None
    entry = entry or ProcessQueue(last_pull_timestamp=NOW, last_lock_timestamp=NOW)
    return Entry(
        present=smt.BoolVal(present),
        dropped=smt.BoolVal(entry.dropped),
        locked=smt.BoolVal(entry.locked),
        pull_age=smt.IntVal(NOW - entry.last_pull_timestamp),
        lock_age=smt.IntVal(NOW - entry.last_lock_timestamp),
        consume_lock=smt.IntVal(entry.consume_lock),
        cached=smt.BoolVal(bool(entry.cached)),
        tries=smt.IntVal(entry.try_unlock_times),
        memory=memory,
        fresh=smt.BoolVal(fresh),
    )


def _mode(asked: Asked) -> Mode:
    flags = (int(truth(flag)) for flag in (asked.orderly, asked.broadcasting, asked.order, asked.own_store))
    return Mode("", number(asked.kind), *flags)


def _numbers(asked: Asked) -> dict[str, int]:
    found = SimpleNamespace(**vars(asked))
    return {name: number(getattr(found, name)) for name in ("lock", "stored", "queried", "persist")}


# Rebalances according to a wrong formula (a mutant), to test that a claim's check detects it.


def mistaken(claim: Claim, mutant: Mutant, model: Mapping[str, int], size: Sequence[int]) -> str | None:
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


TRANSITION = Kind(claims, LookingAtTables, observe_transition, mistaken, slips)
