"""The known releases of clients, and the release that a user's words mean."""

import re
from difflib import get_close_matches

from rebalance_proofs.model.transition.generations import GENERATIONS

__all__ = ["JAVA", "LAST", "OTHERS", "RELEASES", "UnknownRelease", "release_of"]

JAVA = tuple(release for generation in GENERATIONS for release in generation.releases)
"""The Java client's releases, oldest first."""
LAST = JAVA[-1]
"""The newest Java release whose source was read."""
OTHERS = ("go", "node", "cpp", "rust")
"""Other clients, each known in one version."""
RELEASES = (*JAVA, *OTHERS)
ALSO = {"ali-ons": "node", "nodejs": "node", "c++": "cpp", "golang": "go"}


class UnknownRelease(LookupError):
    """The client or its release is not known; the message says why, and names the nearest one if there is one."""


def release_of(words: str) -> str:
    """The release that the words mean: ``5.2``, ``Java 5.1.4``, ``v5_3_3``, ``ali-ons``.

    A version without a patch number means the last release of its line. Raises ``UnknownRelease``; no version is taken
    for another one.
    """
    name = re.sub(r"^java\s*|^v(?=\d)", "", words.strip().casefold()).replace("_", ".")
    name = ALSO.get(name, name)
    if name in RELEASES:
        return name
    of_line = [release for release in JAVA if release.rpartition(".")[0] == name]
    if of_line:
        return of_line[-1]
    if re.fullmatch(r"\d+(\.\d+)*", name):
        number = _numbers(name)
        if number > _numbers(LAST):
            raise UnknownRelease(f"{words!r} is newer than {LAST}, the last version that was read")
        nearest = min(JAVA, key=lambda release: _apart(_numbers(release), number))
        raise UnknownRelease(f"version {words!r} was not read; the nearest is {nearest}")
    near = get_close_matches(name, RELEASES, n=1, cutoff=0.5)
    nearest = f"the nearest is {near[0]!r}; " if near else ""
    raise UnknownRelease(f"unknown client {words!r}; {nearest}there are {', '.join(RELEASES)}")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _apart(known: tuple[int, ...], asked: tuple[int, ...]) -> tuple[int, ...]:
    padded = (*asked, 0, 0, 0)[: len(known)]
    return tuple(abs(one - two) for one, two in zip(known, padded, strict=True))
