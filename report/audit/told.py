"""Render an audit for the terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from rebalance_proofs.language import gettext, ngettext
from rebalance_proofs.recorded.audit.connections import Leaving
from rebalance_proofs.recorded.audit.finding import Finding, Level, What
from rebalance_proofs.recorded.audit.group import translated
from rebalance_proofs.recorded.audit.outcome import Coverage, GroupTold
from rebalance_proofs.recorded.audit.told import Held
from rebalance_proofs.recorded.logs.lines import NAMED
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.answer import Answer, behind
from rebalance_proofs.report.audit.chart import MARKS, extent, lanes, letters
from rebalance_proofs.report.audit.known import (
    Known,
    causes_of_lines,
    described,
    groups_words,
    known,
    meant,
    mentioned,
    missing,
    not_modelled,
)
from rebalance_proofs.report.audit.worded import cause as worded_cause
from rebalance_proofs.report.audit.worded import worded
from rebalance_proofs.report.audit.words import (
    AMBIGUOUS,
    HOW,
    clock,
    day,
    how_long,
    lines_words,
    moment,
    period,
    places,
    system_words,
    zone,
)
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.text.english import listing, shorten
from rebalance_proofs.report.text.wrapping import whole, wrapped

WIDE = 80
"""Width in characters of an audit that is written to a file."""
LANE = 54
MOST_LEFT = 12
"""Most departures of consumers in the terminal, and most consumers of one; --json has all."""
MOST_FIXES = 2
"""Most fixes of a cause in the terminal."""
MOST_FILES = 3
"""Most files that the verdict names."""
MOST_LANES, MOST_FINDINGS, MOST_MEMBERS, MOST_LINES = 40, 12, 20, 10
"""Most timelines, findings and members of a group, and kinds of lines, in the terminal; --json has all."""


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
    many = len({file.whole or file.name for file in files})
    facts = sum(file.tally.told for file in files)
    return gettext("Read: {files}, {lines}; {facts} are about groups.").format(
        files=ngettext("{number} file", "{number} files", many).format(number=f"{many:,}"),
        lines=lines_words(lines),
        facts=f"{facts:,}",
    )


def recognised(answer: Answer) -> str:
    """Return which known lines the files have, and how often; "" if they have none."""
    many: Counter[str] = Counter()
    for file in answer.audited.files:
        many.update(file.tally.named)
    if not many:
        return ""
    by_title: Counter[str] = Counter()
    for name, number in many.items():
        by_title[str(NAMED[name].title)] += number
    every = [f"{title} {number:,}" for title, number in by_title.most_common()]
    more = ""
    if len(every) > MOST_LINES:
        more = gettext(", and {number} more kinds; --json has all").format(number=len(every) - MOST_LINES)
    return gettext("Recognised: {lines}.").format(lines=", ".join(every[:MOST_LINES]) + more)


def _told(answer: Answer) -> Iterator[str]:
    audited = answer.audited
    if audited.files or not answer.printed:
        yield summary(answer)
    yield from [line for line in (recognised(answer), answer.question.remark) if line]
    yield from unread(answer)
    if audited.nameless:
        many = audited.nameless
        yield gettext("  {lines} on queues or pulls could belong to several groups, or to an unnamed one.").format(
            lines=lines_words(many)
        )
    lines = known(answer)
    if not answer.evidence:
        yield ""
        yield from _no_evidence(answer, lines)
        return
    with_logs = [group for group in audited.groups if group.coverage]
    for group in with_logs:
        yield ""
        yield from _group(answer, group)
    yield from _without_logs(answer, [group for group in audited.groups if not group.coverage])
    for printed in answer.printed:
        yield ""
        said = (
            gettext("{names}: output of mqadmin, group {group}")
            if printed.group
            else gettext("{names}: output of mqadmin")
        )
        yield said.format(names=", ".join(map(_whole, printed.names)), group=printed.group)
        yield gettext("  {command} gives this answer, too:").format(command=whole("rebalance why --file FILE"))
        yield from (f"  {line}".rstrip() for line in printed.lines)
    if lines:
        yield ""
        yield from described(answer, lines)
    yield from _causes(answer, lines)
    yield ""
    if not answer.named:
        yield from mentioned(answer)
        yield missing(lines, bool(answer.mentions))
    yield verdict(answer)


def _no_evidence(answer: Answer, lines: list[Known]) -> Iterator[str]:
    """Yield what is known about files without a line about a group's queues."""
    yield from not_modelled(answer)
    if lines:
        yield from described(answer, lines)
        yield from _causes(answer, lines)
        yield ""
        yield missing(lines, bool(answer.mentions))
    elif answer.meanings:
        yield from meant(answer)
        yield ""
    if answer.mentions:
        yield from mentioned(answer)
        yield ""
    yield without_evidence(answer, lines)


def without_evidence(answer: Answer, lines: list[Known]) -> str:
    """Return why the files are no evidence about a group."""
    if answer.mentions:
        return gettext("No evidence: the lines name {groups}, but none shows which member has a queue.").format(
            groups=groups_words(answer)
        )
    if answer.audited.nameless or (lines and not any(word == "group" for one in lines for word, _ in one.sight.names)):
        return gettext("No evidence: no line names its consumer group.")
    if lines:
        return gettext("No evidence: no line shows the queues of a group.")
    if any(not_modelled(answer)):
        return gettext("No evidence: no line is about the queues of a consumer group.")
    if answer.left or any(file.tally.cut for file in answer.audited.files):
        return gettext("No evidence: nothing readable in these files is about a consumer group.")
    return gettext("No evidence: nothing in these files is about a consumer group.")


def verdict(answer: Answer) -> str:
    """Return whether the audit passed, with the findings that made it fail."""
    names = ", ".join(answer.never) or gettext("none")
    failing = [one.what for one in answer.failing] + answer.signs
    possible = sum(
        1
        for group in answer.audited.groups
        for one in group.findings
        if one.level is Level.POSSIBLE and one.what in answer.never
    )
    also = gettext("; {number} POSSIBLE").format(number=possible) if possible else ""
    if failing:
        many = Counter(failing)
        what = ", ".join(f"{name} {number}" for name, number in sorted(many.items()))
        said = gettext("Failed: SEEN {findings}{possible}. Kinds that fail the audit: {names}.")
        return said.format(findings=what, possible=also, names=names)
    others = Counter(
        one.what
        for group in answer.audited.groups
        for one in group.findings
        if one.level is Level.SEEN and one.what not in answer.never
    )
    told_too = ", ".join(f"{name} {number}" for name, number in sorted(others.items()))
    other = gettext(" Other kinds SEEN: {findings}.").format(findings=told_too) if others else ""
    if answer.incomplete:
        said = gettext(
            "Incomplete: nothing is SEEN of the kinds that fail the audit ({names}){possible}, but files are cut off:"
            " {files}."
        )
        files = [*map(_whole, answer.incomplete[:MOST_FILES])]
        if more := len(answer.incomplete) - MOST_FILES:
            files += [gettext("{number} more").format(number=more)] if more > 0 else []
        return said.format(possible=also, files=", ".join(files), names=names) + other
    if not answer.named and answer.mentions:
        said = gettext(
            "Open: the lines name {groups}, but the lines of the findings do not{possible}. Kinds that fail the audit:"
            " {names}."
        )
        return said.format(groups=groups_words(answer), possible=also, names=names) + other
    if not answer.named:
        said = gettext("Open: no line names its consumer group{possible}. Kinds that fail the audit: {names}.")
        return said.format(possible=also, names=names) + other
    if answer.limits:
        said = gettext(
            "Open: nothing is SEEN of the kinds that fail the audit ({names}){possible}, but the lines are too few to"
            " exclude a fault."
        )
        return said.format(possible=also, names=names) + other
    said = gettext("Passed: nothing is SEEN of the kinds that fail the audit ({names}){possible}.")
    return said.format(possible=also, names=names) + other


def unread(answer: Answer) -> Iterator[str]:
    """Yield files that were not read, or only in part, with reasons."""
    for one in answer.left:
        yield gettext("  Not read: {name}: {reason}.").format(name=_whole(one.name), reason=printable(one.why))
    for file in answer.audited.files:
        said = []
        tally = file.tally
        if file.damage:
            said.append(gettext("read up to the damage ({damage})").format(damage=printable(file.damage)))
        if tally.cut:
            incomplete = gettext("{lines} incomplete, such as {example}")
            said.append(incomplete.format(lines=lines_words(tally.cut), example=_whole(tally.example)))
        beyond = gettext("{lines} about {subject}, which the model does not have")
        for many, subject in (
            (tally.pop, gettext("pop consumption")),
            (tally.grpc, gettext("the gRPC SDKs or the proxy")),
        ):
            if many:
                said.append(beyond.format(lines=lines_words(many), subject=subject))
        if tally.turned and not file.whole:
            said.append(gettext("its newest line comes first, so it was read from its end"))
        if tally.truncated:
            said.append(gettext("it ends within a line"))
        if tally.long:
            long = gettext("{lines} over 1 MiB, of which only the beginning was read")
            said.append(long.format(lines=lines_words(tally.long)))
        if tally.back:
            back = ngettext("its clock steps back {number} time", "its clock steps back {number} times", tally.back)
            said.append(back.format(number=f"{tally.back:,}"))
        if tally.no_year:
            said.append(gettext("its lines have no year: the file's last modification gives the year"))
        if tally.no_date and tally.dateless:
            said.append(
                gettext("its times count from the start of the process")
                if tally.relative
                else gettext("its lines have no date: times of day are shown")
            )
        elif tally.no_date:
            said.append(gettext("some lines have no date: the file's last modification gives the day"))
        if tally.either:
            said.append(gettext(AMBIGUOUS[tally.either]))
        if tally.zone_name:
            several = gettext("its times name the zone {zone}, which has several meanings: give its offset with --zone")
            said.append(several.format(zone=tally.zone_name))
        if tally.told and not tally.dated:
            said.append(
                gettext("its times count from the start of the process or minute, so no line has a place in time")
                if tally.relative
                else gettext("no line has a time")
            )
        if said:
            yield gettext("  {name}: {remarks}.").format(name=_whole(file.name), remarks=gettext("; ").join(said))


def _group(answer: Answer, group: GroupTold) -> Iterator[str]:
    yield gettext("Group {name}").format(name=printable(group.name))
    if remark := system_words(group.name):
        yield f"  {remark}"
    yield from _coverage(answer, group)
    yield from _lanes(answer, group)
    yield from departures(answer, group)
    if not group.findings:
        yield f"  {gettext('Nothing else found.') if group.leavings else gettext('Nothing found.')}"
        if group.limits and group.coverage:
            limits = gettext("; ").join(map(translated, group.limits))
            yield gettext("  Not shown: {limits}.").format(limits=limits)
    by_kind: dict[What, list[Finding]] = {}
    for one in group.findings:
        by_kind.setdefault(one.what, []).append(one)
    for what, own in by_kind.items():
        own = sorted(own, key=lambda one: (one.level is Level.POSSIBLE, -one.long))
        yield ""
        yield _headed(what)
        for one in own[:MOST_FINDINGS]:
            yield from _finding(answer, group, one)
        if len(own) > MOST_FINDINGS:
            yield gettext("    and {number} more; --json and --report have all").format(number=len(own) - MOST_FINDINGS)


def departures(answer: Answer, group: GroupTold) -> Iterator[str]:
    """Yield the consumers that left; those that left in the same second and in the same way share a line."""
    if not group.leavings:
        return
    shown = answer.audited.zone
    many: dict[tuple[int | None, str], list[Leaving]] = {}
    for one in group.leavings:
        many.setdefault((None if one.at is None else one.at // 1000, one.how), []).append(one)
    yield gettext("  Consumers that left the group:")
    for (_, how), own in list(many.items())[:MOST_LEFT]:
        at = own[0].at
        when = gettext("without a date") if at is None else moment(at, shown)
        names = list(dict.fromkeys(printable(one.client) for one in own if one.client))
        if unknown := sum(not one.client for one in own):
            names.append(ngettext("{number} consumer", "{number} consumers", unknown).format(number=unknown))
        said = gettext("    {time}  {clients}: {how}; {place}").format(
            time=when,
            clients=listing([*names[:MOST_LEFT], *([f"{len(names) - MOST_LEFT:,}"] if len(names) > MOST_LEFT else [])]),
            how=gettext(HOW[how]),
            place=whole(places([own[0].where], answer.short)[0]),
        )
        yield said
    if len(many) > MOST_LEFT:
        yield gettext("    and {number} more; --json has all").format(number=len(many) - MOST_LEFT)
    yield gettext("    The brokers notify the other consumers each time, and these rebalance.")


def _headed(what: What) -> str:
    return gettext("  {finding} ({name}):").format(finding=gettext(what.sentence), name=what.value)


def _finding(answer: Answer, group: GroupTold, one: Finding) -> Iterator[str]:
    said = worded(one, answer.audited.zone)
    yield f"    {one.level.value}  {said.where + '  ' if said.where else ''}{said.when}"
    who = f"{said.members}: " if said.members else ""
    yield gettext("      {sentence}.").format(sentence=who + said.detail)
    names = ", ".join(found.cause.name for found in behind(one, answer.question))
    cause = gettext("; cause: {names}").format(names=names) if one.causes else ""
    named = [
        whole(place) if ":" in place else place for place in places(one.evidence, answer.short)
    ]  # "5 more" may be wrapped
    yield f"      {', '.join(named)}{cause}"


def _coverage(answer: Answer, group: GroupTold) -> Iterator[str]:
    shown = answer.audited.zone
    marks = letters(group)
    members = [(member, one) for one in group.coverage for member in one.members]
    said = ngettext(
        "  {number} consumer with a log; times {zone}:", "  {number} consumers with a log; times {zone}:", len(members)
    )
    yield said.format(number=f"{len(members):,}", zone=zone(shown, answer.audited.stated))
    for member, one in members[:MOST_MEMBERS]:
        yield f"    {marks.get(member, '-')} {printable(group.called(member))}: {_covered(answer, one)}"
    if len(members) > MOST_MEMBERS:
        yield gettext("    and {number} more").format(number=len(members) - MOST_MEMBERS)
    if group.seen_members > len(members):
        yield gettext(
            "  A consumer saw {number} consumers in the group: at least {missing} have no log here and may have owned "
            "the queues without an owner."
        ).format(number=group.seen_members, missing=group.seen_members - len(members))
    for log, twin in group.mirrored:
        yield gettext("  {log} has the same content as {twin} and is left out.").format(
            log=_whole(log), twin=_whole(twin)
        )


def _covered(answer: Answer, one: Coverage) -> str:
    shown = answer.audited.zone
    log = _whole(answer.short.get(one.log, PurePath(one.log).name))
    if one.first is None or one.last is None:
        return gettext("without times, {log}").format(log=log)
    parts = [period(one.first, one.last, shown, ms=False), log]
    if one.version:
        parts.append(printable(one.version))
    if one.silences:
        longest = max(until - at for at, until in one.silences)
        silent = ngettext(
            "silent {number} time, for {time} at most", "silent {number} times, for {time} at most", len(one.silences)
        )
        parts.append(silent.format(number=f"{len(one.silences):,}", time=how_long(longest)))
    if not one.commits:
        parts.append(gettext("no commits, so silence is no evidence"))
    if not one.zone_known and (shown or answer.audited.stated):
        parts.append(gettext("zone not stated, {zone} assumed").format(zone=zone(shown, True)))
    if one.other_zone:
        away = gettext("clock seems to be in another zone, {time} away: use --zone")
        parts.append(away.format(time=how_long(abs(one.other_zone))))
    if one.apart is not None:
        parts.append(gettext("clock within {number} ms of another one, by notifications").format(number=one.apart))
    if one.unnamed:
        parts.append(gettext("{lines} without a known client").format(lines=lines_words(one.unnamed)))
    if one.undated:
        parts.append(gettext("{lines} without a time").format(lines=lines_words(one.undated)))
    if one.held:
        parts.append(_held(one.held))
    return ", ".join(parts)


def _held(one: Held) -> str:
    if one.why:
        return gettext("not checked against the model: {reason}").format(reason=gettext(one.why))
    unknown = listing([f"{gettext(what)} ({many})" for what, many in one.widened])
    checked = gettext("{lines} checked against the model").format(lines=lines_words(one.lines))
    return checked + (gettext(", unknown: {states}").format(states=unknown) if unknown else "")


def _lanes(answer: Answer, group: GroupTold) -> Iterator[str]:
    around = extent(group)
    if around is None:
        return
    shown = answer.audited.zone
    begin, end = (clock(at, shown)[:8] for at in around)
    if len(days := {day(at, shown) for at in around}) > 1:
        begin, end = (f"{date} {time}".lstrip() for date, time in zip(sorted(days), (begin, end), strict=True))
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
        yield gettext("  and {number} more lanes; --report has all").format(number=len(every) - MOST_LANES)
    others = gettext("; * others") if len(letters(group)) > len(MARKS) else ""
    complete = 0 < group.seen_members <= sum(len(one.members) for one in group.coverage)
    yield (
        gettext("  Letters are consumers; # two at once, . no consumer")
        if complete
        else gettext("  Letters are consumers; # two at once, . no consumer that has a log here")
    ) + others


def _without_logs(answer: Answer, groups: list[GroupTold]) -> Iterator[str]:
    """Yield lines on groups of which only brokers' logs were given."""
    told = [group for group in groups if group.findings or group.leavings]
    for group in told:
        yield ""
        without = gettext("Group {name}: no consumer's log").format(name=printable(group.name))
        yield without if group.name else gettext("Lines that name no group")
        if remark := system_words(group.name):
            yield f"  {remark}"
        yield from departures(answer, group)
        for one in group.findings[:MOST_FINDINGS]:
            yield _headed(one.what)
            yield from _finding(answer, group, one)
    rest = [printable(group.name) for group in groups if not group.findings and not group.leavings]
    if rest:
        yield ""
        said = (
            gettext("No finding and no consumer's log: {names} and {number} more.")
            if len(rest) > 10
            else gettext("No finding and no consumer's log: {names}.")
        )
        yield said.format(names=listing(rest[:10]), number=len(rest) - 10)


def _causes(answer: Answer, lines: list[Known]) -> Iterator[str]:
    found: dict[str, Found] = {}
    for group in answer.audited.groups:
        for one in group.findings:
            for each in behind(one, answer.question):
                found.setdefault(each.cause.name, each)
    for each in causes_of_lines(answer, lines):
        found.setdefault(each.cause.name, each)
    if not found:
        return
    yield ""
    label = answer.question.label
    yield gettext("Causes that fit, {client}:").format(client=label) if label else gettext("Causes that fit:")
    for each in found.values():
        said = worded_cause(each, answer.question)
        yield f"  {said.name}: {said.sentence}"
        if said.remark:
            yield f"    ({said.remark})"
        if said.claims:
            yield "    " + gettext("Claims: {claims}").format(claims=", ".join(_briefly(said.claims)))
        for help_ in said.helps[:MOST_FIXES]:
            yield "    " + gettext("Helps: {help}").format(help=help_)
    first = next(iter(found))
    yield gettext("  {command}   explains one of them in full").format(command=whole(f"rebalance why {first}"))


def _briefly(claims: Iterable[str]) -> list[str]:
    every = list(claims)
    return [*every[:2], *([gettext("{number} more").format(number=len(every) - 2)] if len(every) > 2 else [])]
