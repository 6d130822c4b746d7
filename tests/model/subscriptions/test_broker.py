"""A broker's handling of heartbeats and pulls, and a client's handling of its heartbeats."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.machines.subscriptions.actions import (
    CLIENTS,
    PLAIN,
    PULLS_AT_ONCE,
    PULLS_LATER,
    SUBSCRIPTIONS,
    WITH_V2,
)
from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS, Choices
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.releases import LAST
from rebalance_proofs.model.subscriptions import (
    DONE,
    FLIES,
    GROUP,
    IDLE,
    TOGO,
    TOPIC,
    Broker,
    ConsumerGroupInfo,
    Heartbeat,
    Refusal,
    SubscriptionData,
)
from tests.machines.evaluator import Evaluator

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
SETS = st.dictionaries(st.sampled_from("abcd"), st.tuples(st.sampled_from("xy"), st.integers(0, 5)))


def of(subscribed):
    return tuple(SubscriptionData(topic, frozenset({tag}), version) for topic, (tag, version) in subscribed.items())


@given(st.lists(SETS, min_size=1))
def test_last_heartbeat_sets_the_topics_and_newest_version_the_tags(heartbeats):
    info, newest = ConsumerGroupInfo(), {}
    before = set()
    for subscribed in heartbeats:
        updated = info.update_subscription(of(subscribed))
        assert updated == (before != subscribed.keys())
        before = set(subscribed)
        newest = {
            topic: newest[topic] if topic in newest and newest[topic][1] >= told[1] else told
            for topic, told in subscribed.items()
        }
        assert {one.topic: (*one.tags_set, one.sub_version) for one in info.subscription_table.values()} == newest


def test_first_expression_of_a_version_stays():
    """``ConsumerGroupInfo.updateSubscription`` asks whether ``sub.getSubVersion() > old.getSubVersion()``."""
    info = ConsumerGroupInfo()
    for tag in "xyx":
        info.update_subscription(of({TOPIC: (tag, 4)}))
        assert info.subscription_table[TOPIC].tags_set == {"x"}


def test_pull_is_refused_without_its_topic_or_with_a_newer_version():
    broker = Broker()
    assert broker.subscription(GROUP, TOPIC, 0) is Refusal.SUBSCRIPTION_NOT_EXIST
    broker.heart_beat(Heartbeat(GROUP, of({TOPIC: ("x", 4)})))
    assert broker.subscription(GROUP, TOPIC, 5) is Refusal.SUBSCRIPTION_NOT_LATEST
    for version in (3, 4):
        assert broker.subscription(GROUP, TOPIC, version) == SubscriptionData(TOPIC, frozenset("x"), 4)
    assert broker.subscription("another", TOPIC, 0) is Refusal.SUBSCRIPTION_NOT_EXIST


def test_empty_tags_accept_everything():
    assert SubscriptionData(TOPIC).takes("x")
    assert not SubscriptionData(TOPIC, frozenset("y")).takes("x")


def test_fingerprint_ignores_versions():
    one, newer, other = (Heartbeat(GROUP, of({TOPIC: told})) for told in (("x", 1), ("x", 2), ("y", 1)))
    assert one.computed() == newer.computed() != other.computed()


@each_client
def test_late_periodic_heartbeat_does_not_delay_the_next(client):
    """``startScheduledTask`` schedules them by ``scheduleAtFixedRate``."""
    found = client.member(DEFAULTS).client
    found.scheduled(DEFAULTS.period + 5)
    with pytest.raises(Impossible):
        found.scheduled(2 * DEFAULTS.period - 1)
    found.scheduled(2 * DEFAULTS.period)


@each_client
def test_change_sends_a_heartbeat(client):
    member = client.member(DEFAULTS)
    member.raises(10)
    assert (member.client.at, member.refuses) == (TOGO, True)
    member.sends()
    assert (member.client.at, member.refuses) == (FLIES, True)
    member.arrives()
    assert (member.client.at, member.refuses) == (DONE, False)
    member.client.end()
    assert member.client.at == IDLE
    assert member.broker.notified == 1


def beats(member):
    """The rest of a heartbeat that has begun."""
    member.sends()
    member.arrives()
    member.client.end()


@pytest.mark.parametrize(("client", "told"), [(PLAIN, True), (WITH_V2, False)], ids=lambda one: str(one))
def test_change_under_a_taken_lock_is_sent_later_except_with_v2(client, told):
    member = client.member(DEFAULTS)
    member.begins(0)
    member.sends()
    member.raises(10)
    assert member.client.at == FLIES
    member.arrives()
    member.client.end()
    assert member.refuses
    member.client.scheduled(DEFAULTS.period)
    beats(member)
    assert member.refuses != told


def test_v2_restores_subscriptions_with_the_second_heartbeat():
    member = WITH_V2.member(DEFAULTS)
    member.prints(same=False)
    for full in (False, True):
        member.begins(0)
        member.sends()
        assert member.client.sent.without_sub != full
        member.arrives()
        member.client.end()


@each_client
def test_forgotten_subscription_returns_except_with_v2(client):
    member = client.member(DEFAULTS)
    member.forgets(0)
    assert member.refuses
    member.begins(0)
    beats(member)
    assert member.refuses == client.fingerprints


@each_client
@pytest.mark.parametrize("action", ["ticks", "sends", "arrives", "ends"])
def test_impossible_subscription_action_is_refused(client, action):
    member, first = client.member(DEFAULTS), SUBSCRIPTIONS.begun(DEFAULTS, client)
    with pytest.raises(Impossible):
        client.code.calls[action](member, first, Choices.blank())


@each_client
def test_unsubscribed_member_neither_pulls_nor_raises_its_version(client):
    first, none = SUBSCRIPTIONS.begun(DEFAULTS, client, subscribes=False), Choices.blank()
    member = client.member(DEFAULTS)
    client.code.put(member, first, none)
    assert member.found is None
    for action in ("pulls", "posts", "raises", "pulled"):
        with pytest.raises(Impossible):
            client.code.calls[action](member, first, none)


def test_heartbeats_without_v2_have_subscriptions():
    first = SUBSCRIPTIONS.begun(DEFAULTS, PLAIN)
    with pytest.raises(Impossible):
        PLAIN.code.calls["prints"](PLAIN.member(DEFAULTS), first, Choices.blank())
    with pytest.raises(Impossible):
        Evaluator(SUBSCRIPTIONS, PLAIN, DEFAULTS).step(first, "prints")


def test_no_second_heartbeat_starts_under_the_lock():
    member = PLAIN.member(DEFAULTS)
    member.begins(0)
    with pytest.raises(Impossible):
        member.begins(0)


def test_periodic_heartbeat_is_skipped_under_a_taken_lock():
    member = PLAIN.member(DEFAULTS)
    member.begins(DEFAULTS.period)
    member.client.scheduled(DEFAULTS.period)
    assert (member.client.began, member.client.next) == (DEFAULTS.period, 2 * DEFAULTS.period)


@each_client
def test_every_claim_of_a_client_is_about_its_releases(client):
    assert client.releases[-1] == ("4.9.8" if client is PULLS_AT_ONCE else LAST)
    assert ("5.1.2" in client.releases) != client.fingerprints or client is PULLS_AT_ONCE
    assert client.delays == (client is PULLS_LATER)
