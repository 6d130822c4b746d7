"""What claims say of versions, one for each client."""

from collections.abc import Iterable

from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.report.symptoms.bug import Said
from rebalance_proofs.report.symptoms.causes.of_clients import EACH, PULLING, pulls

__all__ = ["AT_ONCE", "each", "of", "of_pulls"]

AT_ONCE = PULLING[1:]
"""The clients that repair an offset as soon as its time has come."""
WORDS = dict(zip(EACH, ("4.9", "5.0 to 5.1.4", "5.2 and later"), strict=True))


def of(claims: Iterable[str]) -> tuple[Said, ...]:
    """Each of the client that its subject's name says."""
    return tuple(map(Said, claims))


def each(pattern: str, told: str) -> tuple[Said, ...]:
    """Of offsets, with ordered listeners; ``told``: of whom, or under what, with ``{}`` for the versions."""
    return tuple(Said(f"offsets.java_v{one}-orderly.{pattern}", told.format(words)) for one, words in WORDS.items())


def of_pulls(pattern: str, *clients: str, when: str = "") -> tuple[Said, ...]:
    """Of pull requests; of all clients, unless told."""
    names = {client.name: client.rocketmq_name for client in CLIENTS}
    return tuple(Said(one, f"{names[one.split('.')[1]]}, {when}" if when else "") for one in pulls(pattern, *clients))
