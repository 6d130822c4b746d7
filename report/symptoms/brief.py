"""The answer of ``rebalance why`` at first: at most three causes, each with what tells it apart and what helps."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.report.english import capitalized, count, seconds
from rebalance_proofs.report.mark import BRIEFLY
from rebalance_proofs.report.marks import of_claims
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Cause
from rebalance_proofs.report.symptoms.facts import Facts
from rebalance_proofs.report.symptoms.narrowed import FIRST, Ranked
from rebalance_proofs.report.symptoms.words import line, readable

__all__ = ["brief", "helps", "tells"]


def brief(
    head: str, question: Asked, facts: Facts, every: Sequence[Ranked], more: str, said: Sequence[str] = ()
) -> Iterator[str]:
    """The first causes; ``more``: the command that tells all of them, ``said``: what is said before them."""
    asked = "; ".join(part for part in (question.label, facts.words) if part)
    yield f"{head} ({asked})" if asked else head
    yield from said
    if question.remark:
        yield question.remark
    first = every[:FIRST]
    if not first:
        yield "No cause that is known fits."
    for number, one in enumerate(first, 1):
        yield ""
        yield from _one(number, one, [other.found.cause for other in first if other is not one])
    rest = len(every) - len(first)
    yield ""
    yield "The most likely first, by what each of them follows, needs and lasts; nothing of that order is proved."
    yield f"{count(rest, 'other')}, and all that is known of each: {more}" if rest else f"All that is known: {more}"
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
    yield f"   To tell it from the others: {tells(found, others)}"
    yield f"   Helps: {helps(found.cause)}"
    yield f"   {_evidence(found)}"


def lasting(found: Found) -> str:
    """How long it lasts, in a few words."""
    lasts, most = found.effect.lasts, found.most
    if lasts.event:
        return f"happens {lasts.words}"
    if most is not None:
        return f"lasts {seconds(most)} at most with settings as shipped"
    return f"lasts {lasts.words}"


def tells(found: Found, others: Sequence[Cause]) -> str:
    """The one thing to look at: the first that no other cause has; a line of a log, or a sign, if nothing else is."""
    cause = found.cause
    looks = [look for look in cause.looks if not any(look in other.looks for other in others)]
    if looks:
        return looks[0]
    logged = [one for one in cause.lines if readable(one, found.question)]
    own = [one for one in logged if not any(one in other.lines for other in others)]
    for one in (*own, *logged):
        return f"the log of the {line(one, found.question)}."
    return f"mqadmin shows {cause.signs[0].value}." if cause.signs else "nothing that is known; see what helps."


def helps(cause: Cause) -> str:
    """The one remedy that is told first: a setting or a command if there is one."""
    return min(cause.helps, key=lambda one: not one.handy).words


def _evidence(found: Found) -> str:
    if found.claimed:
        return f"Shown by a claim: {of_claims(found.shown[:1])}."
    return f"No claim is about it: {found.known.value.removeprefix('not claimed: ')}."
