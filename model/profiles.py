"""The client profiles: for each client, its strategies, sort orders and errors.

A new client is a ``Profile`` here, in ``PROFILES``.
"""

from codecs import lookup
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache, cmp_to_key, partial
from typing import cast

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import (
    CONSISTENT_HASH,
    CONSISTENT_HASH_GO,
    consistent_hash,
    md5_hash,
)
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM, MACHINE_ROOM_UNCHECKED
from rebalance_proofs.model.allocation.machine_room_nearby import (
    MACHINE_ROOM_NEARBY,
    MACHINE_ROOM_NEARBY_GO,
    ONE_ROOM,
    machine_room_nearby,
)
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.allocation.strategy import AllocationError, Fault, Strategy
from rebalance_proofs.model.queues import (
    CompareIds,
    MessageQueue,
    StringKey,
    by_int32_difference,
    by_value,
    compare_queues,
    utf8_bytes,
    utf16_units,
)


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
    """The name of the profile: ``java_v5``."""
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


CHARSET = "utf-8"
"""The default charset of current JDKs, in which 4.9.x hashes texts.

JDK 18 and later use it on every platform, and earlier JDKs on most machines.
"""


def java_v4(charset: str = CHARSET) -> Profile:
    """Return the client's profile for a platform charset.

    CONSISTENT_HASH encodes the texts that it hashes in this charset. From 5.0.0 on, the client encodes them in UTF-8 on
    every platform. Raises ``LookupError`` for an unknown charset.
    """
    return Profile(
        name="java_v4",
        recorded_as=None,
        observed="Apache RocketMQ 4.9.8, JDK 17, except for its allocation",
        strategies=(
            AVERAGELY,
            AVERAGELY_BY_CIRCLE,
            _hashing(lookup(charset).name),
            MACHINE_ROOM,
            MACHINE_ROOM_NEARBY,
            CONFIG,
        ),
        string_key=utf16_units,
        compare_queue_ids=by_int32_difference,
        refusal=Refusal("java.lang.IllegalArgumentException"),
        fault="java.lang.NullPointerException",
    )


@cache
def _hashing(charset: str) -> Strategy:
    """Return CONSISTENT_HASH that encodes texts in that charset.

    For UTF-8, this is the ``CONSISTENT_HASH`` that all profiles share.
    """
    if charset == CHARSET:
        return CONSISTENT_HASH
    constructor = partial(consistent_hash, hash_function=partial(md5_hash, charset=charset))
    return replace(CONSISTENT_HASH, allocate=constructor(), configure=constructor)


JAVA_V4 = java_v4()
JAVA_V4_9_2 = replace(
    JAVA_V4, strategies=tuple(MACHINE_ROOM_UNCHECKED if one is MACHINE_ROOM else one for one in JAVA_V4.strategies)
)
"""Profile of 4.9.0 to 4.9.2, whose MACHINE_ROOM accepts empty arguments.

Compared with the released jars, not in any recording.
"""


JAVA_V5 = Profile(
    name="java_v5",
    recorded_as="java",
    observed="Apache RocketMQ 5.3.x development line, commit 8fc57f1468, JDK 17",
    strategies=(AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH, MACHINE_ROOM, MACHINE_ROOM_NEARBY, CONFIG),
    string_key=utf16_units,
    compare_queue_ids=by_int32_difference,
    refusal=Refusal("java.lang.IllegalArgumentException"),
    fault="java.lang.NullPointerException",
)


GO = Profile(
    name="go",
    recorded_as="go",
    observed="Go client, commit 2173d070fd",
    strategies=(
        AVERAGELY,
        AVERAGELY_BY_CIRCLE,
        CONSISTENT_HASH_GO,
        MACHINE_ROOM_GO,
        MACHINE_ROOM_NEARBY_GO,
        CONFIG,
    ),
    string_key=utf8_bytes,
    compare_queue_ids=by_value,
    refusal=None,
    # The client recovers from a panic outside the rebalance timer's loop, so the timer stops. The queues are kept.
    fault="panic",
)


NODE = Profile(
    name="node",
    recorded_as="node",
    observed="ali-ons 3.12.0 (npm)",
    strategies=(AVERAGELY,),
    string_key=utf16_units,
    compare_queue_ids=by_value,
    refusal=Refusal("Error"),
)


CPP = Profile(
    name="cpp",
    recorded_as="cpp",
    observed="C++ client, commit 7c8b7f8b",
    strategies=(AVERAGELY,),
    string_key=utf8_bytes,
    compare_queue_ids=by_int32_difference,
    refusal=Refusal(
        "MQClientException",
        messages={
            "mqAll is null or mqAll empty": "mqAll is empty",
            "cidAll is null or cidAll empty": "cidAll is empty",
        },
    ),
)


_nearby = partial(machine_room_nearby, room_key=utf8_bytes)
NEARBY = replace(MACHINE_ROOM_NEARBY, allocate=_nearby(AVERAGELY.allocate, ONE_ROOM), configure=_nearby)
"""MACHINE_ROOM_NEARBY as in Java, except for the order of the rooms without consumers: by bytes."""

RUST = Profile(
    name="rust",
    recorded_as="rust",
    observed="Rust client, commit dc569dff",
    strategies=(AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH, MACHINE_ROOM_RUST, NEARBY, CONFIG),
    string_key=utf8_bytes,
    compare_queue_ids=by_value,
    refusal=Refusal("IllegalArgument"),
)

RUST_1_0 = replace(
    RUST,
    recorded_as=None,
    observed="rocketmq-model 1.0.0 (crates.io)",
    refusal=Refusal("core.argument.invalid", only="Argument is invalid"),
)
"""The released crate, whose errors do not name the wrong argument. It divides and sorts as ``RUST`` does.

The crate rocketmq-client-rust exports the same strategies.
"""

PROFILES: tuple[Profile, ...] = (JAVA_V4, JAVA_V5, GO, NODE, CPP, RUST)
RECORDED: tuple[Profile, ...] = tuple(profile for profile in PROFILES if profile.recorded_as is not None)
"""The clients whose allocation results were recorded."""
