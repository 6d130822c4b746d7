"""The causes that a known log line indicates, as the knowledge files state them."""

from functools import cache

from rebalance_proofs.recorded.knowledge.data import entries
from rebalance_proofs.recorded.logs.lines import NAMED

__all__ = ["indicated"]


@cache
def indicated(name: str) -> tuple[str, ...]:
    """Return the names of the causes that a line indicates, itself or through the line of another client like it."""
    names = {name, NAMED[name].like} - {""}
    return tuple(cause["name"] for cause in entries("causes", "cause") if names & set(cause.get("lines", ())))
