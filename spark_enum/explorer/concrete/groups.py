"""For each model, a group that runs the modelled client code."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial
from random import Random
from typing import Any

from rebalance_proofs.model.client.environment import NOT_FOUND, Answers
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.broker import NONE, Broker
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.transition.drivers import JavaDriver, Member
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.spark_enum.explorer.concrete.group import Group, Setup
from rebalance_proofs.spark_enum.explorer.concrete.ordered import OrderedGroup
from rebalance_proofs.spark_enum.explorer.model import Move, Plain, State
from rebalance_proofs.spark_enum.explorer.models import concurrent, ordered
from rebalance_proofs.spark_enum.explorer.models.concurrent import LATE_COMMIT
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject, strategy_of

# Consumers with concurrent listeners that run client code, for comparison with the model.

MESSAGE = 0
"""Offset of the one message in each queue."""


class ConcurrentProcess:
    """A client's process: its process queues, offsets in memory, and the messages of each queue."""

    def __init__(self, setup: Setup, brokers: Sequence[Broker]) -> None:
        self._setup = setup
        self.consumers: list[OffsetsConsumer] = []
        for queue, broker in zip(setup.queues, brokers, strict=True):
            consumer = setup.client.consumer(broker, ConsumeFromWhere.LAST_OFFSET)
            consumer.queue = queue
            if self.consumers:
                consumer.driver = self.consumers[0].driver
            self.consumers.append(consumer)

    def _sent(self, consumer: OffsetsConsumer) -> None:
        """Deliver all requests of a consumer to the broker at once, unless a fault delays them."""
        while consumer.commits_under_way and LATE_COMMIT not in self._setup.faults:
            consumer.commits()

    def rebalances(self, member: Member) -> None:
        answers = {
            consumer.queue: Answers(stored=NOT_FOUND if consumer.broker.stored is None else consumer.broker.stored)
            for consumer in self.consumers
        }
        driver = self.consumers[0].driver
        assert isinstance(driver, JavaDriver)
        done = driver.rebalance(answers, self._setup.queues, member)
        for consumer in self.consumers:
            consumer.rebalanced(done.effects)
            self._sent(consumer)

    def shuts(self) -> None:
        for consumer in self.consumers:
            consumer.shuts()
            self._sent(consumer)

    def crashes(self) -> None:
        for consumer in self.consumers:
            consumer.crashes()

    def quiet(self, queue: int) -> bool:
        consumer = self.consumers[queue]
        late = [call for call in consumer.calls if call.held is not consumer.held]
        return not (late or consumer.noted or consumer.commits_under_way)

    def pulls(self, queue: int) -> None:
        """The consumer pulls the message."""
        self.consumers[queue].pulls(offset=MESSAGE + 1, found=(MESSAGE,))

    def starts(self, queue: int) -> None:
        """The consumer calls its listener."""
        self.consumers[queue].starts(message=MESSAGE)

    def ends(self, queue: int) -> None:
        """A listener call returns: the one for the current process queue, or a late one.

        The call for the current process queue comes first. A late call belongs to a process queue that was dropped.
        """
        consumer = self.consumers[queue]
        try:
            consumer.ends(message=MESSAGE)
        except Impossible:
            consumer.ends_late(message=MESSAGE)
        while consumer.noted:
            consumer.records()

    def sends(self, queue: int) -> None:
        """The consumer commits the offset that it has in memory."""
        self.consumers[queue].sends()
        self._sent(self.consumers[queue])

    def arrives(self, queue: int) -> None:
        """A commit reaches the broker."""
        self.consumers[queue].commits()


class ConcurrentGroup(Group):
    """A group of consumers with concurrent listeners.

    With ``forgets``, only the newest of several late listener calls remains, and the newest of several commits in
    flight, as in the model. The other calls never return, and the other commits never arrive.
    """

    def __init__(self, setup: Setup, *, forgets: bool = True) -> None:
        self.brokers = [Broker(MESSAGE, MESSAGE + 1) for _ in setup.queues]
        super().__init__(setup, forgets=forgets)

    def process(self, who: int) -> ConcurrentProcess:
        return ConcurrentProcess(self.setup, self.brokers)

    def forget(self) -> None:
        for queue in range(len(self.setup.queues)):
            for consumer in self.consumers(queue):
                late = [call for call in consumer.calls if call.held is not consumer.held]
                consumer.calls = [call for call in consumer.calls if call.held is consumer.held] + late[-1:]
                del consumer.commits_under_way[1:]

    def of_broker(self, place: int) -> Mapping[str, int]:
        broker = self.brokers[place]
        return {
            "committed": NONE if broker.committed is None else broker.committed,
            "consumed": int(broker.consumed[MESSAGE] > 0),
            "given": int(MESSAGE in broker.given),
            "again": int(broker.consumed[MESSAGE] > 1),
        }

    def of_consumer(self, consumer: OffsetsConsumer) -> Mapping[str, int]:
        held, memory, answer = consumer.held, consumer.memory, consumer.answer
        commits, noted = consumer.commits_under_way, consumer.noted
        late = [call for call in consumer.calls if call.held is not held]
        return {
            "present": held is not None,
            "dropped": held is not None and held.entry.dropped,
            "began": held.began if held else 0,
            "next": held.next if held else 0,
            "cached": held is not None and MESSAGE in held.tree,
            "runs": len(late) < len(consumer.calls),
            "late": len(late) > 0,
            "memory": NO_OFFSET if memory is None else memory,
            "recording": len(noted) > 0,
            "recorded": noted[0] if noted else 0,
            "asking": answer is not None,
            "answer": answer or 0,
            "sending": len(commits) > 0,
            "sent": commits[0].offset if commits else 0,
            "closed": consumer.closed,
        }


def code_of(subject: Subject, settings: Settings) -> Callable[[], Group] | None:
    """Return a function that makes the model's initial group with running code.

    None for a model without a client. Raises ``UsageError``.
    """
    if subject is concurrent.SUBJECT:
        return partial(ConcurrentGroup, _setup(concurrent.client_of(settings), settings))
    if subject is ordered.SUBJECT:
        return partial(OrderedGroup, _setup(ordered.client_of(settings), settings), ordered.limits_of(settings))
    return None


def _setup(client: object, settings: Settings) -> Setup:
    faults = frozenset(settings.faults)
    return Setup.of(client, strategy_of(settings), settings.consumers, settings.queues, faults)


# Random walks that a model and a group with running client code make together.
#
# After each move, every number of both states is compared. In each state, the possible moves are compared.


OF_A_QUEUE, DAILY, CHANGES = 4, 8, 1
"""Weights of moves in a random walk.

In this order: moves of one queue; frequent moves of consumers; faults and changes of the group's members.
"""


@dataclass(frozen=True)
class Difference:
    """Moves after which the model and the running code differ; no single move can be left out."""

    moves: tuple[Move, ...]
    what: str

    def __str__(self) -> str:
        way = ", ".join(map(str, self.moves)) or "at first"
        return f"{way}: {self.what}"


@dataclass
class Walked:
    """Result of a random walk."""

    states: int = 0
    """Number of states whose possible moves were compared; a state may be counted repeatedly."""
    moves: Counter[str] = field(default_factory=Counter)
    """By the move's name, how often the states after the move were compared."""
    difference: Difference | None = None


class Compared:
    """A model and a group that runs client code, with comparisons of corresponding states."""

    def __init__(self, plain: Plain, make: Callable[[], Group]) -> None:
        self.plain, self.make = plain, make
        self._begin = plain.numbers(plain.start.queues[0])

    def begins(self) -> tuple[State, Group]:
        """Return the initial state of the model, and the initial group with running code."""
        return self.plain.start, self.make()

    def differs(self, state: State, group: Group) -> str:
        """Return a sentence about the first number that differs; empty if both states agree."""
        found = group.members()
        for name, wanted in _flat(state.members).items():
            if found[name] != wanted:
                return f"{name} is {wanted} in the model, and {found[name]} in the code"
        for place, row in enumerate(state.queues):
            numbers = group.queue(place)
            if not numbers.keys() <= self._begin.keys():
                raise KeyError(f"the model has no {', '.join(sorted(numbers.keys() - self._begin.keys()))}")
            for name, wanted in self.plain.numbers(row).items():
                # The model must not have a number that the code does not have.
                said = numbers.get(name, self._begin[name])
                if said != wanted:
                    return f"{name} of queue {place} is {wanted} in the model, and {said} in the code"
        return ""

    def fan(self, state: State, group: Group) -> Iterator[tuple[Move, State | None, Group, str]]:
        """Try every move in both. Yield the move, the state, the group after it, and the difference.

        If a move is impossible, the state is None and the group is unchanged. The difference is a sentence, empty if
        both agree.
        """
        unmoved = group.copy()
        for move in self.plain.model.moves:
            then = self.plain.after(state, move)
            other = unmoved if then is None else group.copy()
            happens = _happens(other, move)
            if then is None:
                differs = f"{move} is possible in the code and not in the model" if happens else ""
            else:
                differs = (
                    self.differs(then, other) if happens else f"{move} is possible in the model and not in the code"
                )
            yield move, then, other, differs
            if differs:
                return
        left = self.differs(state, unmoved)
        if left:
            raise AssertionError(f"the code has refused a move and still changed something: {left}")

    def along(self, moves: Sequence[Move]) -> tuple[State, Group] | Difference | None:
        """Return the state and the group after these moves, or the first ``Difference``.

        None if the model cannot make the moves.
        """
        state, group = self.begins()
        for place, move in enumerate(moves):
            then = self.plain.after(state, move)
            happens = _happens(group, move)
            if then is None:
                if not happens:
                    return None
                return Difference(tuple(moves[:place]), f"{move} is possible in the code and not in the model")
            if not happens:
                return Difference(tuple(moves[:place]), f"{move} is possible in the model and not in the code")
            state = then
            differs = self.differs(state, group)
            if differs:
                return Difference(tuple(moves[: place + 1]), differs)
        return state, group

    def reduced(self, moves: Sequence[Move]) -> Difference:
        """Return a difference that needs few of these moves, found by leaving out moves repeatedly.

        The given moves, with the last one, must lead to a difference.
        """
        found = self.along(moves)
        assert isinstance(found, Difference)
        best, last = tuple(moves), found
        smaller = True
        while smaller:
            smaller = False
            for size in (8, 4, 2, 1):
                for place in range(len(best) - size, -1, -1):
                    fewer = best[:place] + best[place + size :]
                    differs = self.along(fewer)
                    if isinstance(differs, Difference):
                        best, last, smaller = fewer, differs, True
                        break
                if smaller:
                    break
        return last


def _happens(group: Group, move: Move) -> bool:
    try:
        group.does(move)
    except Impossible:
        return False
    return True


def walked(plain: Plain, make: Callable[[], Group], seed: int, moves: int) -> Walked:
    """Make one random walk of at most ``moves`` moves, which stops at the first difference.

    In each state, all possible moves are compared. ``make`` returns the initial group, and ``seed`` selects the walk.
    """
    both, random, found = Compared(plain, make), Random(seed), Walked()
    state, group = both.begins()
    way: list[Move] = []
    for _ in range(moves):
        can: list[tuple[Move, State, Group]] = []
        for move, then, other, differs in both.fan(state, group):
            if differs:
                found.difference = both.reduced([*way, move])
                return found
            if then is not None:
                can.append((move, then, other))
                found.moves[move.name] += 1
        found.states += 1
        weights = [CHANGES if not move.daily else OF_A_QUEUE if move.queue is not None else DAILY for move, *_ in can]
        move, state, group = random.choices(can, weights)[0]
        way.append(move)
    return found


def _flat(members: Any) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for part in fields(members):
        value = getattr(members, part.name)
        found |= _flat(value) if is_dataclass(value) else {part.name: value}
    return found
