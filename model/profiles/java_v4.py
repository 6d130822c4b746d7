"""The Java client, 4.9.x.

It is taken to divide queues as 5.x does, and nothing was recorded of that; the two differ in what they then do with
their queues.
"""

from model.allocation.averagely import AVERAGELY
from model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from model.allocation.config import CONFIG
from model.allocation.consistent_hash import CONSISTENT_HASH
from model.allocation.machine_room import MACHINE_ROOM
from model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from model.orders import by_int32_difference, utf16_units
from model.profiles.profile import Profile, Refusal

__all__ = ["JAVA_V4"]

JAVA_V4 = Profile(
    name="java_v4",
    recorded_as=None,
    observed="Apache RocketMQ 4.9.8, JDK 17, but not what it allocates",
    strategies=(AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH, MACHINE_ROOM, MACHINE_ROOM_NEARBY, CONFIG),
    string_key=utf16_units,
    compare_queue_ids=by_int32_difference,
    refusal=Refusal("java.lang.IllegalArgumentException"),
    fault="java.lang.NullPointerException",
)
