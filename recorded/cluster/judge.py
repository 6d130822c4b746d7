"""Check one recorded run with all state machines of the model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

from rebalance_proofs.recorded.cluster import (
    lines,
    pulls,
    requests,
    rounds,
    shares,
)
from rebalance_proofs.recorded.cluster.around import around
from rebalance_proofs.recorded.cluster.offsets import check as offsets
from rebalance_proofs.recorded.cluster.ordered import check as ordered
from rebalance_proofs.recorded.cluster.registry import check as registry
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.settling import check as settling
from rebalance_proofs.recorded.cluster.subscriptions import check as subscriptions
from rebalance_proofs.recorded.cluster.tally import MONITORS, Rejection, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace

CHECKS: Mapping[str, Callable[[Trace, Calls], Tally]] = {
    lines.MACHINE: lambda trace, calls: lines.check(trace),
    requests.MACHINE: requests.check,
    shares.MACHINE: lambda trace, calls: shares.check(trace),
    rounds.MACHINE: lambda trace, calls: rounds.check(trace),
    settling.MACHINE: lambda trace, calls: settling.check(trace),
    registry.MACHINE: registry.check,
    ordered.MACHINE: ordered.check,
    pulls.MACHINE: pulls.check,
    subscriptions.MACHINE: subscriptions.check,
    offsets.MACHINE: offsets.check,
}
"""Name of a state machine -> function that checks a trace with it, in order of the reports."""


@dataclass(frozen=True)
class Verdict:
    """Results of all state machines for one recorded run."""

    name: str
    """Name of the run's folder, as printed in reports."""
    release: str
    lines: int
    seconds: float
    tallies: tuple[Tally, ...]
    unknown: Mapping[str, int]
    """Unknown events and fields, which were skipped -> how often each occurs."""
    files: Mapping[str, str]
    """Process name -> its file in the run's folder."""
    remarks: tuple[str, ...] = ()
    """Remarks on versions that other releases represent."""

    @property
    def accepted(self) -> bool:
        """True if every state machine explains all events."""
        return all(tally.accepted for tally in self.tallies)

    @property
    def rejections(self) -> list[tuple[str, Rejection]]:
        """All rejected events, each as (name of the state machine, rejection), sorted by time."""
        found = [(tally.machine, one) for tally in self.tallies for one in tally.rejected]
        return sorted(found, key=lambda each: each[1])


def judge(trace: Trace, name: str) -> Verdict:
    """Check a trace with all state machines; ``name`` is printed in reports."""
    begun = perf_counter()
    calls = Calls(trace)
    tallies = tuple(_held(machine, trace, calls) for machine in CHECKS)
    for tally in tallies:
        _look_around(trace, calls, tally)
    unknown = {**trace.beyond.events, **trace.beyond.keys}
    files = {who: path.name for who, path in trace.run.files.items()}
    count = sum(map(len, trace.of.values()))
    return Verdict(name, trace.version, count, perf_counter() - begun, tallies, unknown, files, trace.remarks)


def _look_around(trace: Trace, calls: Calls, tally: Tally) -> None:
    """Attach nearby events to the first rejected event of a state machine."""
    if tally.rejected:
        tally.rejected.sort()
        first = tally.rejected[0]
        tally.rejected[0] = replace(first, near=around(trace, calls, first.who, first.row))


def _held(machine: str, trace: Trace, calls: Calls) -> Tally:
    """Check a trace with one state machine.

    An impossible name or number counts as a rejected event.
    """
    try:
        return CHECKS[machine](trace, calls)
    except (ValueError, LookupError) as error:
        tally = Tally(machine, MONITORS)
        first = min((events[0] for events in trace.of.values() if events), key=lambda event: event.at)
        tally.reject("all", Unexplained(first, f"an event of the trace has an impossible value: {error}"))
        return tally
