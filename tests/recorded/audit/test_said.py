"""Findings from single kinds of lines, and the causes that the lines around them exclude."""

import pytest

from rebalance_proofs.recorded.audit.finding import Level, What
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import added, commits, line, mq, one_of, removed, result

BROKER = "2023-01-31 12:00:{:02} INFO Thread - {}\n"
CHANNEL = (
    "ClientChannelInfo [channel=[id: 0x{0}, L:/10.0.0.9:10911 - R:/{1}:{0}], clientId={2}, language=JAVA, version=1]"
)


def broker(second, message):
    return BROKER.format(second, message)


def connected(second, port, client="c@1", host="10.0.0.1"):
    channel = CHANNEL.format(port, host, client)
    return broker(second, f"new consumer connected, group: G CONSUME_PASSIVELY CLUSTERING channel: {channel}")


def closed(second, port, client="c@1"):
    channel = CHANNEL.format(port, "10.0.0.1", client)
    return broker(
        second,
        f"NETTY EVENT: remove not active channel[{channel}] from ConsumerGroupInfo groupChannelTable, "
        "consumer group: G",
    )


GONE = "unregister consumer ok, no any connection, and remove consumer group, G"
UNKNOWN = "the consumer's group info not exist, group: G"


def of(tmp_path, what, **logs):
    (group,) = audited(tmp_path, {f"{name}.log": lines for name, lines in logs.items()}).groups
    return [one for one in group.findings if one.what is what]


def test_removed_group_explains_refused_pulls(tmp_path):
    """Seeded fault: a broker that removed the group did not restart."""
    lines = [connected(1, 7), closed(2, 7), broker(2, GONE), broker(3, UNKNOWN)]
    (gone,) = of(tmp_path, What.GONE, broker=lines)
    assert gone.level is Level.SEEN
    assert "1 s after it was registered; then it refused pulls" in gone.detail
    (refused,) = of(tmp_path, What.REFUSED, broker=lines)
    assert "broker-comes-back" not in refused.causes
    (alone,) = of(tmp_path, What.REFUSED, broker=[broker(3, UNKNOWN)])
    assert alone.causes[0] == "broker-comes-back"


def test_reconnecting_channel_is_possible(tmp_path):
    (gone,) = of(tmp_path, What.GONE, broker=[connected(1, 7), connected(50, 8)])
    assert (gone.level, gone.causes[0]) == (Level.POSSIBLE, "heartbeats-late")
    assert of(tmp_path, What.GONE, broker=[connected(1, 7), closed(20, 7), connected(50, 8)]) == []
    (two,) = of(tmp_path, What.GONE, broker=[connected(1, 7), connected(50, 8, host="10.0.0.2")])
    assert two.causes[0] == "same-client-id"


def not_listed(second, ids):
    return line(second, f"[BUG] ConsumerGroup: G The consumerId: c@1 not in cidAll: [{', '.join(ids)}]")


def test_missing_id_is_reported_unless_the_member_joins(tmp_path):
    joins = [not_listed(0, ["a@1"]), added(1, 0), result(1, "c@1", [0, 1])]
    assert of(tmp_path, What.UNLISTED, a=joins) == []
    (found,) = of(tmp_path, What.UNLISTED, a=[not_listed(second, ["a@1", "b@1"]) for second in (0, 20, 40)])
    assert found.detail == "3 times, its id was missing from the broker's member list of 2 ids, so it took no queues"


def test_id_listed_twice_is_no_second_process_without_one(tmp_path):
    """One process with three channels is one member; two processes need both alive at once."""
    twice = not_listed(100, ["a@1", "a@1", "a@1"])
    own = [added(0, 0), *commits("a@1", 0, range(0, 200, 5))]
    logs = {"a": own, "c": [twice], "broker": [connected(1, 7, "a@1"), connected(20, 8, "a@1")]}
    assert of(tmp_path, What.IDS, **logs) == []
    assert any("one process with several connections" in one.detail for one in of(tmp_path, What.GONE, **logs))
    (unknown,) = of(tmp_path, What.IDS, c=[twice], a=[], broker=[])
    assert (unknown.level, unknown.causes) == (Level.POSSIBLE, ("same-client-id", "second-channel"))
    (two,) = (
        one for one in of(tmp_path, What.IDS, c=[twice], a=own, b=own[:1] + own[2:], broker=[]) if "lists" in one.detail
    )
    assert two.level is Level.SEEN


def test_list_with_doubled_ids_does_not_hide_an_outage(tmp_path):
    """Every member has a log, so a longer member list is no missing log: nobody has queue 1 for a minute."""
    a = [added(0, 0), added(0, 1), result(0, "a@1", [0, 1], mq_all=2, cid_all=1), *commits("a@1", 0, range(5, 180, 5))]
    a += [removed(60, 1), result(60, "a@1", [0], mq_all=2, cid_all=3), added(120, 1)]
    a += [result(120, "a@1", [0, 1], mq_all=2, cid_all=1), *commits("a@1", 1, range(125, 180, 5))]
    with_broker = {"a": sorted(a), "broker": [connected(0, 7, "a@1")]}
    (found,) = of(tmp_path, What.NOBODY, **with_broker)
    assert (found.level, found.long) == (Level.SEEN, 60_000)
    assert found.causes[0] == "second-channel"
    assert "the member list had 3 entries" in found.detail
    assert of(tmp_path, What.NOBODY, a=sorted(a), broker=[]) == []  # another member without a log may have had it
    failing = line(50, "execute the pull request exception, MQClientException: connect to 10.0.0.1:10911 failed")
    (possible,) = of(tmp_path, What.NOBODY, a=sorted([*a, failing]), broker=[])
    assert possible.level is Level.POSSIBLE
    assert "a consumer without a log may have had it" in possible.detail


ILLEGAL = (
    "the pull request offset illegal, PullRequest [consumerGroup=G, messageQueue={}, nextOffset={}] "
    "PullResult [pullStatus=OFFSET_ILLEGAL, nextBeginOffset={}, minOffset={}, maxOffset={}, msgFoundList=0]"
)


@pytest.mark.parametrize(
    ("asked", "given", "words", "cause"),
    [
        (-1, 5, "its first pull had no committed offset, and asked for -1", "first-pull-from-nowhere"),
        (3, 5, "the broker deleted messages before they were read", "offset-illegal"),
        (30, 20, "above the broker's last one, 20; it was corrected to 20, so messages", "offset-illegal"),
    ],
)
def test_cause_of_an_illegal_offset_follows_from_its_numbers(asked, given, words, cause, tmp_path):
    (found,) = of(tmp_path, What.CORRECTED, a=[line(0, ILLEGAL.format(mq(0), asked, given, 5, 20))])
    assert words in found.detail
    assert found.causes[0] == cause


def went_back(second, asked, stored):
    return broker(
        second,
        "[NOTIFYME]update consumer offset less than store. clientHost=10.0.0.1:7, key=T@G, queueId=1, "
        f"requestOffset={asked}, storeOffset={stored}",
    )


def test_rollback_by_one_is_harmless_unless_the_queue_moves(tmp_path):
    assert of(tmp_path, What.BACK, broker=[went_back(1, 9, 10)]) == []
    (line_,) = of(tmp_path, What.LINES, broker=[went_back(1, 9, 10)])
    assert line_.causes == ()
    assert len(of(tmp_path, What.BACK, broker=[went_back(1, 8, 10)])) == 1
    owner = [line(0, f"doRebalance, G, add a new mq, {mq(1)}")]
    assert len(of(tmp_path, What.BACK, broker=[went_back(1, 9, 10)], a=owner)) == 1


def test_one_old_offset_again_and_again_is_a_consumer_that_does_not_move_on(tmp_path):
    (found,) = of(tmp_path, What.BACK, broker=[went_back(second, 100, 200 + second) for second in (1, 6, 11)])
    assert "it got this offset 3 times" in found.detail
    assert found.causes[0] == "suspended-with-old-queues"


def test_failing_pull_of_a_client_that_shuts_down_is_ordinary(tmp_path):
    failing = line(
        1, f"execute the pull request exception, MQClientException: {mq(0)} connect to 10.0.0.1:10911 failed"
    )
    log = [line(0, "the consumer [G] start beginning. messageModel=CLUSTERING, isUnitMode=false"), failing]
    assert len(of(tmp_path, What.REFUSED, a=log)) == 1
    assert of(tmp_path, What.REFUSED, a=[*log, line(2, "the consumer [G] shutdown OK")]) == []


def test_silence_of_an_excerpt_is_possible(tmp_path):
    """A silence is certain only between long stretches of regular lines."""
    short = [added(0, 0), *commits("c@1", 0, [5, 10, 60, 65, 70])]
    (found,) = of(tmp_path, What.UNREAD, a=short)
    assert found.level is Level.POSSIBLE
    assert "may be an excerpt" in found.detail
    whole = [added(0, 0), *commits("c@1", 0, [*range(5, 60, 5), *range(120, 180, 5)])]
    assert one_of(audited(tmp_path, {"a.log": whole}).groups[0], What.UNREAD).level is Level.SEEN
