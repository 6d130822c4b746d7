"""The names of events in the recordings."""

from collections.abc import Mapping

from rebalance_proofs.recorded.groups import broker, driver, member, producer
from rebalance_proofs.recorded.groups.event import Event

DRIVER: Mapping[str, type[Event]] = {
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
    "signal": driver.Signal,
    "ended": driver.Ended,
    "renewal-age": driver.RenewalAge,
    "failed": driver.Failed,
    "end": driver.RunEnd,
}
"""Name -> the driver's event."""

PROCESSES: Mapping[str, type[Event]] = {
    "topic": producer.Topic,
    "queues": producer.Queues,
    "route-failed": producer.RouteFailed,
    "sent": producer.Sent,
    "send-failed": producer.SendFailed,
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
    "gap": member.Gap,
    "notified": member.Notified,
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
"""Name -> event of the other processes; no two kinds of processes have an event of the same name."""
