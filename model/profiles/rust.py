"""Profile of the Rust client: its strategies, sort orders and errors."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.allocation.machine_room_rust import MACHINE_ROOM_RUST
from rebalance_proofs.model.orders import by_value, utf8_bytes
from rebalance_proofs.model.profiles.profile import Profile, Refusal

__all__ = ["RUST"]

RUST = Profile(
    name="rust",
    recorded_as="rust",
    observed="Rust client, commit dc569dff",
    strategies=(AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH, MACHINE_ROOM_RUST, MACHINE_ROOM_NEARBY, CONFIG),
    string_key=utf8_bytes,
    compare_queue_ids=by_value,
    refusal=Refusal("IllegalArgument"),
)
