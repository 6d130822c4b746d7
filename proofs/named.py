"""Claims by the names that users know: of a strategy, a client or its version, a guarantee, a premise."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from rebalance_proofs.proofs.claim import Claim


def named(name: str, ledger: Sequence[Claim]) -> set[str]:
    """The ids of the claims that a name stands for: ``CONSISTENT_HASH``, ``hash``, ``5.2``, ``Java 5.2``, ``covers``.

    Case, blanks, hyphens and underscores do not matter.
    """
    return {claim.id for claim in ledger if _plain(name) in map(_plain, _names(claim))}


def near(name: str, ledger: Sequence[Claim]) -> str:
    """The name or id that is spelled most like ``name``; empty if none is close."""
    known = {_plain(word): word for claim in ledger for word in (claim.id, *_names(claim))}
    found = get_close_matches(_plain(name), known, n=1, cutoff=0.7)
    return known[found[0]] if found else ""


def _names(claim: Claim) -> Iterable[str]:
    yield from claim.id.split(".")
    yield claim.guarantee.name
    for strategy in claim.subjects:
        yield strategy.name
        yield strategy.rocketmq_name
        version = re.fullmatch(r"java_v([\d_]+)", strategy.name)
        if version:
            number = version[1].replace("_", ".")
            yield from (number, f"Java {number}")


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.casefold())
