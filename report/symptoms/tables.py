"""The answer about pasted tables as lines for a terminal: what they show, and at most three causes."""

from collections.abc import Iterator

from rebalance_proofs.language import gettext
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.brief import helps, tells
from rebalance_proofs.report.symptoms.mqadmin.answer import Observed, blank


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
