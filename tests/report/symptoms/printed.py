"""Output of mqadmin by the format strings of its source: 4.9.8 and 5.3.3."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

TWO = "%-64s  %-32s  %-4s  %-20s  %-20s  "
OLD, NEW = "4.9.8", "5.3.3"


@dataclass(frozen=True)
class Row:
    """One queue of consumerProgress."""

    queue: int = 0
    broker_offset: int = 100
    consumer_offset: int = 100
    client: str = "10.0.0.1"
    last: str = "2024-05-01 10:00:00"
    topic: str = "T"
    broker: str = "broker-a"


def progress(rows: Sequence[Row], release: str = NEW, clients: bool = True) -> str:
    """Output of ``consumerProgress -g G``, with or without ``-s true``."""
    head = ["#Topic", "#Broker Name", "#QID", "#Broker Offset", "#Consumer Offset"]
    rest = {
        (OLD, True): ("%-20s %-20s  %s", ["#Client IP", "#Diff", "#LastTime"]),
        (OLD, False): ("%-20s  %s", ["#Diff", "#LastTime"]),
        (NEW, True): ("%-20s %-20s %-20s%s", ["#Client IP", "#Diff", "#Inflight", "#LastTime"]),
        (NEW, False): ("%-20s %-20s%s", ["#Diff", "#Inflight", "#LastTime"]),
    }
    form, names = rest[release, clients]
    lines = [(TWO + form) % (*head, *names)]
    form = form.replace("%-20s%s", "%-20s %s")  # the heading has no blank there, the rows have one
    for row in rows:
        cells = [row.client] * clients + [row.broker_offset - row.consumer_offset] + [0] * (release == NEW) + [row.last]
        fixed = (row.topic[:64], row.broker[:32], row.queue, row.broker_offset, row.consumer_offset)
        lines.append((TWO + form) % (*fixed, *cells))
    total = sum(row.broker_offset - row.consumer_offset for row in rows)
    lines += ["", "Consume TPS: 0.00", f"{'Consume ' * (release == NEW)}Diff Total: {total}"]
    return "\n".join(lines) + "\n"


def status(members: Iterable[tuple[str, str]], *findings: str, same: bool = True) -> str:
    """Output of ``consumerStatus -g G``; members are (id, version)."""
    form = "%-10s %-40s %-20s %s"
    lines = [form % ("#Index", "#ClientId", "#Version", "#ConsumerRunningInfoFile")]
    lines += [form % (place, *one, f"1714557600000/{one[0]}") for place, one in enumerate(members, 1)]
    if same:
        lines += ["", "", "Same subscription in the same group of consumer", "", "Rebalance OK", *findings]
    else:
        lines += ["", "", "WARN: Different subscription in the same group of consumer!!!"]
    return "\n".join(lines)


@dataclass(frozen=True)
class Entry:
    """One queue in a member's table."""

    queue: int = 0
    cached: int = 0
    locked: bool = False
    tries: int = 0
    dropped: bool = False
    pulled: str = "20240501100000000"
    consumed: str = "20240501100000000"
    topic: str = "T"
    commit: int = 7


@dataclass(frozen=True)
class Consumer:
    """A member's report about itself."""

    entries: Sequence[Entry] = (Entry(),)
    subscriptions: Sequence[tuple[str, str]] = (("%RETRY%G", "*"), ("T", "*"))
    orderly: bool = False
    version: str = "V5_3_3"
    strategy: str = "AllocateMessageQueueAveragely"
    model: str = "CLUSTERING"
    address: str = "10.0.0.1"
    group: str = "G"
    instance: str = "77#1"
    more: dict[str, str] = field(default_factory=dict)


def member(one: Consumer) -> str:
    """Output of ``consumerStatus -g G -i ID``, which is ConsumerRunningInfo.formatString."""
    properties = {
        "consumerGroup": one.group,
        "messageModel": one.model,
        "clientIP": one.address,
        "instanceName": one.instance,
        "allocateMessageQueueStrategy": f"org.apache.rocketmq.client.consumer.rebalance.{one.strategy}@1b2c3d",
        "PROP_CONSUMEORDERLY": str(one.orderly).lower(),
        "PROP_CONSUME_TYPE": "CONSUME_PASSIVELY",
        "PROP_CLIENT_VERSION": one.version,
        "namespace": "",
        **one.more,
    }
    text = "#Consumer Properties#\n"
    text += "".join(f"{name:<40}: {value}\n" for name, value in properties.items())
    text += "\n\n#Consumer Subscription#\n"
    for place, (topic, expression) in enumerate(one.subscriptions, 1):
        text += f"{place:03} Topic: {topic:<40} ClassFilter: {'false':<8} SubExpression: {expression}\n"
    text += f"\n\n#Consumer Offset#\n{_queue('#Topic', '#Broker Name', '#QID')}#Consumer Offset    \n"
    text += "".join(f"{entry.topic:<32}  {'broker-a':<32}  {entry.queue:<4}  {7:<20}\n" for entry in one.entries)
    text += f"\n\n#Consumer MQ Detail#\n{_queue('#Topic', '#Broker Name', '#QID')}#ProcessQueueInfo   \n"
    text += "".join(f"{_queue(entry.topic, 'broker-a', entry.queue)}{_info(entry)}\n" for entry in one.entries)
    return text + "\n\n#Consumer Pop Detail#\n\n\n#Consumer RT&TPS#\n#Topic   #Pull RT\nT  1.00\n"


def _queue(topic: str, broker: str, number: int | str) -> str:
    return f"{topic:<64}  {broker:<32}  {number:<4}  "


def _info(entry: Entry) -> str:
    return (
        f"ProcessQueueInfo [commitOffset={entry.commit}, cachedMsgMinOffset=0, cachedMsgMaxOffset=0, "
        f"cachedMsgCount={entry.cached}, "
        "cachedMsgSizeInMiB=0, transactionMsgMinOffset=0, transactionMsgMaxOffset=0, transactionMsgCount=0, "
        f"locked={str(entry.locked).lower()}, tryUnlockTimes={entry.tries}, lastLockTimestamp=19700101000000000, "
        f"droped={str(entry.dropped).lower()}, lastPullTimestamp={entry.pulled}, lastConsumeTimestamp={entry.consumed}]"
    )
