"""Legend of the conformance marks that one answer shows."""

from collections.abc import Iterable

from rebalance_proofs.report.mark import MEANINGS, Mark


def legend(marks: Iterable[Mark]) -> str:
    """Return the meanings of the given conformance marks in one line."""
    found = {*marks}
    return " ".join(f"{mark.word.capitalize()}: {MEANINGS[mark]}." for mark in Mark if mark in found)
