"""Log lines of clients and brokers, literally as in RocketMQ's sources, with their meanings.

The lines are in ``recorded/knowledge/lines/``. Each is an attribute of this module: ``LOCK_DENIED`` is ``lock-denied``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from html import unescape
from typing import Any

from rebalance_proofs.language import Text, gettext
from rebalance_proofs.model.receiving.releases import ANY, client_of, is_sdk
from rebalance_proofs.recorded.knowledge.schema import entries, joined, text

# Remove markup from a log line that a web page, mail, chat, JSON encoder or tool has added.

SIGNS = (b"\x1b", b"\\", b"&", b"<", b"**", b"@kibana-")
"""Characters that markup contains; an ASCII line without any of them is unaltered."""
COLOURS = re.compile(r"\x1b\[[0-9;]*[mK]")
ENTITY = re.compile(r"&(?:#\d{1,5}|#[xX][0-9a-fA-F]{1,4}|[a-zA-Z]{2,8});")
INLINE = re.compile(
    r"</?(?:em|mark|b|i|u|s|a|strong|span|font|code|tt|kbd)(?:\s[^<>]*)?>|@/?kibana-highlighted-field@", re.I
)
"""Markup of words inside a line, as in search results on a web page."""
BLOCK = re.compile(r"</?(?:p|div|td|th|tr|li|pre)(?:\s[^<>]*)?>", re.I)
UNICODE = re.compile(r"\\+u00([2-7][0-9a-fA-F])")
"""An ASCII character as Gson and others write it: ``\\u003d`` for an equals sign."""
ESCAPED = re.compile(r"\\([\[\](){}=.*_#+!|~<>@-])")
"""Backslashes before punctuation, as in Markdown.

Quotes are excluded, because JSON escapes them.
"""
BOLD = re.compile(r"(?<![*\w.])\*\*(?=[^\s*])([^*]+)(?<=[^\s*])\*\*(?![*\w.])")
HOURS = re.compile(r"(?<!\d)(\d{1,2})时(\d{1,2})分(\d{1,2})秒")
LETTERS = str.maketrans(
    dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", "")
    | dict.fromkeys("\u00a0\u2007\u202f\u3000", " ")
    | {"’": "'", "‘": "'", "“": '"', "”": '"', "，": ", ", "：": ":", "【": "[", "】": "]"}
)
"""Non-breaking spaces, invisible characters, and punctuation that editors substitute.

Names of topics and groups contain none of these.
"""
STRANGE = re.compile(f"[{''.join(map(chr, LETTERS))}时]")
"""Pattern of characters in ``LETTERS``, or the Chinese sign for hours.

It is searched first, because that is faster than a replacement.
"""


def decoded(line: bytes) -> str:
    """Return a line's text, in UTF-8 or else in GB18030, the encoding of Chinese consoles."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        pass
    try:
        return line.decode("gb18030")
    except UnicodeDecodeError:
        return line.decode("utf-8", "replace")


def plain(line: bytes) -> bytes:
    """Return the line without added markup; the same bytes if it has none."""
    ascii_ = line.isascii()
    if ascii_ and not any(sign in line for sign in SIGNS):
        return line
    try:
        text, coding = line.decode(), "utf-8"
    except UnicodeDecodeError:
        text, coding = line.decode("latin-1"), "latin-1"  # in another encoding only ASCII is known
    if coding == "utf-8" and not ascii_ and STRANGE.search(text):
        text = HOURS.sub(r"\1:\2:\3", text.translate(LETTERS))
    if "\x1b" in text:
        text = COLOURS.sub("", text)
    if "&" in text and (coding == "utf-8" or ascii_):
        text = ENTITY.sub(lambda found: unescape(found[0]).translate(LETTERS), text)
    if "<" in text or "@kibana-" in text:
        text = BLOCK.sub(" ", INLINE.sub("", text))
    if "\\" in text:
        text = UNICODE.sub(lambda found: chr(int(found[1], 16)), text)
        text = ESCAPED.sub(r"\1", text)
    if "**" in text:
        text = BOLD.sub(r"\1", text)
    return text.encode(coding)


ALL = ("4.9.8", "5.1.4", "5.3.3")
"""RocketMQ releases whose sources were searched for each wording."""
HOLE = "{}"
"""Placeholder in a wording for a value, as in ``{}``."""
CLIENTS = {
    "(Go": "go",
    "(C++": "cpp",
    "(Node": "node",
    "(gRPC)": ANY,
    "(gRPC Java": "grpc-java",
    "(gRPC Go": "grpc-go",
    "(gRPC Node": "grpc-node",
    "(gRPC Python": "grpc-python",
    "(gRPC C++": "grpc-cpp",
    "(gRPC C#": "grpc-csharp",
    "(gRPC Rust": "grpc-rust",
}
"""Mark after the class in a wording -> client in another language than Java, or gRPC client."""
REMEMBERED = 2_000
"""Number of texts whose plain form is kept; there are fewer wordings."""
SHORTEST = 4
"""Fewest characters of a text that is searched for; shorter texts occur in too many lines."""
FEWEST_WORDS = 4
"""Fewest words of a text that is searched for without regard to values and punctuation."""


class Logs(Enum):
    """Processes that write logs."""

    CLIENT = "client"
    BROKER = "broker"


@dataclass(frozen=True)
class Wording:
    """One form of a log line's text, as some releases write it."""

    text: str
    """Text as in RocketMQ's source, with ``{}`` for each value.

    A trailing part with only values is left out.
    """
    where: str
    """Java class that writes the line."""
    releases: tuple[str, ...] = ALL
    """Releases among ``ALL`` that write this form."""

    @property
    def begins(self) -> str:
        """The text before the first value."""
        return self.text.partition(HOLE)[0].strip()

    @property
    def clients(self) -> frozenset[str]:
        """Languages of the clients that write it: ``java`` (also for the broker), ``go``, ``cpp`` or ``node``."""
        return frozenset(
            next((name for mark, name in CLIENTS.items() if mark in one), "java") for one in self.where.split(", ")
        )

    def written_by(self, release: str) -> bool:
        """Return whether a client in another language than Java, or a gRPC client, writes it: ``grpc-go 5.1.4``."""
        client = client_of(release)
        if not is_sdk(release):
            return release in self.clients
        return any(one == client or (ANY in (one, client) and is_sdk(one)) for one in self.clients)


@dataclass(frozen=True)
class Line:
    """A log line with one meaning, in all its forms in different releases."""

    logs: Logs
    title: Text
    """Short title of the line's meaning, such as ``lock denied``."""
    more: Text | None
    """Sentences about the line; no full stop at the end."""
    wordings: tuple[Wording, ...]
    file: str = ""
    """The broker's default log file, by its logback.xml; empty for clients, whose file the application sets."""
    parsed_only: bool = False
    """True if the line indicates no cause."""
    like: str = ""
    """Name of the line of another client that means the same, and so indicates the same causes."""
    fix: Text | None = None
    """What to do about a line that indicates no cause."""
    name: str = ""
    """Name of the line, such as ``lock-denied``."""

    @property
    def of_sdks(self) -> bool:
        """Whether only gRPC clients write it."""
        return all(is_sdk(client) for one in self.wordings for client in one.clients)

    @property
    def means(self) -> Text:
        """The title, and sentences about the line; no full stop at the end."""
        return joined(self.title, self.more)

    @property
    def place(self) -> str:
        """The log that contains the line, such as ``broker (lock.log)``."""
        name = gettext("client") if self.logs is Logs.CLIENT else gettext("broker")
        return f"{name} ({self.file})" if self.file else name

    def of(self, release: str) -> tuple[Wording, ...]:
        """Return the forms that a release writes: those of the first release in ``ALL`` that is not older.

        ``release``: a Java release, or the language of another client; newer releases write the forms of the last one
        in ``ALL``. Return all forms without a release, or if the release has none.
        """
        if release and not release[0].isdigit():
            return tuple(one for one in self.wordings if one.written_by(release))
        last = next((one for one in ALL if release and _number(one) >= _number(release)), ALL[-1] if release else None)
        return tuple(one for one in self.wordings if last in one.releases) or self.wordings


def _number(release: str) -> tuple[int, ...]:
    """Return a Java release as a tuple of numbers for sorting."""
    return tuple(map(int, release.split(".")))


def found(text: str, line: Line) -> bool:
    """Return True if the text is a part of one of the line's wordings, or contains one.

    A contained wording has values instead of its placeholders.
    """
    asked = _plain(text)
    return len(asked) >= SHORTEST and (_in_wording(asked, line) or any(True for _ in _logged(asked, line)))


def among(text: str, lines: Iterable[Line]) -> list[Line]:
    """Return the lines that occur in the text.

    A line is left out if its match lies within another line's longer match.
    """
    asked = _plain(text)
    every = [line for line in lines if found(text, line)]
    logged = {id(line): list(_logged(asked, line)) for line in every}

    def covered(place: range, line: Line) -> bool:
        others = (other for one in every if one is not line for other in logged[id(one)])
        return any(len(other) > len(place) and place[0] in other and place[-1] in other for other in others)

    return [
        line
        for line in every
        if _in_wording(asked, line) or any(not covered(place, line) for place in logged[id(line)])
    ]


def leads(text: str, lines: Iterable[Line]) -> bool:
    """Return True if the text begins with one of the lines, as a pasted line without its time does."""
    asked = _plain(text)
    return any(place.start == 0 for line in lines if found(text, line) for place in _logged(asked, line))


def begun(text: str, lines: Iterable[Line]) -> list[Line]:
    """Return the lines of which the text has most, but not the end: a line can be cut off when it is pasted."""
    asked = _plain(text)
    most = {line: max((_begins(asked, one.text) for one in line.wordings), default=0) for line in lines}
    best = max(most.values(), default=0)
    return [line for line, letters in most.items() if best and letters == best]


def _begins(asked: str, wording: str) -> int:
    """Return the number of letters of the wording's first parts in the searched text; 0 if they are less than half."""
    every = _plain(wording).split(HOLE)
    at, letters, words = 0, 0, 0
    for part in every:
        place = asked.find(part, at)
        if place < 0:
            if words < FEWEST_WORDS or _goes_on(asked[at:], part):
                return 0
            break
        at, letters, words = place + len(part), letters + _letters(part), words + len(re.findall(r"\w+", part))
    return letters if words >= FEWEST_WORDS and letters * 2 >= _letters(wording) else 0


def _goes_on(rest: str, part: str) -> bool:
    """Return True if the text goes on otherwise than with ``part`` after a value, so that it is another line.

    The value ends at the first characters of the part, outside brackets of the value.
    """
    depth = 0
    for place, character in enumerate(rest):
        if depth <= 0 and rest.startswith(part[:2], place) and not part.startswith(rest[place:]):
            return True
        depth += (character in "[({") - (character in "])}")
    return False


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def narrowed(text: str, line: Line) -> Line:
    """Return the line with only those wordings that the text contains, or of which it has the longest beginning.

    Return the line with all wordings if the text has none of them.
    """
    asked = _plain(text)
    told = tuple(one for one in line.wordings if any(True for _ in _logged(asked, replace(line, wordings=(one,)))))
    if not told:
        begun = [_begins(asked, one.text) for one in line.wordings]
        told = tuple(one for one, letters in zip(line.wordings, begun, strict=True) if letters == max(begun))
    return replace(line, wordings=told)


def _in_wording(asked: str, line: Line) -> bool:
    words = _words(asked)
    return any(asked in _plain(one.text) or _in_words(words, one.text) for one in line.wordings)


def _in_words(typed: str, wording: str) -> bool:
    """Return True if the searched text's words follow each other in a wording.

    Values and punctuation do not count.
    """
    return typed.count(" ") >= FEWEST_WORDS - 1 and f" {typed} " in f" {_words(wording)} "


@lru_cache(REMEMBERED)
def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.replace(HOLE, " ").casefold()))


def _logged(asked: str, line: Line) -> Iterator[range]:
    """Yield the positions in the searched text at which a wording of the line matches."""
    for wording in line.wordings:
        parts = _plain(wording.text).split(HOLE)
        if not all(part in asked for part in parts):  # a hundred times faster than the regular expression
            continue
        for match in re.finditer(".*?".join(map(re.escape, parts)), asked):
            yield range(*match.span())


@lru_cache(REMEMBERED)
def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _line(entry: Mapping[str, Any]) -> Line:
    return Line(
        Logs(entry["log"]),
        text(entry["title"]),
        text(entry["more"]) if "more" in entry else None,
        tuple(Wording(one["text"], one["where"], tuple(one.get("releases", ALL))) for one in entry["wording"]),
        entry.get("file", ""),
        entry.get("parsed_only", False),
        entry.get("like", ""),
        text(entry["fix"]) if "fix" in entry else None,
        entry["name"],
    )


NAMED: Mapping[str, Line] = {entry["name"]: _line(entry) for entry in entries("lines", "line")}
"""All lines, by name: ``lock-denied``."""
_ATTRIBUTES = {name.replace("-", "_").upper(): line for name, line in NAMED.items()}


def __getattr__(name: str) -> Line:
    """Return the line of that name: ``LOCK_DENIED`` for ``lock-denied``. Raises ``AttributeError``."""
    try:
        return _ATTRIBUTES[name]
    except KeyError:
        raise AttributeError(f"no log line is named {name!r}: see recorded/knowledge/lines/") from None
