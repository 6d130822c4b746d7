"""The causes that a known log line indicates, as the knowledge files state them."""

from functools import cache

from rebalance_proofs.recorded.knowledge.data import entries
from rebalance_proofs.recorded.logs.lines import NAMED


@cache
def indicated(name: str) -> tuple[str, ...]:
    """Return the names of the causes that a line indicates, then those of the line of another client like it."""
    every = [(cause["name"], cause.get("lines", ())) for cause in entries("causes", "cause")]
    names = [name, *([like] if (like := NAMED[name].like) else [])]
    return tuple(dict.fromkeys(cause for one in names for cause, lines in every if one in lines))
