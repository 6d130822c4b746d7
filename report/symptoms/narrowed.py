"""Causes ranked by how well they fit an operator's facts, the most likely first.

A cause that needs more than ordinary operation is less likely, unless the operator reports the needed event. An event
supports a cause less if the cause follows many kinds of events. A fact that a cause does not predict counts against it.
Likelihoods are in bits: one more bit is half as likely.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log2

from rebalance_proofs.report.symptoms.answer import Found, Known
from rebalance_proofs.report.symptoms.asked import JAVA, Asked
from rebalance_proofs.report.symptoms.cause import Needs
from rebalance_proofs.report.symptoms.facts import After, Facts, Predicts, Unusual
from rebalance_proofs.report.symptoms.predicts import PREDICTS

__all__ = ["FIRST", "Ranked", "ranked"]

FIRST = 3
"""Number of causes in the short answer."""
AGAINST = 4.0
"""Bits that a cause loses for a fact that it does not predict."""
NEEDED = {Needs.NOTHING: 0.0, Needs.SETTING: 1.0, Needs.FAILURE: 2.0}
"""Bits that a cause loses for its conditions."""
TELLS = {
    Needs.SETTING: (After.SUBSCRIPTION, After.RESET, After.ALWAYS),
    Needs.FAILURE: (After.CRASH, After.BROKER),
}
"""Events that an operator can report, and that show that the condition of a cause is met.

A failure counts as shown only if the cause follows no other kind of event.
"""
UNUSUAL = 2.0
"""Bits that a cause loses for each unusual condition that it requires."""
MINUTE = 60_000
"""A symptom that persists is taken to have lasted at least this time, in ms."""
SECOND = 1.0
"""Bits that a cause loses if its effect lasts so long only around two events in a row."""
UNCLAIMED = 0.5
"""Bits that a cause loses if no claim shows it, only RocketMQ's source or an exploration of the model."""


@dataclass(frozen=True)
class Ranked:
    """A cause with its likelihood for the given facts; fewer ``bits`` mean more likely."""

    found: Found
    bits: float
    speaks: tuple[str, ...]
    """Facts that the cause predicts, in words."""
    against: tuple[str, ...]
    """Facts that the cause does not predict, in words."""


def ranked(every: Iterable[Found], facts: Facts) -> tuple[Ranked, ...]:
    """Return all possible causes, each once, the most likely first."""
    best: dict[str, Ranked] = {}
    for one in sorted((_ranked(one, facts) for one in every if one.possible), key=lambda one: one.bits):
        best.setdefault(one.found.cause.name, one)
    return tuple(best.values())


def _ranked(found: Found, facts: Facts) -> Ranked:
    predicts = PREDICTS[found.cause.name]
    bits = _needs(found, predicts, facts) + UNUSUAL * sum(
        1 for one in predicts.unusual if not _said(one, found.question)
    )
    bits += 0.0 if found.known is Known.SHOWN else UNCLAIMED
    speaks: list[str] = []
    against: list[str] = []
    for said, expected in ((facts.after, predicts.after), (facts.reach, predicts.reach)):
        if said is not None:
            # A permanent cause exists from a group's first day on, so it can follow a new group as well.
            first_day = said is After.NEW and After.ALWAYS in expected and said not in expected
            fits = said in expected or first_day
            bits += log2(len(expected) + first_day) if fits else AGAINST
            (speaks if fits else against).append(said.words)
    bits += _course(found, facts, speaks, against)
    return Ranked(found, bits, tuple(speaks), tuple(against))


def _needs(found: Found, predicts: Predicts, facts: Facts) -> float:
    """Return the bits for the cause's conditions; 0 if the operator reports an event that shows them."""
    needs, tells = found.cause.needs, TELLS.get(found.cause.needs, ())
    alone = needs is not Needs.FAILURE or {*predicts.after} <= {*tells, After.NOTHING}
    told = facts.after in predicts.after and facts.after in tells and alone
    return 0.0 if told else NEEDED[needs]


def _said(unusual: Unusual, question: Asked) -> bool:
    """Return whether the question implies that the group meets the condition."""
    return {
        Unusual.STRATEGY: bool(question.wanted) and question.wanted[0].rocketmq_name != "AVG",
        Unusual.CLIENT: bool(question.release) and question.release not in JAVA,
        Unusual.MODE: bool(question.mode) and question.mode not in ("push", "push orderly"),
        Unusual.ORDERED: "orderly" in question.mode,
    }.get(unusual, False)


def _course(found: Found, facts: Facts, speaks: list[str], against: list[str]) -> float:
    """Return the bits for how well the cause's duration fits the operator's facts.

    Adds the facts that fit to ``speaks``, and the others to ``against``. If the symptom is over, a cause with a short
    bound on its duration is likelier than one with a long bound.
    """
    lasts, seen = found.effect.lasts, facts.lasted
    unbounded = not lasts.event and found.most is None
    if facts.over is None and not seen:
        return 0.0
    if not facts.over:
        if unbounded:
            speaks.append("lasts as long as its cause")
            return 0.0
        if lasts.event or (found.most or 0) < (seen or MINUTE):
            against.append("ends sooner")
            return AGAINST
        return 0.0
    if unbounded and not lasts.by_itself:
        against.append("does not end by itself")
        return AGAINST
    speaks.append("ends by itself")
    if not seen or unbounded:
        return 0.0
    if lasts.event:
        return 1.0  # The cause must recur again and again.
    assert found.most is not None
    if found.most < seen:
        against.append("ends sooner")
        return AGAINST
    return log2(found.most / seen) + (SECOND if found.alone < seen else 0.0)
