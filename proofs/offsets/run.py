"""What the code of two consumers and a broker does, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.clients import OffsetsClient
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.offsets.orderly_consumer import HeldInOrder, OrderlyConsumer
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.schedule import told

__all__ = ["ABOUT_THE_MESSAGE", "Run", "Seen", "run"]

ABOUT_THE_MESSAGE = (
    *("arrives", "starts", "ends", "ends_late", "cleans", "fails"),
    *("starts_late", "fails_late", "skips", "skips_late", "returns_interrupted", "others_fail"),
)
"""Actions of which the code has to be told with which message."""


@dataclass(frozen=True)
class Seen:
    """One action, and what was the case after it."""

    happens: Happens
    committed: int | None
    consumed: int
    """How often listeners have returned from the message."""
    given: bool
    """It was given back to be retried because its listener took too long."""
    runs: tuple[bool, bool]
    """By consumer: its listener is called with the message, for whatever entry."""
    present: tuple[bool, bool]
    """The queue has an entry in its table."""
    began: tuple[int | None, int | None]
    """Where that began."""
    memory: tuple[int | None, int | None]
    """The queue's offset in its ``offsetTable``."""
    copied: int | None = None
    """What a replica of the broker has as the committed offset."""


@dataclass(frozen=True)
class Run:
    """All of it."""

    client: OffsetsClient
    world: Brokers
    message: int
    where: ConsumeFromWhere
    before: int | None
    """What was committed before."""
    seen: tuple[Seen, ...]
    went_back: bool
    """The last commit has set the offset back."""
    below: bool
    """A commit is under way whose offset is below where the entry began that had it sent."""
    repeated: bool
    """A listener is called with the message for an entry whose rebalance was told to begin behind it."""
    nowhere: bool = False
    """An entry's first pull has no offset to ask for."""
    stray: bool = False
    """A listener is called with the message for an entry that had left the table when the call began."""
    excess: bool = False
    """The message was consumed twice for a reason that a hand-over does not give."""
    overtime: bool = False
    """It was consumed twice since a consumer with an entry asked where to begin."""
    unfinished: bool = False
    """The message is below what is committed, and its work was not done, nor was it given back."""
    awaited: bool = False
    """The message arrived when a consumer asked where to begin, or had an entry."""
    had: bool = False
    """When one had an entry that was not marked."""
    begun: bool = False
    """When the first pull of such an entry had been answered."""
    missed: bool = False
    """A reset has sent another offset than it was told."""
    ignored: bool = False
    """Who asked where to begin, after a reset had sent its offset, heard of another one."""
    noted_again: str | None = None
    """What is wrong with what is consumed in order, in one sentence."""

    @property
    def skipped(self) -> bool:
        """The message is below what is committed, and nobody has consumed it, or given it back."""
        last = self.seen[-1]
        return last.committed is not None and last.committed > self.message and not (last.consumed or last.given)


def run(client: OffsetsClient, world: Brokers, schedule: Schedule, message: int, where: ConsumeFromWhere) -> Run:
    """The schedule with one message at that offset, which nobody has consumed before.

    Raises ``Impossible`` where the client's code, or the broker's, does not do what the schedule says.
    """
    before = message if world.committed else None
    broker = Broker(before, message if world.later else message + 1)
    broker.copied = before if world.copied else None
    consumers = [client.consumer(broker, where) for _ in range(2)]
    seen, known = [], [-1, -1]
    for happens in schedule:
        if happens.action in ("asks", "fixes"):
            known[happens.who] = -1 if broker.committed is None else broker.committed
        _act(consumers[happens.who], happens, message, where)
        one, two = consumers
        seen.append(
            Seen(
                happens,
                broker.committed,
                broker.consumed[message],
                message in broker.given,
                (bool(one.calls), bool(two.calls)),
                (one.held is not None, two.held is not None),
                (one.began, two.began),
                (one.memory, two.memory),
                broker.copied,
            )
        )
    sent = [commit for consumer in consumers for commit in consumer.commits_under_way]
    called = [
        place
        for place, one in enumerate(consumers)
        for call in one.calls
        if call.held is one.held and one.held is not None
    ]
    return Run(
        client,
        world,
        message,
        where,
        before,
        tuple(seen),
        went_back=broker.went_back,
        below=any(commit.offset < commit.origin for commit in sent),
        repeated=any(message < known[place] for place in called),
        nowhere=any(consumer.held is not None and consumer.held.next < 0 for consumer in consumers),
        stray=any(call.begun_late for consumer in consumers for call in consumer.calls),
        excess=message in broker.excess,
        overtime=broker.consumed[message] > 1
        and any(
            consumer.held is not None and message >= known[place] and message not in consumer.uncommitted
            for place, consumer in enumerate(consumers)
        ),
        unfinished=(broker.committed or 0) > message and message not in broker.finished | broker.given,
        awaited=message in broker.awaited,
        had=message in broker.had,
        begun=message in broker.begun,
        missed=any(consumer.missed for consumer in consumers),
        ignored=any(consumer.ignored for consumer in consumers),
        noted_again=_noted_again(consumers, message),
    )


def _noted_again(consumers: Sequence[OffsetsConsumer], message: int) -> str | None:
    for consumer in consumers:
        held = consumer.held
        if not isinstance(consumer, OrderlyConsumer) or not isinstance(held, HeldInOrder):
            continue
        if message in held.consuming and consumer.broker.kept > message:
            return "the listener is given a message of which it was noted that it was consumed."
        if message in held.owed and not held.entry.dropped and consumer.noting is None:
            return "the message was consumed and not noted, and another batch can be begun."
    return None


def _act(consumer: OffsetsConsumer, happens: Happens, message: int, where: ConsumeFromWhere) -> None:
    said: dict[str, Any] = told(dict(happens.said))
    if happens.action in ABOUT_THE_MESSAGE:
        said["message"] = message
    if happens.action == "suspends":
        said = {"offset": 0 if dict(happens.said)["zero"] else message + 1}
    if happens.action == "pulls":
        held = consumer.held
        if held is None or held.next > message:
            raise Impossible
        said |= {"offset": message + 1, "found": (message,)}
    if happens.action in ("adds", "fixes") and where is ConsumeFromWhere.TIMESTAMP:
        said["offset"] = message + 1
    getattr(consumer, happens.action)(**said)
