"""The Go client."""

from model.allocation.averagely import AVERAGELY
from model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from model.orders import by_value, utf8_bytes
from model.profiles.profile import Profile

__all__ = ["GO"]

GO = Profile(
    name="go",
    recorded_as="go",
    observed="Go client, commit 2173d070fd",
    strategies=(AVERAGELY, AVERAGELY_BY_CIRCLE),
    string_key=utf8_bytes,
    compare_queue_ids=by_value,
    refusal=None,
)
