"""Run the client's Python code on a case: rebalances in turn, and their effects.

A round is one rebalance. A case gives numbers for the state of each queue and for the environment's answers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace

from rebalance_proofs.model.client.effects import Effect, about
from rebalance_proofs.model.client.environment import LOGICAL_QUEUE_MOCK_BROKER_PREFIX, Answers
from rebalance_proofs.model.client.process_queue_table import FREE, ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.drivers import Done, Driver, done_later
from rebalance_proofs.model.transition.numbers import LOCKS, NO_OFFSET, PERSISTS, queried, stored
from rebalance_proofs.model.transition.variables import Case

TOPIC, OTHER, STATIC = "T", "U", "S"
BROKER = "broker-a"


@dataclass(frozen=True)
class Held:
    """A process queue in a client's table, as far as results show it."""

    dropped: bool
    locked: bool
    tries: int
    fresh: bool
    """Whether it is another ``ProcessQueue`` object than before the first round."""


@dataclass(frozen=True)
class Watched:
    """One queue and its changes in one round."""

    queue: MessageQueue
    mine: bool
    asked: SimpleNamespace
    """The numbers of the queue's inputs in this round; see ``variables.ROUND``."""
    before: Held | None
    after: Held | None
    consume_lock: int
    """Whether the listener runs, before the round; see ``variables.QUEUE``."""
    memory: tuple[int, int]
    """The offset in the client's memory before and after the round; ``NO_OFFSET`` for none."""
    effects: tuple[Effect, ...]
    later: tuple[Effect, ...] = ()
    """Effects of delayed tasks, from all rounds; given in the last round only."""

    def did(self, name: str, *details: object) -> bool:
        """Check whether an effect of that name happened to the queue.

        With ``details``, only an effect with the same details counts.
        """
        return any(effect[0] == name and (not details or effect[2:] == details) for effect in self.effects)


@dataclass(frozen=True)
class Round:
    """The result of one rebalance of the topic, for all queues."""

    changed: bool | None
    """The result of the client's method; None if it throws an exception."""
    thrown: str
    effects: tuple[Effect, ...]
    queues: tuple[Watched, ...]


@dataclass(frozen=True)
class Rounds:
    """The result of running a case on the client's Python code."""

    client: Client
    mode: Mode
    case: Case
    rounds: tuple[Round, ...]
    meant: tuple[bool, ...] = ()
    """For each queue, whether the guarantee covers it; empty if it covers all queues."""

    @property
    def last(self) -> Round:
        """The result of the last rebalance."""
        return self.rounds[-1]


def queue_of(number: int, mine: int, retry: int = 0, static: int = 0) -> MessageQueue:
    """Return the queue that represents a queue's number in a case.

    ``mine``, ``retry``, ``static``: 1 for a queue of the rebalanced, a retry or a static topic, else 0.
    """
    if static:
        return MessageQueue(STATIC, f"{LOGICAL_QUEUE_MOCK_BROKER_PREFIX}{STATIC}", number)
    topic = ("%RETRY%" if retry else "") + TOPIC
    return MessageQueue(topic if mine else OTHER, BROKER, number)


def run_unsubscribed(client: Client, mode: Mode, case: Case) -> Rounds:
    """Run one round, after the user has unsubscribed from the topic."""
    return _run(client, mode, case, lambda driver, answers, topic, mq_set: driver.unsubscribe())


def run_renewed(client: Client, mode: Mode, case: Case) -> Rounds:
    """Run one round where the client renews the locks of all queues that it holds."""

    def act(driver: Driver, answers: Mapping[MessageQueue, Answers], *_: object) -> Done:
        return driver.renew(answers, {queue: BROKER for queue in answers if queue.topic == STATIC})

    return _run(client, mode, case, act, static_topics=True)


def run(client: Client, mode: Mode, case: Case) -> Rounds:
    """Run the rebalances of a case on the client's Python code, one after the other."""
    return _run(client, mode, case, lambda driver, answers, topic, mq_set: driver.update(answers, topic, mq_set))


def _run(client: Client, mode: Mode, case: Case, act: Callable[..., Done], *, static_topics: bool = False) -> Rounds:
    retry = case.consumer["retry"]
    topic = queue_of(0, 1, retry).topic
    queues = [
        queue_of(number, numbers["mine"], retry, static_topics and numbers["static"])
        for number, numbers in enumerate(case.queues)
    ]
    driver = client.drive(mode, case.consumer["where"])
    driver.put_off = []
    for queue, numbers in zip(queues, case.queues, strict=True):
        driver.put(queue, numbers)
    first = dict(driver.table)
    rounds = []
    for told in case.rounds:
        before = {queue: _held(entry, first.get(queue)) for queue, entry in driver.table.items()}
        states = {queue: entry.consume_lock for queue, entry in driver.table.items()}
        remembered = dict(driver.memory)
        answers = {queue: answers_of(asked) for queue, asked in zip(queues, told, strict=True)}
        mq_set = [queue for queue, asked in zip(queues, told, strict=True) if asked["in_set"]]
        done = act(driver, answers, topic, mq_set)
        watched = tuple(
            Watched(
                queue=queue,
                mine=queue.topic == topic,
                asked=SimpleNamespace(**asked),
                before=before.get(queue),
                after=_held(driver.table[queue], first.get(queue)) if queue in driver.table else None,
                consume_lock=states.get(queue, FREE),
                memory=(remembered.get(queue, NO_OFFSET), driver.memory.get(queue, NO_OFFSET)),
                effects=about(done.effects, queue),
            )
            for queue, asked in zip(queues, told, strict=True)
        )
        rounds.append(Round(done.changed, done.thrown, done.effects, watched))
    if driver.put_off:
        later = tuple(effect for environment in driver.put_off for effect in done_later(environment))
        seen = tuple(replace(one, later=about(later, one.queue)) for one in rounds[-1].queues)
        rounds[-1] = replace(rounds[-1], queues=seen)
    return Rounds(client, mode, case, tuple(rounds))


def answers_of(asked: Mapping[str, int]) -> Answers:
    """Return the scripted answers of the environment for one queue's numbers in one round."""
    return Answers(
        lock=LOCKS[asked["lock"]],
        stored=stored(asked["stored"]),
        queried=queried(asked["queried"]),
        persist=PERSISTS[asked["persist"]],
    )


def _held(entry: ProcessQueue, first: ProcessQueue | None) -> Held:
    return Held(entry.dropped, entry.locked, entry.try_unlock_times, entry is not first)


def run_apart(client: Client, mode: Mode, case: Case) -> Rounds:
    """Run one round where each queue of the case is the same queue of another consumer."""
    alone = []
    for number, state in enumerate(case.queues):
        rounds = tuple((asked[number],) for asked in case.rounds)
        alone.append(run(client, mode, Case(case.consumer, (state,), rounds)))
    merged = []
    for parts in zip(*(found.rounds for found in alone), strict=True):
        effects = tuple(effect for part in parts for effect in part.effects)
        thrown = next((part.thrown for part in parts if part.thrown), "")
        queues = tuple(part.queues[0] for part in parts)
        merged.append(Round(None if thrown else any(part.changed for part in parts), thrown, effects, queues))
    return Rounds(client, mode, case, tuple(merged))
