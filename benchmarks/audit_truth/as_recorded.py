"""An audit against what `rebalance record` reports of the same run: pauses, overlaps, offset rollbacks, and causes."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from rebalance_proofs.recorded.audit.finding import Finding, Level
from rebalance_proofs.recorded.audit.outcome import Audited
from rebalance_proofs.recorded.groups.run import Run
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.facts import Back, Fact, Overlap, Pause
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.audit.words import ranges
from rebalance_proofs.report.live.explain import Explained, explain

NEAR = 5_000
"""Largest difference in ms between a time in events and in logs."""
KINDS: Mapping[type[Fact], tuple[str, ...]] = {
    Pause: ("nobody", "locks", "unread", "stalled", "refused"),
    Overlap: ("listeners", "two"),
    Back: ("back",),
}
"""Kind of a recorded problem -> names of findings about it. Redelivered and lost messages are in no log line."""


def differences(folder: Path, audited: Audited) -> Iterator[str]:
    """Yield each recorded problem without a finding or with another cause, and each SEEN rollback without a problem.

    ``folder``: events of the run. Groups without a log are left out. Queues with the same difference share a line.
    """
    history = History(Run(folder))
    start = history.run.start
    groups = {group.name: group.findings for group in audited.groups if group.coverage}
    found: dict[tuple[str, str, str], set[tuple[str, int]]] = {}
    rest = {(name, id(one)): one for name, own in groups.items() for one in own if _rollback(one)}
    for each in explain(history, seen(history)):
        fact = each.fact
        names = KINDS.get(type(fact))
        if not names or fact.group not in groups:
            continue
        about = [one for one in groups[fact.group] if one.what.value in names and _about(one, fact, start)]
        # A refusal concerns all queues of a member: it counts if nothing is known about the queue itself.
        own = [one for one in about if one.what.value != "refused"] or about
        for one in own:
            rest.pop((fact.group, id(one)), None)
        topic, _, number = fact.q.rpartition(":")
        said = _difference(each, own)
        if said:
            found.setdefault((fact.group, type(fact).__name__.lower(), said), set()).add((topic, int(number)))
    for (group, kind, said), queues in found.items():
        for topic in sorted({one for one, _ in queues}):
            yield f"{group} {kind} {topic} {ranges([number for one, number in queues if one == topic])}: {said}"
    for (group, _), one in rest.items():
        yield f"{group} back: no recorded rollback, {one.detail}"


def _difference(each: Explained, own: list[Finding]) -> str:
    cause = each.found.cause.name if each.found else "no cause"
    if not own:
        return f"not found ({cause})"
    causes = {name for one in own for name in one.causes}
    return (
        ""
        if not causes or cause in causes or not each.found
        else f"recorded {cause}, found {', '.join(sorted(causes))}"
    )


def _rollback(one: Finding) -> bool:
    return one.what.value == "back" and one.level is Level.SEEN


def _about(one: Finding, fact: Fact, start: int) -> bool:
    begin = start + fact.at
    end = start + (fact.until if isinstance(fact, Pause) else fact.second.end if isinstance(fact, Overlap) else fact.at)
    return any(
        (each.queue is None or ":".join(map(str, each.queue)) == fact.q)
        and each.at is not None
        and each.until is not None
        and each.at <= end + NEAR
        and each.until >= begin - NEAR
        for each in one.intervals
    )
