"""The answer of ``rebalance shares`` as text: sentences, a table and a picture."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from string import ascii_letters, digits

from rebalance_proofs.report.claims.mark import legend
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.shares.described import Asked, Topic
from rebalance_proofs.report.shares.divided import Divided, roomed
from rebalance_proofs.report.text.english import capitalized, count, listing, shorten
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.report.text.wrapping import aligned, cells_of, whole, wrapped

# Short texts for sets of queues: ``0-3 5``.


def ranges(numbers: Iterable[int]) -> str:
    """Return the numbers in ascending order, with runs of three or more as ranges: ``0 1 4-9``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)


SYMBOLS = f"{ascii_letters}{digits}+="
"""Symbols of consumers in the picture: enough for 64."""
NONE, SEVERAL = ".", "#"
WIDEST, ACROSS = 80, 50
"""Columns of the widest table, and queues on one line of the picture."""
MOST = 3
"""Number of examples that one sentence names."""


def told(every: Sequence[Divided]) -> Iterator[str]:
    """Yield the answer."""
    asked = every[0].asked
    yield sentence(every)
    yield from views(asked)
    yield from troubles(every)
    yield ""
    for lines in tables(every):
        yield from lines
        yield ""
    yield from _picture(every)
    yield ""
    yield from notes(asked, every)


def sentence(every: Sequence[Divided]) -> str:
    """Return how many queues the members get under each strategy, in one sentence."""
    asked = every[0].asked
    of = f" of {len(asked.topics)} topics" if len(asked.topics) > 1 else ""
    parts = (
        f"{listing(one.label for one in own)} {'gives' if len(own) == 1 else 'give'} {each}"
        for each, own in grouped(every, _each).items()
    )
    return f"With {count(asked.queues, 'queue')}{of} and {count(len(asked.ids), 'consumer')}, {'; '.join(parts)}."


def _each(one: Divided) -> str:
    least, most = min(one.counts), max(one.counts)
    if not most:
        return f"{'no' if len(one.counts) > 1 else 'the'} consumer {'a' if len(one.counts) > 1 else 'no'} queue"
    if least == most:
        return f"{'each' if len(one.counts) > 1 else 'the'} consumer {count(most, 'queue')}"
    idle = one.counts.count(0)
    without = f" ({count(idle, 'consumer')} {'gets' if idle == 1 else 'get'} none)" if not least else ""
    return f"each consumer {least} {'or' if one.level else 'to'} {most} queues{without}"


def troubles(every: Sequence[Divided]) -> Iterator[str]:
    """Yield sentences about queues without a consumer or with several, and failed calls."""
    sound = [one for one in every if one.sound]
    if sound:
        where = "" if len(sound) == len(every) else f"Under {listing(one.label for one in sound)}, "
        yield capitalized(f"{where}every queue has exactly one consumer.")
    for one in every:
        parts = [f"no consumer takes {_named(one.asked, one.unread)}"] * bool(one.unread)
        parts += [f"several consumers take {_named(one.asked, one.doubled)}"] * bool(one.doubled)
        if parts:
            yield f"Under {one.label}, {', and '.join(parts)}."
        for what, keys in grouped(one.refused.items(), lambda item: item[1]).items():
            failing = dict.fromkeys(client_id for (client_id, _), _ in keys)
            yield f"{one.label} {what} for {_some(list(failing))}."
        if one.foreign:
            who, queue = one.foreign[0]
            yield f"{one.label} gives {who} a queue that its topic does not have: {queue.broker_name} {queue.queue_id}."


def views(asked: Asked) -> Iterator[str]:
    """Yield sentences about members that see other lists or subscribe to other topics."""
    for member, ids in asked.sees.items():
        missing, more = (
            [one for one in left if one not in right] for left, right in ((asked.ids, ids), (ids, asked.ids))
        )
        differs = [f"does not see {_some(missing)}"] * bool(missing)
        differs += [f"still sees {_some(more)}"] * bool(more)
        if differs:
            yield f"{member} {' and '.join(differs)}."
    for member, number in asked.knows.items():
        yield f"{member} knows only the first {count(number, 'queue')}{' of each topic' * (len(asked.topics) > 1)}."
    for member, topics in asked.subscribes.items():
        yield f"{member} subscribes only to {listing(sorted(topics))}."


def _named(asked: Asked, found: Sequence[tuple[Topic, tuple[int, ...]]]) -> str:
    several = len(asked.topics) > 1
    return listing(
        f"{'queue' if len(places) == 1 else 'queues'} {ranges(places)}{f' of {topic.name}' if several else ''}"
        for topic, places in found
    )


def _some(items: Sequence[str]) -> str:
    more = len(items) - MOST
    return listing(items) if more <= 1 else f"{', '.join(items[:MOST])} and {more} more"


SHORT = {"has": "hangs", "returns": "no list", "uses": "memory"}
"""Short words for what a failing call did, by the first word of its description."""


def cell(one: Divided, client_id: str, topic: Topic) -> str:
    """Return a member's share of one topic: ``0-3``, ``-``, ``throws``."""
    if (client_id, topic.name) in one.refused:
        first = one.refused[client_id, topic.name].split()[0]
        return SHORT.get(first, first)
    if not one.asked.reads(client_id, topic):
        return "not subscribed"
    taken = one.shares.get((client_id, topic.name), ())
    return ranges({topic.places[queue] for queue in taken if queue in topic.places}) or "-"


def tables(every: Sequence[Divided]) -> Iterator[list[str]]:
    """Yield tables of shares: one for all strategies if it fits, else one for each."""
    asked = every[0].asked
    for topic in asked.topics:
        head = [f"queues of {topic.name}"] * (len(asked.topics) > 1)
        beside = list(aligned([("consumer", *(one.label for one in every)), *_rows(every, topic)]))
        if max(map(cells_of, beside)) <= WIDEST:
            yield [*head, *beside]
            continue
        for one in every:
            lines = list(aligned([("consumer", one.label), *_rows([one], topic)]))
            yield [*head, *(shorten(line, WIDEST) for line in lines)]
    if len(asked.topics) > 1:
        rows = [(one, *(str(found.count(one)) for found in every)) for one in asked.ids]
        totals = list(aligned([("queues of all topics", *(found.label for found in every)), *rows]))
        if max(map(cells_of, totals)) <= WIDEST:
            yield totals


def _rows(every: Sequence[Divided], topic: Topic) -> Iterator[tuple[str, ...]]:
    for client_id in every[0].asked.ids:
        yield client_id, *(cell(one, client_id, topic) for one in every)


def symbols(one: Divided, topic: Topic) -> str:
    """Return one symbol for each queue: its consumer's, ``.`` or ``#``."""
    return "".join(
        NONE if not readers else SEVERAL if len(readers) > 1 else SYMBOLS[readers[0]] for readers in one.readers(topic)
    )


def _picture(every: Sequence[Divided]) -> Iterator[str]:
    asked = every[0].asked
    labels = [shorten(one.label, 24) for one in every]
    wide = max(map(len, (*labels, "queue")))
    for topic in asked.topics:
        lines = [symbols(one, topic) for one in every]
        for start in range(0, len(topic.queues), ACROSS):
            end = min(start + ACROSS, len(topic.queues))
            name = f"{topic.name} " if len(asked.topics) > 1 else ""
            yield f"{'queue':{wide}}  {_ruler(start, end)}{'' if start else f'  {name}'.rstrip()}"
            yield from (f"{label:{wide}}  {line[start:end]}" for label, line in zip(labels, lines, strict=True))
    shown = [f"{symbol} {client_id}" for symbol, client_id in zip(SYMBOLS, asked.ids, strict=False)]
    yield from wrapped(f"{', '.join(map(whole, shown))}; {NONE} no consumer, {SEVERAL} several", WIDEST, hang=0)


def _ruler(start: int, end: int) -> str:
    """Return numbers above every tenth column."""
    return "".join(f"{number:<10}" for number in range(start, end, 10)).rstrip()


def notes(asked: Asked, every: Sequence[Divided]) -> Iterator[str]:
    """Yield the places of the queues, the assumptions, and the evidence."""
    for topic in asked.topics:
        runs = [(name, list(own)) for name, own in groupby(topic.queues, key=lambda queue: queue.broker_name)]
        if len(runs) > 1:
            of = f" of {topic.name}" if len(asked.topics) > 1 else ""
            places = (f"{ranges(topic.places[queue] for queue in own)} on {name}" for name, own in runs)
            yield f"Queues{of} in the clients' order: {listing(places)}."
    if any(one.name in ("room", "room-go", "room-rust") for one in every):
        if roomed(asked):
            yield "MACHINE_ROOM divides the queues of the listed rooms among all consumers, wherever these run."
        else:
            yield "MACHINE_ROOM ignores brokers without a room: --brokers room1@broker-a,room2@broker-b names rooms."
    if any(one.name == "nearby" for one in every) and not asked.rooms:
        yield "MACHINE_ROOM_NEARBY: all brokers and consumers are in one room; --rooms lists several."
    if any(one.name.startswith("hash") for one in every):
        yield "CONSISTENT_HASH depends on the names of brokers, topics and ids; --brokers and --ids take yours."
    if any(one.pops for one in every):
        yield "In pop mode the broker gives a queue to several members on purpose. k is popShareQueueNum."
    if asked.sees or asked.knows:
        yield "Each member's share is the one after its next rebalance, with the lists that it sees."
    if not asked.agrees and any(one.source == "kafka" for one in every):
        yield "Kafka's group leader divides for all members, so a member's view does not matter there."
    if asked.subscribes and any(one.source == "rocketmq" for one in every):
        yield "RocketMQ's clients divide a topic among all members of the group, even those without the topic."
    yield from _evidence(asked, every)


DROPPED = (
    ("sees", "without-same-cid-all"),
    ("knows", "without-same-mq-all"),
    ("subscribes", "without-same-subscription"),
)
"""Field of ``Asked`` -> the end of the ids of claims about groups in which members differ in it."""


def _evidence(asked: Asked, every: Sequence[Divided]) -> Iterator[str]:
    """Yield the claims about such groups, and the conformance marks of the strategies' code."""
    yield "Computed: the command runs each strategy for this group."
    ours = [one for one in every if one.source == "rocketmq"]
    if asked.agrees:
        for words, guarantees in (("One consumer per queue", ("disjoint", "covers")), ("Level shares", ("balanced",))):
            each = [[f"allocation.{one.name}.{guarantee}" for guarantee in guarantees] for one in ours]
            held = [claim for claims in each if all(map(_holds, claims)) for claim in claims]
            if words == "One consumer per queue":
                popped = dict.fromkeys(f"assignment.{one.kind}.covers" for one in ours if one.pops)
                if popped:
                    yield f"A consumer for every queue, for all sizes (proved): {', '.join(filter(_holds, popped))}."
            if held:
                yield f"{words} for all sizes (proved): {', '.join(held)}."
    else:
        dropped = [end for name, end in DROPPED if getattr(asked, name)]
        broken = [(one.name, "disjoint") for one in ours if one.doubled]
        broken += [(one.name, "covers") for one in ours if one.unread]
        ids = [f"allocation.{name}.{what}.{end}" for name, what in broken for end in dropped]
        lost = [one for one in ids if one in entries() and not _holds(one)]
        if lost:
            yield f"Known for such groups (refuted): {', '.join(lost)}."
    named = grouped((one for one in every if one.source != "own"), lambda one: one.mark)
    if named:
        parts = (f"{mark} for {listing(one.label for one in own)}" for mark, own in named.items())
        yield f"Evidence for the code: {'; '.join(parts)}. {legend(named)}"


def _holds(claim: str) -> bool:
    """Return whether there is such a claim, and it is proved."""
    return claim in entries() and entries()[claim].holds
