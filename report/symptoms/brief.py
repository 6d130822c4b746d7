"""The short answer of ``rebalance why``: at most three causes, each with a check and a fix."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.report.english import capitalized, count, seconds
from rebalance_proofs.report.mark import BRIEFLY
from rebalance_proofs.report.marks import of_claims
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Cause, first_choice
from rebalance_proofs.report.symptoms.facts import Facts
from rebalance_proofs.report.symptoms.narrowed import FIRST, Ranked
from rebalance_proofs.report.symptoms.words import bounded, line, readable

__all__ = ["brief", "helps", "tells"]


def brief(
    head: str, question: Asked, facts: Facts, every: Sequence[Ranked], more: str, said: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the lines of the short answer, with the three likeliest causes.

    ``head`` names the symptom, ``every`` has all causes, the likeliest first, ``more`` is the command that prints all
    causes, and ``said`` are lines to print before the causes.
    """
    asked = "; ".join(part for part in (question.label, facts.words) if part)
    yield f"{head} ({asked})" if asked else head
    yield from said
    if question.remark:
        yield question.remark
    first = every[:FIRST]
    if not first:
        yield "No known cause fits."
    for number, one in enumerate(first, 1):
        yield ""
        yield from _one(number, one, [other.found.cause for other in first if other is not one])
    rest = len(every) - len(first)
    yield ""
    yield "Ranked by fit; the ranking is a heuristic."
    yield from bounded(one.found for one in first)
    yield f"{count(rest, 'more cause')}, and all details: {more}" if rest else f"All details: {more}"
    if first:
        yield f"One of them in full: rebalance why {first[0].found.cause.name}"
    if any(one.found.claimed for one in first):
        yield BRIEFLY
    if not facts.words:
        yield "To narrow it down: --after, --queues, --over or --still, --for, --client, --mode, --strategy."


def _one(number: int, one: Ranked, others: Sequence[Cause]) -> Iterator[str]:
    found = one.found
    yield f"{number}. {found.cause.name}: {found.cause.sentence}"
    if one.speaks:
        yield f"   Fits: {'; '.join(one.speaks)}."
    if one.against:
        yield f"   Does not fit: {'; '.join(one.against)}."
    yield f"   {capitalized(lasting(found))}."
    yield f"   Confirm: {tells(found, others)}"
    yield f"   Fix: {helps(found)}"
    yield f"   {_evidence(found)}"


def lasting(found: Found) -> str:
    """Return how long the cause's effect lasts, in a few words: ``lasts at most 20 s with default settings``."""
    lasts, most = found.effect.lasts, found.most
    if lasts.event:
        return f"happens {lasts.clause}"
    if most is not None:
        return f"lasts at most {seconds(most)} with default settings"
    return f"lasts {lasts.clause}"


def tells(found: Found, others: Sequence[Cause]) -> str:
    """Return a check that confirms a cause.

    It is the first check that none of ``others`` shares, otherwise a log line, otherwise a sign in mqadmin's output.
    """
    cause = found.cause
    looks = [look for look in cause.looks if not any(look in other.looks for other in others)]
    if looks:
        return looks[0]
    logged = [one for one in cause.lines if readable(one, found.question)]
    own = [one for one in logged if not any(one in other.lines for other in others)]
    for one in (*own, *logged):
        return f"the log of the {line(one, found.question)}."
    return f"mqadmin shows {cause.signs[0].value}." if cause.signs else "no check is known."


def helps(found: Found) -> str:
    """Return the fix to try first: a setting or a command if there is one."""
    suited = [one for one in found.cause.helps if one.suits(found.question.release)]
    return first_choice(suited).words


def _evidence(found: Found) -> str:
    if found.claimed:
        return f"Evidence: {of_claims(found.shown[:1])}."
    return f"Evidence: {found.known.value.removeprefix('not claimed: ')}; no claim covers this."
