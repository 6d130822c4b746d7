"""The text of docs/reference/reality.md."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import product, repeat
from pathlib import Path
from tempfile import TemporaryDirectory

from rebalance_proofs.model.machines.offsets.actions import MACHINES
from rebalance_proofs.model.machines.offsets.state import Way
from rebalance_proofs.model.machines.ordered.actions import ORDERED
from rebalance_proofs.model.machines.pulls.actions import PULLS
from rebalance_proofs.model.machines.registry.actions import REGISTRY
from rebalance_proofs.model.machines.settling.actions import SETTLING
from rebalance_proofs.model.machines.subscriptions.actions import SUBSCRIPTIONS
from rebalance_proofs.recorded.cluster.edits import EDITS, edited
from rebalance_proofs.recorded.cluster.judge import CHECKS, Verdict, accepts, judge
from rebalance_proofs.recorded.cluster.legal import CHANGES, NotApplicable, changed
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.report.reality.differs import Differs
from rebalance_proofs.report.reality.monitored import monitored
from rebalance_proofs.report.reality.pin import STEPS
from rebalance_proofs.report.reality.reasons import FAULTS, NOT_NEEDED, NOT_REJECTED, marked
from rebalance_proofs.report.reality.told import (
    Happening,
    Held,
    Pinned,
    compared_sdks,
    happenings,
    helds,
    recorded_sdks,
)
from rebalance_proofs.report.reality.wrong import Tried, tried
from rebalance_proofs.report.text.english import capitalized, count, listing, seconds

__all__ = ["Real", "Strength", "page", "real", "small", "strength", "tried"]

DECLARED: Mapping[str, Mapping[str, object]] = {
    "settling": SETTLING.actions,
    "registry": REGISTRY.actions,
    "ordered": ORDERED.actions,
    "pulls": PULLS.actions,
    "subscriptions": SUBSCRIPTIONS.actions,
    "offsets": {**MACHINES[Way.CONCURRENTLY].actions, **MACHINES[Way.ORDERLY].actions},
}
EDITED = ("allocation", "transition", "settling", "registry", "ordered", "pulls", "subscriptions", "offsets")
ENOUGH = 0.9
"""Share of edits that should be rejected, of each kind and machine."""
SMALL = 7_000
"""Recordings with fewer events are edited at random, to test that the checks reject the edits."""


@dataclass(frozen=True)
class Real:
    """The results of checking one recording."""

    verdict: Verdict
    happened: tuple[Happening, ...]
    held: tuple[Held, ...]


@dataclass(frozen=True)
class Strength:
    """How many edited recordings the checks rejected, and how many legally changed ones they accepted."""

    all: Counter[tuple[str, str]]
    """Machine and kind of edit -> number of edits."""
    rejected: Counter[tuple[str, str]]
    traces: int
    """Number of edited recordings."""
    legal: Mapping[str, tuple[int, int]]
    """Kind of legal change -> numbers of accepted and of changed recordings."""


def real(trace: Trace, name: str) -> Real:
    """Check a recording against all machines and monitors.

    ``name`` is the recording's name on the page.
    """
    seen = monitored(trace)
    return Real(judge(trace, name), tuple(happenings(seen)), tuple(helds(seen)))


def small(traces: Mapping[str, Trace]) -> dict[str, Trace]:
    """Return the recordings that are small enough to be edited at random."""
    return {name: one for name, one in traces.items() if sum(map(len, one.of.values())) < SMALL}


def strength(traces: Mapping[str, Trace], edits: int, jobs: int = 1) -> Strength:
    """Edit all small traces at random, ``edits`` times for each machine and kind, and change each of them legally.

    Seeds are 0, 1, and so on. ``jobs``: number of processes.
    """
    few = small(traces)
    with ProcessPoolExecutor(jobs) as pool:
        found = [*pool.map(_strength, few.values(), few, repeat(edits))]
    made, rejected = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for one in found:
        made += one.all
        rejected += one.rejected
    pairs = {kind: [one.legal[kind] for one in found] for kind in CHANGES}
    legal = {
        kind: (sum(accepted for accepted, _ in each), sum(all_ for _, all_ in each)) for kind, each in pairs.items()
    }
    return Strength(made, rejected, len(few), legal)


def _strength(trace: Trace, name: str, edits: int) -> Strength:
    made, rejected = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for machine, kind, seed in product(EDITED, EDITS, range(edits)):
        try:
            _, lied = edited(trace, seed, machine, kind)
        except LookupError:  # no such event
            continue
        made[machine, kind] += 1
        rejected[machine, kind] += not accepts(lied, machine)
    return Strength(made, rejected, 1, {kind: _legally(trace, name, kind) for kind in CHANGES})


def _legally(trace: Trace, name: str, kind: str) -> tuple[int, int]:
    """Return the numbers of accepted and of changed recordings: each is 0 or 1."""
    with suppress(NotApplicable), TemporaryDirectory() as folder:
        other = changed(trace.run.folder, trace.version, kind, 1, Path(folder) / name.rpartition("/")[2])
        return int(accepts(other)), 1
    return 0, 0


def page(of: Sequence[Real], edits: Strength | None = None, wrong: Sequence[Tried] = ()) -> Iterator[str]:
    """Yield the page's lines."""
    events = sum(one.verdict.lines for one in of)
    yield "# What real groups did"
    yield ""
    yield f"`rebalance conform --cluster` compared {events:,} events of"
    yield f"{count(len(of), 'recording')} of real groups ([recorded/groups](../../recorded/groups/README.md)) with"
    yield "the model ([how](../how-to/check-a-recording.md)). `python -m rebalance_proofs.report.reality` prints"
    yield "this page."
    yield ""
    yield from marked()
    yield from sdks()
    yield from _machines(of)
    yield from _scenarios(of)
    yield from _never(of)
    yield from _happenings(of)
    yield from _promises(of)
    if edits:
        yield from _strictness(edits)
    if wrong:
        yield from _wrong(wrong)


def sdks() -> Iterator[str]:
    """Yield the lines about recordings with gRPC members, and about compared packages of gRPC clients."""
    recorded, tested = recorded_sdks(), compared_sdks()
    yield "## gRPC clients"
    yield ""
    yield "`rebalance record --read` compares [recordings with gRPC members](../how-to/record-a-group.md) with the"
    yield "model, and `rebalance conform --package` compares [released packages](releases.md#grpc-clients)."
    yield ""
    yield "| recording | members | events |"
    yield "|---|---|---|"
    for name, one in recorded.items():
        events = sum(number for its in one.accepted.values() for own in its.values() for number in own.values())
        yield f"| {name} | {listing(one.releases)} | {events:,} |"
    yield ""
    yield "Each block names an event, with the claims that deny it. A refuted claim has the number of occurrences. A"
    yield "proved claim has the number of chances for the event, which never happened. In packages, they are counted at"
    yield f"the last steps of their sequences of up to {STEPS} steps."
    yield ""
    blocks: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for one in (*recorded.values(), *tested.values()):
        for claim, whats in sorted({**one.kept, **one.happened}.items()):
            blocks[next(iter(whats))][claim] = None
    for what, claims in sorted(blocks.items()):
        yield f"**{capitalized(what)}**"
        yield ""
        for name in sorted(claims):
            shown = ((recorded, "recording"), (tested, "package"))
            told = [said for rows, noun in shown if (said := _of_sdks(name, rows, noun))]
            yield f"- `{name}`: {'; '.join(told)}."
        yield ""


def _of_sdks(claim: str, rows: Mapping[str, Pinned], noun: str) -> str:
    """Return how often recordings or packages showed a claim's event, or could have shown it; empty for never."""
    happened = [sum(one.happened[claim].values()) for one in rows.values() if claim in one.happened]
    kept = [sum(one.kept[claim].values()) for one in rows.values() if claim in one.kept]
    found = happened or kept
    return f"{count(sum(found), 'time' if happened else 'chance')} in {count(len(found), noun)}" if found else ""


def _machines(of: Sequence[Real]) -> Iterator[str]:
    yield "## Results by machine"
    yield ""
    yield "| machine | checked by | subjects | events | explained | hidden steps | limits extended | most states |"
    yield "|---|---|---|---|---|---|---|---|"
    for place, machine in enumerate(CHECKS):
        tallies = [one.verdict.tallies[place] for one in of]
        good = sum(one.accepted for one in tallies)
        numbers = [sum(getattr(one, name) for one in tallies) for name in ("about", "events", "hidden", "widened")]
        most = max(one.most_states for one in tallies) or "–"
        about, read, hidden, widened = numbers
        counted = f"{about:,} | {read:,} | {good} of {len(of)} | {hidden:,} | {widened:,} | {most}"
        yield f"| {machine} | {tallies[0].how} | {counted} |"
    yield ""
    yield "A subject is a member, a queue of a member, a member at a broker, or a topic of a member. Each is"
    yield "checked alone. The last column is the largest number of states that explained a trace at one time."
    yield ""


def _scenarios(of: Sequence[Real]) -> Iterator[str]:
    yield "## Results by scenario"
    yield ""
    yield "The number of events that each machine checked. **no** marks a machine that did not explain an event."
    yield ""
    yield f"| scenario | events | {' | '.join(CHECKS)} |"
    yield "|---|---|" + "---|" * len(CHECKS)
    for one in of:
        cells = [f"{tally.events:,}{'' if tally.accepted else ' **no**'}" for tally in one.verdict.tallies]
        yield f"| {one.verdict.name} | {one.verdict.lines:,} | {' | '.join(cells)} |"
    yield ""


def _never(of: Sequence[Real]) -> Iterator[str]:
    yield "## Actions that no recording needed"
    yield ""
    yield "A recording needs an action if the behaviours that explain an event take it, for that event or hidden"
    yield "before it."
    yield ""
    shown: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in of:
        for tally in one.verdict.tallies:
            if tally.how == BEHAVIOURS:
                shown[tally.machine] += tally.shown
    for machine, actions in DECLARED.items():
        left = [name for name in actions if not shown[machine][name]]
        yield f"- **{machine}**: {len(actions) - len(left)} of {len(actions)} actions were needed."
        for name in left:
            yield f"  - `{name}`: {NOT_NEEDED[machine].get(name, '**no reason is known**')}"
    yield ""


def _happenings(of: Sequence[Real]) -> Iterator[str]:
    yield "## Broken claims, and claims that came true"
    yield ""
    yield "Each event is followed by the refuted claims that it broke, and by claims that such an event is"
    yield "possible. *Perhaps* lists claims without one assumption where the recording does not show which"
    yield "assumption failed. They do not count as observed. `rebalance replay CLAIM` prints the model's shortest"
    yield "trace to the same event."
    yield ""
    grouped: defaultdict[str, list[tuple[str, Happening]]] = defaultdict(list)
    for one in of:
        for each in one.happened:
            grouped[each.what].append((one.verdict.name, each))
    for what, found in grouped.items():
        yield f"**{capitalized(what)}**"
        yield ""
        yield from (f"- {name}: {_happened(each)}." for name, each in found)
        yield ""


def _happened(each: Happening) -> str:
    """Return the line about an event: how often and when it first happened, and the claims about it."""
    times = f"{count(each.times, 'time')}, first at {seconds(each.at)}"
    longest = "" if each.longest is None else f", for up to {seconds(each.longest)}"
    claims = ", ".join(f"`{claim}`" for claim in each.claims)
    perhaps = f"perhaps {', '.join(f'`{claim}`' for claim in each.perhaps)}" if each.perhaps else ""
    return f"{times}{longest} ({'; '.join(filter(None, (claims, perhaps))) or 'no claim'})"


def _promises(of: Sequence[Real]) -> Iterator[str]:
    yield "## Claims that were never broken"
    yield ""
    yield "Each block names an event that would contradict the claims below it. For each claim it has the number of"
    yield "chances, and the number of recordings with a chance."
    yield ""
    grouped: defaultdict[str, defaultdict[str, list[tuple[str, Held]]]] = defaultdict(lambda: defaultdict(list))
    for one in of:
        for each in one.held:
            if each.opportunities:
                grouped[each.what][each.claim].append((one.verdict.name, each))
    for what, claims in sorted(grouped.items(), key=lambda one: min(one[1])):
        yield f"**{capitalized(what)}**"
        yield ""
        for claim, found in sorted(claims.items()):
            chances, against = sum(one.opportunities for _, one in found), sum(one.against for _, one in found)
            broken = f", **contradicted {against} times**" if against else ""
            yield f"- `{claim}`: {chances:,} in {len({name for name, _ in found})}{broken}."
        yield ""


def _strictness(of: Strength) -> Iterator[str]:
    yield "## How strict the checks are"
    yield ""
    yield f"A test edits one random event of {count(of.traces, 'recording')} at a time and renumbers the lines. The"
    yield "event is about a group with a recorded consumer. The table shows how many edits were rejected, by the"
    yield "machine that reads the event. Any machine may reject the edit. Less than 90 % are **bold**."
    yield ""
    yield "An event is moved by 2 to 30 s, because a recording does not show shorter pauses of a thread. Events that"
    yield "can be missing in a real group are not removed: those of the last 2 s of a process, a poll less than 100 ms"
    yield "before the next one of its row, and a process's first allocation of a topic."
    yield ""
    yield f"| edit | {' | '.join(EDITED)} | together |"
    yield "|---|" + "---|" * (len(EDITED) + 1)
    for kind in EDITS:
        cells = [_rejected(of.rejected[machine, kind], of.all[machine, kind]) for machine in EDITED]
        made, noticed = (sum(those[machine, kind] for machine in EDITED) for those in (of.all, of.rejected))
        yield f"| {kind} | {' | '.join(cells)} | {_rejected(noticed, made)} |"
    yield ""
    yield "Typical edits that are not rejected are legal: an answer that was late anyway, an earlier answer to a pull"
    yield "that waits for messages, and a mark that a lock request changes at about that time."
    yield ""
    yield "## Legal changes"
    yield ""
    yield "These recordings, changed as a group could have behaved, too, must be accepted."
    yield ""
    yield "| change | accepted recordings |"
    yield "|---|---|"
    for kind, (accepted, every) in of.legal.items():
        meaning = (CHANGES[kind].__doc__ or "").partition("\n")[0].rstrip(".")
        yield f"| {meaning} | {accepted} of {every} |"


def _rejected(noticed: int, made: int) -> str:
    told = f"{noticed} of {made}"
    return "–" if not made else f"**{told}**" if noticed < ENOUGH * made else told


def _wrong(of: Sequence[Tried]) -> Iterator[str]:
    yield ""
    yield "## Wrong encodings"
    yield ""
    yield "Each pinned wrong encoding replaces the encoding of its clients, and the same recordings are checked again."
    yield "A solver compares both declarations over all states, including unreachable ones. There are three ways to"
    yield "differ:"
    yield ""
    yield f"- {Differs.OTHERWISE}: recorded events can reject the encoding."
    yield f"- {Differs.MORE}: only an event that did not happen, such as a denied lock, can reject it."
    yield f"- {Differs.UNSEEN}: no checked event depends on the difference, only claims do."
    yield ""
    for one in of:
        names = ", ".join(f"`{name}`" for name in one.rejected) or "none"
        many = len(one.rejected) + len(one.left)
        yield f"**{capitalized(one.machine)}**: {len(one.rejected)} of {many} are rejected:"
        yield f"{names}."
        yield ""
        for name, how in one.left.items():
            yield f"- `{name}` {how.value}. {NOT_REJECTED[one.machine].get(name, '**No reason is known.**')}"
        yield from [""] * bool(one.left)
    yield from _faults()


def _faults() -> Iterator[str]:
    yield "## Faults of the declarations"
    yield ""
    yield "[tests/faults](../../tests/faults) puts one fault at a time into a machine's declaration. A slow test"
    yield "checks the same recordings with each of these:"
    yield ""
    for machine, faults in FAULTS.items():
        for name, one in faults.items():
            ending = f"rejected by {one.rejected_by}." if one.rejected_by else f"not rejected. {one.why_not}"
            yield f"- {machine} `{name}` ({one.what}): {ending}"
