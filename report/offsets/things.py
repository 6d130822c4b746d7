"""What the trace of a run shows, step by step: each consumer's entry, listener and memory, and what is committed."""

from collections.abc import Iterator

from rebalance_proofs.proofs.happens import NAMES
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.offsets.document import NO_OFFSET
from rebalance_proofs.report.things import NOBODY, PLAIN, Thing, consumers

__all__ = ["things"]

MEMORY = "The offset of the queue that the consumer would send to the broker (`offsetTable`)."
COMMITTED = "The offset of the queue that the broker has for the group: who begins to read it, begins there."
CONSUMED = "How often a listener has returned from the message."


def things(example: Counterexample) -> Iterator[Thing]:
    """The message last."""
    yield from consumers(NAMES, _memory)
    yield Thing("committed", "committed offset", "broker", words=_offset, owner=_none, meaning=COMMITTED)
    yield Thing("consumed", "consumed", "message", words=_times, meaning=CONSUMED)


def _memory(name: str, place: int) -> Iterator[Thing]:
    yield Thing("memory", "offset in memory", name, place, _offset, _none, MEMORY)


def _offset(value: int) -> str:
    return "none" if value == NO_OFFSET else str(value)


def _none(value: int) -> str:
    return NOBODY if value == NO_OFFSET else PLAIN


def _times(value: int) -> str:
    return {0: "not yet", 1: "once", 2: "twice"}.get(value, f"{value} times")
