"""Likely causes of a symptom for the client and mode in a user's question (``rebalance why``), best fit first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from rebalance_proofs.language import gettext, later
from rebalance_proofs.model.receiving.releases import releases as sdk_releases
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK
from rebalance_proofs.report.modes import MODES, ORDERLY
from rebalance_proofs.report.ordered.two_events import ordered_clients, paused
from rebalance_proofs.report.symptoms.asked import JAVA, Asked, by_id, covers
from rebalance_proofs.report.symptoms.bugs import BUGS, Bug
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes import causes_for

ANY = Asked()
"""The question about any client, mode and strategy: every claim of a cause covers it."""


class Known(Enum):
    """How well a cause is supported for the client and mode that the user asked about; in display order."""

    SHOWN = later("a claim shows it")
    EXPLORED = later("not claimed: explored, not proved")
    READ = later("not claimed: read in the source")
    OTHERS = later("claimed for other clients or strategies only")
    NOT_READ = later("not claimed, and not read in the source of that client")
    EXCLUDED = later("proved impossible")
    OTHER_MODE = later("about other modes of use")

    @property
    def words(self) -> str:
        """The evidence in words, in the language in use."""
        return gettext(self.value)


POSSIBLE = (Known.SHOWN, Known.EXPLORED, Known.READ)
"""Kinds of evidence with which a cause counts as possible. Possible causes are printed in full."""


@dataclass(frozen=True)
class Found:
    """One possible cause of a symptom, with its evidence for the client and mode that the user asked about."""

    cause: Cause
    effect: Effect
    question: Asked
    known: Known
    shown: tuple[str, ...]
    """Claims that show that the cause occurs with the question's client and mode."""
    excluded: tuple[str, ...]
    """Claims that exclude the cause for part of the question: a strategy, a client or a mode."""
    bounds: tuple[str, ...]
    asked_for: int | None = None
    """Time in ms for which the operator observes the symptom; None if not given."""

    @property
    def most(self) -> int | None:
        """Longest time in ms for which the symptom can last; None if unknown, or if it does not end by itself.

        For some causes it is computed by exploring the model, when this property is first read. A bound that is proved
        for other clients only is none for this one.
        """
        if self.known is Known.READ and self.effect.lasts.claims:
            return None
        return most(self.effect.lasts, self.question.release)

    @property
    def alone(self) -> int:
        """Longest duration in ms around one event in a calm group; 0 if unbounded."""
        return most(self.effect.lasts, self.question.release, alone=True) or 0

    @property
    def too_short(self) -> bool:
        """True if the effect ends sooner than the operator observes the symptom."""
        if self.asked_for is None:
            return False
        return self.effect.lasts.event or (self.most is not None and self.most < self.asked_for)

    @property
    def claimed(self) -> bool:
        """True if a claim shows that the cause occurs with the question's client and mode."""
        return self.known is Known.SHOWN

    @property
    def possible(self) -> bool:
        """True if the cause is possible for the question's client and mode."""
        return self.known in POSSIBLE

    @property
    def helps(self) -> tuple[Help, ...]:
        """Fixes of the cause that help against this symptom."""
        return tuple(one for one in self.cause.helps if one.serves(self.effect.symptom))

    @property
    def bugs(self) -> tuple[Bug, ...]:
        """Known bugs that produce the cause."""
        return bugs(self.cause, self.effect)


def found(
    symptom: Symptom, question: Asked, lasted: int | None = None, among: Sequence[Cause] | None = None
) -> tuple[Found, ...]:
    """Return all causes of a symptom, best fit first.

    ``lasted`` is the time in ms for which the operator observes the symptom. ``among``: all causes of the client if
    it is None.
    """
    chosen = causes_for(question.release) if among is None else among
    every = [
        _found(cause, effect, question, lasted) for cause in chosen if (effect := cause.effect(symptom)) is not None
    ]
    return tuple(
        sorted(every, key=order)
    )  # The sort is stable, so causes that compare equal keep the order of the table.


def order(one: Found) -> tuple[bool, int, int, int]:
    """Return the sort key: causes that last as long as observed first, then possible ones, then fewer conditions."""
    known = tuple(Known).index(one.known)
    return one.too_short, 0 if one.possible else known, tuple(Needs).index(one.cause.needs), known


def causes_of(chosen: Iterable[Cause], question: Asked, lasted: int | None = None) -> tuple[Found, ...]:
    """Return one answer for each symptom of each of the causes, in the order of ``found``."""
    names = {cause.name for cause in chosen}
    among = [cause for cause in causes_for(question.release) if cause.name in names]
    return tuple(one for symptom in Symptom for one in found(symptom, question, lasted, among))


def known(cause: Cause, effect: Effect, question: Asked) -> Known:
    """Return the evidence for the cause's effect, for the question's client and mode."""
    shown = _about((*effect.refuted, *effect.shown), question)
    return _known(cause, effect, question, shown, _about(effect.proved, question))


def _found(cause: Cause, effect: Effect, question: Asked, lasted: int | None) -> Found:
    shown = _about((*effect.refuted, *effect.shown), question)
    excluded = _about(effect.proved, question)
    return Found(
        cause,
        effect,
        question,
        _known(cause, effect, question, shown, excluded),
        shown,
        excluded,
        _about(effect.bounds, question),
        lasted,
    )


def _about(claims: Sequence[str], question: Asked) -> tuple[str, ...]:
    return tuple(name for name in claims if _covers(name, question))


@cache
def _covers(claim: str, question: Asked) -> bool:
    if question == ANY:
        return True  # without the index of all claims, which takes long to load
    if not covers(by_id(claim), question):
        return False
    if not question.wanted:
        return True
    # Imported here because strategies take long to load.
    from rebalance_proofs.report.claims.mine import concerns

    return concerns(by_id(claim), question)


def _known(cause: Cause, effect: Effect, question: Asked, shown: Sequence[str], excluded: Sequence[str]) -> Known:
    if shown:
        return Known.SHOWN
    if excluded:
        return Known.EXCLUDED
    if effect.lasts.way:
        return _explored(question)
    if not effect.claimed:
        if question.mode and cause.modes and question.mode not in cause.modes:
            return Known.OTHER_MODE
        return Known.READ if _read(cause, question) else Known.NOT_READ
    if not _about((*effect.refuted, *effect.shown, *effect.proved), Asked("", question.mode)):
        return Known.OTHER_MODE
    return Known.READ if question.release in cause.read else Known.OTHERS


def _explored(question: Asked) -> Known:
    """Return the evidence for an effect that was found by exploring the model, which covers only ordered consumers."""
    if question.mode not in ("", ORDERLY):
        return Known.OTHER_MODE
    explored = {release for client in ordered_clients().values() for release in client.releases}
    return Known.EXPLORED if not question.release or question.release in explored else Known.OTHERS


def _read(cause: Cause, question: Asked) -> bool:
    """Return whether somebody found the cause in RocketMQ's source of the release that the user asked about.

    A release between two releases whose source was read counts as well. For a release that is not modelled, the source
    of some release of the modelled line that replaces it counts.
    """
    release = question.release
    if cause.of_sdks:
        read = {other for one in cause.read for other in sdk_releases(one)}
        return not read.isdisjoint(sdk_releases(release))
    if cause.any_client or not release or release in cause.read:
        return True
    if question.remark and release in JAVA:
        return release.rpartition(".")[0] in {one.rpartition(".")[0] for one in cause.read}
    places = [JAVA.index(one) for one in cause.read if one in JAVA]
    return release in JAVA and bool(places) and min(places) < JAVA.index(release) < max(places)


def bugs(cause: Cause, effect: Effect) -> tuple[Bug, ...]:
    """Return the known bugs whose claims show the effect, and the bugs that the cause lists."""
    return _bugs(tuple(effect.refuted), tuple(cause.issues))


@cache
def _bugs(refuted: tuple[str, ...], issues: tuple[str, ...]) -> tuple[Bug, ...]:
    claims = set(refuted)
    return tuple(
        bug for bug in BUGS if claims & {one.claim for one in bug.present} or (bug.issue and bug.called in issues)
    )


def most(lasts: Lasts, release: str, *, alone: bool = False) -> int | None:
    """Return the longest duration of an effect in ms with default settings, over all clients of the release.

    The result is None if the duration is unknown or unbounded.
    """
    if lasts.way is None:
        return lasts.most
    ticks = [
        client.pauses[lasts.way.name] if alone else paused(client.name, lasts.way)
        for client in ordered_clients().values()
        if not release or release in client.releases
    ]
    return None if not ticks or NEVER_ENDS in ticks else max(ticks) * TICK


def each_most(lasts: Lasts) -> list[tuple[str, int | None]]:
    """Return (client name, longest duration of the effect in ms) for each explored client."""
    return [(one.rocketmq_name, most(lasts, one.releases[0])) for one in ordered_clients().values()]


def modes_of(cause: Cause, effect: Effect) -> tuple[str, ...]:
    """Return the modes of use (push, push orderly, ...) in which the cause can have the effect."""
    if not effect.claimed:
        return (ORDERLY,) if effect.lasts.way else cause.modes or MODES
    claims = (*effect.refuted, *effect.shown)
    return tuple(mode for mode in MODES if _about(claims, Asked("", mode)))
