"""A member, its connections, a broker and a route, one action at a time."""

import pytest

from rebalance_proofs.model.machines.registry.actions import ALL, APART, APART_V2, CLIENTS, GREETING, SILENT
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.registry.group import OTHER_GROUP

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def registered(client, **more):
    group = client.group(DEFAULTS, **more)
    for action in (group.starts, group.finds, group.puts):
        action()
    return group


@each_client
def test_first_heartbeat_lists_a_member(client):
    group = client.group(DEFAULTS)
    group.starts()
    assert group.answer is None
    group.finds()
    group.puts()
    assert group.answer == ["X"]
    assert group.known


@pytest.mark.parametrize(("client", "greets"), [(SILENT, False), (GREETING, True), (ALL, False)])
def test_heartbeat_follows_a_connection_from_5_2_on(client, greets):
    group = registered(client)
    assert not group.anew
    group.reconnects(keeps=False)
    assert group.anew is greets


@each_client
def test_reconnect_lists_an_id_twice_until_the_old_connection_is_closed(client):
    group = registered(client)
    group.reconnects(keeps=False)
    group.finds()
    group.puts()
    assert group.answer == ["X", "X"]
    group.closes_old()
    assert group.answer == ["X"]
    with pytest.raises(Impossible):
        group.closes_old()


def test_slow_heartbeat_lists_an_ended_connection():
    """rocketmq#7870."""
    group = ALL.group(DEFAULTS)
    group.starts()
    group.breaks()
    group.reconnects(keeps=False)
    group.finds()
    group.puts()
    group.lags()
    assert group.answer == ["X", "X"]


def test_slow_heartbeat_lists_a_dead_process():
    group = registered(ALL)
    group.dies()
    group.breaks()
    assert group.answer is None
    group.straggles()
    assert group.answer == ["X"]


def test_heartbeat_in_flight_lists_a_member_again_after_its_unregistration():
    group = registered(ALL)
    group.leaves()
    group.unregisters()
    assert group.answer is None
    group.now = 1
    group.trails()
    assert group.answer == ["X"]
    group.now += DEFAULTS.expired
    group.scans(more=True, first=False)
    assert group.answer == ["X"]
    group.now += 1
    group.scans(more=True, first=False)
    assert group.answer is None


def test_other_groups_do_not_refresh_a_member_that_is_listed_again():
    """The heartbeat in flight has a record of its own, which no later heartbeat updates."""
    group = registered(ALL)
    group.leaves()
    group.unregisters()
    group.trails()
    group.now = DEFAULTS.expired
    group.refreshes()
    group.now += 1
    group.scans(more=True, first=False)
    assert group.answer is None


def test_broker_restart_clears_the_registry():
    group = registered(ALL)
    group.others_come()
    group.restarts()
    assert group.answer is None
    group.others_come()
    assert group.answer == ["Y"]
    with pytest.raises(Impossible):
        group.finds()


def test_vanished_host_stays_listed_until_a_scan():
    group = registered(ALL)
    group.vanishes()
    with pytest.raises(Impossible):
        group.breaks()
    group.now = DEFAULTS.expired
    group.scans(more=True, first=False)
    assert group.answer == ["X"]
    group.now += 1
    group.scans(more=True, first=False)
    assert group.answer is None


def test_other_group_of_the_process_keeps_it_listed():
    group = registered(ALL)
    group.leaves()
    group.loses()
    group.now = DEFAULTS.expired
    group.refreshes()
    group.now += DEFAULTS.expired
    group.scans(more=True, first=False)
    assert group.answer == ["X"]


@pytest.mark.parametrize(("client", "listed"), [(ALL, True), (APART, False), (APART_V2, True)])
def test_own_record_lets_the_scan_remove_a_stopped_consumer(client, listed):
    """rocketmq#10435: only another group's heartbeats come; with heartbeat V2, groups still share a record in 5.5.1."""
    group = registered(client)
    group.leaves()
    group.loses()
    group.now = DEFAULTS.expired
    group.refreshes()
    group.now += 1
    removed = group.housekeeping.scan_exception_channel(group.now, heard_first=False)
    assert (group.answer == ["X"]) is listed
    assert (group.channel in removed) is not listed


def test_heartbeat_counts_for_each_of_its_groups_and_producers():
    group = registered(APART)
    group.now = DEFAULTS.beat
    group.finds()
    group.puts()
    producers = group.housekeeping.producers.group_channel_table.values()
    records = [info.channel_info_table for info in group.broker.consumer_table.values()]
    heard = [info for table in (*records, *producers) for info in table.values()]
    assert [info.last_update_timestamp for info in heard] == [DEFAULTS.beat] * 3
    assert len({id(info) for info in heard}) == 3


def test_scan_takes_the_connection_from_all_groups_of_a_process():
    """The channel belongs to the process: when one group has expired, its other groups are no longer listed."""
    group = registered(APART)
    group.leaves()
    group.loses()
    group.now = DEFAULTS.expired
    group.refreshes()
    group.now += 1
    group.housekeeping.scan_exception_channel(group.now, heard_first=False)
    assert group.broker.get_consumer_list_by_group(OTHER_GROUP) is None


def test_other_listed_members_are_notified_or_not():
    group = registered(ALL)
    group.others_come()
    assert not group.stale
    group.now = DEFAULTS.expired + 1
    group.scans(more=True, first=False)
    assert group.stale
    assert group.answer == ["Y"]


def test_no_notification_is_due_without_other_members():
    group = registered(ALL, off=True)
    assert not group.stale


def test_collected_notification_is_sent_later():
    group = ALL.group(DEFAULTS, later=True)
    group.others_come()
    group.starts()
    group.finds()
    group.puts()
    assert group.stale
    group.copies()
    with pytest.raises(Impossible):
        group.copies()
    group.replaces()
    assert not group.stale
    with pytest.raises(Impossible):
        group.replaces()


def test_route_change_is_detected_at_a_poll():
    group = ALL.group(DEFAULTS)
    group.moves()
    assert not group.route.seen
    group.now = 9
    group.polls()
    assert (group.route.seen, group.route.polled) == (True, 9)
    with pytest.raises(Impossible):
        group.moves()


@pytest.mark.parametrize(
    "action",
    [
        "finds",
        "puts",
        "leaves",
        "unregisters",
        "loses",
        "dies",
        "vanishes",
        "breaks",
        "lags",
        "straggles",
        "trails",
        "closes_old",
    ],
)
def test_impossible_group_action_is_refused(action):
    with pytest.raises(Impossible):
        getattr(ALL.group(DEFAULTS), action)()


@pytest.mark.parametrize("action", ["starts", "straggles", "trails", "lags", "refreshes"])
def test_living_member_is_not_started_and_has_nothing_late(action):
    with pytest.raises(Impossible):
        getattr(registered(ALL), action)()
