"""Names of events in recordings, and the class that represents each event."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rebalance_proofs.recorded.groups import broker, driver, event, member
from rebalance_proofs.recorded.groups.event import Event

# Short names of releases in start events (``49``, ``53``).
# They are used for processes that do not report their release.

LATEST = {"49": "4.9.8", "53": "5.3.3"}
"""Short name -> release that it usually means."""


def meant(label: str | None, labels: Collection[str | None], run: str) -> str:
    """Return the release of a consumer from the short name in its start event.

    ``labels``: short names of all starts; ``run``: the release of the run, or "" if it is not known. A short name of
    the run's own minor version means the run's release. If no start has such a name, one of the same major version
    means it as well: the test harness keeps its short names when another release is recorded.
    """
    if not label:
        return run
    if len(label) != 2 or not label.isdecimal():
        return label
    own = ".".join(run.split(".")[:2])
    elsewhere = label[0] == run[:1] and not any(one and _line(one) == own for one in labels)
    return run if _line(label) == own or elsewhere else LATEST.get(label, _line(label))


def _line(label: str) -> str:
    return f"{label[0]}.{label[1:]}"


def numbers(release: str) -> tuple[int, ...]:
    """Return a release as a tuple of numbers for comparison, without parts that are not numbers."""
    return tuple(int(part) for part in release.split(".") if part.isdecimal())


# Parts of a recording that the format does not define; they are counted and skipped.


@dataclass
class Beyond:
    """What was skipped in the files of one run."""

    events: Counter[str] = field(default_factory=Counter)
    """Name of an unknown event -> how often it occurs."""
    keys: Counter[str] = field(default_factory=Counter)
    """Unknown key of a known event, as in ``ask has "age"`` -> how often it occurs."""
    missing: list[tuple[int, int, str]] = field(default_factory=list)
    """Places of missing lines, as (number of the next line, ms since 1970, description)."""


DRIVER: Mapping[str, type[Event]] = {
    "artifact": driver.Artifact,
    "start-name-server": driver.StartNameServer,
    "start-broker": driver.StartBroker,
    "broker-ended": driver.BrokerEnded,
    "topics": driver.Topics,
    "start-producer": driver.StartProducer,
    "start-consumer": driver.StartConsumer,
    "start-again": driver.StartAgain,
    "start": driver.Start,
    "shutdown": driver.Shutdown,
    "quit": driver.Quit,
    "ms": driver.Ms,
    "subscribe": driver.Subscribe,
    "unsubscribe": driver.Unsubscribe,
    "suspend": driver.Suspend,
    "resume": driver.Unsuspend,
    "throw": driver.Throw,
    "signal": driver.Signal,
    "ended": driver.Ended,
    "renewal-age": driver.RenewalAge,
    "delay": driver.Delay,
    "partition": driver.Partition,
    "reset": driver.Reset,
    "stop-producer": driver.StopProducer,
    "calm": driver.Calm,
    "not-calm": driver.NotCalm,
    "failed": driver.Failed,
    "end": driver.RunEnd,
}
"""Name of an event -> its class, for events of the driver."""

PROCESSES: Mapping[str, type[Event]] = {
    "release": event.Release,
    "cannot": event.Cannot,
    "producer-started": event.ProducerStarted,
    "sending-ended": event.SendingEnded,
    "topic": event.Topic,
    "queues": event.Queues,
    "route-failed": event.RouteFailed,
    "reset-asked": event.ResetAsked,
    "sent": event.Sent,
    "send-failed": event.SendFailed,
    "broker-starting": broker.BrokerStarting,
    "broker-started": broker.BrokerStarted,
    "broker-shutdown-hook": broker.BrokerShutdownHook,
    "heard": broker.Heard,
    "answered": broker.Answered,
    "table": broker.Table,
    "starting": member.Starting,
    "patched": member.Patched,
    "patch-failed": member.PatchFailed,
    "ready": member.Ready,
    "started": member.Started,
    "start-failed": member.StartFailed,
    "shutdown-begin": member.ShutdownBegin,
    "shutdown-end": member.ShutdownEnd,
    "quit": member.Quitting,
    "listener-time": member.ListenerTime,
    "subscribed": member.Subscribed,
    "unsubscribed": member.Unsubscribed,
    "suspending": member.Suspending,
    "suspended": member.Suspended,
    "resuming": member.Resuming,
    "resumed": member.Resumed,
    "will-throw": member.WillThrow,
    "threw": member.Threw,
    "gap": member.Gap,
    "notified": member.Notified,
    "reset-told": member.ResetTold,
    "reset-done": member.ResetDone,
    "allocate": member.Allocate,
    "entry-new": member.EntryNew,
    "entry-gone": member.EntryGone,
    "entry": member.Entry,
    "begin": member.Begin,
    "end": member.End,
    "ask": member.Ask,
    "answer": member.Answer,
    "pulled": member.Pulled,
    "offset-read": member.OffsetRead,
    "offset-update": member.OffsetUpdate,
    "offset-removed": member.OffsetRemoved,
    "persist": member.Persist,
    "persist-all": member.PersistAll,
}
"""Name of an event -> its class, for all other processes.

A name means the same event in clients, brokers and producers.
"""
