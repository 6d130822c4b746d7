"""Render an audit for the terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from rebalance_proofs.recorded.audit.finding import Finding, Level, What
from rebalance_proofs.recorded.audit.outcome import Coverage, GroupTold
from rebalance_proofs.recorded.audit.told import Held
from rebalance_proofs.recorded.text import printable
from rebalance_proofs.report.audit.answer import Answer, behind
from rebalance_proofs.report.audit.lanes import MARKS, extent, lanes, letters
from rebalance_proofs.report.audit.words import between, clock, day, how_long, places, queues, zone
from rebalance_proofs.report.english import count, listing, shorten
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.words import helps
from rebalance_proofs.report.wrapping import whole, wrapped

__all__ = ["summary", "told", "unread", "verdict"]

WIDE = 80
"""Width in characters of an audit that is written to a file."""
LANE = 54
MOST_LANES, MOST_FINDINGS, MOST_MEMBERS = 40, 12, 20
"""Most timelines, findings and members of a group in the terminal; page and --json have all."""


def told(answer: Answer, width: int = WIDE) -> Iterator[str]:
    """Yield all lines of the audit, wrapped to ``width`` characters."""
    for line in _told(answer):
        yield from wrapped(line, width)


def _whole(foreign: str) -> str:
    """Return a name from a log in a printable form, which is not broken when lines are wrapped."""
    return whole(printable(foreign))


def summary(answer: Answer) -> str:
    """Return how much was read."""
    files = answer.audited.files
    lines = sum(file.tally.lines for file in files)
    facts = sum(file.tally.told for file in files)
    return f"Read: {count(len(files), 'file')}, {count(lines, 'line')}; {facts:,} are about groups."


def _told(answer: Answer) -> Iterator[str]:
    audited = answer.audited
    if audited.files or not answer.printed:
        yield summary(answer)
    yield from [answer.question.remark] * bool(answer.question.remark)
    yield from unread(answer)
    if audited.nameless:
        many = audited.nameless
        yield (f"  {count(many, 'line')} on queues or pulls could belong to several groups, or to an unnamed one.")
    if not answer.evidence:
        yield ""
        if audited.nameless:
            yield "No evidence: no line names its consumer group."
            return
        cut = bool(answer.left) or any(file.tally.cut for file in audited.files)
        yield f"No evidence: nothing {'readable ' if cut else ''}in these files is about a consumer group."
        return
    with_logs = [group for group in audited.groups if group.coverage]
    for group in with_logs:
        yield ""
        yield from _group(answer, group)
    yield from _without_logs(answer, [group for group in audited.groups if not group.coverage])
    for printed in answer.printed:
        yield ""
        yield f"{', '.join(map(_whole, printed.names))}: output of mqadmin" + (
            f", group {printed.group}" if printed.group else ""
        )
        yield f"  {whole('rebalance why --file FILE')} gives this answer, too:"
        yield from (f"  {line}".rstrip() for line in printed.lines)
    yield from _causes(answer)
    yield ""
    yield verdict(answer)


def verdict(answer: Answer) -> str:
    """Return whether the audit passed, with the findings that made it fail."""
    names = ", ".join(answer.never) or "none"
    failing = [one.what for one in answer.failing] + answer.signs
    possible = sum(
        1
        for group in answer.audited.groups
        for one in group.findings
        if one.level is Level.POSSIBLE and one.what in answer.never
    )
    also = f"; {possible} POSSIBLE" if possible else ""
    if failing:
        many = Counter(failing)
        what = ", ".join(f"{name} {number}" for name, number in sorted(many.items()))
        return f"Failed: SEEN {what}{also}. Kinds that fail the audit: {names}."
    return f"Passed: nothing SEEN{also}. Kinds that fail the audit: {names}."


def unread(answer: Answer) -> Iterator[str]:
    """Yield files that were not read, or only in part, with reasons."""
    for one in answer.left:
        yield f"  Not read: {_whole(one.name)}: {printable(one.why)}."
    for file in answer.audited.files:
        said = []
        tally = file.tally
        if file.damage:
            said.append(f"read up to the damage ({printable(file.damage)})")
        if tally.cut:
            said.append(f"{count(tally.cut, 'line')} incomplete, such as {_whole(tally.example)}")
        if tally.long:
            said.append(f"{count(tally.long, 'line')} over 1 MiB, of which only the beginning was read")
        if tally.back:
            said.append(f"its clock steps back {count(tally.back, 'time')}")
        if tally.no_year:
            said.append("its lines have no year: the file's last modification gives the year")
        if tally.no_date:
            said.append("some lines have no date: the file's last modification gives the day")
        if tally.either:
            said.append("its dates do not show whether day or month comes first: day first is assumed")
        if tally.told and not tally.dated:
            said.append("no line has a time")
        if said:
            yield f"  {_whole(file.name)}: {'; '.join(said)}."


def _group(answer: Answer, group: GroupTold) -> Iterator[str]:
    yield f"Group {printable(group.name)}"
    yield from _coverage(answer, group)
    yield from _lanes(answer, group)
    if not group.findings:
        yield "  Nothing found."
    by_kind: dict[What, list[Finding]] = {}
    for one in group.findings:
        by_kind.setdefault(one.what, []).append(one)
    for what, own in by_kind.items():
        own = sorted(own, key=lambda one: (one.level is Level.POSSIBLE, -one.long))
        yield ""
        yield f"  {what.sentence} ({what.value}):"
        for one in own[:MOST_FINDINGS]:
            yield from _finding(answer, group, one)
        if len(own) > MOST_FINDINGS:
            yield f"    and {len(own) - MOST_FINDINGS} more; --json and --report have all"


def _finding(answer: Answer, group: GroupTold, one: Finding) -> Iterator[str]:
    where = queues(one.intervals) or printable(one.topic)
    yield f"    {one.level.value}  {where + '  ' if where else ''}{between(one, answer.audited.zone)}"
    who = f"{', '.join(printable(member) for member in one.members)}: " if one.members else ""
    yield f"      {who}{printable(one.detail)}."
    cause = f"; cause: {', '.join(found.cause.name for found in behind(one, answer.question))}" if one.causes else ""
    named = [whole(place) if ":" in place else place for place in places(one.evidence)]  # "5 more" may be wrapped
    yield f"      {', '.join(named)}{cause}"


def _coverage(answer: Answer, group: GroupTold) -> Iterator[str]:
    shown = answer.audited.zone
    marks = letters(group)
    members = [(member, one) for one in group.coverage for member in one.members]
    yield f"  {count(len(members), 'consumer')} with a log; times {zone(shown)}:"
    for member, one in members[:MOST_MEMBERS]:
        yield f"    {marks.get(member, '-')} {printable(group.called(member))}: {_covered(one, shown)}"
    if len(members) > MOST_MEMBERS:
        yield f"    and {len(members) - MOST_MEMBERS} more"
    if group.seen_members > len(members):
        yield (
            f"  A consumer saw {group.seen_members} consumers in the group: at least "
            f"{group.seen_members - len(members)} have no log here and may have owned the queues without an owner."
        )
    for log, twin in group.mirrored:
        yield f"  {_whole(log)} has the same content as {_whole(twin)} and is left out."


def _covered(one: Coverage, shown: int) -> str:
    log = _whole(PurePath(one.log).name)
    if one.first is None or one.last is None:
        return f"without times, {log}"
    parts = [f"{day(one.first, shown)} {clock(one.first, shown)[:8]} .. {clock(one.last, shown)[:8]}", log]
    if one.version:
        parts.append(printable(one.version))
    if one.silences:
        longest = max(until - at for at, until in one.silences)
        parts.append(f"silent {count(len(one.silences), 'time')}, for {how_long(longest)} at most")
    if not one.commits:
        parts.append("no commits, so silence is no evidence")
    if not one.zone_known and shown:
        parts.append(f"zone not stated, {zone(shown)} assumed")
    if one.other_zone:
        parts.append(f"clock seems to be in another zone, {how_long(abs(one.other_zone))} away: use --zone")
    if one.apart is not None:
        parts.append(f"clock within {one.apart} ms of another one, by notifications")
    if one.unnamed:
        parts.append(f"{count(one.unnamed, 'line')} without a known client")
    if one.undated:
        parts.append(f"{count(one.undated, 'line')} without a time")
    if one.held:
        parts.append(_held(one.held))
    return ", ".join(parts)


def _held(one: Held) -> str:
    if one.why:
        return f"not checked against the model: {one.why}"
    unknown = listing([f"{what} ({many})" for what, many in one.widened])
    return f"{count(one.lines, 'line')} checked against the model" + (f", unknown: {unknown}" if unknown else "")


def _lanes(answer: Answer, group: GroupTold) -> Iterator[str]:
    around = extent(group)
    if around is None:
        return
    shown = answer.audited.zone
    begin, end = (clock(at, shown)[:8] for at in around)
    every = list(lanes(group, LANE))
    yield ""
    yield f"  {'':20}  " + whole(f"{begin}{end:>{LANE - len(begin)}}")
    topic = ""
    for one in every[:MOST_LANES]:
        if one.topic != topic:
            topic = one.topic
            yield f"  {printable(topic)}"
        yield "    " + whole(f"{shorten(printable(one.label), 18):18}  {one.cells}")
    if len(every) > MOST_LANES:
        yield f"  and {len(every) - MOST_LANES} more lanes; --report has all"
    others = "; * others" if len(letters(group)) > len(MARKS) else ""
    yield f"  Letters are consumers; # two at once, . no consumer{others}"


def _without_logs(answer: Answer, groups: list[GroupTold]) -> Iterator[str]:
    """Yield lines on groups of which only brokers' logs were given."""
    told = [group for group in groups if group.findings]
    for group in told:
        yield ""
        yield f"Group {printable(group.name)}: no consumer's log"
        for one in group.findings[:MOST_FINDINGS]:
            yield f"  {one.what.sentence} ({one.what.value}):"
            yield from _finding(answer, group, one)
    rest = [printable(group.name) for group in groups if not group.findings]
    if rest:
        yield ""
        yield f"No finding and no consumer's log: {listing(rest[:10])}" + (
            f" and {len(rest) - 10} more." if len(rest) > 10 else "."
        )


def _causes(answer: Answer) -> Iterator[str]:
    found: dict[str, Found] = {}
    for group in answer.audited.groups:
        for one in group.findings:
            for each in behind(one, answer.question):
                found.setdefault(each.cause.name, each)
    if not found:
        return
    yield ""
    yield "Causes that fit" + (f", {answer.question.label}" if answer.question.label else "") + ":"
    for name, each in found.items():
        yield f"  {name}: {each.cause.sentence}"
        if each.shown:
            yield f"    Claims: {', '.join(_briefly(each.shown))}"
        for help_ in helps(each.helps[:2], answer.question):
            yield f"    Helps: {help_}"
    first = next(iter(found))
    yield f"  {whole(f'rebalance why {first}')}   explains one of them in full"


def _briefly(claims: Iterable[str]) -> list[str]:
    every = list(claims)
    return [*every[:2], *([f"{len(every) - 2} more"] if len(every) > 2 else [])]
