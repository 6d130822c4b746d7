"""``rebalance shares``: show which consumer takes which queues."""

from pathlib import Path

import click

from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.options import constructing
from rebalance_proofs.cli.params import File, Name, NumberOrFile, Whole
from rebalance_proofs.cli.pictured import print_answer, require_output, write_picture
from rebalance_proofs.report.shares import described
from rebalance_proofs.report.shares.answer import divide, group, named_strategies, reads_rooms
from rebalance_proofs.report.shares.document import document
from rebalance_proofs.report.shares.told import told


@click.command("shares", epilog=ANSWERED)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    type=Name(),
    show_default="avg,circle,hash",
    metavar="NAMES",
    help="Allocation strategies, separated by commas, by their short names or RocketMQ's names; kafka-range and "
    "kafka-round-robin; pop-avg=K and pop-circle=K, pop mode with popShareQueueNum K; or your own, such as "
    "mine.py:allocate. Repeat the option for more.",
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
    known, mine = named_strategies(strategies, bool(java))
    members = described.client_ids(ids, consumers)
    in_rooms = reads_rooms(known) and brokers is None
    asked = group(
        described.topics(queues, brokers, named, room=in_rooms),
        members,
        described.assigned("--sees", sees, members, "c0=c0,c1"),
        described.assigned("--knows", knows, members, "c0=4"),
        described.assigned("--subscribe", subscribe, members, "c0=orders"),
        described.split(rooms) if rooms else (),
    )
    fixed = described.assigned("--config", config, members, "c0=0-3")
    if output:
        from rebalance_proofs.report.shares.picture import FIRST, drawn, page  # loads the templates' library

        require_output(output, FIRST)
    every = divide(asked, known, mine, fixed, java, classpath, arguments, working=ENDING.working)
    if output:
        write_picture(output, FIRST, lambda: drawn(every), lambda: page(every))
    print_answer(told(every), lambda: document(every), output, as_json=as_json)
