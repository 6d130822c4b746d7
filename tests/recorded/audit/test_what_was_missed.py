"""Former errors of the audit, found by comparison with the recorded events."""

import pytest

from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Asked
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import AT, QUIET, added, commits, kinds, line, mq, one_of, removed, result

NOTICE = "receive broker's notification[10.0.0.1:10911], the consumer group: G changed, rebalance immediately"


@pytest.mark.parametrize("before", [[], [-50, -45, -40, -2], [-59, -1]])
def test_storm_after_a_few_notifications_is_found(tmp_path, before):
    """Ten within a minute are ten: a window that begins at the first notification can miss them."""
    seconds = [*range(100, 150, 5), *(100 + second for second in before)]
    (group,) = audited(tmp_path, {"a.log": sorted([added(0, 0), *(line(n, NOTICE) for n in seconds)])}).groups
    assert one_of(group, What.STORM).numbers["lines"] >= 10


def test_nine_notifications_within_a_minute_are_no_storm(tmp_path):
    seconds = [*range(0, 54, 6), 61, *range(122, 176, 6)]
    (group,) = audited(tmp_path, {"a.log": sorted([added(0, 0), *(line(n, NOTICE) for n in seconds)])}).groups
    assert What.STORM not in kinds(group)


def test_queue_added_just_before_the_silence_is_unread(tmp_path):
    """No offset was committed yet, but the queue was in the table of a member that was suspended."""
    seconds = [*range(5, 20, 5), *range(60, 80, 5)]
    quiet = [added(0, 0), result(0, "a@1", [0, 1]), *commits("a@1", 0, seconds), added(15, 1)]
    (group,) = audited(tmp_path, {"a.log": sorted([*quiet, *commits("a@1", 1, range(60, 80, 5))])}).groups
    found = one_of(group, What.UNREAD)
    assert {one.queue[2] for one in found.intervals} == {0, 1}


def stale(commit_seconds):
    """a goes on with what one member alone has; b sees two from second 10 on, and a from second 60 on."""
    own = [added(0, number) for number in range(4)] + [result(1, "a@1", [0, 1, 2, 3], cid_all=1)]
    own += [removed(60, 2), removed(60, 3), result(60, "a@1", [0, 1]), *commits("a@1", 0, commit_seconds)]
    other = [added(10, 2), added(10, 3), result(10, "b@1", [2, 3]), *commits("b@1", 2, range(15, 80, 5))]
    return {"a.log": sorted(own), "b.log": sorted(other)}


def test_members_disagree_only_while_they_are_active(tmp_path):
    """a is suspended from second 20 to 60: its old view is no view of a running member."""
    (group,) = audited(tmp_path, stale([5, 10, 15, 20, 60, 65, 70])).groups
    found = one_of(group, What.VIEWS)
    assert (found.level, found.at, found.until) == (Level.SEEN, AT + 10_000, AT + 20_000)
    (group,) = audited(tmp_path, stale(range(5, 80, 5))).groups
    assert one_of(group, What.VIEWS).until == AT + 60_000


def placed(between):
    """a has the second half at 0 by two ids, and b at 40; ``between``: what another one saw meanwhile."""
    first = [added(0, 2), added(0, 3), result(0, "a@1", [2, 3]), *commits("a@1", 2, range(5, 80, 5))]
    second = [added(40, 2), added(40, 3), result(40, "b@1", [2, 3]), *commits("b@1", 2, range(45, 80, 5))]
    third = [added(1, 0), added(1, 1), result(1, "c@1", [0, 1]), *between, *commits("c@1", 0, range(5, 80, 5))]
    return {"a.log": sorted(first), "b.log": sorted(second), "c.log": sorted(third)}


def test_indexes_contradict_only_with_current_sizes(tmp_path):
    """With three ids a's share can be unchanged: that rebalance would change and log nothing."""
    (group,) = audited(tmp_path, placed([])).groups
    assert {one.level for one in group.findings if one.what is What.UNLIKE} == {Level.SEEN}
    # Of four queues, the last of three has one: a cannot have taken that up without a line.
    (group,) = audited(tmp_path, placed([result(20, "c@1", [0, 1], cid_all=3)])).groups
    assert {one.level for one in group.findings if one.what is What.UNLIKE} == {Level.SEEN}
    # Of six, the second of three has what the third of four has not, and 2 and 3 are the second of three.
    wide = {
        "a.log": [added(0, 2), added(0, 3), result(0, "a@1", [2, 3], 6, 3), *commits("a@1", 2, range(5, 80, 5))],
        "b.log": [added(40, 2), added(40, 3), result(40, "b@1", [2, 3], 6, 3), *commits("b@1", 2, range(45, 80, 5))],
        "c.log": [result(1, "c@1", [0, 1], 6, 3), result(20, "c@1", [0, 1], 6, 4), result(30, "c@1", [4, 5], 6, 3)],
    }
    (group,) = audited(tmp_path, {name: sorted(text) for name, text in wide.items()}).groups
    assert {one.level for one in group.findings if one.what is What.UNLIKE} == {Level.POSSIBLE}


def test_failed_lock_request_is_no_denial(tmp_path):
    failed = [
        line(second, f"lockBatchMQ exception, {mq(1)}") + "org.apache.rocketmq.RemotingTimeoutException: 1000(ms)\n"
        for second in (20, 40)
    ]
    seconds = (20.001, 40.001, 60)
    denied = [line(n, f"doRebalance, G, add a new mq failed, {mq(1)}, because lock failed") for n in seconds]
    (group,) = audited(tmp_path, {"a.log": sorted([*QUIET[:3], *failed, *denied])}).groups
    told = {one.detail: one.causes for one in group.findings if one.what is What.LOCKS}
    assert set(told) == {"the lock request failed 2 times", "denied once"}
    assert told["the lock request failed 2 times"] == ("broker-unreachable",)


def brokers(second, message):
    return f"2023-01-31 12:00:{second:02} WARN PullMessageThread_1 - {message}\n"


def test_refusals_are_read_from_the_brokers_log(tmp_path):
    """A client does not log refused pulls of its retry topic; one line of the broker is one refusal."""
    thrown = (
        "org.apache.rocketmq.client.exception.MQBrokerException: CODE: 25 DESC: the consumer's subscription not latest"
    )
    own = line(10, "execute the pull request exception") + f"{thrown}\n"
    refusals = [brokers(second, "The broker's subscription is not latest, group: G *") for second in (10, 10, 38)]
    gone = brokers(10, "the consumer's group info not exist, group: G")
    logs = {"a.log": sorted([*QUIET, own]), "broker.log": sorted([*refusals, gone])}
    (group,) = audited(tmp_path, logs, Asked(zone=8 * 3_600_000)).groups
    mine = (("a@1",), "once: the broker has an older subscription")
    theirs = [
        ((), "2 times: the broker has an older subscription"),
        ((), "once: the broker knows no consumer of the group"),
    ]
    assert sorted((one.members, one.detail) for one in group.findings if one.what is What.REFUSED) == [*theirs, mine]
    # Whether the same refusals are meant is not known where a clock's zone is not.
    (group,) = audited(tmp_path, logs).groups
    assert [(one.members, one.detail) for one in group.findings if one.what is What.REFUSED] == [mine]


def test_refusal_reason_of_5_3_is_read(tmp_path):
    """Its line has no exception after it: the words are the reason."""
    text = [*QUIET, line(10, f"the subscription is not latest, group=G, messageQueue={mq(1)}")]
    (group,) = audited(tmp_path, {"a.log": sorted(text)}).groups
    assert one_of(group, What.REFUSED).detail == "once: the broker has an older subscription"
    assert one_of(group, What.REFUSED).causes == ("subscription-not-latest",)
