"""The scripted environment of one Node client: its broker, its clock and its user."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rebalance_proofs.model.client.effects import ERROR, MAX_OFFSET, QUERY_OFFSET, SEARCH_OFFSET, UPDATE_OFFSET, Effect
from rebalance_proofs.model.client.environment import BENIGN, EXC, OK, Answers
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue

Result = TypeVar("Result")


class NodeEnvironment:
    """An environment with given responses, which records every effect.

    ``answers`` maps a queue to ``Answers``; every other queue has ``otherwise``. Node uses three fields: ``stored`` (an
    offset, or any text for a failed query), ``queried`` (likewise) and ``persist`` (``OK``, or the update fails).
    ``now`` is the clock, in ms.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0, otherwise: Answers = BENIGN) -> None:
        self.answers = answers
        self.now = now
        self.otherwise = otherwise
        self.effects: list[Effect] = []
        self.meanwhile: Callable[[MessageQueue], None] | None = None
        """A function that is called while an offset query is awaited.

        It simulates the other code of the process.
        """
        self.turn: Callable[[], None] | None = None
        """A function that is called at each ``await`` and returns when the code may continue."""

    def awaited(self, call: Callable[..., Result], *arguments: Any) -> Result:
        """Run ``await call(...)``: return the call's result after other code of the process has run.

        That code also runs if the call has failed.
        """
        try:
            return call(*arguments)
        finally:
            if self.turn is not None:
                self.turn()

    def find_broker_address_in_admin(self, queue: MessageQueue) -> None:
        """Simulate ``findBrokerAddressInAdmin``, which always finds the broker."""

    def query_consumer_offset(self, queue: MessageQueue) -> int:
        """Return the group's offset at the broker (``queryConsumerOffset``).

        Raises ``ClientError`` for every failure.
        """
        said = self.answers.get(queue, self.otherwise).stored
        self.effects.append((QUERY_OFFSET, queue, said))
        if self.meanwhile is not None:
            self.meanwhile(queue)
        return _number(said, "query")

    def update_consumer_offset_oneway(self, queue: MessageQueue, offset: int) -> None:
        """Send the offset to the broker one way (``updateConsumerOffsetOneway``).

        The client does not learn whether it arrives. Raises ``ClientError`` if it cannot be sent.
        """
        if self.answers.get(queue, self.otherwise).persist == OK:
            self.effects.append((UPDATE_OFFSET, queue, offset))
            return
        self.effects.append((UPDATE_OFFSET, queue, offset, EXC))
        raise scripted("update")

    def max_offset(self, queue: MessageQueue) -> int:
        """Return the queue's maximum offset (``maxOffset``).

        Raises ``ClientError`` if the scripted response is a text.
        """
        said = self.answers.get(queue, self.otherwise).queried
        self.effects.append((MAX_OFFSET, queue, said))
        return _number(said, "maxOffset")

    def search_offset(self, queue: MessageQueue) -> int:
        """Return the offset at the consumer's timestamp (``searchOffset``).

        Raises ``ClientError`` like ``max_offset``.
        """
        said = self.answers.get(queue, self.otherwise).queried
        self.effects.append((SEARCH_OFFSET, queue, said))
        return _number(said, "searchOffset")

    def report(self) -> None:
        """Emit the event ``error`` to the user; the client continues."""
        self.effects.append((ERROR, None))


def scripted(what: str) -> ClientError:
    """Return the error of a call that is scripted to fail."""
    return ClientError("Error", f"scripted {what}")


def _number(said: int | str, what: str) -> int:
    if isinstance(said, str):
        raise scripted(what)
    return said
