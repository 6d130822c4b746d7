"""The problems in a recorded run as text: one entry per cause, and the first unexplained problems."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rebalance_proofs.recorded.groups.driver import Artifact
from rebalance_proofs.recorded.groups.run import DRIVER
from rebalance_proofs.recorded.seen.facts import Back, Fact, Never, Overlap, Pause, Twice
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.index.entries import marks, of_claims
from rebalance_proofs.report.live.explain import Explained, remarks
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.symptoms.bugs import ROCKETMQ
from rebalance_proofs.report.text.english import count, listing

KINDS = {"twice": Twice, "never": Never, "overlap": Overlap, "pause": Pause, "back": Back}
"""Kinds of problems (subclasses of ``Fact``) by name."""
HEADS = {
    "twice": "Redelivered messages",
    "never": "Messages that no listener received",
    "overlap": "Two ordered listeners at once",
    "pause": "Pauses of at least 5 s with waiting messages",
    "back": "Offset rollbacks",
}
NOUNS = {
    "twice": "redelivered message",
    "never": "unreceived message",
    "overlap": "listener pair",
    "pause": "pause",
    "back": "rollback",
}
"""What is counted of each kind of problem."""
MOST = 3
"""Largest number of unexplained problems that are printed."""


def kind_of(fact: Fact) -> str:
    """Return the name of the problem's kind."""
    return next(word for word, kind in KINDS.items() if isinstance(fact, kind))


def lines(name: str, history: History, every: Sequence[Explained]) -> Iterator[str]:
    """Yield a run's heading and its problems."""
    yield _heading(name, history)
    yield from (f"  {remark}" for remark in remarks(history))
    for missing in _missing(history):
        yield f"  not recorded in this release: {missing}"
    for kind, head in HEADS.items():
        mine = [one for one in every if kind_of(one.fact) == kind]
        yield f"  {head}: {len(mine) if mine else 'none'}"
        for group in sorted({one.fact.group for one in mine}):
            yield from _of_group(kind, group, [one for one in mine if one.fact.group == group])


def verdict(every: Iterable[Explained]) -> str:
    """Return the last line: how many problems there are, and how many are explained."""
    unexplained = sum(one.unexplained for one in every)
    return f"UNEXPLAINED: {unexplained:,}" if unexplained else "Every problem has a known cause"


def _heading(name: str, history: History) -> str:
    releases = sorted({history.version(who) or "?" for who in history.started})
    brokers = sorted({history.version(who) or "?" for who in history.run.brokers})
    of = f"RocketMQ {listing(releases)}" + (f", broker {listing(brokers)}" if brokers not in ([], releases) else "")
    of += ", released jars" if history.of(Artifact, DRIVER) else ""
    until = "Recorded until it was calm" if history.calm else "NOT CALM: the recording ends before it was calm"
    calls = sum(map(len, history.calls.values()))
    return (
        f"{name} ({of}): {count(len(history.sent), 'message')}, {count(calls, 'listener call')}, "
        f"{history.end / 1000:.0f} s. {until}."
    )


def _missing(history: History) -> Iterator[str]:
    for who, what, why in history.cannot:
        yield f"{listing(what)} of {who} ({why})"


def _of_group(kind: str, group: str, mine: Sequence[Explained]) -> Iterator[str]:
    by_cause: defaultdict[str, list[Explained]] = defaultdict(list)
    for one in mine:
        by_cause[_causes(one) if one.found else one.words].append(one)
    for name, same in sorted(by_cause.items(), key=lambda item: (item[0] == "", -len(item[1]))):
        told = f"    group {group}: {count(len(same), NOUNS[kind])}{_when(same)}. "
        if not name:
            yield told + "UNEXPLAINED"
            for one in same[:MOST]:
                yield f"      {example(one.fact)}{f'; not {one.rejected}' if one.rejected else ''}"
            continue
        found = same[0].found
        if found is None:
            yield told + f"Not RocketMQ: {name}."
            continue
        each = (found, *same[0].then)
        yield told + f"Cause: {name}. {' '.join(str(cause.cause.sentence) for cause in each)}"
        for cause in each:
            if cause.shown:
                yield f"      Evidence: {of_claims(cause.shown)}."
            elif not cause.claimed:
                yield f"      Evidence: {cause.known.value}."
            for bug in cause.bugs:
                if bug.issue and bug.repository == ROCKETMQ:
                    yield f"      Bug: {bug.called}, {bug.address}"


def _causes(of: Explained) -> str:
    """Return the names of a problem's causes, in order: ``waits-for-living, then waits-for-shut-down``."""
    assert of.found is not None
    return ", then ".join(one.cause.name for one in (of.found, *of.then))


def _when(same: Sequence[Explained]) -> str:
    """Return the time of the first problem, and the longest duration."""
    first = min(one.fact.at for one in same) / 1000
    longest = max((getattr(one.fact, "ms", 0) for one in same), default=0)
    return f", the first {first:.1f} s after the start" + (f", the longest {longest / 1000:.1f} s" if longest else "")


def example(fact: Fact) -> str:
    """Return one problem with the data needed to find it in the recording."""
    at = f"after {fact.at / 1000:.3f} s {fact.q}"
    match fact:
        case Twice():
            earlier = f"by {fact.first.who} after {fact.first.begin / 1000:.3f} s"
            return f"{at}: offset {fact.offset}, {earlier}, then by {fact.again.who}"
        case Never():
            return f"{at}: offset {fact.sent.offset}, key {fact.sent.key}, {'skipped' if fact.skipped else 'waits'}"
        case Overlap():
            return f"{at}: {fact.first.who} and {fact.second.who}, for {fact.ms / 1000:.3f} s"
        case Pause():
            by = f"until {fact.ended_by.who} began" if fact.ended_by else "up to the end"
            return f"{at}: no listener for {fact.ms / 1000:.1f} s, {by}"
        case Back():
            return f"{at}: from {fact.was} to {'none' if fact.now is None else fact.now}"
        case _:
            raise TypeError(f"no words for {type(fact).__name__}")


# The answer of ``rebalance record`` as JSON: problems in recorded runs, with their causes.

FORMAT = 1
"""Version of the JSON; it increases when a reader of the old form would misread the new one."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("record")


def document(runs: Sequence[dict[str, Any]], failed: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """Return the answer of ``rebalance record``; times are in ms.

    ``failed``: scenarios that could not be performed, with reasons.
    """
    return {
        "format": FORMAT,
        "runs": list(runs),
        "failed": [{"scenario": name, "why": why} for name, why in failed],
        "unexplained": sum(run["unexplained"] for run in runs),
    }


def of_run(name: str, history: History, every: Sequence[Explained]) -> dict[str, Any]:
    """Return the JSON of one recorded run: ``name``, its recording, and its explained problems."""
    return {
        "scenario": name,
        "releases": {who: history.version(who) for who in [*history.started, *history.run.brokers]},
        "jars": [{"name": one.jar, "sha256": one.sha256, "of": one.of} for one in history.of(Artifact, DRIVER)],
        "remark": " ".join(remarks(history)) or None,
        "messages": len(history.sent),
        "calls": sum(map(len, history.calls.values())),
        "ms": history.end,
        "calm": history.calm,
        "not_recorded": [{"who": who, "what": list(what), "why": why} for who, what, why in history.cannot],
        "seen": [_of(one) for one in every],
        "unexplained": sum(one.unexplained for one in every),
    }


def _of(one: Explained) -> dict[str, Any]:
    fact, found = one.fact, one.found
    return {
        "kind": kind_of(fact),
        "group": fact.group,
        "queue": fact.q,
        "at": fact.at,
        "lasted": getattr(fact, "ms", None),
        "words": example(fact),
        "cause": found.cause.name if found else None,
        "then": [each.cause.name for each in one.then],
        "claims": {claim: mark for each in (found, *one.then) if each for claim, mark in marks(each.shown).items()},
        "bugs": [bug.called for bug in found.bugs if bug.issue and bug.repository == ROCKETMQ] if found else [],
        "not_rocketmq": one.words or None,
        "rejected": one.rejected or None,
    }
