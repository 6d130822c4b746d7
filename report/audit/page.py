"""Render an audit as a self-contained HTML page: verdict, index, timelines and findings with evidence."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from rebalance_proofs.language import gettext, language
from rebalance_proofs.recorded.audit.finding import Finding, Level, What
from rebalance_proofs.recorded.audit.outcome import GroupTold
from rebalance_proofs.recorded.audit.told import Where
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.answer import Answer
from rebalance_proofs.report.audit.chart import chart, library, own, packed
from rebalance_proofs.report.audit.known import known
from rebalance_proofs.report.audit.timeline import COLOURS, Timeline, still, timeline
from rebalance_proofs.report.audit.told import departures, summary, told, unread, verdict, without_evidence
from rebalance_proofs.report.audit.worded import causes, worded
from rebalance_proofs.report.audit.words import (
    clock,
    day,
    how_long,
    labels,
    moment,
    places,
    system_words,
    zone,
)
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment

# Fold findings that repeat: same kind, certainty, topic, causes and words apart from numbers.


@dataclass(frozen=True)
class Repeated:
    """A finding and its repeats, in order of time."""

    every: Sequence[tuple[int, Finding]]
    """(index among the group's findings, finding)"""

    @property
    def worst(self) -> Finding:
        """The longest one."""
        return max((one for _, one in self.every), key=lambda one: one.long)


@dataclass(frozen=True)
class Kind:
    """All findings of one kind in a group."""

    what: What
    findings: Sequence[Repeated]
    fails: bool
    """True if a finding of this kind makes the audit fail."""

    def number(self, level: Level) -> int:
        """Number of findings with this certainty."""
        return sum(len(one.every) for one in self.findings if one.worst.level is level)

    @property
    def long(self) -> int:
        """Length in ms of the longest finding."""
        return max(one.worst.long for one in self.findings)


def kinds(findings: Sequence[Finding], fails: Callable[[Finding], bool]) -> list[Kind]:
    """Return the findings by kind: failing kinds first, then kinds with certain findings; the longest first in each."""
    folded: dict[tuple[object, ...], list[tuple[int, Finding]]] = {}
    for place, one in enumerate(findings):
        words = one.detail
        for member in one.members:
            words = words.replace(member, "")
        key = (one.what, one.level, one.topic, one.causes, re.sub(r"\d+", "0", words))
        folded.setdefault(key, []).append((place, one))
    by_kind: dict[What, list[Repeated]] = {}
    for alike in folded.values():
        alike.sort(key=lambda one: (one[1].at is None, one[1].at or 0))
        by_kind.setdefault(alike[0][1].what, []).append(Repeated(alike))
    found = [
        Kind(
            what,
            sorted(by_kind[what], key=lambda one: (one.worst.level is Level.POSSIBLE, -one.worst.long)),
            any(fails(each) for one in by_kind[what] for _, each in one.every),
        )
        for what in What
        if what in by_kind
    ]
    return sorted(found, key=lambda kind: (not kind.fails, not kind.number(Level.SEEN)))


FIRST = "<!doctype html><!-- written by: rebalance audit -->"
"""First line of the file; it marks the file as one that ``rebalance audit`` wrote."""
NAMELESS = "(not named)"
"""Name of the group of lines that name none."""
MOST_CHARTS = 12
"""Groups whose timeline can be zoomed; others have only the static picture."""
MOST_OWNERS, MOST_REPEATS, MOST_LINES = 40, 1_500, 8
"""Most consumers in a legend, repeats of one finding in its table, and log lines of a finding."""


def page(answer: Answer) -> str:
    """Return the HTML page."""
    groups = [
        _group(answer, place, group)
        for place, group in enumerate(one for one in answer.audited.groups if one.coverage or one.findings)
    ]
    index = [kind for group in groups for kind in group["kinds"]]
    index.sort(key=lambda one: (not one["fails"], not one["seen"], one["order"]))
    names = [group["name"] for group in groups]
    return (
        environment(escapes=True)
        .get_template("audit.html")
        .render(
            first=Markup(FIRST),
            lang="zh-CN" if language() == "zh" else "en",
            label=labels(),
            title="rebalance audit" + (f": {', '.join(names[:3])}" if names else ""),
            heading=gettext("Queue ownership from logs: group {name}").format(name=names[0])
            if len(names) == 1
            else gettext("Queue ownership from logs"),
            read=summary(answer),
            banner="alarm" if answer.status == 1 else "plain",
            headline=_headline(answer),
            verdict=verdict(answer) if answer.evidence else "",
            unread=[line.strip() for line in unread(answer)],
            index=index,
            groups=groups,
            charts=any(group["data"] for group in groups),
            library=library(),
            own=own(),
            colours=COLOURS,
            zone=zone(answer.audited.zone, answer.audited.stated),
            text="\n".join(told(answer)),
            light=variables(LIGHT),
            dark=variables(DARK),
        )
    )


def cited(answer: Answer) -> Iterator[Where]:
    """Yield the log lines that the page quotes: those of the longest one among repeated findings."""
    for group in answer.audited.groups:
        for kind in kinds(group.findings, lambda _: False):
            for found in kind.findings:
                yield from found.worst.evidence[:MOST_LINES]


def _headline(answer: Answer) -> str:
    if not answer.evidence:
        return without_evidence(answer, known(answer))
    every = [one for group in answer.audited.groups for one in group.findings]
    failing = answer.failing
    worst = failing or [one for one in every if one.level is Level.SEEN] or every
    if not worst:
        return gettext("Nothing found.")
    if not failing and all(one.what is What.LINES for one in worst):
        return gettext("Nothing wrong found, but lines that can indicate a cause.")
    numbers = Counter(one.what for one in worst)
    first = next(what for what in What if what in numbers)
    one = max((one for one in worst if one.what is first), key=lambda one: one.long)
    where = worded(one, answer.audited.zone).where
    said = gettext(first.sentence)
    if numbers[first] > 1:
        said = gettext("{finding}, {number} times").format(finding=said, number=f"{numbers[first]:,}")
    if one.long:
        length = gettext("{finding} for up to {time}") if numbers[first] > 1 else gettext("{finding} for {time}")
        said = length.format(finding=said, time=how_long(one.long))
    if where and numbers[first] == 1:
        said = gettext("{finding}: {place}").format(finding=said, place=where)
    if one.level is not Level.SEEN:
        said = gettext("Possible: {finding}").format(finding=said)
    others = [_counted(what, numbers[what]) for what in What if what in numbers and what is not first]
    also = gettext("Also: {findings}.").format(findings=gettext(", ").join(others))
    said = gettext("{sentence}.").format(sentence=said)
    return f"{said}{'' if language() == 'zh' else ' '}{also}" if others else said


def _counted(what: What, number: int) -> str:
    sentence = gettext(what.sentence)
    return gettext("{finding} ({number})").format(finding=sentence[0].lower() + sentence[1:], number=number)


def _group(answer: Answer, place: int, group: GroupTold) -> dict[str, Any]:
    shown = timeline(group)
    id_ = f"group-{place}"
    failing = {id(one) for one in answer.failing}
    return {
        "id": id_,
        "name": printable(group.name) or NAMELESS,
        "remark": system_words(group.name),
        "left": [line.strip() for line in departures(answer, group)],
        "timeline": shown,
        "still": still(shown, answer.audited.zone) if shown else "",
        "data": packed(chart(shown, answer.audited.zone)) if shown and place < MOST_CHARTS else "",
        "owners": shown.owners[:MOST_OWNERS] if shown else (),
        "more_owners": max(0, len(shown.owners) - MOST_OWNERS) if shown else 0,
        "left_out": shown.left_out if shown else 0,
        "kinds": [
            _kind(answer, shown, f"{id_}-{kind.what.value}", printable(group.name) or NAMELESS, kind)
            for kind in kinds(group.findings, lambda one: id(one) in failing)
        ],
    }


def _kind(answer: Answer, shown: Timeline | None, id_: str, group: str, kind: Kind) -> dict[str, Any]:
    at = [one.at for found in kind.findings for _, one in found.every if one.at is not None]
    zone_ = answer.audited.zone
    return {
        "id": id_,
        "name": kind.what.value,
        "sentence": gettext(kind.what.sentence),
        "group": group,
        "fails": kind.fails,
        "order": list(What).index(kind.what),
        "seen": kind.number(Level.SEEN),
        "possible": kind.number(Level.POSSIBLE),
        "first": moment(min(at), zone_) if at else gettext("without a date"),
        "longest": how_long(kind.long) if kind.long else "–",
        "findings": [_repeated(answer, shown, found) for found in kind.findings],
    }


def _repeated(answer: Answer, shown: Timeline | None, found: Repeated) -> dict[str, Any]:
    one = found.worst
    repeats = [each for _, each in found.every] if len(found.every) > 1 else []
    return _finding(answer, shown, one) | {
        "level": one.level.value,
        "lines": [
            (place, answer.lines.get(where, ""))
            for where, place in zip(
                one.evidence, places(one.evidence, answer.short, MOST_LINES)[:MOST_LINES], strict=False
            )
        ],
        "more_lines": max(0, len(one.evidence) - MOST_LINES),
        "causes": [
            (each.name, *_parts(each.sentence), each.claims, each.helps) for each in causes(one, answer.question)
        ],
        "number": f"{len(repeats):,}",
        "period": _period(repeats, answer.audited.zone),
        "repeats": [_finding(answer, shown, each) for each in repeats[:MOST_REPEATS]],
        "more": max(0, len(repeats) - MOST_REPEATS),
    }


def _parts(sentence: str) -> tuple[str, str]:
    """Return the first sentence of a text, and the rest."""
    first, stop, rest = sentence.partition("。" if language() == "zh" else ". ")
    return first + stop.strip(), rest


def _period(repeats: Sequence[Finding], zone_: int) -> str:
    at = [one.at for one in repeats if one.at is not None]
    if not at:
        return gettext("without a date")
    first, last = day(at[0], zone_), day(at[-1], zone_)
    if first == last:
        first, last = f"{first} {clock(at[0], zone_)[:8]}".lstrip(), clock(at[-1], zone_)[:8]
    return gettext("{first} to {last}").format(first=first, last=last)


def _finding(answer: Answer, shown: Timeline | None, one: Finding) -> dict[str, Any]:
    at, until = one.at, one.until
    return worded(one, answer.audited.zone)._asdict() | {
        "evidence": places(one.evidence, answer.short),
        "from": at - shown.begin if shown and at is not None else None,
        "to": (at if until is None else until) - shown.begin if shown and at is not None else None,
    }
