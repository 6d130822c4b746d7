"""The client releases that were read, and the rule that finds one of them for a version that a user types."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from rebalance_proofs.language import gettext, later

SOURCES = "https://github.com/apache/rocketmq/blob/develop"
"""Address of RocketMQ's own sources."""
CONSUMERS = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl/consumer"
"""Address of the Java client's code for consumers."""


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
READ: Mapping[str, tuple[str, ...]] = {
    "go": ("2.1.3-0.20251226070945-2173d070fd1b",),
    "node": ("3.12.0", "3.12.2"),
    "cpp": ("2.2.0-52-g7c8b7f8b",),
    "rust": ("1.0.0",),
}
"""Client in another language than Java -> versions whose source was read, oldest first; one model describes them.

Go's is a module version. That of C++ counts commits after a tag, as ``git describe`` does. The consumers of Node's two
versions differ in comments only; 3.12.0 is the last one on npm, and 3.12.2 is a git tag.
"""
OTHERS = tuple(READ)
"""Names of the clients in other languages than Java."""
RELEASES = (*JAVA, *OTHERS)
LANGUAGES = {"java": "Java", "go": "Go", "node": "Node", "cpp": "C++", "rust": "Rust"}
"""Name of a client -> its display name."""


def java_from(first: str, last: str = LAST) -> str:
    """Return the display name of the releases from ``first`` to ``last``: ``Java 5.2 to 5.5.0``.

    Without ``last``, it ends with the newest release whose source was read.
    """
    return f"Java {first} to {last}" if first != last else f"Java {first}"


class UnknownRelease(LookupError):
    """Raised for an unknown client, and for a version that no modelled release represents.

    The message gives the reason, and the nearest known name if there is one.
    """


class UnknownClient(UnknownRelease):
    """Raised for a text that names no known client."""


@dataclass(frozen=True)
class Resolved:
    """The modelled release that represents a version that a user typed."""

    release: str
    """One of ``RELEASES``."""
    note: str = ""
    """If the user's version was not read: a sentence that names the release used instead, and known differences."""


GRPC = re.compile(
    r"(?:.*\W)?(?:grpc|rocketmq-clients?-java|rocketmq-clients|rocketmq-python-client|rocketmq-client-(?:nodejs|csharp)"
    r"|python[- ]v?5[\d.]*|simple-?consumer|proxy)(?:\W.*)?"
)
"""Names of the gRPC SDKs; ``rocketmq-client-java`` is one of them, and ``rocketmq-client`` is the Java client."""
NAMES = {
    "java": r"java(?: client)?|(?:apache )?rocketmq(?:[- ](?:client|all|broker|common|remoting))?|",
    "go": r"go(?:lang)?|(?:github\.com/apache/)?rocketmq-client-go(?:/v2)?",
    "node": r"node(?:\.?js)?|ali-ons",
    "cpp": r"cpp|c\+\+|rocketmq-client-cpp",
    "rust": r"rust|rocketmq-(?:client-)?rust",
}
"""Client -> regular expression of its names, in lower case."""
VERSION = re.compile(
    r"v?(?P<numbers>[0-9]{1,9}(?:[._][0-9]{1,9}){0,3})(?P<line>[._]x)?(?P<more>[-_.+][a-z0-9][a-z0-9_.+-]*)?"
)
"""A version in lower case: ``5.3.3``, ``v5_3_3``, ``4.9.x``, ``5.4.0-snapshot``."""
DIFFERS = (
    (
        (4, 8, 0),
        later("MACHINE_ROOM also assigns queues of rooms that are not configured, as Go's does (rocketmq#2477)"),
    ),
    ((4, 7, 1), later("shutdown() neither waits for running listeners nor interrupts them")),
    ((4, 6, 0), later("there is no lite pull consumer")),
)
"""Known differences of Java releases before a version from the modelled releases.

Those older releases are not modelled.
"""


def resolved(words: str) -> Resolved:
    """Return the modelled release that represents a version that a user typed.

    Every command uses this rule. Examples of texts: ``5.2``, ``Java 5.1.4``, ``V5_3_3``, ``5.4.0-SNAPSHOT``,
    ``rocketmq-client-5.3.3.jar``, ``go``, ``ali-ons 3.12.0``. A release that was read represents itself, and the newest
    release of a line represents the line. Of other versions 4.x and 5.x of Java, the newest release before them
    represents them, or the oldest release. A client in another language represents all versions with its major number.
    Raises ``UnknownRelease`` for other texts.
    """
    words = words.strip()
    client, version = _parsed(words)
    if version is None:
        return Resolved(client)
    found = re.fullmatch(VERSION, version)
    assert found
    numbers = tuple(map(int, re.split("[._]", found["numbers"])))
    text = ".".join(map(str, numbers))
    more = _qualifier(found["more"] or "")
    if client != "java":
        return _of_other(client, numbers, text + more)
    majors = dict.fromkeys(_numbers(release)[0] for release in JAVA)
    if numbers[0] not in majors:
        lines = gettext(" or ").join(f"{major}.x" for major in majors)
        raise UnknownRelease(
            gettext("version {version} is not covered; name a Java client version {lines}").format(
                version=repr(words), lines=lines
            )
        )
    return _of_java(numbers, f"{text}.x" if found["line"] else text + more, whole=not more)


def _parsed(words: str) -> tuple[str, str | None]:
    """Return the client, and its version in lower case; None without a version. Raises ``UnknownRelease``."""
    name = " ".join(words.casefold().split())
    if name.endswith(".jar"):
        name = re.split(r"[\\/]", name)[-1].removesuffix(".jar")
    if re.fullmatch(GRPC, name):
        raise UnknownRelease(
            gettext(
                "{client} is not modelled: the gRPC SDKs (rocketmq-clients 5.x) leave rebalancing to the proxy; "
                "`rebalance why` and the claims `receiving.*` cover them"
            ).format(client=repr(words))
        )
    for client, names in NAMES.items():
        found = re.fullmatch(rf"(?:{names})(?:[ @:_-]*(?P<version>{VERSION.pattern}))?", name)
        if found and (found["version"] or client != "java"):
            return client, found["version"]
    near = get_close_matches(name, RELEASES, n=1, cutoff=0.7)
    nearest = gettext("did you mean {name}? ").format(name=repr(near[0])) if near else ""
    raise UnknownClient(
        gettext("unknown client {client}; {hint}name a Java client version from {first} to {last}, or {others}").format(
            client=repr(words), hint=nearest, first=JAVA[0], last=LAST, others=gettext(", ").join(OTHERS)
        )
    )


def _qualifier(more: str) -> str:
    """Return the end of a version, such as ``-SNAPSHOT``, as RocketMQ writes it."""
    return re.sub("^[-_.]", "-", more).upper() if re.fullmatch(r"[-_.][a-z]+\d*", more) else more


def _of_java(numbers: tuple[int, ...], name: str, whole: bool) -> Resolved:
    """Return the release that represents a version 4.x or 5.x.

    ``name``: the version, for the note. ``whole``: True without a qualifier such as ``-SNAPSHOT``.
    """
    own = [release for release in JAVA if _numbers(release)[: len(numbers)] == numbers]
    if own:
        return Resolved(own[-1], "" if whole else _unread(name, own[-1]))
    if numbers > _numbers(LAST):
        note = gettext(
            "{name} is newer than {release}, the newest client that was read: this answer uses the model of {release}."
        ).format(name=name, release=LAST)
        return Resolved(LAST, note)
    older = [release for release in JAVA if _numbers(release) < numbers]
    release = older[-1] if older else JAVA[0]
    if older:
        note = gettext(
            "{name} was not read: this answer uses the model of {release}, the newest release before it that was read."
        )
    else:
        note = gettext(
            "{name} was not read: this answer uses the model of {release}, the oldest release that was read."
        )
    differ = [gettext(what) for until, what in DIFFERS if numbers < until[: len(numbers)]]
    known = gettext(" Known to differ: {differences}.").format(differences=gettext("; ").join(differ)) if differ else ""
    return Resolved(release, note.format(name=name, release=release) + known)


def _unread(name: str, release: str) -> str:
    return gettext("{name} was not read: this answer uses the model of {release}.").format(name=name, release=release)


def _of_other(client: str, numbers: tuple[int, ...], version: str) -> Resolved:
    """Return the client for a version of its major number. Raises ``UnknownRelease`` for another one."""
    read, name = READ[client], LANGUAGES[client]
    major = read[-1].partition(".")[0]
    if str(numbers[0]) != major:
        raise UnknownRelease(
            gettext("version {version} of the {client} client is not covered; name a version {major}.x").format(
                version=repr(version), client=name, major=major
            )
        )
    if version in read:
        return Resolved(client)
    return Resolved(client, _unread(f"{name} {version}", f"{name} {read[-1]}"))


@cache
def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
