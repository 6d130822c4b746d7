"""What `tried` makes of trials that nothing can have noticed: a self-test that is always noticed would say nothing."""

from collections.abc import Iterator

from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.report.evidence import Required


def _raises() -> tuple[str, ...]:
    raise ValueError("no comparer")


UNNOTICED = (
    Trial("it says nothing", tuple, tuple),
    Trial("it always complains", lambda: ("no.",), lambda: ("no.",)),
    Trial("it raises", tuple, _raises),
)
"""These must not count as noticed."""


def trials() -> Iterator[Required]:
    """Told as work: a self-test could not tell it of itself."""
    found = sum(not tried(trial).noticed for trial in UNNOTICED)
    yield Required("self-tests of comparers that do not work, not noticed", len(UNNOTICED), found)
