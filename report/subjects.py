"""The client releases and modes of use that a claim is about, by its subjects and its world."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import JAVA, RELEASES
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.modes import DIVIDING
from rebalance_proofs.report.names import shippers
from rebalance_proofs.report.symptoms.asked import Asked, releases_of_profile

__all__ = ["covers", "releases_of"]


def covers(claim: Claim, question: Asked) -> bool:
    """Whether the claim is about that client in that mode, or about one that is proved to behave the same there."""
    used = [mode for mode in _modes(claim) if _used(_name(mode), question)]
    if not used:
        return False
    about = _releases(claim.subjects)
    return not question.release or question.release in about or _same(question.release, about, claim, used)


def _same(release: str, about: frozenset[str], claim: Claim, used: Sequence[Mode | str]) -> bool:
    """Whether the release is proved, in each of these modes, to do the same as a release that the claim is about."""
    alike = shown(claim).alike(claim)
    return bool(alike) and all(
        any(
            mode in one.world.modes and about & _releases(one.subjects) and _has(one.subjects, release, mode)
            for one in alike
        )
        for mode in used
    )


def _has(clients: Sequence[Any], release: str, mode: Mode | str) -> bool:
    """Whether one of the clients is of that release and has the mode in it; a mode's name can limit its releases."""
    return any(
        own == mode and _used(_name(own), Asked(release))
        for client in clients
        if release in client.releases
        for own in client.modes
    )


def _used(name: str, question: Asked) -> bool:
    """Whether the mode is the question's; a mode that changed between releases names its own: ``MODE up to 5.1``."""
    found = re.fullmatch(r"(.*?)(?: (up to|from) ([\d.]+)(?: on)?)?", name)
    assert found
    mode, which, limit = found.groups()
    if question.mode and mode != question.mode:
        return False
    if not which or question.release not in JAVA:
        return True
    place, limits = JAVA.index(question.release), JAVA.index(limit)
    return place <= limits if which == "up to" else place >= limits


def _modes(claim: Claim) -> Sequence[Mode | str]:
    """Modes that the claim is about; for a world without modes, those in which consumers divide the queues."""
    modes: tuple[Mode, ...] = getattr(claim.world, "modes", ())
    return modes or DIVIDING


def _name(mode: Mode | str) -> str:
    """The mode's name. A mode with the user's own offset store has the name of the mode without it."""
    return mode if isinstance(mode, str) else mode.name.removesuffix(" (own store)")


def _releases(subjects: Sequence[Any]) -> frozenset[str]:
    return frozenset(release for one in subjects for release in _of(one))


def _of(subject: Any) -> Iterable[str]:
    """Releases that a subject of any kind stands for; empty if it does not say."""
    if isinstance(subject, Strategy):
        shipped = [profile.name for profile in shippers(subject)]
        # Strategies over several topics have no client of their own: every client divides one topic after the other.
        return [release for name in shipped or [one.name for one in PROFILES] for release in releases_of_profile(name)]
    parts = (subject,) if hasattr(subject, "releases") else getattr(subject, "generations", ())
    return [release for part in parts for release in getattr(part, "releases", ())]


def releases_of(claim: Claim) -> tuple[str, ...]:
    """Releases of the claim's subjects."""
    about = _releases(claim.subjects)
    return tuple(release for release in RELEASES if release in about)
