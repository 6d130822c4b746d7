"""The Java client, 4.9.x.

It is taken to divide queues as 5.x does, where the platform's charset is UTF-8, and nothing was recorded of that; the
two differ in what they then do with their queues.
"""

from codecs import lookup
from dataclasses import replace
from functools import cache, partial

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, consistent_hash, md5_hash
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.orders import by_int32_difference, utf16_units
from rebalance_proofs.model.profiles.profile import Profile, Refusal

__all__ = ["JAVA_V4", "java_v4"]

CHARSET = "utf-8"
"""The default of JDK 18 and later wherever it runs, and before that of most machines."""


def java_v4(charset: str = CHARSET) -> Profile:
    """The client on a platform of that charset, in which CONSISTENT_HASH gets the bytes of what it hashes.

    From 5.0.0 on they are those of UTF-8 everywhere. Raises ``LookupError`` for a charset that is not known.
    """
    return Profile(
        name="java_v4",
        recorded_as=None,
        observed="Apache RocketMQ 4.9.8, JDK 17, but not what it allocates",
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
    """CONSISTENT_HASH in that charset; the one of all clients in UTF-8."""
    if charset == CHARSET:
        return CONSISTENT_HASH
    constructor = partial(consistent_hash, hash_function=partial(md5_hash, charset=charset))
    return replace(CONSISTENT_HASH, allocate=constructor(), configure=constructor)


JAVA_V4 = java_v4()
