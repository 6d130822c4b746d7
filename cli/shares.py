"""``rebalance shares``: show which consumer takes which queues."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from rebalance_proofs.cli import described
from rebalance_proofs.cli.described import NumberOrFile
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.options import constructing
from rebalance_proofs.cli.params import File, Name, Whole
from rebalance_proofs.cli.pictured import print_answer, require_output, write_picture
from rebalance_proofs.model.allocation import ALL, Strategy
from rebalance_proofs.model.queues import MessageQueue, utf16_units
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.shares.asked import Asked, Topic
from rebalance_proofs.report.shares.divided import KAFKA, Divided, Own, divided, kafka, own
from rebalance_proofs.report.shares.document import document
from rebalance_proofs.report.shares.told import told
from rebalance_proofs.report.symptoms.asked import nearest


@click.command("shares", epilog=ANSWERED)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    type=Name(),
    show_default="avg,circle,hash",
    metavar="NAMES",
    help="Allocation strategies, separated by commas, by their short names or RocketMQ's names; kafka-range and "
    "kafka-round-robin; or your own, such as mine.py:allocate. Repeat the option for more.",
)
@click.option(
    "--queues",
    type=NumberOrFile(),
    metavar="N|FILE",
    show_default="8 on each broker",
    help="Number of queues of the topic, or a file with the queues of your topics. Its lines are TOPIC BROKER QUEUEID.",
)
@click.option(
    "--topic",
    "named",
    multiple=True,
    type=Name(),
    metavar="NAME=N",
    help="Topic with N queues. Repeat the option for several topics.",
)
@click.option(
    "--brokers",
    type=Name(),
    metavar="N|NAMES|FILE",
    show_default="1",
    help="Number of brokers that the queues are spread over; or their names, separated by commas, with or without "
    "numbers of queues (broker-a:8,broker-b:4); or a file with lines NAME or NAME QUEUES.",
)
@click.option(
    "--consumers",
    type=Whole(1, described.CONSUMERS),
    metavar="N",
    show_default="4",
    help="Number of consumers, with the ids c0, c1, ...",
)
@click.option(
    "--ids", type=Name(), metavar="IDS|FILE", help="Your client ids, separated by commas, or a file with one a line."
)
@click.option(
    "--sees",
    multiple=True,
    type=Name(),
    metavar="ID=IDS",
    help="Other list of client ids that consumer ID gets from its broker. Repeat the option for more consumers.",
)
@click.option(
    "--knows",
    multiple=True,
    type=Name(),
    metavar="ID=N",
    help="Consumer ID knows only the first N queues of each topic, as with an old route. Repeat the option for more.",
)
@click.option(
    "--subscribe",
    multiple=True,
    type=Name(),
    metavar="ID=TOPICS",
    help="Consumer ID subscribes to these topics only. Repeat the option for more consumers.",
)
@click.option(
    "--rooms",
    type=Name(),
    metavar="ROOMS",
    help="Machine rooms, separated by commas: those that MACHINE_ROOM reads, and the beginnings of brokers' names and "
    "client ids for MACHINE_ROOM_NEARBY.",
)
@click.option(
    "--config",
    multiple=True,
    type=Name(),
    metavar="ID=QUEUES",
    help="With --strategy config: the queues of consumer ID, by their positions, such as c0=0-3,7.",
)
@click.option("--java", multiple=True, type=Name(), metavar="CLASS", help="Add your own strategy, a Java class.")
@constructing
@click.option(
    "--output",
    type=File(dir_okay=False),
    metavar="FILE",
    help="Write a picture to FILE, which ends with .svg or .html.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def shares(
    strategies: tuple[str, ...],
    queues: int | Path | None,
    named: tuple[str, ...],
    brokers: str | None,
    consumers: int | None,
    ids: str | None,
    sees: tuple[str, ...],
    knows: tuple[str, ...],
    subscribe: tuple[str, ...],
    rooms: str | None,
    config: tuple[str, ...],
    java: tuple[str, ...],
    classpath: str | None,
    arguments: tuple[str, ...],
    output: Path | None,
    as_json: bool,
) -> None:
    """Show which consumer takes which queues.

    The answer is a table and a picture of the shares under one or more strategies. Members of the group can see
    different lists, or subscribe to different topics. Each client divides each topic by itself, as RocketMQ's clients
    do; Kafka's assignors divide for the whole group.

    Queues are named by their positions in the clients' sort order, from 0.

    \b
    Examples:
      rebalance shares --strategy avg --queues 8 --consumers 4
      rebalance shares --strategy avg,hash,kafka-range --topic orders=8 --topic refunds=4
      rebalance shares --queues 8 --consumers 3 --sees c2=c0,c2
      rebalance shares --strategy mine.py:allocate --brokers broker-a:8,broker-b:4 --ids ids.txt
    """
    known, mine = _named(strategies, bool(java))
    asked = _asked(queues, named, brokers, consumers, ids, sees, knows, subscribe, rooms, known)
    fixed = _config(config, asked, known)
    if output:
        from rebalance_proofs.report.shares.picture import FIRST, drawn, page  # loads the templates' library

        require_output(output, FIRST)
    if java and classpath is None:
        raise UsageError("--java needs --classpath JARS, the jars and folders that contain the class")
    if not java and (classpath is not None or arguments):
        raise UsageError("--classpath and --arg need --java: they are for strategies in Java")
    with ExitStack() as opened:
        every = _divided(asked, known, mine, fixed, _java(java, classpath or "", arguments), opened)
    if output:
        write_picture(output, FIRST, lambda: drawn(every), lambda: page(every))
    print_answer(told(every), lambda: document(every), output, as_json=as_json)


def _named(given: Sequence[str], java: bool) -> tuple[tuple[Strategy | str, ...], tuple[str, ...]]:
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
    return [*(one.name for one in ALL), *KAFKA]


def _strategy(name: str) -> Strategy | str:
    folded = name.casefold()
    if folded in KAFKA:
        return folded
    for one in ALL:
        if one.called(name):
            return one
    near = nearest(folded, _names())
    raise UsageError(
        f"unknown strategy {name!r}; {near}the strategies are {', '.join(_names())}, or your own like mine.py:allocate"
    )


def _asked(
    queues: int | Path | None,
    named: Sequence[str],
    brokers: str | None,
    consumers: int | None,
    ids: str | None,
    sees: Sequence[str],
    knows: Sequence[str],
    subscribe: Sequence[str],
    rooms: str | None,
    strategies: Sequence[Strategy | str],
) -> Asked:
    members = described.client_ids(ids, consumers)
    in_rooms = any(isinstance(one, Strategy) and one.rocketmq_name == "MACHINE_ROOM" for one in strategies)
    topics = described.topics(queues, brokers, named, room=in_rooms and brokers is None)
    seen = {
        member: _seen(member, listed)
        for member, listed in described.assigned("--sees", sees, members, "c0=c0,c1").items()
    }
    known = {
        member: _number("--knows", member, words, topics)
        for member, words in described.assigned("--knows", knows, members, "c0=4").items()
    }
    subscribed = {
        member: _subscribed(words, topics)
        for member, words in described.assigned("--subscribe", subscribe, members, "c0=orders").items()
    }
    listed = described.different("--rooms", described.split(rooms)) if rooms else ()
    return Asked(topics, members, seen, known, subscribed, listed)


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


def _config(given: Sequence[str], asked: Asked, strategies: Sequence[Strategy | str]) -> dict[str, list[MessageQueue]]:
    there = any(isinstance(one, Strategy) and one.rocketmq_name == "CONFIG" for one in strategies)
    if there and not given:
        raise UsageError("--strategy config needs --config ID=QUEUES for each consumer, such as --config c0=0-3")
    if given and not there:
        raise UsageError("--config needs --strategy config: other strategies compute the shares")
    if given and len(asked.topics) > 1:
        raise UsageError("--config works with one topic; leave out the other topics")
    queues = asked.topics[0].queues
    lists = described.assigned("--config", given, asked.ids, "c0=0-3")
    return {
        member: [queues[place] for place in described.numbers("--config", words, len(queues))]
        for member, words in lists.items()
    }


def _java(
    names: Sequence[str], classpath: str, arguments: tuple[str, ...]
) -> Sequence[tuple[str, str, tuple[str, ...]]]:
    return [(name, classpath, arguments) for name in dict.fromkeys(names)]


def _divided(
    asked: Asked,
    known: Sequence[Strategy | str],
    mine: Sequence[str],
    fixed: dict[str, list[MessageQueue]],
    java: Sequence[tuple[str, str, tuple[str, ...]]],
    opened: ExitStack,
) -> list[Divided]:
    every = [kafka(one, asked) if isinstance(one, str) else divided(one, asked, fixed) for one in known]
    if mine or java:
        # Imported here because most calls need no process of a user's strategy.
        from rebalance_proofs.cli import own as user
        from rebalance_proofs.model.own.asked import Asked as Calls
        from rebalance_proofs.model.own.worker import Limits

        ENDING.keep()  # otherwise a signal would end this process at once, and the strategy's process would go on
        opened.enter_context(ENDING.cuts())
        found = [user.python(text, Limits()) for text in mine]
        found += [user.java(name, jars, arguments, Limits()) for name, jars, arguments in java]
        for one in found:
            calls = Calls(opened.enter_context(one.open(0)))
            every.append(own(Own(one.strategy.name, calls), asked))
    return every
