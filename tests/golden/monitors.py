"""What monitors say of small recordings that are drawn: how often each event could have been, and was, of which claims.

No recorded group meets most of their conditions at the limits, and none the conditions that no client meets.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from rebalance_proofs.report.reality.monitored import MONITORS
from rebalance_proofs.report.reality.monitors.ordered import in_time, measured
from rebalance_proofs.report.reality.view import View
from tests.golden.digested import digest
from tests.report.reality.monitors.drawing import GROUP
from tests.report.reality.monitors.drawn import drawn

RECORDINGS = {"ordered": 250}
MOST = 400
"""How many recordings of a kind are drawn; of ordered groups fewer, since these take longest."""


@dataclass
class Said:
    """What one monitor says of one thing, in all recordings."""

    chances: int = 0
    bad: int = 0
    ms: int = 0
    when: list[tuple[int, int, list[int]]] = field(default_factory=list)
    claims: dict[str, None] = field(default_factory=dict)


def monitors() -> Iterator[str]:
    """A paragraph for each kind, and a row for each thing that is looked for."""
    for kind, monitor in MONITORS.items():
        many, found = RECORDINGS.get(kind, MOST), defaultdict[str, Said](Said)
        for number in range(many):
            for one in monitor(View(drawn(kind, number))):
                said = found[one.what]
                said.chances += one.chances
                said.bad += len(one.bad)
                said.ms += sum(ms or 0 for _, ms in one.bad)
                said.when.append((number, one.chances, [at for at, _ in one.bad]))
                said.claims |= dict.fromkeys(claim.id for claim in one.claims)
                said.claims |= dict.fromkeys(f"can: {claim.id}" for claim in one.can)
                said.claims |= dict.fromkeys(f"perhaps: {claim.id}" for claim in one.perhaps)
        yield f"{kind}, {many} recordings"
        for what, said in sorted(found.items()):
            yield f"  {what}: {said.bad} of {said.chances}, {said.ms} ms, {digest(said.when)}"
            yield from (f"    {claim}" for claim in sorted(said.claims))
    yield from _of_locks()


def _of_locks() -> Iterator[str]:
    """The times on which locks rest, as measured up to the end of ordered recordings, and halfway."""
    found, late = defaultdict[str, list[int]](list), list[bool]()
    for number in range(RECORDINGS["ordered"]):
        view = View(drawn("ordered", number))
        if (release := view.release_of(GROUP)) is None:
            continue
        calls = [call for who in view.groups[GROUP] for call in view.all_calls[who]]
        for until in (view.trace.end, view.trace.end // 2):
            for name, value in vars(measured(view, GROUP, release, until)).items():
                found[name].append(value)
        late += [not in_time(view, release, call, ms) for call in calls for ms in (call.end, view.trace.end)]
    yield "times on which locks rest"
    for name, values in found.items():
        yield f"  {name}: {min(values)} to {max(values)} ms, {digest(values)}"
    yield f"  renewals were late for {sum(late)} of {len(late)} calls, {digest(late)}"
