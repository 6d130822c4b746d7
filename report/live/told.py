"""What was seen in a run, in words: one line for each cause, and the first of what nothing explains."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rebalance_proofs.recorded.seen.facts import Back, Fact, Never, Overlap, Pause, Twice
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.live.explain import Explained
from rebalance_proofs.report.marks import of_claims
from rebalance_proofs.report.symptoms.bug import ROCKETMQ

__all__ = ["KINDS", "kind_of", "lines", "verdict"]

KINDS = {"twice": Twice, "never": Never, "overlap": Overlap, "pause": Pause, "back": Back}
"""What can be seen, by the word for it."""
HEADS = {
    "twice": "Given to a listener again",
    "never": "Never given to a listener",
    "overlap": "Two ordered listeners at once",
    "pause": "Pauses of 5 s and more, while messages waited",
    "back": "Committed offsets set back",
}
NOUNS = {"twice": "message", "never": "message", "overlap": "pair", "pause": "pause", "back": "offset"}
MOST = 3
"""How many examples of what is unexplained are told."""


def kind_of(fact: Fact) -> str:
    """The word for it."""
    return next(word for word, kind in KINDS.items() if isinstance(fact, kind))


def lines(name: str, history: History, every: Sequence[Explained]) -> Iterator[str]:
    """A run's heading, and what was seen."""
    yield _heading(name, history)
    for missing in _missing(history):
        yield f"  not recorded in this release: {missing}"
    for kind, head in HEADS.items():
        mine = [one for one in every if kind_of(one.fact) == kind]
        yield f"  {head}: {len(mine) if mine else 'none'}"
        for group in sorted({one.fact.group for one in mine}):
            yield from _of_group(kind, group, [one for one in mine if one.fact.group == group])


def verdict(every: Iterable[Explained]) -> str:
    """The last line."""
    unexplained = sum(one.unexplained for one in every)
    return f"UNEXPLAINED: {unexplained:,}" if unexplained else "All that was seen has a known cause"


def _heading(name: str, history: History) -> str:
    releases = sorted({history.version(who) or "?" for who in history.started})
    brokers = sorted({history.version(who) or "?" for who in history.run.brokers})
    of = f"RocketMQ {listing(releases)}" + (f", broker {listing(brokers)}" if brokers not in ([], releases) else "")
    until = "until it was calm" if history.calm else "NOT CALM: what comes after the end was not seen"
    calls = sum(map(len, history.calls.values()))
    return (
        f"{name} ({of}): {count(len(history.sent), 'message')}, {count(calls, 'call')} of listeners, "
        f"{history.end / 1000:.0f} s, {until}"
    )


def _missing(history: History) -> Iterator[str]:
    for who, what, why in history.cannot:
        yield f"{listing(what)} of {who} ({why})"


def _of_group(kind: str, group: str, mine: Sequence[Explained]) -> Iterator[str]:
    by_cause: defaultdict[str, list[Explained]] = defaultdict(list)
    for one in mine:
        by_cause[one.found.cause.name if one.found else one.words].append(one)
    for name, same in sorted(by_cause.items(), key=lambda item: (item[0] == "", -len(item[1]))):
        told = f"    group {group}: {count(len(same), NOUNS[kind])}{_when(same)}: "
        if not name:
            yield told + "UNEXPLAINED"
            for one in same[:MOST]:
                yield f"      {example(one.fact)}{f'; not {one.rejected}' if one.rejected else ''}"
            continue
        found = same[0].found
        if found is None:
            yield told + name
            continue
        yield told + f"{name}: {found.cause.sentence}"
        if found.shown:
            yield f"      known: {of_claims(found.shown)}"
        elif not found.claimed:
            yield f"      known: {found.known.value}"
        for bug in found.bugs:
            if bug.issue and bug.repository == ROCKETMQ:
                yield f"      bug: {bug.called}, {bug.address}"


def _when(same: Sequence[Explained]) -> str:
    """The times of facts: from when on, and the longest."""
    first = min(one.fact.at for one in same) / 1000
    longest = max((getattr(one.fact, "ms", 0) for one in same), default=0)
    return f", at first after {first:.1f} s" + (f", the longest of {longest / 1000:.1f} s" if longest else "")


def example(fact: Fact) -> str:
    """One fact, with what one needs to find it in the recording."""
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
            return f"{at}: nobody for {fact.ms / 1000:.1f} s, {by}"
        case Back():
            return f"{at}: from {fact.was} to {'none' if fact.now is None else fact.now}"
        case _:
            raise TypeError(f"no words for {type(fact).__name__}")
