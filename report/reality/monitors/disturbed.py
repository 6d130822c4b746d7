"""Monitor claims about settling with failed rebalances, ``resume()``, or no periodic rebalance."""

from collections.abc import Iterator
from itertools import pairwise

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.settling import DEFAULTS
from rebalance_proofs.model.registry.limits import DEFAULTS as OF_ROUTES
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.settling.clock import limits
from rebalance_proofs.recorded.groups.codes import LIST
from rebalance_proofs.recorded.groups.member import Allocate, Resumed, Resuming, Started
from rebalance_proofs.recorded.groups.producer import Queues
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "settling"
LONGEST = 6_000
"""Assumed longest duration of a rebalance in ms; recordings do not show it."""
SUCCESS = 0


def disturbed(view: View, who: str, at_once: list[Bad], least: int) -> Iterator[Told]:
    """Check the consumer ``who``.

    ``at_once``: times at which a rebalance requested the member list while another thread's rebalance waited for it.
    ``least``: least time in ms between two rebalances.
    """
    release = view.trace.release(who)
    what = "a rebalance requested the ids while another one waited for them, when the consumer was resumed"
    yield told(KIND, release, "alone", what, 0, at_once, variants=("without-resume",))
    what = "rebalances began less than the minimum interval apart, when the consumer was resumed"
    yield told(KIND, release, "apart", what, 0, _close(view, who, least), variants=("without-resume",))
    what = "no rebalance saw the broker's new list of members within a wait and 12 s, plus as much for each failed one"
    yield told(KIND, release, "settles", what, *_failed(view, who), variants=("fails",))
    what = "no rebalance saw a change within 32 s, and the thread's timer does not expire"
    yield told(KIND, release, "settles", what, 0, _untimed(view, who), variants=("without-timer",))


def _close(view: View, who: str, least: int) -> list[Bad]:
    """Return times of rebalances less than ``least`` ms apart, of which ``resume()`` made one."""
    rounds: dict[str, list[tuple[int, bool]]] = {}
    resumes = False
    for event in view.trace.of[who]:
        resumes = isinstance(event, Resuming) or (resumes and not isinstance(event, Resumed))
        if isinstance(event, Allocate):
            rounds.setdefault(event.topic, []).append((event.at, resumes))
    pairs = (pair for its in rounds.values() for pair in pairwise(its))
    return sorted({(later[0], None) for one, later in pairs if later[0] - one[0] < least and one[1] != later[1]})


def _failed(view: View, who: str) -> tuple[int, list[Bad]]:
    """Check that a later rebalance sees a change of the member list if a rebalance failed after it."""
    chances, bad, leaves = 0, list[Bad](), view.leaves(who)
    wait, group = number(limits(view.trace.consumers[who]).wait), view.trace.consumers[who].group
    there = min((event.at for event in view.trace.kind(Started, who)), default=view.trace.end)
    fails = [call.ask.at for call in view.asked(who, LIST) if _fails(call)]
    rounds = view.trace.kind(Allocate, who)
    for broker in view.trace.brokers:
        lists = view.lists(broker, group)
        ends = (*(one for one, _ in lists[1:]), view.trace.end)
        for (at, listed), later in zip(lists, ends, strict=False):
            until = _until(view, who, fails, at, wait)
            failed = any(at <= one <= until for one in fails)
            rebalances = not view.away(at, until, LONGEST) and not view.suspended(who, at, until)
            if failed and there <= at and until < min(later, leaves) and rebalances:
                chances += 1
                ids = {name for name, _ in listed}
                saw = any(set(one.cid_all or ()) == ids for one in rounds if at <= one.at <= until)
                bad += [(at, None)] * (not saw)
    return chances, bad


def _until(view: View, who: str, fails: list[int], at: int, wait: int) -> int:
    """Return by when a rebalance must have seen the change at ``at``.

    Each failed rebalance delays it.
    """
    until, known = at, -1
    while known != (known := sum(at <= one <= until for one in fails)) or until == at:
        until = view.due(who, at, (1 + known) * (wait + LONGEST) + LONGEST)
    return until


def _fails(call: Call) -> bool:
    """Return True if a request for the member list had no answer, or an answer without a list."""
    return call.answer is None or call.answer.said.code != SUCCESS or call.answer.said.ids is None


def _untimed(view: View, who: str) -> list[Bad]:
    """Return added queues not seen within the default wait by a consumer without periodic rebalances."""
    bad, begun = list[Bad](), view.trace.kind(Started, who)
    if not begun or number(limits(view.trace.consumers[who]).wait) <= view.trace.end - begun[0].at:
        return bad
    poll = number(OF_ROUTES.poll) + LONGEST
    for change in view.trace.produced(Queues):
        at = change.at + poll
        until = view.due(who, at, number(DEFAULTS.wait) + 2 * LONGEST)
        rounds = [one for one in view.trace.kind(Allocate, who) if one.topic == change.topic and one.at >= change.at]
        saw = min((one.at for one in rounds if {*change.queues} <= {*(one.mq_all or ())}), default=view.leaves(who))
        mine = any(one.topic == change.topic for one in view.trace.kind(Allocate, who) if one.at < change.at)
        if mine and begun[0].at < change.at and saw > until and not view.away(at, until, LONGEST):
            bad.append((at, saw - at))
    return bad
