"""A check of the self-tests: trials of comparers that do not work must not count as noticed."""

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
"""Trials that must not count as noticed."""


def trials() -> Iterator[Required]:
    """The check as required work, since a self-test could not check itself."""
    found = sum(not tried(trial).noticed for trial in UNNOTICED)
    yield Required("self-tests of comparers that do not work, not noticed", len(UNNOTICED), found)
