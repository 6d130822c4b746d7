"""Find the causes that explain the output of ``mqadmin``."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.answer import Found, found, order
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.mqadmin.read import Printed
from rebalance_proofs.report.symptoms.mqadmin.signs import Seen, seen
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["SHOWS_AS", "Fits", "fits", "once", "question_of", "ranked"]

SHOWS_AS = {
    Sign.UNOWNED: Symptom.STUCK,
    Sign.SHARED: Symptom.TWICE,
    Sign.UNEVEN: Symptom.TILTED,
    Sign.UNEVEN_TOPIC: Symptom.TILTED,
    Sign.ONE_ADDRESS: Symptom.TILTED,
    Sign.IDLE: Symptom.TILTED,
    Sign.SUBSCRIPTIONS: Symptom.STUCK,
    Sign.NO_SUBSCRIPTION: Symptom.STUCK,
    Sign.SAME_ID: Symptom.TWICE,
    Sign.VERSIONS: Symptom.TWICE,
    Sign.STRATEGIES: Symptom.TWICE,
    Sign.BEHIND: Symptom.STUCK,
    Sign.STANDS: Symptom.STUCK,
    Sign.WENT_BACK: Symptom.BACK,
    Sign.SKIPPED_AHEAD: Symptom.LOST,
    Sign.DROPPED: Symptom.STUCK,
    Sign.UNLOCK_FAILED: Symptom.STUCK,
    Sign.NOT_LOCKED: Symptom.STUCK,
    Sign.NOT_PULLED: Symptom.STUCK,
    Sign.BLOCKED: Symptom.STUCK,
}
"""The main symptom of each sign. A cause with several symptoms is listed under the sign's main symptom."""


@dataclass(frozen=True)
class Fits:
    """A sign in mqadmin's output, with the causes that produce it."""

    seen: tuple[Seen, ...]
    """All places of the output that show the sign."""
    causes: tuple[Found, ...]
    """Causes that produce the sign, without duplicates."""


def question_of(printed: Printed, told: Asked) -> Asked:
    """Return the user's question ``told``, completed with client and mode if all members agree on them."""
    versions = {version for one in printed.lists for _, version in one.members}
    versions |= {one.version for one in printed.members}
    modes = {one.mode for one in printed.members}
    mode = modes.pop() if len(modes) == 1 else ""
    known = replace(told, mode=told.mode or (mode if mode in MODES else ""))
    if told.release or len(versions) != 1:
        return known
    try:
        printed_by = asked(versions.pop())
    except UnknownName:
        return known
    return replace(known, release=printed_by.release, remark=printed_by.remark)


def fits(printed: Printed, question: Asked, symptom: Symptom | None, lasted: int | None) -> tuple[Fits, ...]:
    """Return each sign in the output with its possible causes; with ``symptom``, only causes of that symptom."""
    by_sign: dict[Sign, list[Seen]] = {}
    for one in seen(printed):
        by_sign.setdefault(one.sign, []).append(one)
    symptoms = (symptom,) if symptom else tuple(Symptom)
    every = [one for each in symptoms for one in found(each, question, lasted) if one.possible]
    return tuple(
        Fits(tuple(here), once([one for one in every if sign in one.cause.signs], SHOWS_AS[sign]))
        for sign, here in by_sign.items()
    )


def once(every: Sequence[Found], first: Symptom | None = None) -> tuple[Found, ...]:
    """Return each cause once, best fit first. A cause of several symptoms is returned for ``first`` if possible."""
    by_cause: dict[str, Found] = {}
    for one in sorted(every, key=lambda one: (one.effect.symptom is not first, *order(one))):
        by_cause.setdefault(one.cause.name, one)
    return tuple(sorted(by_cause.values(), key=order))


def ranked(signs: Sequence[Fits]) -> tuple[tuple[Found, int], ...]:
    """Return (cause, number of signs that it explains) for all causes that explain a sign, largest numbers first.

    ``several-on-a-host`` comes first if it fits, because then nothing is wrong.
    """
    many: dict[str, int] = {}
    for sign in signs:
        for one in sign.causes:
            many[one.cause.name] = many.get(one.cause.name, 0) + 1
    told = once([one for sign in signs for one in sign.causes])
    plain = {one.cause.name for sign in signs for one in sign.causes if sign.seen[0].sign is Sign.ONE_ADDRESS}
    order = sorted(told, key=lambda one: (one.cause.name not in plain, -many[one.cause.name]))
    return tuple((one, many[one.cause.name]) for one in order)
