"""The answer about a pasted log line, exception or stack trace, as lines for a terminal."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.language import gettext
from rebalance_proofs.recorded.knowledge.pasted_texts import word
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.brief import helps, tells
from rebalance_proofs.report.symptoms.paste import GENERIC, Statement, causes

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
