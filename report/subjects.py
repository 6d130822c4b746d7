"""Find the client releases and modes of use that a claim covers, from its subjects and assumptions."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import JAVA, RELEASES
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.modes import DIVIDING
from rebalance_proofs.report.names import shippers
from rebalance_proofs.report.symptoms.asked import Asked, releases_of_profile
from rebalance_proofs.report.symptoms.cause import Help
from rebalance_proofs.report.symptoms.todo import known

ASKING_FROM = "5.0.0"
ASKING = (f"push from {ASKING_FROM} on",)
"""The modes in which a consumer asks the broker for its queues, if ``clientRebalance`` is false: unordered push."""


def covers(claim: Claim, question: Asked) -> bool:
    """Return whether the claim is about the question's release and mode, or about an equivalent release.

    Two releases are equivalent if claims prove that they behave the same.
    """
    used = [mode for mode in _modes(claim) if _used(_name(mode), question)]
    if not used:
        return False
    about = _releases(claim.subjects)
    return not question.release or question.release in about or _same(question.release, about, claim, used)


def _same(release: str, about: frozenset[str], claim: Claim, used: Sequence[Mode | str]) -> bool:
    """Return whether the release is proved to behave like one of ``about`` in all modes ``used``."""
    alike = shown(claim).alike(claim)
    return bool(alike) and all(
        any(
            mode in one.world.modes and about & _releases(one.subjects) and _has(one.subjects, release, mode)
            for one in alike
        )
        for mode in used
    )


def _has(clients: Sequence[Any], release: str, mode: Mode | str) -> bool:
    """Return whether one of the clients has this release, in this mode."""
    return any(
        own == mode and _used(_name(own), Asked(release))
        for client in clients
        if release in client.releases
        for own in client.modes
    )


def _used(name: str, question: Asked) -> bool:
    """Return whether the mode matches the question.

    A mode name can limit the releases: ``MODE up to 5.1``.
    """
    mode, which, limit = _parts(name)
    if question.mode and mode != question.mode:
        return False
    if not which or question.release not in JAVA:
        return True
    place, limits = JAVA.index(question.release), JAVA.index(limit)
    return place <= limits if which == "up to" else place >= limits


@cache
def _parts(name: str) -> tuple[str, ...]:
    """Return a mode name's mode, the words ``up to`` or ``from``, and the release; of no limit, None."""
    found = re.fullmatch(r"(.*?)(?: (up to|from) ([\d.]+)(?: on)?)?", name)
    assert found
    return found.groups()


def _modes(claim: Claim) -> Sequence[Mode | str]:
    """Return the claim's modes; without any, the modes in which consumers divide the queues."""
    modes: tuple[Mode, ...] = getattr(claim.world, "modes", ())
    return modes or (ASKING if any(one in BY_THE_BROKER for one in claim.subjects) else DIVIDING)


def _name(mode: Mode | str) -> str:
    """Return the mode's name, without the remark that the offset store is user-defined."""
    return mode if isinstance(mode, str) else mode.name.removesuffix(" (own store)")


@cache
def _releases(subjects: tuple[Any, ...]) -> frozenset[str]:
    return frozenset(release for one in subjects for release in _of(one))


def _of(subject: Any) -> Iterable[str]:
    """Return the releases of a client or strategy, of any kind of claims; empty if it has none."""
    if subject in BY_THE_BROKER:
        return JAVA[JAVA.index(ASKING_FROM) :]
    if isinstance(subject, Strategy):
        shipped = [profile.name for profile in shippers(subject)]
        # No client ships strategies over several topics, but every client divides one topic after the other.
        return [release for name in shipped or [one.name for one in PROFILES] for release in releases_of_profile(name)]
    parts = (subject,) if hasattr(subject, "releases") else getattr(subject, "generations", ())
    return [release for part in parts for release in getattr(part, "releases", ())]


def about_releases(claim: Claim) -> bool:
    """Return whether the claim is about particular client releases, even if none of them was read as a whole."""
    machines = any(hasattr(one, "releases") or hasattr(one, "generations") for one in claim.subjects)
    return machines or bool(releases_of(claim))


def releases_of(claim: Claim) -> tuple[str, ...]:
    """Return the releases of the claim's subjects, oldest first."""
    about = _releases(claim.subjects)
    return tuple(release for release in RELEASES if release in about)


def suited(claim: Claim, found: Iterable[Help]) -> list[Help]:
    """Return the fixes that apply to a client release of the claim; all fixes if the claim is not about releases."""
    releases = releases_of(claim)
    return [one for one in found if not releases or any(known(one, Asked(release)) for release in releases)]
