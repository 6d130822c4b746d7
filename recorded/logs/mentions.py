"""Find the names of consumer groups in log lines that have no parser."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rebalance_proofs.recorded.logs.pieces import UNREADABLE, pieces
from rebalance_proofs.recorded.logs.sources import Source

MOST = 16 * 1024 * 1024
"""Number of bytes of a file that are searched."""
LONGEST = 8_192
"""Number of bytes of a line that are searched."""
TRUNCATED = 100
"""Length from which the Java client truncates a group's name in a thread's name."""
NAME = r"(?P<name>[\w%|][\w%|.-]{0,254})(?![\w{(\[@=])"
KEYS = re.compile(
    r"(?:(?P<before>\b\w+) ?)?(?<![\w.?&])[gG]roup(?:Name)?\\?[\"']? ?(?P<sign>[=:])\s?\\?(?P<quote>[\"'\[])?" + NAME
)
"""Pattern of a key that can also name another kind of group, and of the word before it."""
QUALIFIERS = ("consumer", "consume", "consumption", "subscription", "pop", "the", "this", "of", "for", "in", "by")
"""Words before the key of a consumer group."""
FORMS = tuple(
    re.compile(form)
    for form in (
        r"\b[cC]onsumer[_-]?[gG]roup(?:Name)?\\?[\"']? ?(?P<sign>[=:])\s?\\?(?P<quote>[\"'\[])?" + NAME,
        r"\b[cC]onsumer [gG]roup ?(?P<quote>\[)" + NAME,
        r"\bSubscriptionGroupConfig ?[{\[]groupName=(?P<quote>)" + NAME,
        r"\b(?:GROUP_ID|[gG]roupI[dD])\\?[\"']? ?(?P<sign>[=:])\s?\\?(?P<quote>[\"'])?(?P<name>[CG]ID[-_][\w%-]+)",
        r"\bCID ?(?P<sign>=) ?(?P<quote>[\"'])?" + NAME,
        r"\[(?P<quote>)(?P<name>[\w%-]+)\](?:准备从所有Broker|SYSTEM_ERROR: no consumer for this group)",
        r"\bPop initial offset, [^@]{1,80}, [\w%|-]+@(?P<quote>)(?P<name>[\w%|-]+)@\d",
        r"\b(?P<thread>PullMsgThread-)(?P<quote>)(?P<name>[\w%|-]+?)(?=[\]\s,:)]|$)",
        r"\b(?P<thread>ConsumeMessageThread_)(?P<quote>)(?P<name>[\w%|-]+?)_\d{1,5}\b",
    )
)
"""Patterns of forms in which a line names a consumer group and nothing else."""
NEAR = re.compile(rb"[gG]roup|GROUP_ID|CID|GID|PullMsgThread-|ConsumeMessageThread_|@\d|\]\xe5\x87\x86")
"""Pattern of a part that each of the forms has; it is searched faster."""
NO_NAMES = frozenset(("null", "None", "nil", "undefined", "true", "false", "SubscriptionGroupConfig"))
OF_PRODUCERS = re.compile(r"[pP]roducer|PRODUCER")
OF_CONSUMERS = re.compile(r"[cC]onsum|CONSUMER|[pP]ull|[sS]ubscription")
OF_QUEUES = re.compile(
    rf"{OF_CONSUMERS.pattern}|消费|[tT]opic|TOPIC|[qQ]ueue|[bB]roker|[oO]ffset|ocket[mM]|MQ|\b[pP]op\b"
)
"""Pattern of a part that lines about consumption have, and those of libraries with groups of their own do not."""
LETTER = re.compile(r"[^\W\d_]")
ENDS = frozenset(",;])}'\"")
"""Characters after a name; before another word, a name can be a word of a sentence."""


@dataclass(frozen=True)
class Mention:
    """A consumer group that log lines name."""

    group: str
    file: str
    line: int
    """Number of the first line that names the group."""
    many: int
    """Number of lines that name it."""


def mentions(found: Iterable[Source]) -> list[Mention]:
    """Return the consumer groups that lines of the files name, by file and first line."""
    every = []
    for one in {one.path: one for one in found}.values():
        first: dict[str, int] = {}
        many: dict[str, int] = {}
        for number, line in _lines(one):
            if NEAR.search(line):
                for name in groups_in(line.decode("utf-8", "replace")):
                    first.setdefault(name, number)
                    many[name] = many.get(name, 0) + 1
        every += [Mention(name, one.whole or one.name, number, many[name]) for name, number in first.items()]
    return every


def _lines(one: Source) -> Iterator[tuple[int, bytes]]:
    number, read = 0, 0
    try:
        for piece in pieces(one.path):
            for line in piece.split(b"\n"):
                number += 1
                yield number, line[:LONGEST]
            number -= piece.endswith(b"\n")
            read += len(piece)
            if read > MOST:
                return
    except (*UNREADABLE, OSError):
        return  # the audit itself reports the damage


def groups_in(line: str) -> list[str]:
    """Return the consumer groups that a line names, each once."""
    if OF_PRODUCERS.search(line) and not OF_CONSUMERS.search(line):
        return []
    found = [one for form in FORMS for one in form.finditer(line)]
    found += [one for one in KEYS.finditer(line) if _is_of_consumers(one, line)]
    return list(dict.fromkeys(one["name"].rstrip(".|") for one in found if _is_name(one, line)))


def _is_of_consumers(found: re.Match[str], line: str) -> bool:
    """Return whether a key can be that of a consumer group; without a qualifier, the rest of its line decides."""
    if found["before"]:
        return found["before"].lower() in QUALIFIERS
    return OF_QUEUES.search(line) is not None or not LETTER.search(line[: found.start()] + line[found.end() :])


def _is_name(found: re.Match[str], line: str) -> bool:
    parts, after = found.groupdict(), line[found.end("name") :].rstrip()
    name = found["name"].rstrip(".|")
    if name in NO_NAMES or (parts.get("thread") and len(name) >= TRUNCATED):
        return False
    in_sentence = parts.get("sign") == ":" and not parts["quote"] and after and after[0] not in ENDS
    return not (in_sentence and name.isalpha() and name.islower())
