"""Profile of the Java client 5.x: its strategies, sort orders and errors."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.profiles.profile import Profile, Refusal
from rebalance_proofs.model.queues import by_int32_difference, utf16_units

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
