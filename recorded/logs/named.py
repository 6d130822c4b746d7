"""Recognise all known log lines, as ``rebalance why`` does, also those without a parser of their own."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.lines import HOLE, NAMED
from rebalance_proofs.recorded.logs.reading import queues_in

REPORTED = (
    *("group-gone", "cpp-lock-given-back", "broker-offline", "not-assigned", "unregister-sent", "group-exists"),
    *("start-failed", "instance-shut", "broker-shuts-down", "broker-removed"),
)
"""Names of lines that indicate no cause by themselves, but are reported, alone or together with others."""
SEARCHED = 16_384
"""Number of bytes of a line that are searched."""
WORDS = bytes(byte if (chr(byte).isalpha() and byte < 128) or byte == ord("_") else ord(" ") for byte in range(256))
"""Table that replaces all bytes outside words by blanks."""
LONG, SHORT = 6, 4
"""Letters of a word that is rare in other lines; a shorter word counts as if so many more wordings had it."""
LETTERS = re.compile(r"[A-Za-z_]{2,}")
FEWEST = 8
"""Fewest letters of a wording that is searched for; shorter ones occur in other lines."""
GROUP = re.compile(
    r"(?:\b(?:consumer[gG]roup|groupId|[gG]roup(?:Name)?|GROUP)\s?\\?\"?\s?[=:]\s?\\?\"?|consumer group, )"
    r"\[?([^\s,;\[\]{}()\"\\]+)"
)
POSITIONED = re.compile(
    r"subscription group \[([^\]\s]+)\]|consumer \[([^\]\s]+)\]|doRebalance, ([^\s,]+), |GroupInfo failed, ([^\s,]+)"
    r"|consumer group\[([^\]\s]+)\]|getConsumerIdListByGroup exception, \S* ([^\s,]+)"
    r"|\bConsumer: (?!null\])([^\]\s]+)\] from broker"
)
"""Forms in which a line names its group without a key."""
CLIENT = re.compile(r"\b(?:[cC]lientI[dD]|consumerId|instanceName)\\?\"?\s?[=:]\s?\\?\"?([^\s,\[\]{}\"\\]+)")
TOPIC = re.compile(
    r"\b[tT]opic\\?\"?\s?[=:]\s?\\?\"?([^\s,\[\]{}\"\\]+)|\bthe topic\[([^\]\s]+)\]|\bTopic \[([^\]\s]+)\]"
)
NUMBER = r"\\?\"?\s?[=:]\s?\\?\"?(-?\d{1,18})(?!\d)"
SAYS_WHY = (
    "group-not-created",
    "reading-forbidden",
    "acl-denied",
    "filter-not-supported",
    "no-offset-yet",
    "topic-not-created",
)
"""Lines that say why a broker refused a request; they tell more than a client's line about the failed request."""
WITHOUT_LIST = ("ids-not-fetched", "go-no-ids")
"""Lines about a failed request for the member list; the exception in the line, or in the next one, has the reason."""
PULLS_FAILED = ("go-pull-failed", "cpp-pull-failed")
VALUES = {
    "span-too-long": ("minOffset", "maxOffset"),
    "flow-control": ("minOffset", "maxOffset"),
    "offset-moved": ("request ?[oO]ffset", "newOffset", "broker max offset", "broker ?[mM]in ?[oO]ffset"),
}
VALUES["offset-moved-before-4"] = VALUES["offset-moved"]
CLOSE_DROPPED = "close-event-dropped"
PULL_SENT, NO_RESPONSE = "cpp-pull-sent", "cpp-no-response"
VALUES[PULL_SENT] = VALUES[NO_RESPONSE] = ("opaque",)
"""Name of a line -> patterns of keys whose numbers are kept; NONE for a key that the line does not have."""
NONE = -2
"""Number of a key that a line does not have; -1 is an offset that clients ask for."""
KEYED_QUEUE = re.compile(r"Topic: ([^,\s]+), MessageQueue: brokerName=([^,\s]+), queueId=(\d{1,9})")
"""A queue as Go's client writes it in a pull request."""
REMARK = re.compile(r"remarks?: ?(.+?)(?:\\n|\n|\"|$)|underlayError=\"?([^\"]+)")
CODE = re.compile(r"(?:response ?[cC]ode|Response Code)\\?\"?[:=] ?(\d{1,4})")
ANSWERED = "response code "
"""Beginning of ``more`` of a request that the broker answered, and refused."""
UNCORRECTED = "not corrected"
"""Mark of a line about an illegal offset to which the broker proposed no other."""
CLOSED = re.compile("service close is not running|use of closed network connection")
"""Reasons of a failed request of Go that its own client was closed."""
OF_PRODUCER = "producer"
"""Mark of a line about a producer that unregisters."""
REFUSAL = re.compile(r"\bCODE: ?(\d{1,4})\s+DESC: (.*?)(?:,? BROKER: |[\r\n]|$)")
"""Pattern of a broker's or name server's answer in an exception."""
EXCEPTION = re.compile(r"\b[A-Z]\w*(?:Exception|Error): [^\r\n]*|\b[A-Z]\w*Exception\b")
ADDRESSES = re.compile(r"brokerAddrs=\{([^{}]*)\}")
ADDRESS = re.compile(r"\d=([^,{}\s]+)")
IDS = re.compile(r"\bcidAll\\?\"?\s?[=:]\s?\\?\"?(\[[^\]]*\])")
CLOSED_BY = re.compile(r"remoteAddr=/?([^,\s]+:\d{1,5})")
NO_ADDRESS = re.compile(r"connect to <?\[?null\]?>? failed")
NOWHERE = "null"
"""Address of a connection that a client tried without one: its name server address is not set."""
REMOTE = re.compile(r"(?:remote host\[|connect to <?|channel ?<|channel\[)(?:addr=)?/?([^\]>\s]+:\d{1,5})")


@dataclass(frozen=True)
class _Wording:
    name: str
    parts: tuple[str, ...]
    longest: bytes
    """The longest one of its parts, which is searched first."""
    letters: int
    """Number of letters of the wording, without its values."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The parts with values between them; most patterns are never used."""
        return re.compile(".*?".join(map(re.escape, self.parts)), re.DOTALL)


@cache
def _by_word() -> dict[bytes, list[_Wording]]:
    """Return all wordings by a word that few other wordings have; a line with the wording has this word."""
    every = []
    for name, line in NAMED.items():
        for wording in line.wordings:
            parts = tuple(part for part in wording.text.split(HOLE) if part.strip())
            letters = sum(map(str.isalpha, "".join(parts)))
            if letters >= FEWEST:
                longest = max(parts, key=len).encode()
                every.append((_Wording(name, parts, longest, letters), _words(wording.text)))
    often = Counter(word for _, words in every for word in words)
    found: dict[bytes, list[_Wording]] = {}
    for one, words in every:
        if words:
            best = min(words, key=lambda word: (often[word] + SHORT * (len(word) < LONG), -len(word)))
            found.setdefault(best.encode(), []).append(one)
    return found


def _words(text: str) -> set[str]:
    """Return the words of a wording that no value can lengthen."""
    found = set()
    for part in text.split(HOLE):
        for one in LETTERS.finditer(part):
            if (one.start() or text.startswith(part)) and (one.end() < len(part) or text.endswith(part)):
                found.add(one[0])
    return found


@cache
def _keys() -> frozenset[bytes]:
    return frozenset(_by_word())


def longest_parts() -> set[bytes]:
    """Return the longest part of each wording that ``named`` finds; a line with the wording contains it."""
    return {one.longest for every in _by_word().values() for one in every}


def named(line: bytes) -> Fact | None:
    """Return the fact of a known line: its name, and the group, client, queue and topic that it names; else None.

    Of several wordings in the line, one that says why a request was refused counts, or the one with the most letters.
    """
    line = line[:SEARCHED]
    words = _keys().intersection(line.translate(WORDS).split())
    near = [one for word in words for one in _by_word()[word] if one.longest in line]
    if not near:
        return None
    text = line.decode("utf-8", "replace")
    fits = [one for one in near if all(part in text for part in one.parts) and one.pattern.search(text)]
    if not fits:
        return None
    best = max(fits, key=_says)
    return _fact(best.name, text)


def _says(one: _Wording) -> tuple[bool, int, int, bool, str]:
    """Return the sort key: a wording says more if it has more letters, or if its line indicates a cause."""
    indicates = not NAMED[one.name].parsed_only
    return one.name in SAYS_WHY, one.letters, sum(map(len, one.parts)), indicates, one.name


def _fact(name: str, text: str) -> Fact:
    queues = queues_in(text)
    queue: Queue | None = queues[0] if queues else None
    if queue is None and (keyed := KEYED_QUEUE.search(text)):
        queue = keyed[1], keyed[2], int(keyed[3])
    group = _first(GROUP, text) or _first(POSITIONED, text)
    topic = queue[0] if queue else _first(TOPIC, text)
    numbers = tuple(_number(key, text) for key in VALUES.get(name, ()))
    more = _moved(text) if name == "route-changed" else _first(IDS if name == "go-not-listed" else REMOTE, text)
    if name in PULLS_FAILED:
        more = _first(REMARK, text)
        numbers = tuple(int(one[1]) for one in [CODE.search(text)] if one)
    if name == CLOSE_DROPPED:
        more = _first(CLOSED_BY, text)
    if name in WITHOUT_LIST:
        said, codes = reason_in(text)
        more, numbers = said or _first(REMARK, text) or more, codes or numbers
    if name == "connect-failed" and NO_ADDRESS.search(text):
        more = NOWHERE
    if name == "heartbeat-failed" and (code := CODE.search(text)):
        more = f"{ANSWERED}{code[1]}"
    if not more and (closed := CLOSED.search(text)):
        more = closed[0]
    if name == "unregister-sent" and "Consumer: null]" in text:
        more = OF_PRODUCER
    if name == "offset-moved" and ":none correction" in text:
        more = UNCORRECTED
    return Fact(Kind.SAID, 0, None, group, _first(CLIENT, text), queue, topic, more, numbers=numbers, name=name)


def answered(more: str, numbers: tuple[int, ...]) -> tuple[str, int]:
    """Return the reason of a missing member list without its code, and the code or -1.

    ``more``: the reason in a fact; ``numbers``: those of a fact without a parser of its own, or ().
    """
    said, codes = reason_in(more)
    code = next(iter(codes or numbers[1:]), -1)
    return (said if codes else more), code


def reason_in(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the reason in an exception, and the response code if there is one; ("", ()) without an exception."""
    if refusal := REFUSAL.search(text):
        return refusal[2].strip(), (int(refusal[1]),)
    found = EXCEPTION.search(text)
    return (found[0].strip(), ()) if found else ("", ())


def _moved(text: str) -> str:
    """Return the brokers' addresses before and after a change of a route; "" if they did not change."""
    old, _, new = text.partition("new[")
    before, after = (ADDRESS.findall(" ".join(ADDRESSES.findall(part))) for part in (old, new))
    if not before or not after or set(before) == set(after):
        return ""
    gone, come = ([one for one in mine if one not in theirs] for mine, theirs in ((before, after), (after, before)))
    return f"{', '.join(gone)} -> {', '.join(come)}" if gone and come else ""


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return next((one for one in found.groups() if one), "").rstrip(".") if found else ""


def _number(key: str, text: str) -> int:
    found = re.search(rf"\b{key}{NUMBER}", text)
    return int(found[1]) if found else NONE
