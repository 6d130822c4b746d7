"""What the trace of a run shows, step by step: the entry, its requests, and what old entries have left behind."""

from collections.abc import Callable, Iterator

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.things import FIRST, NOBODY, NOTHING, PLAIN, Thing, yes

__all__ = ["things"]

COUNTS = {
    "waiting": ("wait", "Pull requests in the queue of `PullMessageService`, or scheduled for it."),
    "pulling": ("sent", "Pull requests whose callback has not been called yet."),
    "asking": ("asks", "Pull requests held by `pullMessage`, which asks where an ordered queue's pulls begin."),
    "repairing": ("repairs", "Tasks that write the offset which the broker has named, and take the queue's entry out."),
}
THREAD = "The thread of `PullMessageService`: whether it still runs."
SUSPENDED = "Whether the consumer is suspended: nothing is pulled, and nothing rebalanced."
TABLE = "Whether the queue has an entry in the consumer's table."
LIVE = "Whether the entry is in the table, and not marked as dropped."


def things(example: Counterexample) -> Iterator[Thing]:
    """The consumer first."""
    yield Thing("ended", "thread", "consumer", words=lambda ended: "has ended" if ended else "runs", meaning=THREAD)
    yield Thing("suspended", "suspended", "consumer", words=_said("yes"), owner=yes(FIRST), meaning=SUSPENDED)
    yield Thing("present", "in table", "entry", words=_said("yes"), owner=yes(FIRST), meaning=TABLE)
    yield Thing("live", "live", "entry", words=_said("yes"), owner=yes(FIRST), meaning=LIVE)
    for whose, before in (("entry", ""), ("old entries", "old_")):
        for name, (words, meaning) in COUNTS.items():
            yield Thing(before + name, words, whose, owner=lambda number: PLAIN if number else NOBODY, meaning=meaning)


def _said(words: str) -> Callable[[bool], str]:
    return lambda there: words if there else NOTHING
