"""The text of docs/reference/reality.md."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.offsets.concurrently import CONCURRENTLY
from rebalance_proofs.model.offsets.orderly import ORDERLY
from rebalance_proofs.model.ordered.machine import ORDERED
from rebalance_proofs.model.pulls.machine import PULLS
from rebalance_proofs.model.registry.machine import REGISTRY
from rebalance_proofs.model.settling.machine import SETTLING
from rebalance_proofs.model.subscriptions.machine import SUBSCRIPTIONS
from rebalance_proofs.recorded.cluster.edits import EDITS, edited
from rebalance_proofs.recorded.cluster.judge import CHECKS, Verdict, judge
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.report.english import count
from rebalance_proofs.report.reality.marked import marked
from rebalance_proofs.report.reality.monitored import monitored
from rebalance_proofs.report.reality.reasons import FAULTS, NOT_NEEDED, NOT_REJECTED
from rebalance_proofs.report.reality.told import Happening, Held, happenings, helds
from rebalance_proofs.report.reality.wrong import Tried, tried

__all__ = ["Real", "Strength", "page", "real", "small", "strength", "tried"]

DECLARED: Mapping[str, Mapping[str, object]] = {
    "settling": SETTLING.actions,
    "registry": REGISTRY.actions,
    "ordered": ORDERED.actions,
    "pulls": PULLS.actions,
    "subscriptions": SUBSCRIPTIONS.actions,
    "offsets": {**CONCURRENTLY.actions, **ORDERLY.actions},
}
EDITED = ("allocation", "transition", "settling", "registry", "ordered", "pulls", "subscriptions", "offsets")
SMALL = 7_000
"""Traces of fewer events are edited: each edit is held by all machines."""


@dataclass(frozen=True)
class Real:
    """What is said of one recording."""

    verdict: Verdict
    happened: tuple[Happening, ...]
    held: tuple[Held, ...]


@dataclass(frozen=True)
class Strength:
    """How many random edits were rejected, by machine and kind of edit."""

    all: Mapping[tuple[str, str], int]
    rejected: Mapping[tuple[str, str], int]
    traces: int


def real(trace: Trace, name: str) -> Real:
    """Hold one recording, and look for what it shows of claims."""
    seen = monitored(trace)
    return Real(judge(trace, name), tuple(happenings(seen)), tuple(helds(seen)))


def small(traces: Mapping[str, Trace]) -> dict[str, Trace]:
    """Those that are edited, and to which wrong encodings are put."""
    return {name: one for name, one in traces.items() if sum(map(len, one.of.values())) < SMALL}


def strength(traces: Mapping[str, Trace], edits: int) -> Strength:
    """Edit the traces at random, so often for each machine; seeds are 0, 1, and so on."""
    made, rejected = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for name, trace in traces.items():
        for machine in EDITED:
            for seed in range(edits):
                try:
                    edit, lied = edited(trace, seed, machine)
                except IndexError:  # no event of that machine
                    break
                made[machine, edit.kind] += 1
                rejected[machine, edit.kind] += not judge(lied, name).accepted
    return Strength(made, rejected, len(traces))


def page(of: Sequence[Real], edits: Strength | None = None, wrong: Sequence[Tried] = ()) -> Iterator[str]:
    """The page's lines."""
    events = sum(one.verdict.lines for one in of)
    yield "# What real groups did"
    yield ""
    yield f"{count(len(of), 'recording')} of real groups ([recorded/groups](../../recorded/groups/README.md)),"
    yield f"{events:,} events, compared with the model by `rebalance conform --cluster`"
    yield "([how](../how-to/check-a-recording.md)). Made by"
    yield "`python -m rebalance_proofs.report.reality`."
    yield ""
    yield from marked()
    yield from _machines(of)
    yield from _scenarios(of)
    yield from _never(of)
    yield from _happenings(of)
    yield from _promises(of)
    if edits:
        yield from _strength(edits)
    if wrong:
        yield from _wrong(wrong)


def _machines(of: Sequence[Real]) -> Iterator[str]:
    yield "## Machine by machine"
    yield ""
    yield "| machine | held by | about | events | explained | hidden steps | bounds widened | most states at once |"
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
    yield "*about*: members, queues of members, members at brokers, or topics of members, each held on its own."
    yield ""


def _scenarios(of: Sequence[Real]) -> Iterator[str]:
    yield "## Scenario by scenario"
    yield ""
    yield f"| scenario | events | {' | '.join(CHECKS)} |"
    yield "|---|---|" + "---|" * len(CHECKS)
    for one in of:
        cells = [f"{tally.events:,}{'' if tally.accepted else ' **no**'}" for tally in one.verdict.tallies]
        yield f"| {one.verdict.name} | {one.verdict.lines:,} | {' | '.join(cells)} |"
    yield ""
    yield "The numbers are the events that each machine held; **no** stands where one was not explained."
    yield ""


def _never(of: Sequence[Real]) -> Iterator[str]:
    yield "## Actions that no behaviour needed"
    yield ""
    yield "An action is needed where the behaviours that explain an event do it: as what the event shows, or hidden"
    yield "before that."
    yield ""
    shown: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in of:
        for tally in one.verdict.tallies:
            if tally.how == BEHAVIOURS:
                shown[tally.machine] += tally.shown
    left = {machine: [name for name in actions if not shown[machine][name]] for machine, actions in DECLARED.items()}
    yield "| machine | needed | of | not needed | why not |"
    yield "|---|---|---|---|---|"
    for machine, actions in DECLARED.items():
        rows = left[machine] or ["–"]
        for place, name in enumerate(rows):
            counted = f"{machine} | {len(actions) - len(left[machine])} | {len(actions)}" if not place else "| | "
            why = NOT_NEEDED[machine].get(name, "–" if name == "–" else "**no reason is known**")
            yield f"| {counted} | {name} | {why} |"
    yield ""


def _happenings(of: Sequence[Real]) -> Iterator[str]:
    yield "## Claims that do not hold, or say what can be, and what happened"
    yield ""
    yield "| what happened | in | times | first at | longest | claims that deny it, or say that it can be |"
    yield "|---|---|---|---|---|---|"
    for one in of:
        for each in one.happened:
            claims = ", ".join(f"`{claim}`" for claim in each.claims) or "none"
            longest = "–" if each.longest is None else f"{each.longest:,} ms"
            claims += f"; perhaps {', '.join(f'`{claim}`' for claim in each.perhaps)}" if each.perhaps else ""
            yield f"| {each.what} | {one.verdict.name} | {each.times:,} | {each.at:,} ms | {longest} | {claims} |"
    yield ""
    yield "Perhaps: of these claims, each even if a premise fails, the recording does not say which premise failed, and"
    yield "none of them counts as seen by it. `rebalance replay CLAIM` shows the model's shortest way to the same."
    yield ""


def _promises(of: Sequence[Real]) -> Iterator[str]:
    yield "## Claims that hold, and how often they could have been contradicted"
    yield ""
    yield "| claim | what would contradict it | opportunities | recordings | contradicted |"
    yield "|---|---|---|---|---|"
    grouped: defaultdict[tuple[str, str], list[tuple[str, Held]]] = defaultdict(list)
    for one in of:
        for each in one.held:
            if each.opportunities:
                grouped[each.claim, each.what].append((one.verdict.name, each))
    for (claim, what), found in sorted(grouped.items()):
        chances, against = sum(one.opportunities for _, one in found), sum(one.against for _, one in found)
        traces = len({name for name, _ in found})
        yield f"| `{claim}` | {what} | {chances:,} | {traces} | {against or 'never'} |"
    yield ""


def _strength(of: Strength) -> Iterator[str]:
    yield "## What acceptance says"
    yield ""
    yield f"Events of {count(of.traces, 'recording')} were edited at random, one at a time, and lines numbered anew:"
    yield "taken out, moved by 0.5 to 30 s, or with a queue or a client exchanged for another one. The share that is"
    yield "not accepted, by the machine that reads the event; any machine may notice:"
    yield ""
    yield f"| events of | {' | '.join(EDITS)} | together |"
    yield "|---|" + "---|" * (len(EDITS) + 1)
    for machine in EDITED:
        cells, made, noticed = [], 0, 0
        for kind in EDITS:
            every, those = of.all[machine, kind], of.rejected[machine, kind]
            made, noticed = made + every, noticed + those
            cells.append(f"{those} of {every}")
        if made:
            yield f"| {machine} | {' | '.join(cells)} | {100 * noticed // made} % |"
    yield ""
    yield "Not noticed are, in kind: an event moved by less than the slack of a thread, an answer that was late anyway,"
    yield "a look at marks that showed nothing new, and what happened last in its process."


def _wrong(of: Sequence[Tried]) -> Iterator[str]:
    yield ""
    yield "## Wrong encodings"
    yield ""
    yield "The pinned wrong encodings of the machines' clients, put to the same recordings, each in the place of the"
    yield "clients whose mistake it is. What happened can reject an encoding that does otherwise. One that only allows"
    yield "more can be rejected only by what did not happen, such as a denied lock; one that differs in ghosts alone,"
    yield "of which claims speak and no event that is held does, by nothing. How each differs is reckoned by a solver"
    yield "from both declarations, over all states, also those that are never reached."
    yield ""
    yield "| machine | rejected | of | rejected are |"
    yield "|---|---|---|---|"
    for one in of:
        names = ", ".join(f"`{name}`" for name in one.rejected) or "–"
        yield f"| {one.machine} | {len(one.rejected)} | {len(one.rejected) + len(one.left)} | {names} |"
    yield ""
    yield "| machine | not rejected | how it differs | why not |"
    yield "|---|---|---|---|"
    for one in of:
        for name, how in one.left.items():
            why = NOT_REJECTED[one.machine].get(name, "**no reason is known**")
            yield f"| {one.machine} | `{name}` | {how.value} | {why} |"
    yield from _faults()


def _faults() -> Iterator[str]:
    yield ""
    yield "The faults of the machines' declarations that [tests/faults](../tests/faults) put in one at a time, put to"
    yield "the same recordings by a slow test:"
    yield ""
    yield "| machine | fault | rejected by | why not |"
    yield "|---|---|---|---|"
    for machine, faults in FAULTS.items():
        for name, one in faults.items():
            yield f"| {machine} | `{name}`: {one.what} | {one.rejected_by or '–'} | {one.why_not or '–'} |"
