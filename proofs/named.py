"""Selection of claims by id, pattern, or name of a strategy, client or guarantee.

Names of assumptions select claims, too.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Protocol, TypeVar, cast

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.errors import UsageError

# Python values of terms without unknowns.


def number(term: smt.Term) -> int:
    """Return the integer value of a term without unknowns."""
    return cast(smt.Numeral, simplify(term)).number


def truth(term: smt.BoolTerm) -> bool:
    """Return the truth value of a term without unknowns."""
    return smt.is_true(simplify(term))


def value(term: smt.Term) -> int | bool:
    """Return the number or truth value of a term without unknowns."""
    return truth(term) if smt.is_bool(term) else number(term)


class Named(Protocol):
    """A claim, or another object with the id and names of a claim."""

    @property
    def id(self) -> str:
        """Return the claim's id."""

    @property
    def names(self) -> Sequence[str]:
        """Return the names that select the claim: the parts of its id, and others."""


N = TypeVar("N", bound=Named)


def selected(patterns: Sequence[str], claims: Sequence[N]) -> tuple[N, ...]:
    """Return the claims whose id or name matches a pattern; no patterns match everything.

    A ``*`` matches any text without a dot, so that ``allocation.*.disjoint`` has one claim per strategy. A trailing
    ``.**`` or the pattern ``**`` matches everything below. A pattern with a ``*`` that no whole id matches selects
    everything below its matches: ``settling.*``. A pattern that matches no id is taken as a name. In names, case,
    blanks, hyphens and underscores do not matter: ``CONSISTENT_HASH``, ``hash``, ``5.2``, ``Java 5.2``. Raises
    ``UsageError`` for a pattern that selects nothing.
    """
    if not patterns:
        return tuple(claims)
    chosen: set[str] = set()
    for pattern in patterns:
        matching = _matching(pattern, claims)
        if not matching and "*" in pattern:
            matching = _matching(f"{pattern}.**", claims)
        matching = matching or {one.id for one in claims if _plain(pattern) in map(_plain, one.names)}
        if not matching:
            raise UsageError(f"unknown claim or name {pattern!r}; {_nearest(pattern, claims)}")
        chosen |= matching
    return tuple(one for one in claims if one.id in chosen)


def _matching(pattern: str, claims: Sequence[N]) -> set[str]:
    parts = pattern.split(".")
    return {one.id for one in claims if _matches(one.id.split("."), parts)}


def _nearest(pattern: str, claims: Sequence[N]) -> str:
    """Return a suggestion for a pattern without a match.

    It is the first claim whose id begins with the pattern, or else the most similar name.
    """
    below = [one.id for one in claims if one.id.startswith(f"{pattern}.")]
    if below:
        return f"did you mean {below[0]!r}? `rebalance list '{pattern}.**'` lists all below"
    known = {_plain(word): word for one in claims for word in (one.id, *one.names)}
    found = get_close_matches(_plain(pattern), known, n=1, cutoff=0.7)
    meant = f"did you mean {known[found[0]]!r}? " if found else ""
    return f"{meant}`rebalance list` lists all claims"


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Return whether a pattern matches an id, both split at dots.

    Keep all positions in the pattern that the id may have reached, so that the time grows only linearly with the
    number of ``**``.
    """
    reached = {0}
    for wanted in pattern:
        if wanted == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {place + 1 for place in reached if place < len(parts) and fnmatchcase(parts[place], wanted)}
    return len(parts) in reached


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.casefold())
