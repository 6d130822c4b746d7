"""Recognise symptom, preceding event, extent, client, mode, strategy and cause in a user's free text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TypeVar

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.facts import After, Reach

__all__ = ["WORD", "Meant", "meant", "near", "strategy_named"]

Meaning = TypeVar("Meaning")
WORD = re.compile(r"[\w+.#-]+")


@dataclass(frozen=True)
class Meant:
    """What was recognised in the text; None or empty for what was not found."""

    symptom: Symptom | None = None
    after: After | None = None
    reach: Reach | None = None
    over: bool | None = None
    mode: str = ""
    client: str = ""
    strategy: str = ""
    cause: str = ""
    remark: str = ""
    whole: bool = field(default=False, compare=False)
    """True if every word of the text was recognised or is a filler word."""

    @property
    def something(self) -> bool:
        """True if anything was recognised."""
        return self != Meant()


SYMPTOMS = (
    (
        Symptom.BACK,
        r"(?:offsets?|progress) (?:\w+ )*(?:back|backwards?|lower|decreas\w*|rewound|rolled back|jump\w* back)",
    ),
    (Symptom.BACK, r"went back|goes back|go back|set back|rewound|rollback"),
    (
        Symptom.TWICE,
        r"duplicat\w*|twice|doubl\w+|repeat\w*|re-?consum\w+|re-?deliver\w*|two consumers|second time|"
        r"(?:out of|wrong) order",
    ),
    (Symptom.LOST, r"los[tse]\w*|missing|miss(?:ed|es)?|skip\w*|never (?:arriv|consum|receiv)\w*|disappear\w*"),
    (
        Symptom.STUCK,
        r"stuck|stand(?:s|ing)?(?: still)?|stop\w*|hang(?:s|ing)?|hung|block\w*|stall\w*|lag\w*|backlog|accumulat\w*|"
        r"pil\w+ up|delay\w*|wait\w*|nobody|no consumer|(?:not|no longer) (?:consum|mov|pull|process)\w*|no progress",
    ),
    (
        Symptom.TILTED,
        r"tilt\w*|uneven\w*|unbalanc\w*|imbalanc\w*|skew\w*|idle|unequal\w*|no queues?|more than others?|"
        r"more queues|(?:gets?|has|takes?|consumes?) (?:everything|all|more|most)",
    ),
)
AFTER = (
    (
        After.BROKER,
        r"brokers? (?:\w+ )?(?:restart\w*|reboot\w*|fail\w*|down|crash\w*|outage|switch\w*|died)|"
        r"restart\w* (?:of )?(?:the |a )?brokers?|masters?|slaves?|replicas?|dledger|failovers?",
    ),
    (After.RESET, r"reset\w*"),
    (After.SUBSCRIPTION, r"(?:un)?subscri\w+|tags?|selectors?"),
    (After.NEW, r"new (?:topic|group|queues?|broker)|expan\w+"),
    (After.DEPLOY, r"deploy\w*|releas\w+|roll(?:ing|out)\w*|upgrad\w*|restart\w*|publish\w*|shut ?down\w*"),
    (After.CRASH, r"crash\w*|kill\w*|oom|died|dead|power"),
    (After.SCALING, r"scal\w+|autoscal\w*|join\w*|leav\w*|left|added|rebalanc\w*"),
)
REACH = (
    (Reach.ONE, r"(?:one|a|single|some|few|this|certain) (?:message )?(?:queues?|partitions?|consumers?|brokers?)"),
    (Reach.ALL, r"(?:all|every|each|whole)(?: (?:the )?(?:queues?|consumers?|groups?))?|everything|nothing|completely"),
)
OVER = (
    (True, r"is over|recovered|by itself|for a while|briefly|temporar\w+"),
    (False, r"still|for ever|forever|permanent\w*"),
)
MODES = (
    ("push orderly broadcasting", r"(?:orderly|ordered) broadcast\w*|broadcast\w* (?:orderly|ordered)"),
    ("push orderly", r"orderly|ordered|fifo|in order|sequential\w*"),
    ("push broadcasting", r"broadcast\w*"),
    ("lite pull", r"lite ?pull(?:consumer)?|litepullconsumer"),
    ("push", r"concurrent\w*|push"),
)
CLIENTS = (("go", r"golang|client-go"), ("node", r"node(?:js)?"), ("cpp", r"c\+\+"), ("rust", r"rust"))
CAUSES = (
    ("static-topic", r"static topics?|logical queues?|__syslo__"),
    ("same-client-id", r"(?:same|duplicated?|equal) (?:client ?ids?|instance ?names?)|instance ?name"),
    ("more-consumers-than-queues", r"more consumers than queues|too many consumers"),
    ("tags-differ", r"different tags"),
    ("subscriptions-overwritten", r"different (?:topics|subscriptions)"),
    ("nothing-committed", r"consume_from_last_offset"),
    ("heartbeat-v2", r"heartbeat ?v2"),
    ("suspended", r"suspend\w*|paused?"),
    ("storm", r"(?:rebalance |notification )?storms?"),
    ("broadcasting-takes-locks", r"broadcast\w* locks?"),
)
SPRING = (
    "rocketmq-spring and Spring Cloud's binder run Java's push consumer (DefaultMQPushConsumer; ConsumeMode.ORDERLY is "
    "`push orderly`). The version that counts is that of rocketmq-client among the application's jars."
)
REMARKS = ((SPRING, r"spring\w*|rocketmqmessagelistener"),)
EMPTY = re.compile(
    "a|an|the|is|are|was|were|be|been|of|on|in|at|to|and|or|but|for|from|by|with|after|before|since|when|while|why|how|"
    "do|does|did|it|its|our|my|we|i|queues?|messages?|consumers?|groups?|topics?|rocketmq|client|mq|has|have|had|gets?|got|"
    "reads?|consumed?|being|just|again"
)
"""Filler words, which carry no meaning here."""
SHIPPED = {
    "allocatemessagequeueaveragely": "avg",
    "allocatemessagequeueaveragelybycircle": "circle",
    "allocatemessagequeueconsistenthash": "hash",
    "allocatemessagequeuebymachineroom": "room",
    "allocatemachineroomnearby": "nearby",
    "allocatemessagequeuebyconfig": "config",
}
"""Short strategy name by Java class name in lower case."""


def strategy_named(words: str) -> str:
    """Return the strategy's short name for a Java class name, with or without package.

    Other words are unchanged.
    """
    return SHIPPED.get(words.strip().rpartition(".")[2].casefold(), words)


def meant(text: str) -> Meant:
    """Return what is recognised in the text."""
    words = _Words(text)
    found = Meant(
        cause=words.first(CAUSES, ""),
        symptom=words.first(SYMPTOMS, None),
        after=words.first(AFTER, None),
        reach=words.first(REACH, None),
        over=words.first(OVER, None),
        mode=words.first(MODES, ""),
        client=words.first(CLIENTS, ""),
        strategy=words.first(_strategies(), ""),
        remark=words.first(REMARKS, ""),
    )
    return replace(found, whole=not words.left)


def _strategies() -> Iterator[tuple[str, str]]:
    yield from ((short, rf"(?:[\w.]+\.)?{re.escape(name)}") for name, short in SHIPPED.items())
    yield from ((one.name, re.escape(one.rocketmq_name.casefold())) for one in ALL if "_" in one.rocketmq_name)


class _Words:
    """The words of a text. Recognised words are removed one by one."""

    def __init__(self, text: str) -> None:
        self._text = f" {' '.join(WORD.findall(text.casefold()))} "

    def first(self, table: Iterable[tuple[Meaning, str]], nothing: Meaning) -> Meaning:
        """Return the meaning of the table's first pattern that matches, and remove all words with the same meaning.

        ``table``: (meaning, regular expression) pairs. ``nothing``: the result if no pattern matches.
        """
        found, met = nothing, False
        for meaning, form in table:
            if met and meaning != found:
                continue
            text, many = re.subn(rf"(?<= )(?:{form})(?= )", " ", self._text)
            if many:
                found, met, self._text = meaning, True, f" {' '.join(text.split())} "
        return found

    @property
    def left(self) -> list[str]:
        """Words that were not recognised."""
        return [word for word in self._text.split() if not EMPTY.fullmatch(word)]


def near(text: str, names: Sequence[str]) -> str:
    """Return the one of ``names`` that shares most words with the text, or has a similar spelling; empty if none does.

    Words of up to three letters are not compared by spelling, which would match too much.
    """
    words = [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3]
    shared = {name: sum(any(part.startswith(word[:5]) for part in name.split("-")) for word in words) for name in names}
    best = max(shared, key=lambda name: shared[name], default="")
    if best and shared[best]:
        return best
    close = [found for word in (" ".join(words), *words) for found in get_close_matches(word, names, n=1, cutoff=0.75)]
    return close[0] if close else ""
