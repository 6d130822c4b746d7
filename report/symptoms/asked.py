"""A question's client release and mode of use, and the claims that are about them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import JAVA, RELEASES, UnknownRelease, stands_for
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import LANGUAGES, VERSIONS, shippers

__all__ = [
    "JAVA",
    "MODES",
    "RELEASES",
    "Asked",
    "UnknownName",
    "asked",
    "by_id",
    "covers",
    "nearest",
    "releases_of",
    "releases_of_profile",
    "whose",
]

MODES = (
    "push",
    "push orderly",
    "push broadcasting",
    "push orderly broadcasting",
    "pull",
    "pull broadcasting",
    "lite pull",
    "lite pull broadcasting",
)
"""Modes of use, as users call them."""
DIVIDING = tuple(mode for mode in MODES if "broadcasting" not in mode)
"""Modes in which consumers divide the queues. Claims in worlds without modes are about these."""


class UnknownName(LookupError):
    """An unknown name; the message lists the known ones."""


@dataclass(frozen=True)
class Asked:
    """Client and mode of a question; "" for any."""

    release: str = ""
    mode: str = ""
    wanted: tuple[Strategy, ...] = ()
    """Functions that clients ship under the strategy's name; empty for any strategy."""
    remark: str = field(default="", compare=False)
    """That the release is not the one that was asked for, and what is known to differ."""

    @property
    def label(self) -> str:
        """The question in words: ``Java 4.9.8, push, AVG``."""
        strategies = dict.fromkeys(one.rocketmq_name for one in self.wanted)
        return ", ".join(part for part in (whose(self.release), self.mode, *strategies) if part)


def whose(release: str) -> str:
    """Client of a release: ``Java 4.9.8``, ``Go``."""
    return LANGUAGES.get(release, f"Java {release}" if release else "")


def asked(client: str = "", mode: str = "") -> Asked:
    """The question as a user types it: ``5.2``, ``Java 5.1.4``, ``go``; ``push orderly``. Raises ``UnknownName``."""
    release, remark = _release(client) if client else ("", "")
    return Asked(release, _mode(mode) if mode else "", remark=remark)


def _release(words: str) -> tuple[str, str]:
    try:
        return stands_for(words)
    except UnknownRelease as error:
        raise UnknownName(str(error)) from None


def _mode(words: str) -> str:
    name = " ".join(words.casefold().replace("-", " ").replace("_", " ").split())
    if name in MODES:
        return name
    raise UnknownName(f"unknown mode {words!r}; {nearest(name, MODES)}there are {', '.join(map(repr, MODES))}")


def nearest(name: str, known: Iterable[str]) -> str:
    """Beginning of an error message: ``the nearest is 'stuck'; ``; empty if no known name is close."""
    near = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f"the nearest is {near[0]!r}; " if near else ""


@cache
def by_id(name: str) -> Claim:
    """The claim with that id. Raises ``LookupError``."""
    found = next((claim for claim in LEDGER if claim.id == name), None)
    if found is None:
        raise LookupError(f"no claim is called {name!r}")
    return found


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


def releases_of_profile(name: str) -> Sequence[str]:
    """Releases of a profile (``model.profiles``) by its name: 5.0.0 and so on for ``java_v5``."""
    line = VERSIONS.get(name)
    return [release for release in JAVA if release.startswith(f"{line}.")] if line else [name]
