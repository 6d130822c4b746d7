"""Compare the assignment step of a released gRPC client with the model (``model.receiving``): sequences of steps.

A driver in the client's language runs the package's own code, with its network and its clock replaced. It reads lines
of JSON, each a list of steps, and writes one line for each: for every step, the process queues of the consumer's table
with their receive loops, ``[topic, number, loops]`` each, and the number of loops of other process queues.

The consumer has started, and subscribes to both topics. Before each step of a running consumer, each subscribed topic
has a query for its assignment in flight. The steps:

- ``["answer", topic, numbers]``: the query returns these queues. ``["fail", topic]``: the query fails. Both have no
  effect if no query of the topic is in flight: after ``unsubscribe`` or ``shutdown``, there is one late answer.
- ``["expire", topic, number]``: so much time passes that process queues expire, if the queue's receive loops make no
  progress. Process queues without a loop expire, too. No cache was ever full.
- ``["unsubscribe", topic]``, ``["shutdown"]``: the user's calls. They are not made after ``shutdown``, and
  ``unsubscribe`` is not called for a topic that is not subscribed.

Sequences with a step that has no effect are left out: without this step, they are shorter sequences.

A driver that does not find the package's internals ends with status 2 and one line on its standard error.
"""

import json
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from queue import SimpleQueue
from typing import IO, Any

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.receiving.sdks import OTHER, TOPIC, PushConsumer
from rebalance_proofs.recorded.packages.install import Installed, Package

STEPS = 4
"""Steps of a sequence by default."""
Step = Sequence[Any]
Steps = tuple[Step, ...]
ALL: Sequence[Step] = (
    *(("answer", TOPIC, numbers) for numbers in ([], [0], [1], [0, 1])),
    *(("answer", OTHER, numbers) for numbers in ([], [0])),
    ("fail", TOPIC),
    ("expire", TOPIC, 0),
    ("unsubscribe", TOPIC),
    ("shutdown",),
)
"""The steps of all sequences: two queues of one topic, and one of another."""
BATCH = 50_000
"""Sequences that one process of a driver gets: clients keep a little of each consumer, so their memory grows."""
TENTH = 10_000
"""Number of sequences after which the progress is reported."""


@dataclass(frozen=True)
class Difference:
    """A sequence of steps after which package and model have different receive loops."""

    steps: Sequence[Step]
    client: Any
    """Queues of the table with their receive loops, and the number of other loops, after the last step."""
    model: Any


@dataclass(frozen=True)
class Sequences:
    """The result of comparing all sequences of a number of steps; shorter ones are their beginnings."""

    steps: int
    compared: int
    differ: int
    smallest: Difference | None
    """A difference after the fewest steps."""


class Replay:
    """The model's consumer after some steps, and the topics whose queries are in flight."""

    def __init__(self, made: type[PushConsumer], steps: Iterable[Step] = ()) -> None:
        self.consumer = made()
        self.asked = set(self.consumer.subscription_expressions)
        for step in steps:
            self.take(step)

    def takes(self, step: Step) -> bool:
        """Return whether the step has an effect: its query is in flight, or the user can make its call."""
        kind, *more = step
        if kind in ("answer", "fail"):
            return more[0] in self.asked
        if kind == "unsubscribe" and more[0] not in self.consumer.subscription_expressions:
            return False
        return kind == "expire" or self.consumer.running

    def take(self, step: Step) -> None:
        """Take one step, and send queries."""
        consumer, (kind, *more) = self.consumer, step
        if kind in ("answer", "fail"):
            self._answered(*more)
        elif kind == "expire":
            for queue, entry in consumer.process_queue_table.items():
                if queue == (more[0], more[1]) or not entry.loops:
                    entry.loops, entry.expired = 0, consumer.notices_idle
        elif kind == "unsubscribe" and consumer.running and more[0] in consumer.subscription_expressions:
            consumer.unsubscribes()
        elif kind == "shutdown" and consumer.running:
            consumer.shuts()
        if consumer.running:
            self.asked |= consumer.subscription_expressions

    def _answered(self, topic: str, numbers: Sequence[int] | None = None) -> None:
        if topic in self.asked:
            self.asked.discard(topic)
            if not (self.consumer.running or self.consumer.answers_late):
                return
            if numbers is None:
                self.consumer.on_failure(topic)
            else:
                self.consumer.on_success(topic, frozenset((topic, number) for number in numbers))

    def shown(self) -> list[Any]:
        """Return the process queues with their receive loops, and the number of other loops."""
        table = sorted([*queue, entry.loops] for queue, entry in self.consumer.process_queue_table.items())
        return [table, sum(one.loops for one in self.consumer.removed)]


def modelled(made: type[PushConsumer], steps: Sequence[Step]) -> list[Any]:
    """Return the model's receive loops after each step, as a driver prints them."""
    replay, rows = Replay(made), []
    for step in steps:
        replay.take(step)
        rows.append(replay.shown())
    return rows


def sequences(made: type[PushConsumer], most: int, begun: Steps = (), rows: str = "") -> Iterator[tuple[Steps, str]]:
    """Yield all sequences of ``most`` steps, each with the line that the model prints."""
    before = Replay(made, begun)
    for step in filter(before.takes, ALL):
        steps = (*begun, step)
        told = json.dumps(Replay(made, steps).shown(), separators=(",", ":"))
        every = f"{rows},{told}" if rows else told
        if len(steps) == most:
            yield steps, f"[{every}]"
        else:
            yield from sequences(made, most, steps, every)


@cache
def number(most: int, running: bool = True, subscribed: bool = True, queries: frozenset[str] = frozenset("TU")) -> int:
    """Return how many sequences of ``most`` steps there are, from a state of the consumer.

    ``subscribed``: whether to the first topic. ``queries``: the topics with a query in flight.
    """
    if not most:
        return 1
    renewed = frozenset((*[TOPIC] * subscribed, OTHER)) if running else frozenset()
    answered = [topic for kind, topic, *_ in (step for step in ALL if len(step) > 1) if kind in ("answer", "fail")]
    many = sum(number(most - 1, running, subscribed, queries - {one} | renewed) for one in answered if one in queries)
    many += number(most - 1, running, subscribed, queries)
    if running and subscribed:
        many += number(most - 1, running, False, queries)
    return many + (number(most - 1, False, subscribed, queries) if running else 0)


def compare_steps(
    package: Package, installed: Installed, most: int = STEPS, found: Callable[[int], None] = lambda count: None
) -> Sequences:
    """Compare all sequences of ``most`` steps, and call ``found`` with the number of those done, now and then.

    Raises ``StrategyError`` if the package's internals differ.
    """
    compared = differ = 0
    smallest: Difference | None = None
    every = sequences(package.kind.models[package.version], most)
    while compared < number(most):
        for steps, expected, line in _answered(package, installed, every, min(BATCH, number(most) - compared)):
            compared += 1
            if line.rstrip("\n") == expected:
                pass
            elif (client := _shown(line)) is None or not steps:
                raise StrategyError(f"--package {package} cannot be compared: its driver prints {line.strip()[:80]!r}")
            elif client != (model := json.loads(expected)):
                differ += 1
                smallest = _smaller(smallest, steps, client, model)
            if compared % TENTH == 0:
                found(compared)
    return Sequences(most, compared, differ, smallest)


def _answered(
    package: Package, installed: Installed, every: Iterator[tuple[Steps, str]], many: int
) -> Iterator[tuple[Steps, str, str]]:
    """Yield the next ``many`` sequences with the model's line, and the line of a new driver.

    Raises ``StrategyError`` if the driver does not answer all of them.
    """
    answers = 0
    with subprocess.Popen(
        installed.command,
        cwd=installed.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        complaints: list[str] = []
        asked: SimpleQueue[tuple[Steps, str]] = SimpleQueue()
        threads = [
            threading.Thread(target=_give, args=(process.stdin, islice(every, many), asked), daemon=True),
            threading.Thread(target=_hear, args=(process.stderr, complaints), daemon=True),
        ]
        for thread in threads:
            thread.start()
        for line in process.stdout:
            answers += 1
            yield (*(((), "") if asked.empty() else asked.get()), line)
        for thread in threads:
            thread.join()
    if process.returncode or answers != many:
        last = ([line.strip() for line in complaints if line.strip()] or ["it ended without an answer"])[-1]
        raise StrategyError(f"--package {package} cannot be compared: {last}")


def _give(given: IO[str], every: Iterator[tuple[Steps, str]], asked: "SimpleQueue[tuple[Steps, str]]") -> None:
    try:
        with given:
            for steps, expected in every:
                asked.put((steps, expected))
                given.write(f"{json.dumps(steps)}\n")
    except OSError:  # the driver has ended
        pass


def _hear(said: IO[str], complaints: list[str]) -> None:
    with suppress(ValueError):  # it is closed, because the driver prints something else
        complaints.extend(said)


def _shown(line: str) -> list[Any] | None:
    """Return what a driver has printed; None if it is no list."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, list) else None


def _smaller(best: Difference | None, steps: Sequence[Step], client: list[Any], model: list[Any]) -> Difference:
    place = next(place for place, (one, two) in enumerate(zip(client, model, strict=True)) if one != two)
    if best and len(best.steps) <= place + 1:
        return best
    return Difference(steps[: place + 1], client[place], model[place])
