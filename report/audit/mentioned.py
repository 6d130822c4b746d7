"""Render the groups and meanings of log lines that the audit itself cannot parse."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from rebalance_proofs.language import gettext
from rebalance_proofs.recorded.logs.pieces import UNREADABLE, head
from rebalance_proofs.recorded.logs.sources import Source
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.answer import Answer, Meaning
from rebalance_proofs.report.audit.words import lines_words
from rebalance_proofs.report.text.english import listing
from rebalance_proofs.report.text.wrapping import whole

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
