"""Profile of the Node client, ali-ons: its strategies, sort orders and errors."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.profiles.profile import Profile, Refusal
from rebalance_proofs.model.queues import by_value, utf16_units

NODE = Profile(
    name="node",
    recorded_as="node",
    observed="ali-ons 3.12.0 (npm)",
    strategies=(AVERAGELY,),
    string_key=utf16_units,
    compare_queue_ids=by_value,
    refusal=Refusal("Error"),
)
