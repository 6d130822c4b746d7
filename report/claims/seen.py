"""Conformance of claims: how recordings of real clients support them.

All marks are computed here, also those in the index (``report.marks``).
"""

from collections.abc import Iterable
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.compared import Compared, compared
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.conformance import How, Seen
from rebalance_proofs.report.index.entries import by_label
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.shown import Shown
from rebalance_proofs.report.text.grouped import grouped


def seen(claim: Claim, found: Compared | None = None) -> Seen:
    """Return how recordings of real clients support a claim, with the conformance mark.

    ``found`` has the numbers of a comparison with recorded results, by default with the pinned recordings. Evidence
    from recorded groups is always the pinned one, because runs do not read recorded groups.
    """
    kind = shown(claim)
    return kind.groups(claim) if kind.groups else seen_of(kind, claim.subjects, found)


def seen_of(kind: Shown, subjects: Iterable[Any], found: Compared | None = None) -> Seen:
    """Return how recorded results support the code of clients or strategies.

    ``found`` as in ``seen``.
    """
    found = compared() if found is None else found
    results: dict[str, int] = {}
    without: list[str] = []
    bare = 0
    for one in subjects:
        recordings = kind.recorded(one)
        own = {client: found[pair] for pair, client in recordings.items() if found.get(pair)}
        for client, number in own.items():
            results[client] = results.get(client, 0) + number
        without += [client for client in recordings.values() if client not in own] if own else [kind.label(one)]
        bare += not own
    mark = Mark.MODEL if not results else Mark.PART if bare else Mark.SEEN
    return Seen(mark, results, tuple(dict.fromkeys(without)), How.COMPARED if results else How.NOTHING)


def by_mark(names: Iterable[str], found: Compared | None = None) -> dict[str, list[str]]:
    """Group claim ids by their printed mark; ``found`` as in ``seen``.

    Raises ``LookupError`` for an unknown id.
    """
    return grouped(names, lambda name: seen(LEDGER.named(name), found).word)


def among(claims: Iterable[Claim], found: Compared | None = None) -> str:
    """Return the claims' common conformance mark, or their marks with labels (``marks.by_label``).

    ``found`` as in ``seen``.
    """
    return by_label((seen(claim, found).mark, " + ".join(map(shown(claim).label, claim.subjects))) for claim in claims)
