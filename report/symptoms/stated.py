"""The answer about a pasted log line, exception or stack trace, as lines for a terminal."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.language import gettext
from rebalance_proofs.recorded.knowledge.pasted_texts import word
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.brief import helps, tells
from rebalance_proofs.report.symptoms.mqadmin.answer import Observed, blank
from rebalance_proofs.report.symptoms.paste import GENERIC, Statement, causes

# The answer about pasted tables as lines for a terminal: what they show, and at most three causes.


def by_tables(observed: Observed, question: Asked, source: str = "") -> Iterator[str]:
    """Yield the answer about tables. ``source``: whether client and mode are from the options or the files."""
    yield observed.read
    if question.label:
        yield gettext("{client}{source}.").format(client=question.label, source=source)
    yield from (one.words for one in observed.shown)
    yield from observed.notes
    others = [one.found.cause for one in observed.causes]
    for number, one in enumerate(observed.causes, 1):
        yield ""
        yield gettext("{number}. {name}: {headline}").format(
            number=number, name=one.found.cause.name, headline=one.found.cause.headline
        )
        if len(observed.shown) > 1:
            yield gettext("   Shown by: {rows}").format(rows=blank().join(by.words for by in one.by))
        confirm = tells(one.found, [other for other in others if other is not one.found.cause])
        yield gettext("   Confirm: {check}").format(check=confirm)
        yield gettext("   Fix: {fix}").format(fix=helps(one.found))
    if not observed.causes and any(one.kind.causes for one in observed.shown):
        yield gettext("No known cause of this client and mode fits.")
    if observed.asks:
        yield ""
        yield gettext("Not shown:")
        yield from (f"  - {sentence}" for sentence in observed.asks)
    if observed.causes:
        yield ""
        yield from [question.remark] * bool(question.remark)
        name = observed.causes[0].found.cause.name
        yield gettext("One of them in full: rebalance why {name}").format(name=name)


MOST, OTHERS = 3, 2
"""Most causes in an answer, and most further statements that it mentions."""


def by_statements(told: Sequence[Statement], question: Asked) -> Iterator[str]:
    """Yield the answer about the statements of a paste, of which the first is the most specific."""
    first = told[0]
    if first.times > 1:
        yield gettext('Read: "{line}" ({times} times).').format(line=first.quoted, times=first.times)
    else:
        yield gettext('Read: "{line}"').format(line=first.quoted)
    named = [word(kind, name=name) for kind, name in first.named if name not in first.means]
    if named:
        yield gettext("It names: {names}.").format(names=gettext(", ").join(named))
    yield from [question.remark] * bool(question.remark)
    yield first.means[:1].upper() + first.means[1:]
    if first.fix:
        yield gettext("Fix: {fix}").format(fix=first.fix)
    found = causes(first, question)[:MOST]
    yield from in_short(found)
    most = GENERIC - 1 if first.rank < GENERIC else first.rank
    others = [one for one in told[1:] if one.rank <= most and one.quoted != first.quoted][:OTHERS]
    if others:
        yield ""
        yield gettext("The text also has:")
        yield from (gettext("  - {line}: {meaning}").format(line=one.quoted, meaning=one.means) for one in others)
    if found:
        yield ""
        yield gettext("One of them in full: rebalance why {name}").format(name=found[0].cause.name)


def in_short(found: Sequence[Found]) -> Iterator[str]:
    """Yield a few causes, each with a check and a fix."""
    for number, one in enumerate(found, 1):
        others = [other.cause for other in found if other is not one]
        yield ""
        yield gettext("{number}. {name}: {headline}").format(
            number=number, name=one.cause.name, headline=one.cause.headline
        )
        yield gettext("   Confirm: {check}").format(check=tells(one, others))
        yield gettext("   Fix: {fix}").format(fix=helps(one))
