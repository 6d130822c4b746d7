"""Check times between pulls: retries of refused pulls, and first pulls of process queues."""

from rebalance_proofs.model.subscriptions.limits import DEFAULTS
from rebalance_proofs.recorded.cluster.clients import generation
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.subscriptions.said import REFUSED
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.codes import PULL
from rebalance_proofs.recorded.groups.member import Ask, EntryNew


def waits(trace: Trace, who: str, calls: Calls, tally: Tally) -> None:
    """Check the times between the pulls of one consumer. Raises ``Unexplained``."""
    delay = generation(trace.release(who)).rules.pull_delay
    new: dict[str, int] = {}
    refused: dict[str, Ask] = {}
    pulls = {call.ask.row: call for call in calls.all[who] if call.ask.code == PULL}
    for event in trace.of[who]:
        if isinstance(event, EntryNew):
            new[event.q] = event.at
            refused.pop(event.q, None)
        elif isinstance(event, Ask) and event.code == PULL and event.said.q:
            q = event.said.q
            made = new.pop(q, None)
            if made is not None and event.at - made < delay:
                raise Unexplained(event, f"a new entry is pulled after {event.at - made} ms, not after {delay} ms")
            before = refused.pop(q, None)
            if before is not None and before.said.queue_offset == event.said.queue_offset:
                took = event.at - before.at
                if took < DEFAULTS.retry:
                    raise Unexplained(event, f"the pull before was refused, and this one is sent {took} ms later")
                tally.shown["retry"] += 1
            call = pulls.get(event.row)
            if call and call.answered and call.answered.said.code in REFUSED:
                refused[q] = event
