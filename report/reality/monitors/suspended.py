"""Monitor claims about a suspended consumer: it does not pull, and does not release queues."""

from collections.abc import Iterator

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.recorded.cluster.settling.clock import limits
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.codes import PULL
from rebalance_proofs.recorded.groups.member import Entry
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "pulls"


def suspended(view: View, who: str) -> Iterator[Told]:
    """Check the consumer ``who``."""
    release, spans = view.trace.release(who), [*view.suspensions(who)]
    chances, pulls, kept = 0, list[Bad](), list[Bad]()
    for since, until in spans:
        begun = since + view.trace.slack(who, since, since + STALL)
        if begun >= until:
            continue
        held = [one for _, one in _held(view, who) if one.begin <= since and one.end >= until]
        chances += len(held)
        pulls += [(call.ask.at, None) for call in view.asked(who, PULL) if begun < call.ask.at < until]
        wait = number(limits(view.trace.consumers[who]).wait) + STALL
        for one in held:
            taken = min(_others(view, who, one.q, since, until), default=until)
            if until - taken > wait and not _marked(view, who, one, until):
                kept.append((taken, until - taken))
    yield told(KIND, release, "rests", "a pull began while the consumer was suspended", chances, pulls)
    what = "a suspended consumer did not drop an entry although another consumer got its queue"
    yield told(KIND, release, "lets-go", what, 0, kept, variants=("without-running",))


def _held(view: View, who: str) -> Iterator[tuple[str, Held]]:
    return ((q, held) for (owner, q), entries in view.entries.items() if owner == who for held in entries)


def _others(view: View, who: str, q: str, since: int, until: int) -> Iterator[int]:
    """Yield times at which other members of the group added the queue."""
    for other in view.groups[view.trace.consumers[who].group]:
        entries = view.entries.get((other, q), ()) if other != who else ()
        yield from (held.begin for held in entries if since <= held.begin < until and held.end >= until)


def _marked(view: View, who: str, held: Held, at: int) -> bool:
    """Return True if a poll of the consumer's table had shown the process queue as dropped by the time ``at``."""
    marks = (event for event in view.trace.kind(Entry, who) if event.entry == held.entry and event.at <= at)
    return any(event.dropped for event in marks)
