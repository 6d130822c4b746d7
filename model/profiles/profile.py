"""A client's profile: strategies, sort orders, and reactions to empty arguments and errors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cmp_to_key
from typing import cast

from rebalance_proofs.model.allocation.strategy import AllocationError, Fault, Strategy
from rebalance_proofs.model.queues import CompareIds, MessageQueue, StringKey, compare_queues


class Held(Enum):
    """What a rebalance does to the client's present queues of the topic: keep or release all."""

    KEPT = "kept"
    RELEASED = "released"


class ClientError(Exception):
    """An error that a client throws instead of returning a result.

    Its text is the client's own message.
    """

    def __init__(self, exception: str, message: str) -> None:
        super().__init__(f"{exception}: {message}")
        self.exception = exception
        """Name of the exception's type in the client's language."""
        self.message = message


@dataclass(frozen=True)
class Refusal:
    """How a client reports empty arguments: type and texts of its errors."""

    exception: str
    """Name of the exception's type."""
    messages: Mapping[str, str] = field(default_factory=dict)
    """For each message of the Java client, this client's message where it differs."""
    only: str | None = None
    """The text of every error, if the client has only one."""

    def error(self, message: str) -> ClientError:
        """Return the client's error for an argument that the Java client rejects with ``message``."""
        return ClientError(self.exception, self.only or self.messages.get(message, message))


Method = Callable[
    [str | None, Sequence[MessageQueue | None] | None, Sequence[str | None] | None], list[MessageQueue | None] | None
]
"""The type of a strategy's ``allocate`` where lists and elements may be null."""


@dataclass(frozen=True)
class Profile:
    """One client's code for dividing queues: its strategies, sort orders and errors."""

    name: str
    """The name of the profile's file: ``java_v5``."""
    recorded_as: str | None
    """The client's name in recorded results: ``java``.

    None if no results were recorded with this version.
    """
    observed: str
    """The version that was run and whose source was read."""
    strategies: tuple[Strategy, ...]
    """The allocation strategies that the client includes."""
    string_key: StringKey
    """The client's sort key of topics, broker names and client ids."""
    compare_queue_ids: CompareIds
    refusal: Refusal | None
    """The client's errors for empty arguments.

    None if the client returns nil instead of throwing. Its caller cannot distinguish nil from an empty share.
    """
    fault: str = "fault"
    """Name of the client's run-time error at a null that no argument check rejected.

    Observed in Java and Go only.
    """
    on_error: Held = Held.KEPT
    """The effect of an error on the client's queues.

    The rebalance of the topic ends before it changes them.
    """
    on_empty: Held = Held.RELEASED
    """The effect of an empty result (or null, where a client returns it).

    The client then owns no queue of the topic.
    """

    @property
    def on_empty_arguments(self) -> Held:
        """The effect of an empty mqAll, cidAll or currentCID on the client's queues."""
        return self.on_empty if self.refusal is None else self.on_error

    def strategy(self, rocketmq_name: str) -> Strategy | None:
        """Return the strategy of that name (``AVG``), or None if the client does not include it."""
        for strategy in self.strategies:
            if strategy.rocketmq_name == rocketmq_name:
                return strategy
        return None

    def sort_queues(self, mq_all: Sequence[MessageQueue]) -> list[MessageQueue]:
        """Return mqAll in the order in which the client sorts it before it allocates."""

        def compare(left: MessageQueue, right: MessageQueue) -> int:
            return compare_queues(left, right, self.string_key, self.compare_queue_ids)

        return sorted(mq_all, key=cmp_to_key(compare))

    def sort_client_ids(self, cid_all: Sequence[str]) -> list[str]:
        """Return cidAll in the order in which the client sorts it before it allocates."""
        return sorted(cid_all, key=self.string_key)

    def allocate(
        self,
        strategy: Strategy,
        current_cid: str | None,
        mq_all: Sequence[MessageQueue | None] | None,
        cid_all: Sequence[str | None] | None,
    ) -> list[MessageQueue | None] | None:
        """Return the queues that ``current_cid`` takes, in the order returned by the client.

        ``strategy`` is one of the client's ``strategies``. The client's ``allocate`` gets both lists unchanged, sorted
        or not, and elements may be null. The result is None where the client returns null and its caller can
        distinguish that from an empty result. Raises ``ClientError`` where the client throws.
        """
        try:
            result = cast(Method, strategy.allocate)(current_cid, mq_all, cid_all)
        except Fault as fault:
            raise ClientError(self.fault, str(fault)) from fault
        except AllocationError as error:
            if self.refusal is None:
                return []
            raise self.refusal.error(str(error)) from error
        return [] if result is None and self.refusal is None else result

    def configured(self, strategy: Strategy, **arguments: object) -> Strategy:
        """Return one of the client's ``strategies`` with these arguments.

        Raises ``ClientError`` where the constructor throws.
        """
        try:
            return strategy.configured(**arguments)
        except Fault as fault:
            raise ClientError(self.fault, str(fault)) from fault
        except AllocationError as error:
            refusal = self.refusal or Refusal(self.fault)
            raise refusal.error(str(error)) from error
