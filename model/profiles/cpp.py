"""Profile of the C++ client: its strategies, sort orders and errors."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.profiles.profile import Profile, Refusal
from rebalance_proofs.model.queues import by_int32_difference, utf8_bytes

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
