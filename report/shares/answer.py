"""Divide a group's queues: the user's strategies and group, checked, and the shares under each strategy."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path

from rebalance_proofs.model.allocation import ALL, Strategy
from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.model.queues import MessageQueue, utf16_units
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.shares import described
from rebalance_proofs.report.shares.described import Asked, Topic
from rebalance_proofs.report.shares.divided import KAFKA, Divided, Own, divided, kafka, own
from rebalance_proofs.report.symptoms.asked import nearest

LONGEST = 9
"""Largest number of characters of a popShareQueueNum, which is a Java ``int``."""
Words = Mapping[str, Sequence[str]]
"""Member -> the words that the user gives it."""


def named_strategies(given: Sequence[str], java: bool) -> tuple[tuple[Strategy | str, ...], tuple[str, ...]]:
    """Return the named strategies: of RocketMQ, or names of Kafka's; and the texts that name user-defined ones.

    Raises ``UsageError``.
    """
    texts = given or (() if java else ("avg,circle,hash",))
    found: dict[str, Strategy | str] = {}
    mine: dict[str, None] = {}
    for text in texts:
        path = text.rpartition(":")[0] or text
        parts = [text] if "," in path and Path(path).is_file() else text.split(",")
        for name in filter(None, map(str.strip, parts)):
            if ":" in name or name.endswith(".py"):
                mine.setdefault(name)
                continue
            one = _strategy(name)
            found.setdefault(one if isinstance(one, str) else one.name, one)
    if texts and not found and not mine:
        raise UsageError(f"--strategy {' '.join(texts)!r} names no strategy; name some of {', '.join(_names())}")
    return tuple(found.values()), tuple(mine)


def _names() -> list[str]:
    return [*(one.name for one in ALL), *(one.name for one in BY_THE_BROKER), *KAFKA]


def _popping(name: str) -> Strategy | None:
    """Return pop mode over a strategy, for a name such as ``pop-avg`` or ``pop-avg=2``; None for another name.

    The number is popShareQueueNum, by default -1.
    """
    base, equals, share = name.partition("=")
    one = next((known for known in BY_THE_BROKER if known.name == base.casefold()), None)
    if one is None or not equals:
        return one
    if not (share.removeprefix("-").isascii() and share.removeprefix("-").isdigit() and len(share) <= LONGEST):
        raise UsageError(f"--strategy {name}: {share!r} is not a number of neighbours; give one such as {base}=1")
    shared = one.configured(share=int(share))
    return replace(shared, name=f"{one.name}={int(share)}", rocketmq_name=f"{one.rocketmq_name} (k = {int(share)})")


def _strategy(name: str) -> Strategy | str:
    folded = name.casefold()
    if folded in KAFKA:
        return folded
    for one in ALL:
        if one.called(name):
            return one
    popping = _popping(name)
    if popping is not None:
        return popping
    near = nearest(folded, _names())
    raise UsageError(
        f"unknown strategy {name!r}; {near}the strategies are {', '.join(_names())}, or your own like mine.py:allocate"
    )


def reads_rooms(strategies: Sequence[Strategy | str]) -> bool:
    """Return True if a strategy reads machine rooms from the names of brokers."""
    return any(isinstance(one, Strategy) and one.rocketmq_name == "MACHINE_ROOM" for one in strategies)


def group(
    topics: tuple[Topic, ...],
    members: tuple[str, ...],
    sees: Words,
    knows: Words,
    subscribe: Words,
    rooms: Sequence[str],
) -> Asked:
    """Return the group with its members' views. Raises ``UsageError``."""
    return Asked(
        topics,
        members,
        {member: _seen(member, listed) for member, listed in sees.items()},
        {member: _number("--knows", member, words, topics) for member, words in knows.items()},
        {member: _subscribed(words, topics) for member, words in subscribe.items()},
        described.different("--rooms", rooms),
    )


def _seen(member: str, listed: Sequence[str]) -> tuple[str, ...]:
    """Return the sorted ids that a member sees; ids that are not in the group are those of members that have left."""
    return tuple(sorted(described.different(f"--sees {member}", listed), key=utf16_units))


def _number(option: str, member: str, words: Sequence[str], topics: Sequence[Topic]) -> int:
    most = max(len(topic.queues) for topic in topics)
    if len(words) != 1 or not words[0].isascii() or not words[0].isdigit() or not 1 <= int(words[0]) <= most:
        raise UsageError(f"{option}: {','.join(words)!r} is not a number of queues of {member}; give 1 to {most}")
    return int(words[0])


def _subscribed(words: Sequence[str], topics: Sequence[Topic]) -> frozenset[str]:
    there = [topic.name for topic in topics]
    for word in described.different("--subscribe", words):
        if word not in there:
            raise UsageError(
                f"--subscribe: unknown topic {word!r}; {nearest(word, there)}the topics are {', '.join(there)}"
            )
    return frozenset(words)


def _config(lists: Words, asked: Asked, strategies: Sequence[Strategy | str]) -> dict[str, list[MessageQueue]]:
    there = any(isinstance(one, Strategy) and one.rocketmq_name == "CONFIG" for one in strategies)
    if there and not lists:
        raise UsageError("--strategy config needs --config ID=QUEUES for each consumer, such as --config c0=0-3")
    if lists and not there:
        raise UsageError("--config needs --strategy config: other strategies compute the shares")
    if lists and len(asked.topics) > 1:
        raise UsageError("--config works with one topic; leave out the other topics")
    queues = asked.topics[0].queues
    return {
        member: [queues[place] for place in described.numbers("--config", words, len(queues))]
        for member, words in lists.items()
    }


def divide(
    asked: Asked,
    known: Sequence[Strategy | str],
    mine: Sequence[str] = (),
    config: Words | None = None,
    java: Sequence[str] = (),
    classpath: str | None = None,
    arguments: tuple[str, ...] = (),
    *,
    working: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> list[Divided]:
    """Return the shares under each strategy.

    ``known`` and ``mine``: as ``named_strategies`` returns them. ``config``: positions of queues, for CONFIG.
    ``java``: classes, with ``classpath`` and the ``arguments`` of their constructors. ``working``: context in which
    the processes of user-defined strategies run. Raises ``UsageError``.
    """
    fixed = _config(config or {}, asked, known)
    if java and classpath is None:
        raise UsageError("--java needs --classpath JARS, the jars and folders that contain the class")
    if not java and (classpath is not None or arguments):
        raise UsageError("--classpath and --arg need --java: they are for strategies in Java")
    every = [kafka(one, asked) if isinstance(one, str) else divided(one, asked, fixed) for one in known]
    if mine or java:
        # Imported here because most calls need no process of a user's strategy.
        from rebalance_proofs.model.own.asked import Asked as Calls
        from rebalance_proofs.model.own.call import Limits
        from rebalance_proofs.report.own import strategies

        with working(), ExitStack() as opened:
            found = [strategies.python(text, Limits()) for text in mine]
            found += [strategies.java(name, classpath or "", arguments, Limits()) for name in dict.fromkeys(java)]
            for one in found:
                calls = Calls(opened.enter_context(one.open(0)))
                every.append(own(Own(one.strategy.name, calls), asked))
    return every
