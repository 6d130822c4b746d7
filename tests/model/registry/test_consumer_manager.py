"""A broker's registry: listed consumers and notified consumers."""

import pytest

from rebalance_proofs.model.registry.broker import (
    CLIENT_INNER_PRODUCER,
    Channel,
    ClientChannelInfo,
    ClientHousekeepingService,
    ConsumerManager,
    DefaultConsumerIdsChangeListener,
    ProducerManager,
)

EXPIRED = 120_000


@pytest.fixture
def listener():
    return DefaultConsumerIdsChangeListener(
        notify_consumer_ids_changed_enable=True, real_time_notify_consumer_change=True
    )


@pytest.fixture
def broker(listener):
    return ConsumerManager(listener, EXPIRED)


def beats(broker, channel, name, now=0, *groups):
    info = ClientChannelInfo(channel, name, now)
    for group in groups or ("g",):
        broker.register_consumer(group, broker.group_info(group), info, now)
    return info


def test_heartbeat_registers_a_consumer_and_notifies_all(broker, listener):
    one, other = Channel(), Channel()
    beats(broker, one, "X")
    beats(broker, other, "Y")
    assert broker.get_consumer_list_by_group("g") == ["X", "Y"]
    assert listener.sent == [("g", [one]), ("g", [one, other])]


def test_second_heartbeat_notifies_nobody_and_is_recorded(broker, listener):
    one = Channel()
    beats(broker, one, "X")
    beats(broker, one, "X", 7)
    assert len(listener.sent) == 1
    assert broker.consumer_table["g"].channel_info_table[one].last_update_timestamp == 7


def test_id_is_listed_once_per_channel(broker):
    beats(broker, Channel(), "X")
    beats(broker, Channel(), "X")
    assert broker.get_consumer_list_by_group("g") == ["X", "X"]


def test_group_without_channels_gets_an_error(broker):
    assert broker.get_consumer_list_by_group("g") is None
    broker.group_info("g")
    assert broker.get_consumer_list_by_group("g") is None
    one = Channel()
    beats(broker, one, "X")
    broker.unregister_consumer("g", one)
    assert broker.get_consumer_list_by_group("g") is None


def test_closed_channel_notifies_the_remaining_members(broker, listener):
    one, other = Channel(), Channel()
    beats(broker, one, "X")
    beats(broker, other, "Y")
    broker.do_channel_close_event(one)
    assert broker.get_consumer_list_by_group("g") == ["Y"]
    assert listener.sent[-1] == ("g", [other])
    broker.do_channel_close_event(one)
    assert len(listener.sent) == 3


def test_unregistering_notifies_without_a_registration(broker, listener):
    one = Channel()
    beats(broker, one, "X")
    broker.unregister_consumer("g", Channel())
    assert listener.sent[-1] == ("g", [one])
    broker.unregister_consumer("other", Channel())
    assert len(listener.sent) == 2


@pytest.mark.parametrize(("now", "listed"), [(EXPIRED, ["X", "Y"]), (EXPIRED + 1, ["Y"])])
def test_scan_removes_expired_channels_without_notification(broker, listener, now, listed):
    one = Channel()
    beats(broker, one, "X")
    beats(broker, Channel(), "Y", now)
    told = len(listener.sent)
    assert bool(broker.scan_not_active_channel(now)) is (listed == ["Y"])
    assert broker.get_consumer_list_by_group("g") == listed
    assert len(listener.sent) == told


@pytest.fixture
def housekeeping(broker):
    return ClientHousekeepingService(ProducerManager(EXPIRED), broker)


def beats_of_client(housekeeping, channel, name, now=0):
    info = beats(housekeeping.consumers, channel, name, now)
    housekeeping.producers.register_producer(CLIENT_INNER_PRODUCER, info, now)


@pytest.mark.parametrize("heard_first", [True, False])
def test_scan_notifies_only_if_the_close_is_detected_first(housekeeping, listener, heard_first):
    one, other = Channel(), Channel()
    beats_of_client(housekeeping, one, "X")
    beats_of_client(housekeeping, other, "Y", EXPIRED)
    told = len(listener.sent)
    assert housekeeping.scan_exception_channel(EXPIRED + 1, heard_first=heard_first) == {one}
    assert listener.sent[told:] == ([("g", [other])] if heard_first else [])
    assert housekeeping.consumers.get_consumer_list_by_group("g") == ["Y"]
    assert list(housekeeping.producers.group_channel_table[CLIENT_INNER_PRODUCER]) == [other]


def test_producer_scan_closes_the_connection_first(housekeeping, listener):
    one, other = Channel(), Channel()
    beats_of_client(housekeeping, one, "X")
    beats_of_client(housekeeping, other, "Y", EXPIRED)
    told = len(listener.sent)
    closed = housekeeping.producers.scan_not_active_channel(EXPIRED + 1, housekeeping.on_channel_close)
    assert (closed, listener.sent[told:]) == ({one}, [("g", [other])])


def test_heartbeat_renews_the_producers_time_too(housekeeping):
    one = Channel()
    beats_of_client(housekeeping, one, "X")
    beats_of_client(housekeeping, one, "X", EXPIRED)
    assert housekeeping.scan_exception_channel(EXPIRED + 1, heard_first=True) == set()
    housekeeping.on_channel_close(one)
    assert housekeeping.producers.group_channel_table == {CLIENT_INNER_PRODUCER: {}}


def test_producer_heartbeat_keeps_a_group_listed(housekeeping):
    one = Channel()
    beats_of_client(housekeeping, one, "X")
    later = ClientChannelInfo(one, "X", EXPIRED)
    housekeeping.producers.register_producer(CLIENT_INNER_PRODUCER, later, EXPIRED)
    housekeeping.scan_exception_channel(EXPIRED + 1, heard_first=True)
    assert housekeeping.consumers.get_consumer_list_by_group("g") == ["X"]


def test_groups_of_one_heartbeat_share_their_time(broker):
    """rocketmq#10435."""
    one = Channel()
    beats(broker, one, "X", 0, "g", "h")
    beats(broker, one, "X", EXPIRED, "h")
    broker.scan_not_active_channel(EXPIRED + 1)
    assert broker.get_consumer_list_by_group("g") == ["X"]


def test_groups_of_two_heartbeats_have_separate_times(broker):
    one = Channel()
    beats(broker, one, "X", 0, "g")
    beats(broker, one, "X", 0, "h")
    beats(broker, one, "X", EXPIRED, "h")
    broker.scan_not_active_channel(EXPIRED + 1)
    assert broker.get_consumer_list_by_group("g") is None
    assert broker.get_consumer_list_by_group("h") == ["X"]


def test_removed_record_lists_no_consumer(broker):
    found = broker.group_info("g")
    broker.scan_not_active_channel(0)
    broker.register_consumer("g", found, ClientChannelInfo(Channel(), "X", 0), 0)
    assert broker.get_consumer_list_by_group("g") is None


def test_other_id_on_the_same_channel_replaces_the_first(broker):
    one = Channel()
    beats(broker, one, "X")
    beats(broker, one, "Z")
    assert broker.get_consumer_list_by_group("g") == ["Z"]


def test_notifications_can_be_switched_off():
    listener = DefaultConsumerIdsChangeListener(
        notify_consumer_ids_changed_enable=False, real_time_notify_consumer_change=True
    )
    beats(ConsumerManager(listener, EXPIRED), Channel(), "X")
    assert (listener.sent, listener.consumer_channel_map) == ([], {})


@pytest.fixture
def collecting():
    return DefaultConsumerIdsChangeListener(
        notify_consumer_ids_changed_enable=True, real_time_notify_consumer_change=False
    )


def test_collected_notification_is_sent_once_with_the_last_list(collecting):
    one, other = Channel(), Channel()
    collecting.handle_change("g", [one])
    collecting.handle_change("g", [one, other])
    assert collecting.sent == []
    collecting.copies()
    collecting.replaces()
    assert collecting.sent == [("g", [one, other])]
    collecting.copies()
    collecting.replaces()
    assert len(collecting.sent) == 1


def test_notification_between_the_two_steps_is_lost(collecting):
    collecting.copies()
    collecting.handle_change("g", [Channel()])
    collecting.replaces()
    collecting.copies()
    collecting.replaces()
    assert collecting.sent == []
