"""Find the most specific statement in a pasted log line, exception or stack trace, and what it says.

Every line is read. The text of an exception says more than the line that introduces it, and a response code says more
than a line that several causes log.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rebalance_proofs.language import Text, gettext
from rebalance_proofs.recorded.knowledge.pasted_texts import pasted
from rebalance_proofs.recorded.knowledge.schema import text as text_of
from rebalance_proofs.recorded.knowledge.statements.irrelevant import irrelevant
from rebalance_proofs.recorded.logs.lines import HOLE, Line, among
from rebalance_proofs.recorded.logs.times import stamp
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.symptoms.answer import Found, causes_of
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.causes import EVERY
from rebalance_proofs.report.symptoms.mqadmin.columns import cleaned
from rebalance_proofs.report.symptoms.search import LINES, indicates, without_cause
from rebalance_proofs.report.symptoms.told import of_irrelevant
from rebalance_proofs.report.text.english import shorten

# Texts of exceptions and log lines with values, and pairs of lines of a paste with one value in common.

OTHER_VALUE = r"[^,\s]+?"
VALUES = {
    "group": r"[%\w|.*-]+?",
    "topic": r"[%\w|*-]+",
    "ms": r"\d+",
    "address": r"[^<>\s\]]*[.:/\d][^<>\s\]]*?",
    "queue": r".+",
    "mq": r"MessageQueue \[[^\]]+\]",
    "body": r".*",
}
"""Placeholder -> pattern of its values; other values have no blanks."""
NAMED_HOLE = re.compile(r"\{(\w+)\}")


@cache
def pattern_of(text: str) -> re.Pattern[str]:
    """Return the pattern of a text with placeholders such as {group}. Compiling all texts takes long."""
    parts = NAMED_HOLE.split(text)
    body = "".join(
        re.sub(r"(?:\\ )+", r"\\s+", re.escape(part))
        if place % 2 == 0
        else f"(?P<{part}>{VALUES.get(part, OTHER_VALUE)})"
        for place, part in enumerate(parts)
    )
    if len(parts) > 1 and not parts[-1]:
        body += r"(?=[\s,;.]|$)"
    return re.compile(body, re.I)


def longest_word(text: str) -> str:
    """Return the longest literal word of a text with placeholders, in lower case."""
    return max((word for part in NAMED_HOLE.split(text)[::2] for word in part.split()), key=len).casefold()


def paired(lines: Sequence[str]) -> Iterator[tuple[Mapping[str, Any], re.Match[str], str]]:
    """Yield (entry, match, line) for each line that follows one with the same value, as an entry ``pair`` says."""
    for entry, value, firsts, laters in _pairs():
        seen: dict[str, str] = {}
        for line in lines:
            folded = line.casefold()
            for word, text in laters:
                found = pattern_of(text).search(line) if word in folded else None
                if found and found[value] in seen and _near(seen[found[value]], line, entry.get("within")):
                    yield entry, found, line
                    break
            for word, text in firsts:
                if word in folded and (found := pattern_of(text).search(line)):
                    seen[found[value]] = line


def _near(first: str, later: str, within: int | None) -> bool:
    """Return whether two lines are at most ``within`` ms apart; true if a time is missing."""
    if within is None:
        return True
    before, after = (stamp(line.encode("utf-8", "replace"), 1970) for line in (first, later))
    return before is None or after is None or 0 <= after.at - before.at <= within


@cache
def _pairs() -> Sequence[tuple[Mapping[str, Any], str, list[tuple[str, str]], list[tuple[str, str]]]]:
    """Return (entry, name of the common value, texts of the first line, texts of the later one).

    Each text has its longest literal word in front.
    """

    def worded(texts: Sequence[str]) -> list[tuple[str, str]]:
        return [(longest_word(text), text) for text in texts]

    return [(one, one["same"], worded(one["first"]), worded(one["later"])) for one in pasted("exceptions")["pair"]]


NAMED_AS = {
    "group": "name-group",
    "consumergroup": "name-group",
    "groupid": "name-group",
    "topic": "name-topic",
    "brokername": "name-broker",
    "queueid": "name-queue",
    "clientid": "name-client",
    "requestoffset": "name-requested",
    "nextoffset": "name-next",
    "minoffset": "name-smallest",
    "maxoffset": "name-largest",
}
"""Name of a value in a log line -> the word for it in the answer (``pasted/tables.toml``)."""
CONTEXT = re.compile(rf"\b({'|'.join(NAMED_AS)})\s*[:=]\s*[\[{{]?([%\w@.#|:-]*\w)", re.I)
NOT_A_NAME = ("CODE", "DESC", "null", "SubscriptionGroupConfig")
"""Words after a colon that are no names."""
CODES = (
    re.compile(r"CODE: ?(?P<code>-?\d+)\s+DESC: ?"),
    re.compile(r"RemotingCommand \[code=(?P<code>-?\d+),.*?flag\(B\)=(?P<flags>\d+)"),
    re.compile(
        r"(?:\b(?:response|resp|result|error)[ _-]?code|ResponseCode|响应码|错误码|返回码)\W{0,3}(?P<code>\d+)\b", re.I
    ),
    re.compile(r"^\W*code[ :=]*(?P<code>\d+)\W*$", re.I),
)
"""Forms of a response code: of Java's exceptions, of a command, of other clients, and alone."""
MOST_LINES = 10_000
LONGEST = 4_000
"""Most lines of a paste, and most characters of a line, that are read."""
FEW = 20
"""Up to this number of lines, a line may be a part of a statement; in longer texts it has to contain a whole one."""
SHORT = 100
"""Up to this number of characters, a text can be a part of a log line."""
NARROWEST = 60
"""Fewest characters of a line that a terminal breaks."""
BEGINS = re.compile(
    r"\t|\s\s|\s?at |\d{4}-|\d\d:\d\d|[\w.]+(?:Exception|Error)\b|Caused by|(?:INFO|WARN|ERRO|DEBU)\[\d"
    r"|.{0,40}?\d{4}-(?:\d\d|[A-Z][a-z]{2})-\d\d[ T]\d\d:\d\d:\d\d"
)
"""The beginning of a line of its own."""
CALM = re.compile(r".{0,80}?\b(?:INFO|DEBUG|TRACE)\b")
"""The beginning of a line with a low level."""
SPECIFIC, CODED, LOGGED, GENERIC, SILENT, IRRELEVANT = range(6)
"""Ranks: an exception's text, a response code, a line with causes, a line that only introduces an exception, a line
without a cause, and a line that does not concern the division of queues.
"""
MOST_SILENT = 200
"""Most lines of a paste that are searched for lines without a cause."""


@dataclass(frozen=True)
class Statement:
    """A statement of RocketMQ in a pasted text."""

    name: str
    rank: int
    """How little it says about its cause; statements with a low rank come first."""
    means: str
    """What it says, in the language in use, with the values of the paste."""
    causes: tuple[str, ...]
    """Names of its causes, the likeliest first."""
    quoted: str
    """The pasted line."""
    fix: str = ""
    """What to do if the causes do not say it."""
    line: Line | None = None
    values: int = 0
    """Number of values of the paste in ``means``."""
    weight: int = 0
    """How specific it is beside other exceptions and lines about the same event."""
    named: tuple[tuple[str, str], ...] = ()
    """(word, name) of what the pasted line names: group, topic, broker, queue, client and offsets."""
    times: int = 1
    """Number of lines of the paste with this statement."""
    beside: tuple[str, ...] = ()
    """A part that the paste has to have in any line, such as the caller in a stack trace."""
    pair: bool = False
    """True for two lines that say something together."""
    transport: bool = False
    """True for a failed request of any kind, also of a producer: other lines say whose request it was."""


def statements(text: str, *, logged: bool = True) -> tuple[Statement, ...]:
    """Return the statements in a pasted text, each once, the most specific first.

    ``logged``: whether log lines are searched for, beside exceptions and response codes.
    """
    found: dict[str, Statement] = {}
    many = Counter[str]()
    lines = _lines(text)
    for ways in lines:
        told = [one for line in ways if len(lines) <= FEW or _telling(line, logged) for one in _statements(line)]
        told = [one for one in told if not one.beside or any(part in text for part in one.beside)]
        first: dict[str, Statement] = {}
        for one in told:
            first.setdefault(one.name, one)
        for name, one in first.items():
            many[name] += 1
            found.setdefault(name, replace(one, quoted=_short(ways[0]), named=_named(ways[-1])))
    for one in _paired([ways[-1] for ways in lines]):
        many[one.name] += 1
        found[one.name] = one
    if not found and 1 < len(lines) <= FEW:  # a mail breaks lines where it likes
        whole = " ".join(ways[-1] for ways in lines)
        found |= {one.name: replace(one, named=_named(whole)) for one in _statements(whole) if one.rank < GENERIC}
        many.update(found.keys())
    if not found and logged:
        for ways in lines[:MOST_SILENT]:
            for one in _silent(ways[-1]):
                many[one.name] += 1
                found.setdefault(one.name, replace(one, quoted=_short(ways[0]), named=_named(ways[-1])))
    every = [replace(one, times=many[one.name]) for one in found.values()]
    covered = {name for one in every if one.rank == SPECIFIC and not one.pair for name in _said_by_code(one.name)}
    return tuple(sorted((one for one in every if one.name not in covered), key=_order))


def _order(one: Statement) -> tuple[int, int, bool, int]:
    # A line of level INFO says what happens anyway, so it comes after one of level WARN or ERROR.
    # A response code that indicates no cause says less than a line that does.
    rank = GENERIC if one.rank == CODED and not one.causes else one.rank
    return rank, -one.weight, bool(CALM.match(one.quoted)), -one.values


@cache
def _said_by_code(name: str) -> tuple[str, ...]:
    """Return the names of code statements that an exception's text makes superfluous."""
    entry = next(one for one in pasted("exceptions")["exception"] if f"exception-{one['name']}" == name)
    shared = set(entry.get("causes", ()))
    codes = (one for one in pasted("codes")["code"] if shared & set(one.get("causes", ())) or not shared)
    return tuple(f"code-{one['number']}" for one in codes)


def causes(one: Statement, question: Asked) -> tuple[Found, ...]:
    """Return the statement's possible causes for the client and mode of the question."""
    known = {cause.name: cause for cause in EVERY}
    found = [causes_of([known[name]], question) for name in one.causes if name in known]
    return tuple(next(iter(possible)) for every in found if (possible := [each for each in every if each.possible]))


def _lines(text: str) -> list[tuple[str, ...]]:
    """Return the lines of a paste, each in the ways in which it can be read.

    The first way is the line as it is. A terminal breaks full lines, between words and inside them, and the next line
    then begins without a date.
    """
    lines = [line for _, line in cleaned(text)[:MOST_LINES]]
    most = max(map(len, lines), default=0)
    found: list[tuple[str, ...]] = []
    for place, line in enumerate(lines):
        if place and len(lines[place - 1]) >= most - 1 and most >= NARROWEST and not BEGINS.match(line):
            first, *rest = found[-1]
            ways = rest * 2 if len(rest) == 1 else rest or [first, first]
            found[-1] = (first, *dict.fromkeys(way + gap + line for way, gap in zip(ways, ("", " "), strict=True)))
        else:
            found.append((line,))
    return [tuple(way.strip()[:LONGEST] for way in ways) for ways in found]


def _named(line: str) -> tuple[tuple[str, str], ...]:
    """Return (word, name) of what a line names, each once."""
    every = [one for one in CONTEXT.finditer(line) if one[2] not in NOT_A_NAME]
    found = {NAMED_AS[one[1].casefold()]: printable(one[2]) for one in reversed(every)}
    return tuple(reversed(found.items()))


@cache
def _literals() -> tuple[tuple[str, str], ...]:
    """Return (longest literal part of a wording, name of its log line), in lower case."""
    wordings = ((wording.text, name) for name, one in LINES.items() for wording in one.wordings)
    return tuple((" ".join(max(text.split(HOLE), key=len).casefold().split()), name) for text, name in wordings)


def _telling(line: str, logged: bool) -> bool:
    """Return True if the line can have a statement. This fast test rejects most lines of a log."""
    folded = " ".join(line.casefold().split())
    return (
        "code" in folded
        or "码" in folded
        or any(first in folded for _, first, _ in _texts())
        or (logged and any(literal in folded for literal, _ in _literals()))
    )


def _among(line: str) -> list[Line]:
    """Return the log lines in the text; a short text can also be a part of one.

    Only log lines whose longest literal part is in the text are tried: trying all takes long.
    """
    folded = " ".join(line.casefold().split())
    if len(folded) <= SHORT:
        return among(line, LINES.values())
    names = dict.fromkeys(name for literal, name in _literals() if literal in folded)
    return among(line, [LINES[name] for name in names])


def _statements(line: str) -> Iterator[Statement]:
    yield from _exceptions(line)
    yield from _codes(line)
    generic = pasted("exceptions")["generic"]
    for one in _among(line):
        own = tuple(cause.name for cause in EVERY if indicates(one, cause))
        rank = GENERIC if one.name in generic else LOGGED
        transport = one.name in pasted("exceptions")["transport"]
        yield Statement(one.name, rank, _told(one), own, _short(line), line=one, transport=transport)


def _told(one: Line) -> str:
    return gettext("log of the {place}: {title}.").format(place=one.place, title=one.means)


def _silent(line: str) -> Iterator[Statement]:
    """Yield the statements of a line that indicates no cause."""
    found = without_cause(line)
    for one in found:
        fix = str(one.fix) if one.fix else ""
        none = "" if fix else gettext(" This line indicates no cause by itself.")
        yield Statement(one.name, SILENT, _told(one) + none, (), _short(line), fix, line=one, weight=bool(fix))
    if not found and (other := irrelevant(line)):
        yield Statement(f"irrelevant {other.text}", IRRELEVANT, " ".join(of_irrelevant(other)), (), _short(line))


def _exceptions(line: str) -> Iterator[Statement]:
    folded = line.casefold()
    for entry, first, text in _texts():
        found = pattern_of(text).search(line) if first in folded else None
        if found and _compares(entry.get("when"), found):
            values = {name: printable(value.strip()) for name, value in found.groupdict().items() if value}
            rank = GENERIC if entry.get("generic") else LOGGED if entry.get("logged") else SPECIFIC
            yield Statement(
                f"exception-{entry['name']}",
                rank,
                _filled(text_of(entry["means"]), values),
                tuple(entry.get("causes", ())),
                _short(line),
                _filled(text_of(entry["fix"]), values) if "fix" in entry else "",
                values=len(values),
                weight=entry.get("weight", 0),
                beside=tuple(entry.get("beside", ())),
                transport=entry.get("transport", False),
            )


def _compares(when: Sequence[str] | None, found: re.Match[str]) -> bool:
    """Return True if the values of a line compare as ``when`` says.

    Examples: ``["offset", "<", "new"]``, ``["many", ">", "0"]``.
    """
    if not when:
        return True
    first, relation, second = when
    left, right = found[first], second if second.isdigit() else found[second]
    if not all(re.fullmatch(r"-?\d+", one) for one in (left, right)):
        return False
    return int(left) < int(right) if relation == "<" else int(left) > int(right)


def _paired(lines: Sequence[str]) -> Iterator[Statement]:
    """Yield what two lines of a paste say together, such as a queue that leaves and returns at once."""
    for entry, found, line in paired(lines):
        values = {name: printable(value) for name, value in found.groupdict().items()}
        rank = LOGGED if entry.get("logged") else SPECIFIC
        means = _filled(text_of(entry["means"]), values)
        own = tuple(entry["causes"])
        yield Statement(
            f"pair-{entry['name']}", rank, means, own, _short(line), weight=3, named=_named(line), pair=True
        )


class _Values(dict[str, str]):
    """Values of a paste; one that the paste does not have is written as its name."""

    def __missing__(self, key: str) -> str:
        return key.upper()


def _filled(told: Text, values: Mapping[str, str]) -> str:
    return str(told).format_map(_Values(values))


@cache
def _texts() -> Sequence[tuple[Mapping[str, Any], str, str]]:
    """Return (entry, its longest literal word in lower case, text) for each text of an exception."""
    return [(entry, longest_word(text), text) for entry in pasted("exceptions")["exception"] for text in entry["texts"]]


def _codes(line: str) -> Iterator[Statement]:
    for pattern in CODES:
        found = pattern.search(line)
        if not found:
            continue
        told = found.groupdict()
        entry = next((one for one in pasted("codes")["code"] if one["number"] == int(told["code"])), None)
        request = told.get("flags") is not None and not int(told["flags"]) & 1
        if entry is None or request:
            continue
        means = gettext("Response code {number} ({name}): {means}.").format(
            number=entry["number"], name=entry["name"], means=text_of(entry["means"])
        )
        # Code 1 alone says nothing: its remark is the reason.
        rank = GENERIC if entry["number"] in (0, 1) else CODED
        yield Statement(f"code-{entry['number']}", rank, means, tuple(entry.get("causes", ())), _short(line))
        return


def _short(line: str) -> str:
    return shorten(printable(line), 160)
