"""Find the client and the group of log lines that do not name them."""

from collections.abc import Sequence

from rebalance_proofs.recorded.audit.kinds import OWN, TABLE
from rebalance_proofs.recorded.audit.log import SAME_REBALANCE, Log, Placed
from rebalance_proofs.recorded.audit.told import Share
from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue


def by_neighbours(placed: Sequence[Placed]) -> dict[int, str]:
    """Return the client of each line that names none, as index of the line -> client id.

    An added queue belongs to the client of the rebalance result that follows; a removed queue to that of the commit
    before it.
    """
    found: dict[int, str] = {}
    results: dict[tuple[str, str], Fact] = {}
    for place in range(len(placed) - 1, -1, -1):
        fact = placed[place][0]
        if fact.kind is Kind.RESULT:
            results[fact.group, fact.topic] = fact
        elif fact.kind in (Kind.ADDED, Kind.DENIED, Kind.NOT_ADDED) and fact.queue:
            after = results.get((fact.group, fact.queue[0]))
            if after and fact.queue in after.queues and _near(fact.at, after.at):
                found[place] = after.client
    last: dict[tuple[str, Queue], Fact] = {}
    for place, (fact, _) in enumerate(placed):
        if fact.kind is Kind.COMMITTED and fact.queue:
            last[fact.group, fact.queue] = fact
        elif fact.kind in (Kind.REMOVED, Kind.ILLEGAL, Kind.FORGOT) and fact.queue:
            before = last.get((fact.group, fact.queue))
            if before and _near(before.until, fact.at):
                found[place] = before.client
    return found


def _near(before: int | None, after: int | None) -> bool:
    return before is None or after is None or 0 <= after - before <= SAME_REBALANCE


def group_of(log: Log, fact: Fact, own_groups: set[str]) -> str:
    """Return the group of a line that does not name it; "" if it is ambiguous or never named."""
    if fact.queue and fact.kind in TABLE:
        topic = fact.queue[0]
        named = [one for one in own_groups if topic == f"%RETRY%{one}" or topic in log.topics.get(one, ())]
        return named[0] if len(named) == 1 else ""
    if fact.queue:
        having = {group for group, _, queue in log.open if queue == fact.queue}
        if having:
            return having.pop() if len(having) == 1 else ""
        spans = log.closed.get(fact.queue)
        if spans:
            return log.group_of[id(spans[-1])]
    return next(iter(own_groups)) if len(own_groups) == 1 else ""


def whose(log: Log, share: Share, fact: Fact) -> str:
    """Return the client of a line that does not name it; "" if it is ambiguous."""
    every = log.clients.get(share.group, [])
    known = [one for one in every if (share.group, one) not in log.over] or every
    if len(known) == 1:
        return known[0]
    having = [client for group, client, queue in log.open if group == share.group and queue == fact.queue]
    if len(having) == 1 and fact.kind in (Kind.REMOVED, Kind.ILLEGAL, Kind.ENDED, Kind.UNCOUNTED):
        return having[0]
    if known and fact.at is not None:
        # Only one of several clients still logs: the process was restarted.
        recent = [one for one in known if log.seen.get((share.group, one), 0) >= fact.at - SAME_REBALANCE]
        if len(recent) == 1:
            return recent[0]
    if fact.kind in OWN:
        share.unnamed += 1
    return ""
