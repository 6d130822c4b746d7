"""Render known log lines that name no consumer group: their meaning, times, names and possible causes."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from rebalance_proofs.language import gettext
from rebalance_proofs.recorded.logs.lines import NAMED
from rebalance_proofs.recorded.logs.pieces import UNREADABLE, head
from rebalance_proofs.recorded.logs.sights import Sight
from rebalance_proofs.recorded.logs.sources import Source
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.answer import Answer, Meaning, behind_line
from rebalance_proofs.report.audit.words import how_long, lines_words, moment, period
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.unmodelled import UNMODELLED, Unmodelled
from rebalance_proofs.report.text.english import listing
from rebalance_proofs.report.text.wrapping import whole

# Render the groups and meanings of log lines that the audit itself cannot parse.

SEARCHED = 500_000
"""Number of bytes of a file that are searched for lines that ``rebalance why`` knows."""
MOST_GROUPS, MOST_MEANINGS, MOST_CAUSES = 12, 3, 3
"""Most groups, kinds of lines, and causes of a kind, in the terminal; --json has all groups."""


def meanings(found: Iterable[Source]) -> list[Meaning]:
    """Return what the first lines of the files mean that ``rebalance why`` knows, the most specific first."""
    # Imported here because most audits need none of it.
    from rebalance_proofs.report.symptoms.elsewhere import elsewhere
    from rebalance_proofs.report.symptoms.mqadmin.columns import decoded
    from rebalance_proofs.report.symptoms.paste import GENERIC, statements

    for path in {one.path: None for one in found}:
        with suppress(OSError, *UNREADABLE):
            text = decoded(head(path, SEARCHED)[0]) or ""
            told = [one for one in statements(text) if one.rank <= GENERIC and one.means]
            if told:
                return [
                    Meaning(one.quoted, one.times, tuple(_sentences(one.means, one.fix)), one.causes[:MOST_CAUSES])
                    for one in told[:MOST_MEANINGS]
                ]
            if other := elsewhere(text):
                subject = other.unmodelled
                said = gettext("Not modelled: {what} ({why}).")
                outside = [said.format(what=subject.what, why=subject.why)] if subject else []
                means = [str(other.means)] if other.means else []
                return [Meaning(other.quoted, other.many, (*outside, *means), ())]
    return []


def _sentences(means: str, fix: str) -> Iterator[str]:
    yield means[:1].upper() + means[1:]
    if fix:
        yield gettext("Fix: {fix}").format(fix=fix)


def mentioned(answer: Answer) -> Iterator[str]:
    """Yield which groups the lines name, with the first line of each; nothing if they name none."""
    if not answer.mentions:
        return
    many: dict[str, int] = {}
    places: dict[str, str] = {}
    for one in answer.mentions:
        many[one.group] = many.get(one.group, 0) + one.many
        places.setdefault(one.group, f"{printable(answer.short.get(one.file, one.file))}:{one.line}")
    yield gettext("Groups that these lines name:")
    for group, place in list(places.items())[:MOST_GROUPS]:
        yield gettext("  {group}: {often}, first {place}").format(
            group=whole(printable(group)), often=lines_words(many[group]), place=whole(place)
        )
    if len(many) > MOST_GROUPS:
        yield gettext("  and {number} more; --json has all").format(number=len(many) - MOST_GROUPS)
    if not answer.evidence:
        yield gettext("  No line shows a member, a queue or an offset of a group that the audit can check.")


def meant(answer: Answer) -> Iterator[str]:
    """Yield what the lines mean that ``rebalance why`` knows."""
    if answer.meanings:
        yield gettext("Lines that `rebalance why` knows:")
    for one in answer.meanings:
        yield gettext('  {often}, such as "{line}"').format(often=lines_words(one.many), line=one.quoted)
        yield from (f"    {sentence}" for sentence in one.means)
        if one.causes:
            yield gettext("    POSSIBLE cause: {names}").format(names=", ".join(one.causes))


def groups_words(answer: Answer) -> str:
    """Return the names of the first groups that the lines name."""
    names = list(dict.fromkeys(whole(printable(one.group)) for one in answer.mentions))
    more = len(names) - MOST_MEANINGS
    return listing([*names[:MOST_MEANINGS], *([gettext("{number} more").format(number=more)] if more > 0 else [])])


MOST_KNOWN, MOST_NAMES = 12, 6
"""Most kinds of lines, and most names of a kind, in the terminal."""

SECOND = 1_000
"""Shortest time in ms that is printed as a duration."""


@dataclass(frozen=True)
class Known:
    """All occurrences of one known line in one file."""

    file: str
    name: str
    sight: Sight


def known(answer: Answer) -> list[Known]:
    """Return the known lines that no finding cites, if no line names a group; else none."""
    if answer.named:
        return []
    cited = {where for group in answer.audited.groups for one in group.findings for where in one.evidence}
    every = [
        Known(file.whole or file.name, name, sight)
        for file in answer.audited.files
        for name, sight in file.tally.sights.items()
    ]
    return [one for one in every if (one.file, one.sight.line) not in cited]


def described(answer: Answer, every: list[Known]) -> Iterator[str]:
    """Yield what the lines mean, when they were logged, and what they name."""
    groups = {name for one in every for word, name in one.sight.names if word == "group"}
    yield (
        gettext("Known lines that name a group, but show neither its owners nor its progress:")
        if groups
        else gettext("Known lines that name no consumer group:")
    )
    for one in every[:MOST_KNOWN]:
        line, sight = NAMED[one.name], one.sight
        often = lines_words(sight.many)
        title = str(line.title)
        yield gettext("  {title}: {often}, {time}").format(title=title, often=often, time=_times(answer, sight))
        if line.more:
            yield f"    {line.more}{gettext('.')}"
        if sight.names:
            yield gettext("    It names: {names}.").format(names=_names(sight))
        causes = ", ".join(found.cause.name for found in behind_line(one.name, answer.question))
        place = _place(answer, one)
        yield (
            gettext("    {place}; POSSIBLE cause: {names}").format(place=place, names=causes)
            if causes
            else f"    {place}"
        )
    if len(every) > MOST_KNOWN:
        yield gettext("  and {number} more kinds; --json has all").format(number=len(every) - MOST_KNOWN)


def _times(answer: Answer, sight: Sight) -> str:
    shown = answer.audited.zone
    if sight.first is None or sight.last is None:
        return gettext("without a time")
    if sight.first == sight.last:
        return moment(sight.first, shown)
    long = sight.last - sight.first
    return period(sight.first, sight.last, shown) + (f", {how_long(long)}" if long >= SECOND else "")


def _place(answer: Answer, one: Known) -> str:
    file = printable(answer.short.get(one.file, one.file))
    lines = [one.sight.line, *([one.sight.last_line] if one.sight.last_line != one.sight.line else [])]
    return whole(" .. ".join(f"{file}:{line}" for line in lines))


def _names(sight: Sight) -> str:
    words = {
        "group": gettext("group {name}"),
        "queue": gettext("queue {name}"),
        "topic": gettext("topic {name}"),
        "client": gettext("client {name}"),
    }
    told = [words[word].format(name=whole(printable(name))) for word, name in sight.names]
    more = len(told) - MOST_NAMES
    return listing(told if more <= 0 else [*told[:MOST_NAMES], gettext("{number} more").format(number=more)])


def missing(every: list[Known], grouped: bool = False) -> str:
    """Return what the reader should add; ``grouped``: whether other lines name the group."""
    wanted = []
    if not grouped and not any(word == "group" for one in every for word, _ in one.sight.names):
        wanted.append(gettext("lines that name the consumer group (the whole log, from the client's start)"))
    else:
        wanted.append(gettext("lines about rebalances and commits of the group, also before these lines"))
    if any("xception" in wording.text for one in every for wording in NAMED[one.name].wordings):
        wanted.append(gettext("the exception and its stack trace, which follow such a line"))
    if any(one.sight.first is None for one in every):
        wanted.append(gettext("the times of the lines"))
    wanted.append(gettext("the output of mqadmin consumerProgress for the group"))
    return gettext("Missing: {what}.").format(what=gettext("; ").join(wanted))


def causes_of_lines(answer: Answer, every: list[Known]) -> Iterator[Found]:
    """Yield the possible causes of the lines."""
    for one in every[:MOST_KNOWN]:
        yield from behind_line(one.name, answer.question)


def unmodelled(answer: Answer) -> Iterator[tuple[Unmodelled, int]]:
    """Yield what lines are about that the model does not have, such as pop consumption, and how many they are."""
    tallies = [file.tally for file in answer.audited.files]
    for many, anchor in ((sum(one.pop for one in tallies), "pop"), (sum(one.grpc for one in tallies), "grpc")):
        if many:
            yield next(one for one in UNMODELLED if one.anchor == anchor), many


def not_modelled(answer: Answer) -> Iterator[str]:
    """Yield sentences about lines that the model does not have."""
    for subject, many in unmodelled(answer):
        yield gettext("Not modelled, {lines}: {what} ({why}). The lines alone show no fault.").format(
            lines=lines_words(many), what=subject.what, why=subject.why
        )
