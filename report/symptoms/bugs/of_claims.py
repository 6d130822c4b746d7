"""Build lists of claims as evidence for a bug, with one claim for each client."""

from collections.abc import Iterable

from rebalance_proofs.model.releases import LAST
from rebalance_proofs.report.index.entries import entry
from rebalance_proofs.report.symptoms.bug import Said
from rebalance_proofs.report.symptoms.causes.of_clients import EACH, PULLING, pulls

__all__ = ["AT_ONCE", "each", "of", "of_pulls"]

AT_ONCE = PULLING[1:]
"""The clients that repair an illegal offset immediately when the repair is due."""
WORDS = dict(zip(EACH, ("4.9", "5.0 to 5.1.4", f"5.2 to {LAST}"), strict=True))


def of(claims: Iterable[str]) -> tuple[Said, ...]:
    """Return the claims with these ids as evidence. No versions are added: each claim's client names them."""
    return tuple(map(Said, claims))


def each(pattern: str, told: str) -> tuple[Said, ...]:
    """Return claims about offsets with ordered listeners, one for each Java generation; ``pattern`` ends their ids.

    ``pattern`` ends their ids. ``told`` describes the clients or circumstances, with ``{}`` in place of the versions.
    """
    return tuple(Said(f"offsets.java_v{one}-orderly.{pattern}", told.format(words)) for one, words in WORDS.items())


def of_pulls(pattern: str, *clients: str, when: str = "") -> tuple[Said, ...]:
    """Return claims about pull requests for ``clients`` (default: all). ``pattern`` ends the claims' ids."""
    return tuple(Said(one, f"{entry(one).label}, {when}" if when else "") for one in pulls(pattern, *clients))
