"""Find the known cause of a problem in a recorded run.

It is a cause with signs in the recording that no claim excludes for the consumer's release.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from rebalance_proofs.model.releases import UnknownRelease, resolved
from rebalance_proofs.recorded.seen.facts import Back, Fact, Never, Overlap, Pause, Twice
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.recorded.seen.pauses import STARTING
from rebalance_proofs.report.live.of_back import of_back
from rebalance_proofs.report.live.of_never import of_never
from rebalance_proofs.report.live.of_overlap import of_overlap
from rebalance_proofs.report.live.of_pause import of_pause
from rebalance_proofs.report.live.of_twice import of_twice
from rebalance_proofs.report.live.signs import down, first_heartbeat, meets, within
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES

SYMPTOMS: Mapping[type[Fact], Symptom] = {
    Twice: Symptom.TWICE,
    Never: Symptom.LOST,
    Overlap: Symptom.TWICE,
    Pause: Symptom.STUCK,
    Back: Symptom.BACK,
}
ALSO = (Symptom.STUCK, Symptom.LOST)
"""Symptoms whose causes can explain a pause: late and lost messages look the same meanwhile."""
SLACK = 3_000
"""Extra time in ms on a busy machine, besides the pauses of its processes."""
ROUTE = 30_000 + SLACK
"""Longest time in ms between a consumer's queries for routes (``pollNameServerInterval``)."""
CALLED = {cause.name: cause for cause in CAUSES}


@dataclass(frozen=True)
class Explained:
    """A problem in a recorded run, and its explanation if there is one."""

    fact: Fact
    found: Found | None = None
    """The cause of the problem, for the consumer's release; None if no known cause explains it."""
    words: str = ""
    """Explanation outside RocketMQ, such as an action of the test scenario or a pause of the machine."""
    rejected: str = ""
    """Why the cause that the signs indicate does not explain the problem; empty without signs."""
    signs: tuple[str, ...] = ()
    """Names of all causes that have signs in the recording, the most specific first."""
    then: tuple[Found, ...] = ()
    """Causes that followed ``found`` in the same pause, each after a member had left."""

    @property
    def unexplained(self) -> bool:
        """True if nothing explains the problem."""
        return not self.found and not self.words


def explain(history: History, facts: list[Fact]) -> list[Explained]:
    """Return each problem with its first cause that is possible and can last as long as the problem."""
    backs = [fact for fact in facts if isinstance(fact, Back)]
    return [_explain(history, fact, backs, _pause(history, fact, facts)) for fact in facts]


def remarks(history: History) -> list[str]:
    """Return remarks on the consumers' releases that other releases represent, without duplicates."""
    notes = []
    for release in sorted({history.version(who) for who in history.started}):
        with suppress(UnknownRelease):
            notes.append(resolved(release).note)
    return [note for note in dict.fromkeys(notes) if note]


def _pause(history: History, fact: Fact, facts: list[Fact]) -> Pause | None:
    """Return the pause in which a message waits: the problem itself, or the queue's pause at an early end."""
    if isinstance(fact, Pause):
        return fact
    if not isinstance(fact, Never) or fact.skipped or history.waited:
        return None
    same = (one for one in facts if isinstance(one, Pause) and (one.group, one.q) == (fact.group, fact.q))
    return next((one for one in same if one.ended_by is None), None)


def _explain(history: History, fact: Fact, backs: list[Back], pause: Pause | None) -> Explained:
    one = _one_cause(history, fact, backs, pause)
    return (one.unexplained and isinstance(fact, Pause) and _in_turn(history, fact, backs)) or one


def _in_turn(history: History, fact: Pause, backs: list[Back]) -> Explained | None:
    """Return a pause with different causes before and after a member left, or None without known ones."""
    for at in sorted(history.left[who] for who in history.groups[fact.group] if who in history.left):
        if fact.since < at < fact.until:
            before, after = replace(fact, until=at - 1, ended_by=None), replace(fact, since=at)
            first, second = _one_cause(history, before, backs, before), _explain(history, after, backs, after)
            if first.found and second.found and first.found.cause.name != second.found.cause.name:
                signs = tuple(dict.fromkeys((*first.signs, *second.signs)))
                return Explained(fact, first.found, signs=signs, then=(second.found, *second.then))
    return None


def _one_cause(history: History, fact: Fact, backs: list[Back], pause: Pause | None) -> Explained:
    rejected = ""
    question = Asked(_release(history, fact), "push orderly" if history.ordered(fact.group) else "push")
    lasted = _lasted(history, pause) if pause else None
    signs = tuple(dict.fromkeys(_signs(history, fact, backs, pause)))
    for name in signs:
        for symptom in (SYMPTOMS[type(fact)], *ALSO):
            for one in found(symptom, question, lasted, among=(CALLED[name],)):
                if not one.possible:
                    rejected = rejected or f"{name}: {one.known.value}"
                elif one.too_short and not one.effect.lasts.event:
                    rejected = rejected or f"{name} lasts at most {(one.most or 0) / 1000:g} s"
                else:
                    return Explained(fact, one, signs=signs)
    return Explained(fact, None, _not_rocketmq(history, fact), rejected, signs)


def _signs(history: History, fact: Fact, backs: list[Back], pause: Pause | None) -> Iterator[str]:
    match fact:
        case Twice():
            yield from of_twice(history, fact, backs)
        case Never():
            yield from of_never(history, fact)
            if pause is not None:
                yield from of_pause(history, pause)
        case Overlap():
            yield from of_overlap(history, fact)
        case Pause():
            yield from of_pause(history, fact)
        case Back():
            yield from of_back(history, fact)
        case _:
            raise TypeError(f"no signs of {type(fact).__name__}")


def _release(history: History, fact: Fact) -> str:
    """Return the release of the group's consumers.

    "" if it is unknown, or if they have several.
    """
    releases = {history.version(who) for who in history.groups[fact.group]}
    try:
        return resolved(releases.pop()).release if len(releases) == 1 else ""
    except UnknownRelease:
        return ""


def _lasted(history: History, fact: Pause) -> int:
    """Return a pause's duration in ms without the machine's pauses and the broker's downtime.

    The result is negative if these exceed the pause.
    """
    times = [time for who in history.groups[fact.group] for time in history.gaps.get(who, ())]
    stood = sum(end - begin for begin, end in within((*times, *down(history, fact.q)), fact.since, fact.until))
    return fact.ms - stood - SLACK


def _not_rocketmq(history: History, fact: Fact) -> str:
    """Return a reason outside RocketMQ for a pause, such as an action of the test scenario, or ""."""
    if not isinstance(fact, Pause):
        return ""
    if meets(history.delays, fact.since, fact.until):
        return "the scenario delayed the broker's traffic"
    first = first_heartbeat(history, fact.group)
    there = min((history.joined[who] for who in history.groups[fact.group] if who in history.joined), default=None)
    if (
        first is not None
        and there is not None
        and fact.since < first <= there + ROUTE
        and fact.until - first <= STARTING
    ):
        return f"no broker knew a consumer yet: the first heartbeat came {(first - there) / 1000:.1f} s after start()"
    longest = max(
        (end - begin, who)
        for who in history.groups[fact.group]
        for begin, end in ((0, 0), *within(history.gaps.get(who, ()), fact.since, fact.until))
    )
    if longest[0] * 2 >= fact.ms:
        return f"the machine paused {longest[1]} for {longest[0] / 1000:.1f} s"
    return ""
