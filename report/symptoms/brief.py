"""The short answer of ``rebalance why``: at most three causes, each with a check and a fix."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.language import gettext, ngettext
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Cause, first_choice
from rebalance_proofs.report.symptoms.narrowed import FIRST, Ranked
from rebalance_proofs.report.symptoms.words import bounded, line, logged
from rebalance_proofs.report.text.english import capitalized, seconds


def brief(
    head: str, question: Asked, every: Sequence[Ranked], more: str, said: Sequence[str] = (), *, several: bool = False
) -> Iterator[str]:
    """Yield the lines of the short answer, with the three likeliest causes.

    ``head`` is the first line, ``every`` has all causes, the likeliest first, ``more`` is the command that prints all
    causes, and ``said`` are lines to print before the causes. ``several``: whether the causes are of several symptoms.
    """
    yield head
    yield from said
    if question.remark and question.remark not in said:
        yield question.remark
    first = every[:FIRST]
    if not first:
        yield gettext("No known cause fits.")
        return
    yield ""
    for number, one in enumerate(first, 1):
        yield from _one(number, one, [other.found.cause for other in first if other is not one], several)
    rest = len(every) - len(first)
    yield ""
    yield from bounded(one.found for one in first)
    if rest:
        yield ngettext(
            "{number} more cause, and the evidence: {command}",
            "{number} more causes, and the evidence: {command}",
            rest,
        ).format(number=rest, command=more)
    else:
        yield gettext("All details, and the evidence: {command}").format(command=more)


def _one(number: int, one: Ranked, others: Sequence[Cause], several: bool) -> Iterator[str]:
    found = one.found
    name = f"{found.cause.name} ({found.effect.symptom.value})" if several else found.cause.name
    against = gettext(" Does not fit: {facts}.").format(facts=gettext("; ").join(one.against)) if one.against else ""
    yield gettext("{number}. {name}: {headline} {duration}.{remark}").format(
        number=number, name=name, headline=found.cause.headline, duration=capitalized(lasting(found)), remark=against
    )
    yield gettext("   Confirm: {check}").format(check=tells(found, others))
    if fix := helps(found):
        yield gettext("   Fix: {fix}").format(fix=fix)


def lasting(found: Found) -> str:
    """Return how long the cause's effect lasts, in a few words: ``lasts at most 20 s with default settings``."""
    lasts, most = found.effect.lasts, found.most
    if lasts.event:
        return gettext("happens {when}").format(when=lasts.clause)
    if most is not None:
        return gettext("lasts at most {time} with default settings").format(time=seconds(most))
    return gettext("lasts {duration}").format(duration=lasts.clause)


def tells(found: Found, others: Sequence[Cause]) -> str:
    """Return a check that confirms a cause.

    It is the first check that none of ``others`` shares, otherwise a log line, otherwise a sign in mqadmin's output.
    """
    cause = found.cause
    release = found.question.release
    looks = [look for look in cause.looks_of(release) if not any(look in other.looks_of(release) for other in others)]
    if looks:
        return str(looks[0])
    every = logged(cause, found.question)
    own = [one for one in every if not any(one in other.lines for other in others)]
    for one in (*own, *every):
        return gettext("the log of the {line}.").format(line=line(one, found.question, short=True))
    return (
        gettext("mqadmin shows {sign}.").format(sign=cause.signs[0].text)
        if cause.signs
        else gettext("no check is known.")
    )


def helps(found: Found) -> str:
    """Return the fix to try first, in one sentence: a setting or a command if there is one.

    Empty if the client has none of the cause's fixes for the symptom.
    """
    suited = [one for one in found.helps if one.suits(found.question.release)]
    return str(first_choice(suited).brief) if suited else ""
