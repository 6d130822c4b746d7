"""Profile of the Rust client: its strategies, sort orders and errors."""

from dataclasses import replace
from functools import partial

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY, ONE_ROOM, machine_room_nearby
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_RUST
from rebalance_proofs.model.profiles.profile import Profile, Refusal
from rebalance_proofs.model.queues import by_value, utf8_bytes

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
