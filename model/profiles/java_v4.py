"""Profile of the Java client 4.9.x: its strategies, sort orders and errors.

Assumption, not recorded: with a UTF-8 platform charset, 4.9.x divides queues as 5.x does. The two differ in what they
do with their queues afterwards.
"""

from codecs import lookup
from dataclasses import replace
from functools import cache, partial

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, consistent_hash, md5_hash
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM, MACHINE_ROOM_UNCHECKED
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles.profile import Profile, Refusal
from rebalance_proofs.model.queues import by_int32_difference, utf16_units

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
