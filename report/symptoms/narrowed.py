"""Causes ranked by how well they fit an operator's facts, the most likely first.

A cause that needs more than ordinary operation is less likely, unless the operator reports the needed event. An event
supports a cause less if the cause follows many kinds of events. A fact that a cause does not predict counts against it.
Likelihoods are in bits: one more bit is half as likely.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2

from rebalance_proofs.language import gettext
from rebalance_proofs.model.receiving.releases import ANY
from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.report.symptoms.answer import Found, Known
from rebalance_proofs.report.symptoms.asked import JAVA, Asked
from rebalance_proofs.report.symptoms.cause import After, Facts, Needs, Predicts, Symptom, Unusual
from rebalance_proofs.report.symptoms.understood import Hint

FIRST = 3
"""Number of causes in the short answer."""
MORE = 2.0
"""Most bits that a cause gains by further hints."""
SURE = 4.0
"""Bits of a hint that lists a cause beside another one of its family."""
NAMED = 7.0
"""Bits of a hint that names a cause."""
AGAINST = 4.0
"""Bits that a cause loses for a fact that it does not predict."""
NEEDED = {Needs.NOTHING: 0.0, Needs.SETTING: 1.0, Needs.FAILURE: 2.0}
"""Bits that a cause loses for its conditions."""
TELLS = {
    Needs.SETTING: (After.SUBSCRIPTION, After.RESET, After.ALWAYS),
    Needs.FAILURE: (After.CRASH, After.BROKER, After.NETWORK),
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
BRIEF = 1.0
"""Bits that a cause without a bound loses if the symptom was over within a minute."""
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
    hinted: float = 0.0
    """Bits that the cause gains by the user's words."""


NOTICED, SHORT, UNTOLD = 120_000, 1.5, 3.0
"""A stall is mostly noticed after this time in ms; bits that a cause of a shorter one loses.

It loses ``UNTOLD`` more if the operator reports no event: few users ask about a minute then. So does a cause that
repeats messages for a minute.
"""
COMMON = 1.0
"""Bits that a cause gains if it is among those that users report most often."""
TOGETHER = 3.5
"""Bits that a cause gains if it has all symptoms of several that the operator reports."""
OTHER = 4.0
"""Bits that a named cause loses if it has none of the symptoms that the operator reports."""
OWN = 1.0
"""Bits that a cause gains if only the client that the user names has it."""
MINOR = 3.0
"""Bits that a cause loses if only one client in another language than Java has it, and the user names no client."""


def ranked(
    every: Iterable[Found], facts: Facts, hints: Sequence[Hint] = (), symptoms: Sequence[Symptom] = ()
) -> tuple[Ranked, ...]:
    """Return all possible causes, each once, the most likely first.

    ``hints``: causes that the user's words name or make likelier. ``symptoms``: those that the user reports.
    """
    best: dict[str, Ranked] = {}
    possible = [_ranked(one, facts, hints, symptoms) for one in every if one.possible]
    for one in sorted(possible, key=lambda one: one.bits):
        best.setdefault(one.found.cause.name, one)
    # A cause of one minor client is not the first, unless the user names that client.
    head = next((one for one in best.values() if not minor(one.found)), None)
    return tuple(sorted(best.values(), key=lambda one: one is not head))


def first_of(every: Sequence[Ranked], symptoms: Sequence[Symptom], most: int = FIRST) -> tuple[Ranked, ...]:
    """Return the first causes, at least one of each symptom.

    A cause that does not fit the facts, that one minor client has, or that says nearly the same as a better one, is
    among them only if the user's words hint at it, or if no other cause is left.
    """
    chosen: list[Ranked] = []
    for symptom in symptoms[:most]:
        if not any(one.found.cause.looks_like(symptom) for one in chosen):
            _add(chosen, [one for one in every if one.found.cause.looks_like(symptom)], len(chosen) + 1)
    _add(chosen, every, most)
    return tuple(sorted(chosen, key=lambda one: one.bits))


def _add(chosen: list[Ranked], among: Sequence[Ranked], most: int) -> None:
    """Add the best causes until ``most`` are chosen."""
    for least in range(4):
        for one in among:
            if len(chosen) >= most:
                return
            names = {other.found.cause.name for other in chosen}
            if one.found.cause.name not in names and _doubt(one, names) <= least:
                chosen.append(one)


def _doubt(one: Ranked, names: set[str]) -> int:
    """Return how doubtful a cause is beside the chosen ones: 0 for not at all, 3 for most."""
    if minor(one.found) and one.hinted < NAMED:
        return 3
    if one.against and not one.hinted:
        return 2
    alike = any(one.found.cause.name in family and names & family for family in _families())
    return int(alike and one.hinted < SURE)


@cache
def _families() -> tuple[frozenset[str], ...]:
    """Return groups of causes that say nearly the same."""
    return tuple(frozenset(one["causes"]) for one in loaded("words")["combined"]["family"])


def minor(found: Found) -> bool:
    """Return whether only one client, and none of Java, has the cause, and the user names no client."""
    if found.question.release == ANY:
        return found.cause.only_sdk not in ("", "grpc-java")
    return not found.question.release and Unusual.CLIENT in found.cause.predicts.unusual


def _hinted(found: Found, hints: Sequence[Hint]) -> float:
    """Return the bits that a cause gains by the user's words."""
    symptom = found.effect.symptom.value
    ordered = Unusual.ORDERED in found.cause.predicts.unusual and not _said(Unusual.ORDERED, found.question)
    weights = [
        one.weight
        for one in hints
        if one.cause == found.cause.name and (one.sure or not one.symptoms or symptom in one.symptoms)
    ]
    gains = sorted((one for one in weights if one > 0), reverse=True) or [0.0]
    # Several hints are often about one fact in several words, so they hardly add up. A negative one counts against it.
    return (0.5 if ordered else 1.0) * (gains[0] + min(MORE, sum(gains[1:]) / 2)) + min((0.0, *weights))


def _ranked(found: Found, facts: Facts, hints: Sequence[Hint], symptoms: Sequence[Symptom]) -> Ranked:
    predicts = found.cause.predicts
    bits = _needs(found, predicts, facts) + UNUSUAL * sum(
        1 for one in predicts.unusual if not _said(one, found.question)
    )
    bits += 0.0 if found.known is Known.SHOWN else UNCLAIMED
    hinted = _hinted(found, hints)
    bits -= OWN * (Unusual.CLIENT in predicts.unusual and _said(Unusual.CLIENT, found.question))
    bits += MINOR * minor(found) - hinted + _by_symptoms(found, symptoms, facts)
    speaks: list[str] = []
    against: list[str] = []
    # Of several events, the one that speaks most for the cause counts.
    after = min(facts.events, key=lambda one: one not in predicts.after, default=None)
    for said, expected in ((after, predicts.after), (facts.reach, predicts.reach)):
        if said is not None:
            # A permanent cause exists from a group's first day on, so it can follow a new group as well.
            first_day = said is After.NEW and After.ALWAYS in expected and said not in expected
            fits = said in expected or first_day
            # Trouble in the network is seldom noticed, so it makes the other events no less likely.
            kinds = [one for one in expected if one is said or one is not After.NETWORK]
            bits += log2(len(kinds) + first_day) if fits else AGAINST
            (speaks if fits else against).append(said.words)
    bits += _course(found, facts, speaks, against, bool(symptoms))
    return Ranked(found, bits, tuple(speaks), tuple(against), max(hinted, 0.0))


def _short(found: Found) -> bool:
    """Return whether the effect ends before most operators notice it."""
    return not found.effect.lasts.event and found.most is not None and found.most < NOTICED


def _told(found: Found, facts: Facts) -> bool:
    """Return whether the operator reports an event that the cause follows, or that the symptom is over."""
    return bool(facts.over) or any(one in found.cause.predicts.after for one in facts.events)


def _by_symptoms(found: Found, symptoms: Sequence[Symptom], facts: Facts) -> float:
    """Return the bits for how well the cause's symptoms are those that the operator reports."""
    cause = found.cause
    # A reported event says more about the cause than how often users report it.
    bits = -COMMON if any(one in cause.common for one in symptoms) and not facts.events else 0.0
    fits = [cause.looks_like(one) for one in symptoms]
    # One event loses messages or repeats them, but it rolls back offsets and repeats messages at once.
    lasting = not found.effect.lasts.event or Symptom.BACK in symptoms
    if len(symptoms) > 1 and all(fits) and lasting and (not _short(found) or _told(found, facts)):
        bits -= TOGETHER
    return bits + (OTHER if symptoms and not any(fits) else 0.0)


def _needs(found: Found, predicts: Predicts, facts: Facts) -> float:
    """Return the bits for the cause's conditions; 0 if the operator reports an event that shows them."""
    needs, tells = found.cause.needs, TELLS.get(found.cause.needs, ())
    alone = needs is not Needs.FAILURE or {*predicts.after} <= {*tells, After.NOTHING}
    told = alone and any(after in predicts.after and after in tells for after in facts.events)
    return 0.0 if told else NEEDED[needs]


def _said(unusual: Unusual, question: Asked) -> bool:
    """Return whether the question implies that the group meets the condition."""
    return {
        Unusual.STRATEGY: bool(question.wanted) and question.wanted[0].rocketmq_name != "AVG",
        Unusual.CLIENT: bool(question.release) and question.release not in JAVA,
        Unusual.MODE: bool(question.mode) and question.mode not in ("push", "push orderly"),
        Unusual.ORDERED: "orderly" in question.mode,
    }.get(unusual, False)


def _course(found: Found, facts: Facts, speaks: list[str], against: list[str], named: bool) -> float:
    """Return the bits for how well the cause's duration fits the operator's facts.

    Adds the facts that fit to ``speaks``, and the others to ``against``. If the symptom is over, a cause with a short
    bound on its duration is likelier than one with a long bound. ``named``: whether the operator reports a symptom.
    """
    lasts, seen = found.effect.lasts, facts.lasted
    unbounded = not lasts.event and found.most is None
    if facts.over is None and not seen:
        if not _short(found) or found.effect.symptom not in (Symptom.STUCK, Symptom.TWICE):
            return 0.0
        untold = UNTOLD if named and not facts.events else 0.0
        return untold if found.effect.symptom is Symptom.TWICE else SHORT + untold
    if not facts.over:
        if unbounded:
            speaks.append(gettext("lasts as long as its cause"))
            return 0.0
        if lasts.event or (found.most or 0) < (seen or MINUTE):
            against.append(gettext("ends sooner"))
            return AGAINST
        return 0.0
    if unbounded and not lasts.by_itself:
        against.append(gettext("does not end by itself"))
        return AGAINST
    speaks.append(gettext("ends by itself"))
    if not seen:
        return 0.0
    if unbounded:
        return BRIEF if seen < MINUTE else 0.0
    if lasts.event:
        return 1.0  # The cause must recur again and again.
    assert found.most is not None
    if found.most < seen:
        against.append(gettext("ends sooner"))
        return AGAINST
    return log2(found.most / seen) + (SECOND if found.alone < seen else 0.0)
