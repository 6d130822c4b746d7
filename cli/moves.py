"""``rebalance moves``: count the queues that change owners when a group or topic changes."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.params import File, Whole
from rebalance_proofs.cli.pictured import print_answer, require_output, write_picture
from rebalance_proofs.model.allocation import ALL, Strategy
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.moves.change import Event, Group
from rebalance_proofs.report.moves.document import document
from rebalance_proofs.report.moves.moved import KAFKA, moves
from rebalance_proofs.report.moves.plot import FIRST, drawn, page
from rebalance_proofs.report.moves.told import told
from rebalance_proofs.report.shares.described import client_ids
from rebalance_proofs.report.symptoms.asked import nearest

MOST = 1024
QUEUES, CONSUMERS = Whole(1, MOST), Whole(1, 64)
PLACES = ("any", "first", "last")
EVENTS = [event.value for event in Event if event is not Event.GROW]


class Growth(click.ParamType):  # type: ignore[type-arg]  # classes of click before 8.5 cannot be subscripted
    """Option value for the growth of a topic, such as ``16:24``: queues before and after."""

    name = "FROM:TO"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return the numbers of queues before and after the growth."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{1,4}):(\d{1,4})", value.strip(), re.ASCII)
        if not found:
            self.fail(f"{value!r} is not FROM:TO; write the queues before and after, such as 16:24", param, ctx)
        few, many = int(found[1]), int(found[2])
        if not 1 <= few < many <= MOST:
            self.fail(f"{value!r} is not a growth: write a smaller and a larger number from 1 to {MOST}", param, ctx)
        return few, many


@click.command("moves", epilog=ANSWERED)
@click.option(
    "--strategy",
    default="avg,circle,hash",
    show_default=True,
    metavar="NAMES",
    help="Allocation strategies, separated by commas, by their short names or RocketMQ's names.",
)
@click.option("--queues", type=QUEUES, metavar="N", show_default="16", help="Number of queues of the topic.")
@click.option(
    "--consumers",
    type=CONSUMERS,
    show_default="4",
    metavar="N",
    help="Number of consumers before the event or change.",
)
@click.option("--to", type=CONSUMERS, metavar="N", help="Number of consumers after a change: several join or leave.")
@click.option("--add", metavar="N|IDS", help="Let N consumers join; with --ids, those with these ids.")
@click.option("--remove", metavar="N|IDS", help="Let N consumers leave; with --ids, those with these ids.")
@click.option(
    "--restart",
    metavar="N|OLD=NEW",
    help="Let N consumers restart one after the other, with new ids; with --ids, old and new ids, separated by commas.",
)
@click.option(
    "--plan", is_flag=True, help="Print the order of joins and leaves, or the positions of ids, with the fewest moves."
)
@click.option("--event", type=click.Choice(EVENTS), show_default="join", help="Event that happens to one consumer.")
@click.option(
    "--place",
    type=click.Choice(PLACES),
    show_default="any",
    help="Position of that consumer's id in the sorted client ids.",
)
@click.option(
    "--grow",
    type=Growth(),
    metavar="FROM:TO",
    help="Let the topic grow, such as 16:24 for 16 to 24 queues: alone, or during a change of consumers.",
)
@click.option(
    "--brokers",
    type=Whole(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="With --grow: number of brokers that the queues are spread over.",
)
@click.option(
    "--ids",
    default="",
    metavar="IDS|FILE",
    help="Your client ids, separated by commas, or a file with one a line. With --event, include the id of a consumer "
    "that joins; with --add, --remove or --restart, those before the change.",
)
@click.option(
    "--output", type=File(dir_okay=False), metavar="FILE", help="Write a chart to FILE, which ends with .svg or .html."
)
@click.option("--all", "everything", is_flag=True, help="Print a row for each sort position, and all remarks.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def moves_(
    strategy: str,
    queues: int | None,
    consumers: int | None,
    to: int | None,
    add: str | None,
    remove: str | None,
    restart: str | None,
    plan: bool,
    event: str | None,
    place: str | None,
    grow: tuple[int, int] | None,
    brokers: int,
    ids: str,
    output: Path | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Count the queues that change owners when a group changes.

    A consumer joins, leaves or crashes, or the topic gets more queues. For AVG and AVG_BY_CIRCLE, these counts come
    from proved formulas. For other strategies, the command runs the strategy's code. Kafka's assignors are listed for
    comparison.

    With --to, --add, --remove or --restart, several consumers change. The answer has the fewest, the average and the
    most moves over all positions of their ids: at once, and one by one.

    \b
    Examples:
      rebalance moves --queues 16 --consumers 4 --event join
      rebalance moves --queues 24 --consumers 3 --to 7 --plan
      rebalance moves --queues 8 --ids a,b,c --add d,e --remove a --plan
      rebalance moves --strategy avg,hash --consumers 4 --grow 16:24
    """
    several = any(one is not None for one in (to, add, remove, restart))
    if several or plan:
        # Imported here because most calls ask about one event.
        from rebalance_proofs.cli.changes import Asked, answer, change

        _require_change(several, event or place, grow, queues, brokers, everything)
        strategies = _strategies(strategy)
        few, grown = grow or (queues or 16, 0)
        _require_even(few, grown, brokers, strategies)
        if output:
            require_output(output, FIRST)
        whole = change(Asked(to, add, remove, restart, consumers, ids.strip(), few, grown, brokers))
        answer(whole, (*strategies, *KAFKA), output, plan=plan, as_json=as_json)
        return
    if grow and (queues or event or place):
        raise UsageError("--grow does not go with --queues, --event or --place; leave these out")
    _require_growth(grow, brokers)
    what = Event.GROW if grow else Event(event or Event.JOIN)
    members, consumers = _members(ids.strip(), consumers, joins=what is Event.JOIN)
    if what in (Event.LEAVE, Event.CRASH) and consumers == 1:
        raise UsageError(
            f"--event {what.value} with --consumers 1 leaves no consumer; give at least 2, the number before the event"
        )
    strategies = _strategies(strategy)
    few, grown = grow or (queues or 16, 0)
    _require_even(few, grown, brokers, strategies)
    group = Group(what, few, consumers, members, grown, brokers)
    if output:
        require_output(output, FIRST)
    places = {"first": [0], "last": [len(group.ids) - 1]}.get(place or "any", list(range(len(group.ids))))
    every = [moves(one, group, places) for one in (*strategies, *KAFKA)]
    if everything and as_json:
        raise UsageError("--all adds details to the text answer; leave out --json")
    lines = told(group, every, everything=everything)
    if output:
        text = list(told(group, every, everything=True))
        write_picture(output, FIRST, lambda: drawn(group, every), lambda: page(group, every, text))
    print_answer(lines, lambda: document(group, every), output, as_json=as_json)


def _require_change(
    several: bool, event: str | None, grow: tuple[int, int] | None, queues: int | None, brokers: int, everything: bool
) -> None:
    """Check the options that go with a change of several consumers. Raises ``UsageError``."""
    if not several:
        raise UsageError("--plan needs --to, --add, --remove or --restart: a single event has no order")
    if event:
        raise UsageError(
            "--event and --place are about one consumer; leave them out, or --to, --add, --remove and --restart"
        )
    if grow and queues:
        raise UsageError("--grow does not go with --queues; leave out --queues")
    _require_growth(grow, brokers)
    if everything:
        raise UsageError("--all is for --event and --grow; --plan adds the order of events")


def _require_growth(grow: tuple[int, int] | None, brokers: int) -> None:
    if not grow and brokers != 1:
        raise UsageError("--brokers needs --grow FROM:TO: the number of brokers matters only if the topic grows")


def _strategies(names: str) -> tuple[Strategy, ...]:
    """Return the strategies with these names, which are separated by commas.

    RocketMQ's name of several strategies selects the first of them. Raises ``UsageError``.
    """
    known = [one for one in ALL if one is not CONFIG]
    found: dict[str, Strategy] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        meant = [one for one in known if one.called(name)]
        if not meant:
            raise UsageError(_unknown(name, [one.name for one in known]))
        found.setdefault(meant[0].name, meant[0])
    if not found:
        raise UsageError(f"--strategy {names!r} names no strategy; name some of {', '.join(one.name for one in known)}")
    return tuple(found.values())


def _unknown(name: str, known: Sequence[str]) -> str:
    if name.casefold() == CONFIG.name:
        return "CONFIG gives each consumer a fixed list, so no queue moves; name another strategy"
    if ":" in name or name.endswith(".py"):
        return f"{name!r}: only RocketMQ's strategies are counted; `rebalance check` counts the moves of your own"
    return f"unknown strategy {name!r}; {nearest(name.casefold(), known)}the strategies are {', '.join(known)}"


def _require_even(few: int, grown: int, brokers: int, strategies: Sequence[Strategy]) -> None:
    if brokers == 1:
        return
    if few % brokers or grown % brokers:
        raise UsageError(
            f"--grow {few}:{grown} does not spread evenly over --brokers {brokers}; use multiples of {brokers}"
        )
    rooms = [one.rocketmq_name for one in strategies if one.queues is not one_broker]
    if rooms:
        raise UsageError(f"{rooms[0]} is counted in one machine room only; leave out --brokers")


def _members(text: str, consumers: int | None, *, joins: bool) -> tuple[tuple[str, ...], int]:
    """Return the sorted client ids, with that of a consumer that joins, and the number of consumers before the event.

    Raises ``UsageError``.
    """
    if not text:
        before = consumers or 4
        return client_ids(None, before + joins), before
    found = client_ids(text, None)
    before = len(found) - joins if consumers is None else consumers
    if before < 1:
        raise UsageError("--ids: 1 given, but 2 needed with --event join: the consumer that joins is one of them")
    if len(found) != before + joins:
        raise UsageError(
            f"--ids: {len(found)} given, but {before + joins} needed, for all consumers before and after the event"
        )
    return found, before
