"""The known releases of clients, and the release that a user's words mean."""

import re
from difflib import get_close_matches

__all__ = ["BY_GENERATION", "JAVA", "LAST", "OTHERS", "RELEASES", "UnknownRelease", "release_of", "stands_for"]


def _line(line: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"{line}.{patch}" for patch in range(first, last + 1))


BY_GENERATION = (
    _line("4.9", 0, 0),
    _line("4.9", 1, 4),
    _line("4.9", 5, 7),
    _line("4.9", 8, 8),
    (*_line("5.0", 0, 0), *_line("5.1", 0, 4)),
    (*_line("5.2", 0, 0), *_line("5.3", 0, 3)),
)
"""The Java client's releases whose source was read, oldest first; those together that do the same with their table of
queues (``model.transition.generations``)."""
JAVA = tuple(release for generation in BY_GENERATION for release in generation)
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
    near = get_close_matches(name, RELEASES, n=1, cutoff=0.7)
    nearest = f"the nearest is {near[0]!r}; " if near else ""
    raise UnknownRelease(f"unknown client {words!r}; {nearest}there are {', '.join(RELEASES)}")


DIFFERS = (
    ((4, 8, 0), "MACHINE_ROOM gives out queues of rooms that it is not configured with, as Go's does (rocketmq#2477)"),
    ((4, 7, 1), "shutdown() neither waits for running listeners nor interrupts them"),
    ((4, 6, 0), "there is no lite pull consumer"),
)
"""What is known to differ before a version that was not read."""


def stands_for(words: str) -> tuple[str, str]:
    """The release by which a question about these words is answered, and a remark if it is another one.

    A version that is newer than all that were read is answered by the last one, an older one by the first. Raises
    ``UnknownRelease`` as ``release_of`` does for what is no version, or lies between those that were read.
    """
    try:
        return release_of(words), ""
    except UnknownRelease:
        name = re.sub(r"^java\s*|^v(?=\d)", "", words.strip().casefold()).replace("_", ".")
        if not re.fullmatch(r"\d{1,3}(\.\d{1,4}){0,3}|[34]\.x", name):
            raise
        number = _numbers(name.removesuffix(".x"))
        if number > _numbers(LAST):
            return LAST, f"{name} is newer than {LAST}, the last version that was read: all of this is told of {LAST}."
        if number >= _numbers(JAVA[0])[: len(number)]:
            raise
        found = [what for until, what in DIFFERS if number < until[: len(number)]]
        known = f" Known to differ: {'; '.join(found)}." if found else ""
        return JAVA[0], f"{name} was not read: all of this is told of {JAVA[0]}, the oldest version that was.{known}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _apart(known: tuple[int, ...], asked: tuple[int, ...]) -> tuple[int, ...]:
    padded = (*asked, 0, 0, 0)[: len(known)]
    return tuple(abs(one - two) for one, two in zip(known, padded, strict=True))
