"""The scripted environment of one Node client: its broker, its clock and its user."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rebalance_proofs.model.client.effects import ERROR, MAX_OFFSET, QUERY_OFFSET, SEARCH_OFFSET, UPDATE_OFFSET, Effect
from rebalance_proofs.model.client.environment import BENIGN, EXC, OK, Answers
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue

Result = TypeVar("Result")


class NodeEnvironment:
    """An environment with given answers, which records every effect.

    ``answers`` maps a queue to ``Answers``; every other queue has ``otherwise``. Node uses of them ``stored`` (a
    number, or any text for a query that fails), ``queried`` (likewise) and ``persist`` (``OK``, or the update fails).
    ``now`` is the clock, in ms.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0, otherwise: Answers = BENIGN) -> None:
        self.answers = answers
        self.now = now
        self.otherwise = otherwise
        self.effects: list[Effect] = []
        self.meanwhile: Callable[[MessageQueue], None] | None = None
        """Called while the query of a queue's offset is awaited: what other code of the process does meanwhile."""
        self.turn: Callable[[], None] | None = None
        """Called at every ``await``; returns when it is this call's turn again."""

    def awaited(self, call: Callable[..., Result], *arguments: Any) -> Result:
        """``await call(...)``: other calls of the process have their turn, also when this one has failed."""
        try:
            return call(*arguments)
        finally:
            if self.turn is not None:
                self.turn()

    def find_broker_address_in_admin(self, queue: MessageQueue) -> None:
        """``findBrokerAddressInAdmin``: the broker is always known."""

    def query_consumer_offset(self, queue: MessageQueue) -> int:
        """``queryConsumerOffset``: the group's offset at the broker; raises ``ClientError`` for every failure."""
        said = self.answers.get(queue, self.otherwise).stored
        self.effects.append((QUERY_OFFSET, queue, said))
        if self.meanwhile is not None:
            self.meanwhile(queue)
        return _number(said, "query")

    def update_consumer_offset_oneway(self, queue: MessageQueue, offset: int) -> None:
        """``updateConsumerOffsetOneway``: nobody learns whether it arrived; raises ``ClientError`` if it cannot go."""
        if self.answers.get(queue, self.otherwise).persist == OK:
            self.effects.append((UPDATE_OFFSET, queue, offset))
            return
        self.effects.append((UPDATE_OFFSET, queue, offset, EXC))
        raise scripted("update")

    def max_offset(self, queue: MessageQueue) -> int:
        """``maxOffset``; raises ``ClientError`` where the answer is a text."""
        said = self.answers.get(queue, self.otherwise).queried
        self.effects.append((MAX_OFFSET, queue, said))
        return _number(said, "maxOffset")

    def search_offset(self, queue: MessageQueue) -> int:
        """``searchOffset`` for the consumer's time stamp; raises ``ClientError`` where the answer is a text."""
        said = self.answers.get(queue, self.otherwise).queried
        self.effects.append((SEARCH_OFFSET, queue, said))
        return _number(said, "searchOffset")

    def report(self) -> None:
        """The event ``error``: the user is told, and the client goes on."""
        self.effects.append((ERROR, None))


def scripted(what: str) -> ClientError:
    """The error of a call that is scripted to fail."""
    return ClientError("Error", f"scripted {what}")


def _number(said: int | str, what: str) -> int:
    if isinstance(said, str):
        raise scripted(what)
    return said
