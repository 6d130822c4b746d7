"""Profile of the Go client: its strategies, sort orders and errors."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY_GO
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.profiles.profile import Profile
from rebalance_proofs.model.queues import by_value, utf8_bytes

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
