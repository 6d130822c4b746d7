"""The answer of ``rebalance conform --cluster``, which checks recordings of groups, as text and JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.tally import (
    BEHAVIOURS,
    CODE,
    FOLLOWED,
    MESSAGES,
    MONITORS,
    Near,
    Rejection,
    Tally,
)
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import count

FORMAT = 1
"""Version of the JSON; it increases when a reader of the old form would misread the new one."""
SHOWN = 3
"""Largest number of states and of actions in the text; the JSON contains all."""
HOW = {
    BEHAVIOURS: "by behaviours of the declared machine",
    CODE: "by runs of the client's code in the model",
    MONITORS: "by monitors of single events",
}


def lines(of: Verdict) -> Iterator[str]:
    """Yield a recording's result; if rejected, with each machine's first unexplained event."""
    hidden, widened = sum(one.hidden for one in of.tallies), sum(one.widened for one in of.tallies)
    needed = f"{count(hidden, 'hidden step')}, {count(widened, 'limit')} extended"
    shown = sum((one.shown for one in of.tallies), Counter[str]())
    needed += f", {shown[FOLLOWED]:,} of {count(shown[MESSAGES], 'message')} followed"
    made = f"{of.name}: {count(of.lines, 'event')} of Java {of.release}"
    yield f"ok  {made}; {needed}" if of.accepted else f"BAD {made}: not accepted"
    yield from (f"    {remark}" for remark in of.remarks)
    for what, times in of.unknown.items():
        yield f"    not checked, unknown to the format: {what} ({times:,})"
    for tally in of.tallies:
        if not tally.accepted:
            yield from _rejected(of, tally)


def _rejected(of: Verdict, tally: Tally) -> Iterator[str]:
    first, *others = sorted(tally.rejected)
    more = f" (and {count(len(others), 'other')} of this machine)" if others else ""
    yield f"    {tally.machine}, {first.about}: {where(of, first)}, at {first.at} ms: {first.why}{more}"
    for state in first.states[:SHOWN]:
        yield f"      before it: {state}"
    for near in first.nearest[:SHOWN]:
        yield f"      nearest: {near}"


def where(of: Verdict, one: Rejection) -> str:
    """Return the recording's file and line of an event that the model cannot explain."""
    return f"{of.files.get(one.who, one.who or of.name)}:{one.row}"


def verdict(of: Sequence[Verdict]) -> list[str]:
    """Return the last lines: totals, how machines were checked, and whether all recordings are accepted."""
    wrong = [one.name for one in of if not one.accepted]
    events = sum(one.lines for one in of)
    said = f"Accepted: {count(len(of), 'trace')}, {count(events, 'event')}"
    if wrong:
        said = f"NOT ACCEPTED: {len(wrong)} of {count(len(of), 'trace')}: {', '.join(wrong)}"
    return [said, *(f"{name}: {HOW[how]}" for name, how in _machines(of))]


def _machines(of: Sequence[Verdict]) -> list[tuple[str, str]]:
    by = {tally.machine: tally.how for one in of[:1] for tally in one.tallies}
    grouped = {how: ", ".join(name for name, its in by.items() if its == how) for how in HOW}
    return [(names, how) for how, names in grouped.items() if names]


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("conform_cluster")


def document(of: Sequence[Verdict]) -> dict[str, Any]:
    """Return the answer as JSON: each recording's verdict, with unexplained events."""
    return {
        "format": FORMAT,
        "accepted": all(one.accepted for one in of),
        "traces": [_trace(one) for one in of],
    }


def _trace(of: Verdict) -> dict[str, Any]:
    return {
        "name": of.name,
        "release": of.release,
        "remark": " ".join(of.remarks) or None,
        "accepted": of.accepted,
        "events": of.lines,
        "seconds": round(of.seconds, 3),
        "left_out": dict(of.unknown),
        "machines": [_machine(of, tally) for tally in of.tallies],
    }


def _machine(of: Verdict, tally: Tally) -> dict[str, Any]:
    return {
        "machine": tally.machine,
        "how": tally.how,
        "accepted": tally.accepted,
        "about": tally.about,
        "events": tally.events,
        "hidden": tally.hidden,
        "widened": tally.widened,
        "most_states": tally.most_states,
        "shown": dict(Counter(tally.shown)),
        "rejected": [_rejection(of, one) for one in sorted(tally.rejected)],
    }


def _rejection(of: Verdict, one: Rejection) -> dict[str, Any]:
    return {
        "about": one.about,
        "file": of.files.get(one.who, ""),
        "line": one.row,
        "ms": one.at,
        "why": one.why,
        "states": list(one.states),
        "nearest": list(one.nearest),
        "around": [_near(event) for event in one.near],
    }


def _near(event: Near) -> dict[str, Any]:
    return {"ms": event.at, "process": event.who, "line": event.row, "event": event.words, "other_end": event.other}
