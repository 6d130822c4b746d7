"""Ends of entries that no line reports, and the owner of the lines that report them; one rule per test."""

from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Asked
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import AT, added, commits, kinds, line, mq, one_of, removed, result

EVERY_5_S = range(5, 85, 5)
NOTICE = "receive broker's notification[10.0.0.1:10911], the consumer group: G changed, rebalance immediately"


def ends(group, number):
    """Ends of a queue's entries, in s from the beginning."""
    return [(one.end - AT) / 1000 for one in group.spans if one.queue[2] == number]


def closed(second, client):
    channel = f"ClientChannelInfo [channel=[id: 0x1], clientId={client}, language=JAVA, version=1]"
    table = "ConsumerGroupInfo groupChannelTable, consumer group: G"
    return line(second, f"NETTY EVENT: remove not active channel[{channel}] from {table}")


def test_entry_of_an_ended_process_lasts_until_its_connection_closes(tmp_path):
    logs = {
        "a.log": [added(0, 0), *commits("a@1", 0, range(5, 21, 5))],
        "b.log": sorted([added(0, 1), result(0, "b@1", [1], 2), *commits("b@1", 1, EVERY_5_S), added(70, 0)]),
    }
    (group,) = audited(tmp_path, logs).groups
    assert ends(group, 0)[0] == 20
    (group,) = audited(tmp_path, logs | {"broker.log": [closed(40, "a@1")]}).groups
    assert ends(group, 0)[0] == 40
    nobody = one_of(group, What.NOBODY)
    assert (nobody.level, nobody.at, nobody.until) == (Level.SEEN, AT + 40_000, AT + 70_000)
    assert nobody.detail.startswith("the last owner's connection was closed")


def test_silent_owner_that_does_not_return_is_no_second_owner(tmp_path):
    """Its process may have ended long before its connection: nothing shows that it had the queue meanwhile."""
    logs = {
        "a.log": [added(0, 0), *commits("a@1", 0, range(5, 21, 5))],
        "b.log": sorted(
            [added(0, 1), *commits("b@1", 1, EVERY_5_S), added(40, 0), *commits("b@1", 0, range(45, 85, 5))]
        ),
        "broker.log": [closed(70, "a@1")],
    }
    (group,) = audited(tmp_path, logs).groups
    assert ends(group, 0)[0] == 70
    assert What.TWO not in kinds(group) | kinds(group, Level.POSSIBLE)


def test_uncommitted_queue_was_owned_until_its_last_commit(tmp_path):
    text = [added(0, 0), added(0, 1), *commits("a@1", 0, EVERY_5_S), *commits("a@1", 1, range(5, 21, 5))]
    (group,) = audited(tmp_path, {"a.log": sorted(text)}).groups
    assert (ends(group, 0), ends(group, 1)) == ([80], [20])


def test_silent_client_of_a_shared_log_has_nothing(tmp_path):
    text = [*commits("a@1", 0, range(5, 21, 5)), *commits("b@1", 1, EVERY_5_S)]
    (group,) = audited(tmp_path, {"all.log": sorted(text)}).groups
    assert (ends(group, 0), ends(group, 1)) == ([20], [80])


def test_commit_right_after_the_removal_is_no_new_entry(tmp_path):
    """Another thread sends it: for the same entry up to one second later, then for another one."""
    for late, many in ((0.5, 1), (1.5, 2)):
        text = [added(0, 0), *commits("a@1", 0, range(5, 21, 5)), removed(20.2, 0), *commits("a@1", 0, [20.2 + late])]
        (group,) = audited(tmp_path, {"a.log": text}).groups
        assert len(ends(group, 0)) == many


def test_listener_that_ends_after_its_queue_returned_is_no_overlap(tmp_path):
    dropped = line(15, f"the message queue not be able to consume, because it's dropped. {mq(0)}")
    other = [added(12, 0), *commits("b@1", 0, [13, 14, 16])]
    text = [added(0, 0), *commits("a@1", 0, [5]), removed(10, 0), dropped]
    (group,) = audited(tmp_path, {"a.log": sorted(text), "b.log": other}).groups
    assert one_of(group, What.LISTENERS).until == AT + 15_000
    (group,) = audited(tmp_path, {"a.log": sorted([*text, added(11, 0)]), "b.log": other}).groups
    assert What.LISTENERS not in kinds(group) | kinds(group, Level.POSSIBLE)


def test_restarted_consumer_is_present(tmp_path):
    text = [
        line(0, "the consumer [G] start beginning. messageModel=CLUSTERING, isUnitMode=false"),
        added(0.1, 0), added(0.1, 1), result(0.2, "a@1", [0, 1], 2, 1), *commits("a@1", 0, range(5, 20, 5)),
        line(20, "the consumer [G] shutdown OK"),
    ]  # fmt: skip
    again = [
        line(30, "the consumer [G] start beginning. messageModel=CLUSTERING, isUnitMode=false"),
        added(30.1, 0), *commits("a@1", 0, range(35, 85, 5)), added(70, 1), result(70, "a@1", [0, 1], 2, 1),
    ]  # fmt: skip
    (group,) = audited(tmp_path, {"a.log": sorted(text + again)}).groups
    found = next(one for one in group.findings if one.what is What.NOBODY and one.intervals[0].queue[2] == 1)
    assert (found.level, found.at, found.until) == (Level.SEEN, AT + 20_000, AT + 70_000)


def test_denied_view_counts_as_used(tmp_path):
    """A denied lock changes no table and logs no result, but the member knows of the other one."""
    logs = {
        "a.log": [
            *(added(0, number) for number in range(4)),
            result(0, "a@1", [0, 1, 2, 3], cid_all=1),
            *commits("a@1", 0, EVERY_5_S),
        ],
        "b.log": [added(10, 2), added(10, 3), result(10, "b@1", [2, 3]), *commits("b@1", 2, range(15, 85, 5))],
    }
    (group,) = audited(tmp_path, logs).groups
    assert one_of(group, What.VIEWS).until == AT + 80_000
    logs["a.log"] = sorted(
        [*logs["a.log"], line(10.5, f"doRebalance, G, add a new mq failed, {mq(4)}, because lock failed")]
    )
    (group,) = audited(tmp_path, logs).groups
    assert What.VIEWS not in kinds(group) | kinds(group, Level.POSSIBLE)


def test_offset_reset_is_recognised(tmp_path):
    logs = {"a.log": [added(0, 0), *commits("a@1", 0, [5, 10], 100), *commits("a@1", 0, [15, 20], 40)]}
    (group,) = audited(tmp_path, logs).groups
    assert one_of(group, What.BACK).causes == ("reset", "broker-forgot")
    reset = "[reset-offset] reset offset success. topic=T, group=G, clientId=a@1"
    for second, causes in ((12, ("reset",)), (80, ("reset", "broker-forgot"))):
        (group,) = audited(tmp_path, logs | {"broker.log": [line(second, reset)]}).groups
        found = one_of(group, What.BACK)
        assert found.causes == causes
        assert found.detail.endswith(": the offset was reset") is (second == 12)


def test_clock_of_another_zone_is_named(tmp_path):
    """By the same changes, in quarters of an hour; the faster clock is ahead, the other is behind."""
    notices = (3, 17, 44, 71)
    logs = {
        "a.log": [added(0, 0), *(line(second, NOTICE) for second in notices)],
        "b.log": [added(8 * 3600, 1), *(line(8 * 3600 + second + 0.2, NOTICE) for second in notices)],
    }
    (group,) = audited(tmp_path, logs).groups
    zones = {one.log.rpartition("/")[2]: one.other_zone for one in group.coverage}
    assert zones == {"a.log": -8 * 3_600_000, "b.log": 8 * 3_600_000}
    (group,) = audited(tmp_path, logs, Asked(zones=(("b.log", 8 * 3_600_000),))).groups
    assert [one.other_zone for one in group.coverage] == [None, None]
    assert [one.apart for one in group.coverage] == [200, 200]


def test_silence_counts_only_in_a_log_with_commits(tmp_path):
    """One client has two lines 40 s apart, and the other one commits before and after."""
    logs = {
        "a.log": [added(0, 0), removed(40, 0)],
        "b.log": [added(0, 1), *commits("b@1", 1, range(5, 20, 5)), *commits("b@1", 1, range(60, 70, 5))],
    }
    (group,) = audited(tmp_path, logs).groups
    assert [one.silences for one in group.coverage] == [(), ((AT + 15_000, AT + 60_000),)]


def test_one_id_in_two_logs_without_entries_is_no_duplicate(tmp_path):
    """A log without entries contains no ends."""
    lines = [line(n, "[BUG] ConsumerGroup: G The consumerId: a@1 not in cidAll: [c@1]") for n in range(0, 60, 5)]
    (group,) = audited(tmp_path, {"a.log": lines, "b.log": lines[1:9:2] + lines[9:]}).groups
    assert one_of(group, What.IDS).level is Level.SEEN


def test_hand_over_at_one_ms_is_no_copy_of_a_log(tmp_path):
    """A console and a file have the same begins and ends; the end of one process at the begin of another is none."""
    logs = {
        "a.log": [added(0, 0), added(0, 1), *commits("a@1", 0, range(5, 21, 5)), removed(20, 0), removed(20, 1)],
        "b.log": [added(20, 0), added(20, 1), *commits("a@1", 0, range(25, 85, 5))],
    }
    (group,) = audited(tmp_path, logs).groups
    assert group.mirrored == []
    assert len(group.spans) == 4
