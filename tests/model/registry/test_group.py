"""A member, its connections, a broker and a route, action by action."""

import pytest

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.registry.clients import ALL, CLIENTS, GREETING, SILENT
from rebalance_proofs.model.registry.limits import DEFAULTS

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def registered(client, **more):
    group = client.group(DEFAULTS, **more)
    for action in (group.starts, group.finds, group.puts):
        action()
    return group


@each_client
def test_a_first_heartbeat_lists_a_member(client):
    group = client.group(DEFAULTS)
    group.starts()
    assert group.answer is None
    group.finds()
    group.puts()
    assert group.answer == ["X"]
    assert group.known


@pytest.mark.parametrize(("client", "greets"), [(SILENT, False), (GREETING, True), (ALL, False)])
def test_a_heartbeat_follows_a_connection_from_5_2_on(client, greets):
    group = registered(client)
    assert not group.anew
    group.reconnects(keeps=False)
    assert group.anew is greets


@each_client
def test_a_reconnect_lists_an_id_twice_until_the_old_end_is_heard(client):
    group = registered(client)
    group.reconnects(keeps=False)
    group.finds()
    group.puts()
    assert group.answer == ["X", "X"]
    group.closes_old()
    assert group.answer == ["X"]
    with pytest.raises(Impossible):
        group.closes_old()


def test_a_slow_heartbeat_lists_a_connection_that_has_ended():
    """rocketmq#7870."""
    group = ALL.group(DEFAULTS)
    group.starts()
    group.breaks()
    group.reconnects(keeps=False)
    group.finds()
    group.puts()
    group.lags()
    assert group.answer == ["X", "X"]


def test_so_it_does_with_a_process_that_has_died():
    group = registered(ALL)
    group.dies()
    group.breaks()
    assert group.answer is None
    group.straggles()
    assert group.answer == ["X"]


def test_a_restart_forgets_all():
    group = registered(ALL)
    group.others_come()
    group.restarts()
    assert group.answer is None
    group.others_come()
    assert group.answer == ["Y"]
    with pytest.raises(Impossible):
        group.finds()


def test_a_host_that_vanishes_stays_until_a_scan():
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


def test_another_group_of_its_process_keeps_it_listed():
    group = registered(ALL)
    group.leaves()
    group.loses()
    group.now = DEFAULTS.expired
    group.refreshes()
    group.now += DEFAULTS.expired
    group.scans(more=True, first=False)
    assert group.answer == ["X"]


def test_whoever_is_listed_besides_is_told_or_is_not():
    group = registered(ALL)
    group.others_come()
    assert not group.stale
    group.now = DEFAULTS.expired + 1
    group.scans(more=True, first=False)
    assert group.stale
    assert group.answer == ["Y"]


def test_what_nobody_else_is_listed_to_hear_is_not_owed():
    group = registered(ALL, off=True)
    assert not group.stale


def test_what_is_collected_is_told_later():
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


def test_a_route_is_seen_when_it_is_polled():
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
        "closes_old",
    ],
)
def test_nothing_happens_out_of_turn(action):
    with pytest.raises(Impossible):
        getattr(ALL.group(DEFAULTS), action)()


@pytest.mark.parametrize("action", ["starts", "straggles", "lags", "refreshes"])
def test_a_member_that_lives_is_not_started_and_nothing_of_it_is_late(action):
    with pytest.raises(Impossible):
        getattr(registered(ALL), action)()
