"""Small groups for which the explorer finds a state in which a refuted claim fails."""

from collections.abc import Mapping
from functools import cache

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.spark_enum.explorer.models import concurrent, ordered
from rebalance_proofs.spark_enum.explorer.standard import Standard
from rebalance_proofs.spark_enum.explorer.subject import Subject


def _group(of: Subject, **told: object) -> Standard:
    return Standard(of.name, of.settings(**told))


EXAMPLES = (
    _group(concurrent.SUBJECT),
    _group(concurrent.SUBJECT, client="4.9.8"),
    *(_group(concurrent.SUBJECT, strategy=strategy) for strategy in ("circle", "hash", "hash-go")),
    *(_group(ordered.SUBJECT, queues=1, client=client) for client in ("5.2", "go")),
    *(
        _group(ordered.SUBJECT, queues=1, client="5.2", unlock=4, faults=(fault,))
        for fault in (ordered.SHUTDOWN, ordered.RESTART, ordered.LATE_RETURN)
    ),
)
"""The groups, each with the bad states that it reaches.

Each bad state names the claims that it refutes.
"""


def example_of(claim: str) -> Standard | None:
    """Return the first group in which the refuted claim fails; None if there is no such group."""
    return _by_claim().get(claim)


@cache
def _by_claim() -> Mapping[str, Standard]:
    found: dict[str, Standard] = {}
    for example in EXAMPLES:
        for watch in example.watches.values():
            for claim in watch.claims:
                if LEDGER.named(claim).expected is Verdict.REFUTED:
                    found.setdefault(claim, example)
    return found
