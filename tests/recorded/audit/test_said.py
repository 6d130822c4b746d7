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


NO_LIST = "getConsumerIdListByGroup exception, {} G"


@pytest.mark.parametrize(
    ("reason", "words", "causes"),
    [
        (
            "MQBrokerException: CODE: 1  DESC: org.x.y.AclException: No accessKey is configured BROKER: ",
            "No accessKey",
            ["acl-denied"],
        ),
        (
            "MQBrokerException: CODE: 26  DESC: subscription group not exist",
            "no subscription group",
            ["group-not-created"],
        ),
        ("MQBrokerException: CODE: 24  DESC: the consumer's group info not exist", "", ["broker-comes-back"]),
        ("MQClientException: CODE: 17  DESC: No topic route info", "does not know the topic", ["topic-missing"]),
        ("MQBrokerException: CODE: 15  DESC: version", "version is not supported", []),
        ("RemotingConnectException: connect to null failed", "the client has no name server address", []),
        ("RemotingConnectException: connect to 10.0.0.1:10911 failed", "10911 failed", ["broker-unreachable"]),
        ("RemotingTimeoutException: wait response on the channel <10.0.0.1:1> timeout", "", ["broker-unreachable"]),
    ],
)
def test_reason_in_the_exception_decides_why_there_is_no_member_list(reason, words, causes, tmp_path):
    """Seeded fault: every missing list has the same three causes, the refused request is a refused pull."""
    lines = [line(0, NO_LIST.format("10.0.0.1:10911")), f"org.apache.rocketmq.client.exception.{reason}\n"]
    (found,) = of(tmp_path, What.UNLISTED, a=lines)
    assert words in found.detail
    assert list(found.causes[:1]) == causes
    assert of(tmp_path, What.REFUSED, a=lines) == []


def test_reason_of_a_missing_list_in_the_line_of_go_counts(tmp_path):
    said = (
        'time="2024-10-18T10:02:{}Z" level=error msg="get consumer list of group from broker error" '
        'consumerGroup=G underlayError="{}"\n'
    )
    for reason, cause in (
        ("CODE: 1  DESC: AclException: No accessKey is configured", "acl-denied"),
        ("no consumer for this group", "broker-comes-back"),
        ("CODE: 26  DESC: subscription group not exist", "group-not-created"),
    ):
        lines = [said.format("44", "wait response timeout"), said.format("45", reason)]
        (found,) = of(tmp_path, What.UNLISTED, a=lines)
        assert found.causes[0] == cause


def test_missing_list_has_the_reason_of_another_group_of_its_process(tmp_path):
    lines = [
        line(0, NO_LIST.format("")),
        "org.x.MQBrokerException: CODE: 1  DESC: AclException: No accessKey is configured\n",
        line(20, "doRebalance, H T, get consumer id list failed"),
    ]
    named = {one.name: one.findings for one in audited(tmp_path, {"a.log": lines}).groups}
    (found,) = [one for one in named["H"] if one.what is What.UNLISTED]
    assert "the request for the list of G failed by AclException" in found.detail
    assert found.causes[0] == "acl-denied"


def test_connection_to_null_has_no_name_server_address(tmp_path):
    (group,) = audited(tmp_path, {"a.log": ["RemotingConnectException: connect to null failed\n"]}).groups
    (found,) = group.findings
    assert (found.what, found.causes) == (What.UNREACHED, ())
    assert "the client has no name server address" in found.detail


def test_two_entries_with_the_newest_first_are_no_step_of_the_clock(tmp_path):
    lines = [line(600, "doRebalance, G T, get consumer id list failed"), line(0, NO_LIST.format("b"))]
    (file,) = audited(tmp_path, {"a.log": lines}).files
    assert (file.tally.back, file.tally.turned) == (0, [2, 1])
    lines = [*commits("c@1", 0, [600] * 5), *commits("c@1", 0, [0] * 5)]
    (file,) = audited(tmp_path, {"a.log": lines}).files
    assert (file.tally.back, file.tally.turned) == (1, [])


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


def went_back(second, asked, stored, queue=1, host="10.0.0.1"):
    return broker(
        second,
        "[NOTIFYME]update consumer offset less than store. "
        f"clientHost={host}:7, key=T@G, queueId={queue}, requestOffset={asked}, storeOffset={stored}",
    )


def test_rollback_by_one_is_harmless_unless_the_queue_moves(tmp_path):
    assert of(tmp_path, What.BACK, broker=[went_back(1, 9, 10)]) == []
    (line_,) = of(tmp_path, What.LINES, broker=[went_back(1, 9, 10)])
    assert line_.causes == ()
    assert len(of(tmp_path, What.BACK, broker=[went_back(1, 8, 10)])) == 1
    owner = [line(0, f"doRebalance, G, add a new mq, {mq(1)}")]
    assert len(of(tmp_path, What.BACK, broker=[went_back(1, 9, 10)], a=owner)) == 1


STOPPED = (
    line(0, f"[persistAll] Group: G ClientId: a@1 updateConsumeOffsetToBroker {mq(1)} 900"),
    line(0, "the consumer [G] shutdown OK"),
    line(1, "the consumer [G] start beginning. messageModel=CLUSTERING, isUnitMode=false"),
)


def starts_at(second, offset, queue=1):
    return line(
        second,
        "doRebalance, G, add a new pull request PullRequest [consumerGroup=G, "
        f"messageQueue={mq(queue)}, nextOffset={offset}]",
    )


def test_start_below_the_own_last_commit_is_a_rollback(tmp_path):
    (found,) = of(tmp_path, What.BACK, a=[*STOPPED, starts_at(2, 700)])
    assert (found.level, found.causes) == (Level.SEEN, ("late-commit", "reset", "broker-forgot"))
    assert "900 was committed, then the same consumer starts at the lower 700: 200 messages again" in found.detail
    assert [number for _, number in found.evidence] == [1, 4]
    later = line(7, f"[persistAll] Group: G ClientId: a@1 updateConsumeOffsetToBroker {mq(1)} 710")
    assert len(of(tmp_path, What.BACK, a=[*STOPPED, starts_at(2, 700), later])) == 1
    (_, found) = of(
        tmp_path, What.BACK, a=[*STOPPED, starts_at(2, 700)], broker=[went_back(0, 700, 800).replace("01-31", "01-27")]
    )
    assert found.causes == ("suspended-with-old-queues", "late-commit")
    assert "a broker logged that 10.0.0.1:7 commits this offset" in found.detail


def sent(second, client, offset):
    return line(second, f"[persistAll] Group: G ClientId: {client} updateConsumeOffsetToBroker {mq(1)} {offset}")


@pytest.mark.parametrize(
    ("a", "b", "before"),
    [
        ([sent(0, "a@1", 900), starts_at(40, 700)], [sent(10, "b@1", 690), sent(20, "b@1", 700)], 900),
        ([sent(0, "a@1", 900), starts_at(40, 850), sent(45, "a@1", 860)], [sent(10, "b@1", 2000)], 2000),
        ([sent(0, "a@1", 900), starts_at(7, 700), sent(10, "b@1", 700)], [], 900),
    ],
)
def test_start_after_commits_of_another_consumer_is_not_compared_with_own_ones(a, b, before, tmp_path):
    (found,) = of(tmp_path, What.BACK, a=a, b=b)
    assert f"{before} was committed, then the lower" in found.detail
    assert "by another consumer" in found.detail


@pytest.mark.parametrize(("topic", "causes"), [("T", ("reset",)), ("U", ("late-commit", "reset", "broker-forgot"))])
def test_reset_of_another_topic_explains_no_rollback(topic, causes, tmp_path):
    """Seeded fault: the topic of the reset is not compared."""
    reset = broker(1, f"[reset-offset] reset offset success. topic={topic}, group=G, clientId=a@1")
    (found,) = of(tmp_path, What.BACK, a=[*STOPPED, starts_at(2, 700)], broker=[reset])
    assert found.causes == causes


@pytest.mark.parametrize(
    "lines", [[starts_at(2, 900)], [starts_at(2, 950)], [starts_at(2, 7, 2)], [starts_at(2, "7…")], [starts_at(2, -1)]]
)
def test_start_that_is_not_below_the_own_last_commit_is_no_rollback(lines, tmp_path):
    assert of(tmp_path, What.BACK, a=[*STOPPED, *lines]) == []
    assert of(tmp_path, What.BACK, a=[starts_at(-1, 700), *STOPPED]) == []
    assert of(tmp_path, What.BACK, a=[*STOPPED, starts_at(-1, 700)]) == []  # the clock was put back


@pytest.mark.parametrize(("host", "offset"), [("a", 700), ("10.0.0.1", 699)])
def test_start_is_not_explained_by_commits_of_its_own_host_or_of_another_offset(host, offset, tmp_path):
    stale = went_back(0, offset, 800, host=host).replace("01-31", "01-27")
    found = of(tmp_path, What.BACK, a=[*STOPPED, starts_at(2, 700)], broker=[stale])
    (start,) = [one for one in found if "starts at the lower" in one.detail]
    assert start.causes == ("late-commit", "reset", "broker-forgot")


def test_pasted_lines_of_a_broker_are_no_part_of_the_clients_log(tmp_path):
    """Seeded fault: they count as a clock that steps back, and as a silence of the client."""
    before = [went_back(second, 700, 800 + second).replace("2023-01-31", "2023-01-27") for second in (1, 2)]
    pasted = [*STOPPED, starts_at(2, 700), *before]
    told = audited(tmp_path, {"a.log": pasted})
    (group,), (file,) = told.groups, told.files
    (coverage,) = group.coverage
    assert (file.tally.back, coverage.silences) == (0, ())
    assert coverage.last - coverage.first == 2_000
    assert [one.what for one in group.findings] == [What.BACK, What.BACK]
    told = audited(tmp_path, {"a.log": [went_back(1, 700, 801), *before]})
    assert told.files[0].tally.back == 1  # of the broker's own clock


def test_rollback_among_harmless_ones_of_its_host_is_possible(tmp_path):
    """One client's two ways of committing can overtake each other by more than one message."""
    harmless = [went_back(2, 9, 10, queue) for queue in (3, 4)]
    (found,) = of(tmp_path, What.BACK, broker=[went_back(1, 23, 54), *harmless])
    assert found.level is Level.POSSIBLE
    assert "overtook each other in other queues" in found.detail
    for lines in (
        [went_back(1, 23, 54), *harmless[:1]],  # one is no pattern
        [went_back(1, 23, 5400), *harmless],
        [went_back(1, 23, 54), *(went_back(2, 9, 10, queue, "10.0.0.2") for queue in (3, 4))],
    ):
        (found,) = of(tmp_path, What.BACK, broker=lines)
        assert found.level is Level.SEEN
    owner = [line(0, f"doRebalance, G, add a new mq, {mq(1)}")]
    (found,) = of(tmp_path, What.BACK, broker=[went_back(1, 23, 54), *harmless], a=owner)
    assert found.level is Level.SEEN


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


def nameless(tmp_path, text):
    (group,) = audited(tmp_path, {"a.log": text}).groups
    return group.findings


def unknown(second, topic, code=17):
    return "".join(
        (
            line(second, f"get Topic [{topic}] RouteInfoFromNameServer is not exist value"),
            line(second, "updateTopicRouteInfoFromNameServer Exception"),
            "org.apache.rocketmq.client.exception.MQClientException: "
            f"CODE: {code}  DESC: No topic route info in name server for the topic: {topic}\n",
        )
    )


def test_missing_route_of_a_system_topic_is_harmless(tmp_path):
    """Seeded fault: a name server that answers is out of reach, and TBW102 is a topic that consumers miss."""
    (found,) = nameless(tmp_path, unknown(0, "TBW102") + unknown(9, "RMQ_SYS_TRACE_TOPIC"))
    assert "harmless" in found.detail
    assert (found.what, found.causes, found.topic) == (What.LINES, (), "")
    (found,) = nameless(tmp_path, unknown(0, "T"))
    assert (found.what, found.causes[0], found.topic) == (What.LINES, "topic-missing", "T")
    assert "once" in found.detail
    (found, _) = nameless(tmp_path, unknown(0, "T", 1))
    assert (found.what, found.causes) == (What.UNREACHED, ())
    assert "response code 1" in found.detail


def test_connection_that_a_process_closes_itself_is_no_failed_request(tmp_path):
    """Seeded fault: a broker's shutdown hook is read as "request timed out"."""
    hook = "2023-01-31 12:00:01 INFO ShutdownHook - closeChannel: begin close the channel[10.0.0.9:9876] Found: true\n"
    assert audited(tmp_path, {"a.log": hook}).groups == []


def test_pull_on_a_closed_connection_is_counted_with_its_reason(tmp_path):
    """Seeded fault: a reason that no text explains is left out, and equal lines count once."""
    pull = (
        'time="2023-04-09T21:44:21+08:00" level=warning msg="pull message from broker error" '
        'broker="10.0.0.1:10911" underlayError="{}"\n'
    )
    (found,) = nameless(tmp_path, pull.format("set tcp 10.0.0.2:60520: use of closed network connection") * 3)
    assert found.detail.startswith("3 times: the client itself had closed the connection")
    assert found.causes[0] == "go-shared-client-closed"
    (found,) = nameless(tmp_path, pull.format("odd thing"))
    assert found.detail == "once: odd thing"


@pytest.mark.parametrize(
    ("text", "title", "cause"),
    [
        (
            "The consume request count exceeds threshold 100, so do flow control, consume request count=116, "
            "flowControlTimes=1",
            "flow control of a lite pull consumer",
            "too-slow",
        ),
        (
            "The message queue is not in assigned list, may be rebalancing, message queue: "
            "MessageQueue [topic=T, brokerName=b, queueId=1]",
            "queue not assigned",
            "",
        ),
        ("service close is not running, please check", "request on a closed client", "go-shared-client-closed"),
        ("No topic in this broker, client: /10.0.0.4:44658 topic: T", "topic not on this broker", "routes-differ"),
    ],
)
def test_known_line_is_a_finding_with_its_cause(text, title, cause, tmp_path):
    (found,) = nameless(tmp_path, line(0, text))
    assert found.detail.startswith(title)
    assert found.causes[:1] == ((cause,) if cause else ())


def test_closed_client_explains_missing_member_lists_and_heartbeats(tmp_path):
    """Seeded fault: a Go consumer on a client that was shut down before seems not to reach its brokers."""
    form = '{{"level":"error","ts":"2024-07-01T09:30:00.402+0800","msg":"{}",{}"underlayError":"{}"}}\n'
    group = '"consumerGroup":"G",'
    lines = [
        form.format(
            "get consumer list of group from broker error", group, "service close is not running, please check"
        ),
        form.format(
            "send heart beat to broker error", group, "set tcp 10.0.0.2:60520: use of closed network connection"
        ),
    ]
    (group,) = audited(tmp_path, {"a.json": "".join(lines)}).groups
    assert {one.what: one.causes for one in group.findings} == {
        What.UNLISTED: ("go-shared-client-closed",),
        What.UNREACHED: ("go-shared-client-closed",),
    }


def test_vip_port_explains_a_missing_member_list(tmp_path):
    lines = [
        line(0, "getConsumerIdListByGroup exception, 10.0.0.1:10909 G"),
        "org.apache.rocketmq.remoting.exception.RemotingConnectException: connect to <10.0.0.1:10909> failed\n",
        line(1, "doRebalance, G T, get consumer id list failed"),
    ]
    found = of(tmp_path, What.UNLISTED, a=lines)
    assert [one.causes[0] for one in found] == ["vip-channel"]


def test_start_that_failed_is_a_finding(tmp_path):
    lines = [
        line(0, "Started container failed. DefaultRocketMQListenerContainer{}"),
        "Caused by: org.apache.rocketmq.client.exception.MQClientException: The consumer group[G] has been created "
        "before, specify another name please.\n",
    ]
    (found,) = of(tmp_path, What.LINES, a=lines)
    assert found.detail.startswith("group already in the process")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Shutdown hook was invoked, 1", "broker shuts down"),
        ("The broker[b, 10.0.0.9:10911] boot success. serializeType=JSON", "broker started"),
        ("remove brokerName[b] from brokerAddrTable, because channel destroyed", "broker removed from the routes"),
    ],
)
def test_start_and_end_of_a_broker_are_findings(text, title, tmp_path):
    (found,) = nameless(tmp_path, broker(1, text))
    assert found.detail.startswith(title)
    assert found.causes in ((), ("broker-comes-back",))


def test_first_start_of_a_broker_is_no_restart(tmp_path):
    """Seeded fault: the start of a broker before its first consumer is a cause."""
    starts = [broker(second, "The broker[b, 10.0.0.9:10911] boot success. serializeType=JSON") for second in (1, 40)]
    assert of(tmp_path, What.LINES, broker=[starts[0], connected(5, 7)]) == []
    (found,) = of(tmp_path, What.LINES, broker=[connected(5, 7), starts[1]])
    assert found.causes == ("broker-comes-back",)


def test_expired_lock_ends_its_denials(tmp_path):
    """Seeded fault: the takeover is not used, so the old holder may as well be alive."""
    said = "tryLockBatch, message queue {} Group: G {}ClientId: old@1 NewClientId: new@1 " + mq(0)
    denied = [broker(second, said.format("locked by other client.", "Other")) for second in (7, 27)]
    got = broker(47, said.format("lock expired, I got it.", "Old"))
    (found,) = of(tmp_path, What.LOCKS, broker=[*denied, got])
    assert "denied 2 times; old@1 held the lock; 40 s after the first denial" in found.detail
    assert "renewed the lock for the last time 60 to 80 s before" in found.detail
    assert found.causes[0] == "waits-for-crashed"
    assert found.long == 40_000
    (alone,) = of(tmp_path, What.LOCKS, broker=[got])
    assert (alone.level, alone.causes[0], len(alone.intervals)) == (Level.POSSIBLE, "waits-for-crashed", 1)
    assert "No line shows that a request was denied before" in alone.detail
    (living,) = of(tmp_path, What.LOCKS, broker=denied)
    assert living.causes[0] == "waits-for-living"
    own = broker(47, said.format("lock expired, I got it.", "Old").replace("old@1", "new@1"))
    (found,) = of(tmp_path, What.LOCKS, broker=[*denied, own])
    assert "expired" not in found.detail


def test_dropped_close_event_leaves_its_client_in_the_group(tmp_path):
    """Seeded fault: the line is not known, so nothing explains the queues without a consumer."""
    event = (
        "event queue size [{}] over the limit [10000], so drop this event NettyEvent [type={}, "
        "remoteAddr=10.0.0.1:24254, channel=[id: 0xf5, L:/10.0.0.9:10911 ! R:/10.0.0.1:24254]]"
    )
    lines = [broker(1, event.format(10001, "CLOSE")), broker(3, event.format(10007, "CLOSE"))]
    (found,) = of(tmp_path, What.GONE, broker=lines)
    assert (found.level, found.causes) == (Level.POSSIBLE, ("second-channel", "host-vanished"))
    assert found.detail.startswith("2 times, the broker dropped the event that a connection closed (10.0.0.1:24254)")
    assert audited(tmp_path, {"broker.log": [broker(1, event.format(10001, "CONNECT"))]}).groups == []
