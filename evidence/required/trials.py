"""Check of the self-tests themselves: a broken comparison must not pass a self-test."""

from collections.abc import Iterator

from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.report.evidence import Required


def _raises() -> tuple[str, ...]:
    raise ValueError("no comparer")


UNNOTICED = (
    Trial("it reports nothing", tuple, tuple),
    Trial("it always reports something", lambda: ("no.",), lambda: ("no.",)),
    Trial("it raises", tuple, _raises),
)
"""Self-tests with broken comparisons, which must fail."""


def trials() -> Iterator[Required]:
    """Yield the check as required work, because no self-test could check the self-tests."""
    found = sum(not tried(trial).noticed for trial in UNNOTICED)
    yield Required("self-tests of broken comparison code that report no success", len(UNNOTICED), found)
