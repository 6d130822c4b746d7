"""The known client releases, and parsing of release names that users type."""

import re
from difflib import get_close_matches

__all__ = [
    "BY_GENERATION",
    "JAVA",
    "LAST",
    "NOT_READ",
    "OTHERS",
    "RELEASES",
    "UnknownRelease",
    "java_from",
    "release_of",
    "stands_for",
]


def _line(line: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"{line}.{patch}" for patch in range(first, last + 1))


BY_GENERATION = (
    _line("4.9", 0, 0),
    _line("4.9", 1, 4),
    _line("4.9", 5, 7),
    _line("4.9", 8, 8),
    (*_line("5.0", 0, 0), *_line("5.1", 0, 4)),
    (*_line("5.2", 0, 0), *_line("5.3", 0, 3), *_line("5.4", 0, 0)),
    _line("5.5", 0, 0),
)
"""The Java client releases whose source was read, grouped, oldest first.

Releases in a group update their process queue table in the same way (``model.transition.generations``).
"""
JAVA = tuple(release for generation in BY_GENERATION for release in generation)
"""The Java client releases whose source was read, oldest first."""
LAST = JAVA[-1]
"""The newest Java client release whose source was read."""
OTHERS = ("go", "node", "cpp", "rust")
"""Names of the clients in other languages than Java; one version of each is modelled."""
RELEASES = (*JAVA, *OTHERS)


def java_from(first: str, last: str = LAST) -> str:
    """Return the display name of the releases from ``first`` to ``last``: ``Java 5.2 to 5.5.0``.

    Without ``last``, it ends with the newest release whose source was read.
    """
    return f"Java {first} to {last}" if first != last else f"Java {first}"


ALSO = {"ali-ons": "node", "nodejs": "node", "c++": "cpp", "golang": "go"}


class UnknownRelease(LookupError):
    """Raised for an unknown client or release.

    The message gives the reason, and the nearest known name if there is one.
    """


def release_of(words: str) -> str:
    """Return the release that a user's text names.

    Examples of texts: ``5.2``, ``Java 5.1.4``, ``v5_3_3``, ``ali-ons``. A version without a patch number means the last
    release of its line. Raises ``UnknownRelease`` for any other unknown version; an unknown version is never mapped to
    a known one.
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
            raise UnknownRelease(
                f"version {words!r} is newer than {LAST}, the newest Java client version that is covered"
            )
        nearest = min(JAVA, key=lambda release: _apart(_numbers(release), number))
        raise UnknownRelease(f"version {words!r} is not covered; the nearest Java client version is {nearest}")
    near = get_close_matches(name, RELEASES, n=1, cutoff=0.7)
    nearest = f"did you mean {near[0]!r}? " if near else ""
    known = f"name a Java client version from {JAVA[0]} to {LAST}, or {', '.join(OTHERS)}"
    raise UnknownRelease(f"unknown client {words!r}; {nearest}{known}")


DIFFERS = (
    ((4, 8, 0), "MACHINE_ROOM also assigns queues of rooms that are not configured, as Go's does (rocketmq#2477)"),
    ((4, 7, 1), "shutdown() neither waits for running listeners nor interrupts them"),
    ((4, 6, 0), "there is no lite pull consumer"),
)
"""Known differences of Java releases before a version from the modelled releases.

Those older releases are not modelled.
"""

NOT_READ = {"5.3.4": "5.3.3"}
"""Java releases between the oldest and the newest modelled one whose source was not read, each with the one before."""


def stands_for(words: str) -> tuple[str, str]:
    """Return the modelled release that represents a user's version, and a remark.

    The remark names the difference; it is empty if the version itself is modelled. The newest modelled release
    represents newer versions, and the oldest one represents older versions. A release in ``NOT_READ`` is
    represented by the release before it. Raises ``UnknownRelease`` for a text that is no version, and for any other
    unknown version between the oldest and the newest one.
    """
    try:
        return release_of(words), ""
    except UnknownRelease:
        name = re.sub(r"^java\s*|^v(?=\d)", "", words.strip().casefold()).replace("_", ".")
        if not re.fullmatch(r"\d{1,3}(\.\d{1,4}){0,3}|[34]\.x", name):
            raise
        if name in NOT_READ:
            stands = NOT_READ[name]
            return stands, f"{name} is not modelled: this answer describes {stands}, the modelled release before it."
        number = _numbers(name.removesuffix(".x"))
        if number > _numbers(LAST):
            return LAST, f"{name} is newer than {LAST}, the newest modelled release: this answer describes {LAST}."
        if number >= _numbers(JAVA[0])[: len(number)]:
            raise
        found = [what for until, what in DIFFERS if number < until[: len(number)]]
        known = f" Known to differ: {'; '.join(found)}." if found else ""
        return JAVA[0], f"{name} is not modelled: this answer describes {JAVA[0]}, the oldest modelled release.{known}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _apart(known: tuple[int, ...], asked: tuple[int, ...]) -> tuple[int, ...]:
    padded = (*asked, 0, 0, 0)[: len(known)]
    return tuple(abs(one - two) for one, two in zip(known, padded, strict=True))
