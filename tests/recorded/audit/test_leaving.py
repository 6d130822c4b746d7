"""Consumers that left: on purpose, by a closed connection, or without heartbeats."""

from rebalance_proofs.recorded.audit.connections import CLOSED, SHUT, UNREGISTERED
from rebalance_proofs.recorded.audit.finding import Level, What
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import added, commits, line
from tests.recorded.audit.test_said import CHANNEL, broker, closed, connected


def of(tmp_path, **logs):
    return audited(tmp_path, {f"{name}.log": lines for name, lines in logs.items()}).groups


def unregistered(second, port, client="c@1"):
    channel = CHANNEL.format(port, "10.0.0.1", client)
    return broker(second, f"unregister a consumer[G] from consumerGroupInfo {channel}")


def test_consumers_that_leave_on_purpose_are_listed(tmp_path):
    """Seeded fault: a broker's log with members that unregister has "nothing found"."""
    (group,) = of(tmp_path, broker=[unregistered(3, 7, "a@1"), unregistered(3, 8, "b@1")])
    assert [(one.client, one.how) for one in group.leavings] == [("a@1", UNREGISTERED), ("b@1", UNREGISTERED)]
    assert group.findings == []


def test_one_departure_counts_once(tmp_path):
    """The client shuts down, unregisters from two brokers, and both log it."""
    own = [
        added(0, 0),
        *commits("c@1", 0, range(5, 30, 5)),
        line(31, "unregister client[Producer: null Consumer: G] from broker[b 0 10.0.0.9:10911] success"),
        line(31, "unregister client[Producer: null Consumer: G] from broker[c 0 10.0.0.8:10911] success"),
        line(31, "the consumer [G] shutdown OK"),
    ]
    (group,) = of(tmp_path, a=own, b=[unregistered(31, 7)], c=[unregistered(32, 7)])
    assert [(one.client, one.how) for one in group.leavings] == [("c@1", SHUT)]


def test_unregistered_producer_is_no_consumer(tmp_path):
    producer = line(31, "unregister client[Producer: P Consumer: null] from broker[b 0 10.0.0.9:10911] success")
    (group,) = of(tmp_path, a=[added(0, 0), *commits("c@1", 0, range(5, 30, 5)), producer])
    assert (group.name, group.leavings) == ("G", ())


def test_consumer_that_registers_again_has_not_left(tmp_path):
    (group,) = of(tmp_path, broker=[connected(1, 7), closed(20, 7), connected(50, 8)])
    assert group.leavings == ()
    (group,) = of(tmp_path, broker=[connected(1, 7), closed(20, 7)])
    assert [(one.client, one.how) for one in group.leavings] == [("c@1", CLOSED)]


def test_consumer_without_heartbeats_is_found_by_its_connection(tmp_path):
    """The line has only an address; the registration before it names the client."""
    scan = "SCAN: remove expired channel from ConsumerManager consumerTable"
    lines = [
        connected(1, 7),
        connected(1, 8, "d@1"),
        broker(50, f"{scan}. channel=10.0.0.1:7, consumerGroup=G"),
    ]
    (group,) = of(tmp_path, broker=lines)
    (found,) = (one for one in group.findings if one.what is What.GONE)
    assert (found.level, found.members, found.causes[0]) == (Level.SEEN, ("c@1",), "host-vanished")
    last = broker(50, f"{scan}, all clear, consumerGroup=G")
    (group,) = of(tmp_path, broker=[connected(1, 7), lines[2], last])
    (found,) = group.findings
    assert found.detail.endswith("; it was the group's last consumer at that broker")


def test_client_instances_that_end_together_are_counted(tmp_path):
    """Seeded fault: several members of one process that shut down at the same moment have "nothing found"."""
    ends = line(31, "the producer [CLIENT_INNER_PRODUCER] shutdown OK")
    own = [*commits("a@1", 0, range(5, 30, 5)), *commits("b@1", 1, range(5, 30, 5))]
    (group,) = of(tmp_path, a=[*sorted(own), ends, ends])
    assert [(one.client, one.how) for one in group.leavings] == [("", SHUT)] * 2
    (group,) = of(tmp_path, a=[*sorted(own), line(31, "the consumer [G] shutdown OK"), ends])
    assert len(group.leavings) <= 1


def test_last_consumer_that_unregisters_did_not_lose_its_connection(tmp_path):
    gone = broker(3, "unregister consumer ok, no any connection, and remove consumer group, G")
    (group,) = of(tmp_path, broker=[connected(1, 7), unregistered(3, 7), gone])
    (found,) = group.findings
    assert found.causes == ("consumers-restart",)
    assert "last consumer unregistered" in found.detail
