"""Possible causes of a redelivered message, the most specific first."""

from collections.abc import Iterator

from rebalance_proofs.recorded.seen.facts import Back, Twice
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.signs import BACK, EXPIRED, LOOK, differ, down, meets, one_id


def of_twice(history: History, fact: Twice, backs: list[Back]) -> Iterator[str]:
    """Yield names of causes of the redelivery.

    No known cause explains it if the client had no reason to consume the message again.
    """
    first, again = fact.first, fact.again
    ordered = history.ordered(fact.group)
    if one_id(history, first.who, again.who):
        yield "same-client-id-ordered" if ordered else "same-client-id"
        return
    entry = history.holds(fact.group, again.who, fact.q, again.begin)
    if entry is None or (first.who == again.who and entry.begin <= first.begin):
        return  # one entry delivers a message once, as long as its listener succeeds
    if not _began_at_or_before(entry, fact.offset):
        return  # the message was already committed when the entry began
    lower = [back for back in backs if _undoes(back, fact, entry)]
    if lower:
        yield from (
            ("broker-forgot", "late-commit") if meets(down(history, fact.q), *_near(lower[-1])) else ["late-commit"]
        )
    if differ(history, fact.group):
        yield "strategies-differ"
    before = history.holds(fact.group, first.who, fact.q, first.begin)
    if before and first.who == again.who and before.since_pull > EXPIRED:
        yield "expired-pull"
    if meets(down(history, fact.q), first.begin - BACK, again.begin):
        yield "broker-comes-back"
    if not ordered:
        yield "hand-over"
    elif _one_batch(history, fact):
        yield from ("hand-over-ordered", "ordered-without-good-bye")
    else:
        yield from ("ordered-without-good-bye", "hand-over-ordered")


def _began_at_or_before(entry: Held, offset: int) -> bool:
    known = [each for each in (entry.read, entry.first) if each is not None and each >= 0]
    return not known or min(known) <= offset


def _undoes(back: Back, fact: Twice, entry: Held) -> bool:
    """Return True if an offset rollback undid the message's commit before the process queue was created."""
    same = back.group == fact.group and back.q == fact.q and fact.first.begin <= back.when <= entry.begin + LOOK
    return same and (back.now or 0) <= fact.offset < back.was


def _near(back: Back) -> tuple[int, int]:
    return back.when - 60_000, back.when


def _one_batch(history: History, fact: Twice) -> bool:
    """Return True if the repeated message belongs to the old owner's last batch."""
    mine = [call for call in history.calls[fact.group] if call.who == fact.first.who and call.q == fact.q]
    last = max((call.begin for call in mine if call.begin <= fact.again.begin), default=None)
    return last == fact.first.begin
