"""What a client is to this project: its strategies, its orders, and what it does with empty arguments and errors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cmp_to_key
from typing import cast

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.model.allocation.fault import Fault
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.orders import CompareIds, StringKey, compare_queues
from rebalance_proofs.model.queues import MessageQueue


class Held(Enum):
    """What a rebalance does to all queues of the topic that the client holds."""

    KEPT = "kept"
    RELEASED = "released"


class ClientError(Exception):
    """What a client throws instead of a result, in its own words."""

    def __init__(self, exception: str, message: str) -> None:
        super().__init__(f"{exception}: {message}")
        self.exception = exception
        """Name of the exception's type in the client's language."""
        self.message = message


@dataclass(frozen=True)
class Refusal:
    """How a client throws when an argument is empty."""

    exception: str
    """Name of the exception's type."""
    messages: Mapping[str, str] = field(default_factory=dict)
    """The Java client's message -> this client's, where they differ."""

    def error(self, message: str) -> ClientError:
        """The client's error for what the Java client puts as ``message``."""
        return ClientError(self.exception, self.messages.get(message, message))


Method = Callable[
    [str | None, Sequence[MessageQueue | None] | None, Sequence[str | None] | None], list[MessageQueue | None] | None
]
"""A strategy's ``allocate`` as clients can call it: with nulls, which its code meets where the client's does."""


@dataclass(frozen=True)
class Profile:
    """One client."""

    name: str
    """The name of its file: ``java_v5``."""
    recorded_as: str | None
    """What recorded results call it: ``java``; None when they are not of this version."""
    observed: str
    """The version that was run and read."""
    strategies: tuple[Strategy, ...]
    """What it ships."""
    string_key: StringKey
    """How it sorts topics, broker names and client ids."""
    compare_queue_ids: CompareIds
    refusal: Refusal | None
    """None when it returns nil, which is an empty result: the caller cannot tell it from having no share."""
    fault: str = "fault"
    """Name of what its run time throws at a null that no check refused; only Java and Go were seen to."""
    on_error: Held = Held.KEPT
    """What an error does to the queues that the client holds: the rebalance of the topic ends before they change."""
    on_empty: Held = Held.RELEASED
    """What an empty result does to them, and null where the client returns it: none of them is its own any more."""

    @property
    def on_empty_arguments(self) -> Held:
        """What an empty mqAll, cidAll or currentCID does to the queues that the client holds."""
        return self.on_empty if self.refusal is None else self.on_error

    def strategy(self, rocketmq_name: str) -> Strategy | None:
        """The strategy of that name (``AVG``); None when the client does not ship it."""
        for strategy in self.strategies:
            if strategy.rocketmq_name == rocketmq_name:
                return strategy
        return None

    def sort_queues(self, mq_all: Sequence[MessageQueue]) -> list[MessageQueue]:
        """mqAll as the client sorts it before it allocates."""

        def compare(left: MessageQueue, right: MessageQueue) -> int:
            return compare_queues(left, right, self.string_key, self.compare_queue_ids)

        return sorted(mq_all, key=cmp_to_key(compare))

    def sort_client_ids(self, cid_all: Sequence[str]) -> list[str]:
        """cidAll as the client sorts it before it allocates."""
        return sorted(cid_all, key=self.string_key)

    def allocate(
        self,
        strategy: Strategy,
        current_cid: str | None,
        mq_all: Sequence[MessageQueue | None] | None,
        cid_all: Sequence[str | None] | None,
    ) -> list[MessageQueue | None] | None:
        """The queues that ``current_cid`` takes by one of the client's ``strategies``, in the order it returns them.

        Both lists are taken as they come, already sorted or not, and an element may be null, as ``allocate`` of the
        clients takes them. None where the client returns null and can tell it from an empty result. Raises
        ``ClientError`` where the client throws.
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
        """One of the client's ``strategies``, constructed with these arguments; ``ClientError`` as it throws then."""
        try:
            return strategy.configured(**arguments)
        except Fault as fault:
            raise ClientError(self.fault, str(fault)) from fault
        except AllocationError as error:
            refusal = self.refusal or Refusal(self.fault)
            raise refusal.error(str(error)) from error
