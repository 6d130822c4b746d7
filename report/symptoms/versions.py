"""Clients and versions as users write them: ``rocketmq-client-go v2.1.2``, ``V4_9_1``, ``spring``, ``4.9.8,go``."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from rebalance_proofs.language import Text, gettext
from rebalance_proofs.model.releases import JAVA, LANGUAGES, OTHERS, READ, UnknownRelease, resolved
from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.recorded.knowledge.schema import text as told_text
from rebalance_proofs.report.symptoms.lexicon import Match, Words

VERSION = re.compile(
    r"v?(?P<numbers>\d{1,2}(?:[._](?:\d{1,3}|x)){1,3})(?P<more>[-.]?(?:snapshot|release|beta\d*|rc\d*|alpha\d*|final))?",
    re.I,
)
# The next two are compiled when a text has a version; that takes long.
FOREIGN = (
    r"(?i)(?:jdk|jre|boot|springboot|cloud|python|node|ubuntu|centos|linux|windows|docker|k8s|kubernetes|kernel|dashboard"
    r"|console|brokers?|servers?|namesrv|nameserver|netty|mysql|redis|tomcat|maven|gcc|openjdk|alibaba|proxy|http|tls)"
    r"\s*(?:version|版本)?[\s:=-]*$"
)
"""Words before a version that is not a client's."""
UNIT = (
    r"(?i)\s*(?:ms|s|sec|min|m|h|hours?|seconds?|minutes?|days?|times|gb|mb|kb|g|k|w|%|x|秒|分|小时|万|倍|条|个)"
    r"(?![A-Za-z])"
)
"""What follows a number that is a time, a size or a count."""
# Compiled when a text has two versions.
TO = (
    r"(?i)\s*(?:版本)?\s*(?:to|->|=>|→|到|至|升级到?|升级至|升到?|切换到|换成)\s*"
    r"(?:version|版本|rocketmq|java)?\s*"
)
"""What is between the versions of an upgrade."""
BRACKETS = re.compile(r"[(\[（【][^)\]）】]*[)\]）】]")
"""Remarks of free text."""
MOST_WORDS = 6
"""Most words of free text that name a client and its version."""
UPGRADE = 5
"""Most tokens between the versions of an upgrade."""
MAJOR = re.compile(r"(?<![\w.])v?(\d{1,2})$", re.I)
"""Pattern of a major version alone at the end of an option's value: ``Java 3``."""
NODE = 8
"""Least major version of Node.js itself; those of its RocketMQ client are lower."""
MAJORS = ("3", "4", "5")
"""Major versions of the Java client; a number of two parts that begins differently is no version of it."""


@dataclass(frozen=True)
class Named:
    """A client that a user named."""

    release: str
    """One of the modelled releases; empty for Java without a version."""
    words: Text = field(default=Text(""), compare=False)
    """As the user named it."""
    note: str = field(default="", compare=False)
    """What the answer is about instead, if the version is not modelled, and which client a package contains."""
    covered: bool = True
    """False if no rule of the other commands finds a release for the version."""


def clients_in(words: Words) -> tuple[tuple[Named, ...], set[int]]:
    """Return the clients that a text names, and the tokens that name them."""
    used: set[int] = set()
    found: dict[str, Named] = {}
    matches = [one for one in words.matches("client") if not words.denied(one, frozenset())]
    versions = dict(_versions(words))
    old = {at for at in versions if _upgraded(words, at, versions)}
    used |= old
    versions = {at: version for at, version in versions.items() if at not in old}
    for one in matches:
        at = _next(words, one, versions)
        version = versions.pop(at) if at is not None else ""
        used |= one.covered | ({at} if at is not None else set())
        named = _named(one, version)
        found[named.words.en] = named
    for at, version in versions.items():
        java = _resolved(version, Text(f"Java {version}"))
        if java:
            used.add(at)
            found = {name: other for name, other in found.items() if other.release or other.note}
            found.setdefault(java.release, java)
    return tuple(dict.fromkeys(found.values())), used


def client_of(typed: str) -> Named | None:
    """Return the client that an option's value names in other words: ``rocketmq-client-go v2.1.2``, ``spring``.

    None if it names no client, or several, or has further words.
    """
    name, _, version = typed.strip().partition(" ")
    found = _only_client(typed)
    if found is None and name.casefold() in OTHERS and version:
        # In a text, "go" is a verb unless "client" follows; as an option's value it is a client.
        other = _only_client(f"{name} client {version}")
        return other if other and not other.covered else None
    return found


def described(typed: str) -> Named | None:
    """Return the client that free text names: ``go v2.1.2 (master)``, ``cpp 2.2.0 on CentOS``; None if it is another.

    The first client and version count: what is in brackets or follows them only describes them.
    """
    if foreign(typed):
        return None
    whole = " ".join(BRACKETS.sub(" ", typed).split())
    words = whole.split()
    for many in range(min(len(words), MOST_WORDS), 0, -1):
        name = " ".join(words[:many])
        found = client_of(name)
        if found and not found.release and re.match(r"v?\d", " ".join(words[many:]), re.I):
            return None  # it is no version of the Java client
        if found:
            return found
        try:
            known = resolved(name)
        except UnknownRelease:
            continue
        return Named(known.release, Text(name), known.note)
    return None


def foreign(typed: str) -> bool:
    """Return whether free text names a client that is not modelled: ``NewLife.RocketMQ (C#)``, ``php``."""
    return any(
        re.search(rf"(?<![a-z0-9])(?:{name})(?![a-z0-9])", typed.casefold())
        for name in loaded("words")["version"]["foreign"]["names"]
    )


def _only_client(typed: str) -> Named | None:
    words = Words(typed)
    found, used = clients_in(words)
    left = any(index not in used and not words.is_plain(index) for index in range(len(words.tokens)))
    java = any(one.words.en == "Java" and not one.release for one in found)
    if java and (major := MAJOR.search(typed)):
        return _only_client(f"{typed[: major.start()]}{major[1]}.x")
    unknown = java and any(_versions(words))
    return found[0] if len(found) == 1 and not left and not unknown else None


def _versions(words: Words) -> Iterator[tuple[int, str]]:
    for index, token in enumerate(words.tokens):
        match = VERSION.fullmatch(token.text.removesuffix(".jar"))
        before, later = words.text[: token.start], words.text[token.end :]
        if match and not re.search(FOREIGN, before) and not re.match(UNIT, later):
            yield index, match[0].lstrip("vV").replace("_", ".").casefold()


def _upgraded(words: Words, at: int, versions: Mapping[int, str]) -> bool:
    """Return whether the version is the old one of an upgrade: "from 4.9.4 to 5.1.0"."""
    later = next((other for other in sorted(versions) if at < other <= at + UPGRADE), None)
    if later is None:
        return False
    between = words.text[words.tokens[at].end : words.tokens[later].start]
    return bool(re.fullmatch(TO, between))


def _next(words: Words, client: Match, versions: dict[int, str]) -> int | None:
    """Return the index of the version that follows a client's name within three tokens."""
    last = max(client.covered)
    return next((at for at in range(last + 1, last + 4) if at in versions), None)


def _named(match: Match, version: str) -> Named:
    """Return the client of a match, with the version that follows it, if it is one of the client."""
    fields = match.meaning.fields
    client, says = match.meaning.means, told_text(fields["says"])
    wraps = str(told_text(fields["wraps"])) if "wraps" in fields else ""
    full = Text(f"{says.en} {version}", f"{says.zh or says.en} {version}") if version else says
    inner = loaded("words")["version"].get(fields.get("package", ""), {})
    if version in inner:
        note = gettext("{package} {version} contains rocketmq-client {inner}.").format(
            package=says, version=version, inner=inner[version]
        )
        named = _resolved(inner[version], full)
        return replace(named, note=" ".join(filter(None, (note, named.note)))) if named else Named("", full, wraps)
    if client == "java":
        named = _resolved(version, full) if version and not inner else None
        return named or Named("", full if inner else says, wraps)
    if wraps or not version:
        return Named(client, full, wraps)
    return _of_other(client, version, says, full)


def _of_other(client: str, version: str, says: Text, full: Text) -> Named:
    try:
        return Named(client, full, resolved(f"{client} {version}").note)
    except UnknownRelease:
        major = int(version.partition(".")[0])
        if (client == "go" and major == 1 and len(version.split(".")) == 2) or (client == "node" and major >= NODE):
            return Named(client, says)  # the version of the language: Go 1.21, Node.js 18.0
        newest = f"{LANGUAGES[client]} {READ[client][-1]}"
        return Named(client, full, _instead(f"{LANGUAGES[client]} {version}", newest), covered=False)


def _resolved(version: str, words: Text) -> Named | None:
    """Return a Java client; None for a number that is no version of it."""
    if version.partition(".")[0] not in MAJORS:
        return None
    try:
        found = resolved(version)
    except UnknownRelease:
        return Named(JAVA[0], words, _instead(f"Java {version}", JAVA[0]), covered=False)
    return Named(found.release, words, found.note)


def _instead(named: str, release: str) -> str:
    if release in OTHERS or " " in release:
        return gettext("{named} is not modelled; the answer is about {release}.").format(named=named, release=release)
    return gettext("{named} is not modelled; the answer is about {release}, the oldest modelled version.").format(
        named=named, release=release
    )
