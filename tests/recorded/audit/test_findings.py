"""Each kind of finding is found in logs that have it, and in no others."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from benchmarks.logs import FORMS, play
from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Asked, digest
from rebalance_proofs.recorded.logs.sources import NotThere
from tests.recorded.audit.audited import audited

FORM = FORMS["4"]
AT = 1_675_166_400_000


def mq(number, topic="T"):
    return f"MessageQueue [topic={topic}, brokerName=b, queueId={number}]"


def line(second, message):
    return FORM.line(AT + round(second * 1000), message)


def added(second, number):
    return line(second, f"doRebalance, G, add a new mq, {mq(number)}")


def removed(second, number):
    return line(second, f"doRebalance, G, remove unnecessary mq, {mq(number)}")


def commits(client, number, seconds, offset=0):
    return [
        line(second, f"[persistAll] Group: G ClientId: {client} updateConsumeOffsetToBroker {mq(number)} {offset}")
        for second in seconds
    ]


def result(second, client, queues, mq_all=4, cid_all=2, strategy="AVG"):
    names = ", ".join(mq(number) for number in queues)
    return line(
        second,
        f"rebalanced result changed. allocateMessageQueueStrategyName={strategy}, group=G, topic=T, clientId={client}, "
        f"mqAllSize={mq_all}, cidAllSize={cid_all}, rebalanceResultSize={len(queues)}, rebalanceResultSet=[{names}]",
    )


def kinds(group, level=Level.SEEN):
    return {one.what for one in group.findings if one.level is level}


def one_of(group, what):
    (found,) = (one for one in group.findings if one.what is what)
    return found


QUIET = [
    added(0, 0),
    added(0, 1),
    result(0, "a@1", [0, 1]),
    *commits("a@1", 0, range(5, 60, 5)),
    *commits("a@1", 1, range(5, 60, 5)),
]
OTHER = [
    added(0, 2),
    added(0, 3),
    result(0, "b@1", [2, 3]),
    *commits("b@1", 2, range(5, 60, 5)),
    *commits("b@1", 3, range(5, 60, 5)),
]


def test_calm_group_has_no_findings(tmp_path):
    (group,) = audited(tmp_path, {"a.log": sorted(QUIET), "b.log": sorted(OTHER)}).groups
    assert group.findings == []
    assert len(group.spans) == 4


def test_two_active_owners_are_observed(tmp_path):
    logs = {
        "a.log": sorted(QUIET),
        "b.log": sorted([*OTHER, added(20, 1), *commits("b@1", 1, range(25, 60, 5)), removed(50, 1)]),
    }
    (group,) = audited(tmp_path, logs).groups
    found = one_of(group, What.TWO)
    assert found.level is Level.SEEN
    assert (found.at, found.until) == (AT + 20_000, AT + 50_000)
    assert found.intervals[0].queue == ("T", "b", 1)
    assert {file.rpartition("/")[2] for file, _ in found.evidence} == {"a.log", "b.log"}


def test_overlap_within_the_clock_error_is_not_reported(tmp_path):
    first = [*QUIET[:3], *commits("a@1", 0, range(5, 60, 5)), *commits("a@1", 1, range(5, 20, 5)), removed(20.8, 1)]
    logs = {"a.log": sorted(first), "b.log": sorted([*OTHER, added(20, 1)])}
    (group,) = audited(tmp_path, logs, Asked(tolerate=1_000)).groups
    assert What.TWO not in kinds(group)
    (group,) = audited(tmp_path, logs, Asked(tolerate=500)).groups
    assert What.TWO in kinds(group)


def test_clock_error_can_be_set(tmp_path):
    """b's clock is 30 s slow: with the correction there is no overlap."""
    logs = {"a.log": sorted([*QUIET[:-6], removed(21, 1)]), "b.log": sorted([added(5, 1), result(5, "b@1", [1, 2, 3])])}
    (group,) = audited(tmp_path, logs).groups
    assert group.spans[2].begin == AT + 5_000
    (group,) = audited(tmp_path, logs, Asked(clocks=(("b.log", -30_000),))).groups
    assert [one.begin for one in group.spans if one.member[0] == "b@1" and one.begins] == [AT + 35_000]
    with pytest.raises(NotThere):
        audited(tmp_path, logs, Asked(clocks=(("c.log", 1),)))


def test_zone_difference_alone_is_not_certain(tmp_path):
    """Only one log names its zone: no finding about both is SEEN unless the user gives the zone."""
    native = FORMS["5"]
    other = [native.line(AT + 20_000 - 8 * 3_600_000, f"doRebalance, G, add a new mq, {mq(1)}")]
    other += [
        native.line(
            AT + s * 1000 - 8 * 3_600_000, f"[persistAll] Group: G ClientId: b@1 updateConsumeOffsetToBroker {mq(1)} 0"
        )
        for s in range(25, 60, 5)
    ]
    logs = {"a.log": sorted(QUIET), "b.log": other}
    (group,) = audited(tmp_path, logs).groups
    assert one_of(group, What.TWO).level is Level.POSSIBLE
    (group,) = audited(tmp_path, logs, Asked(zone=8 * 3_600_000)).groups
    assert one_of(group, What.TWO).level is Level.SEEN


def test_queue_without_an_owner_is_observed(tmp_path):
    logs = {"a.log": sorted([*QUIET[:13], removed(20, 1)]), "b.log": sorted([*OTHER, added(45, 1)])}
    (group,) = audited(tmp_path, logs).groups
    found = one_of(group, What.NOBODY)
    assert found.level is Level.SEEN
    assert (found.at, found.until) == (AT + 20_000, AT + 45_000)


def test_missing_owner_is_not_reported_with_a_missing_log(tmp_path):
    logs = {
        "a.log": sorted(
            [
                added(0, 0),
                added(0, 1),
                result(0, "a@1", [0, 1], cid_all=3),
                removed(20, 1),
                *commits("a@1", 0, range(5, 60, 5)),
            ]
        ),
        "b.log": sorted(OTHER),
    }
    (group,) = audited(tmp_path, logs).groups
    assert What.NOBODY not in kinds(group) | kinds(group, Level.POSSIBLE)
    assert group.seen_members == 3


def test_unused_view_of_a_member_is_reported(tmp_path):
    logs = {
        "a.log": sorted(
            [
                *QUIET,
                added(0, 2),
                added(0, 3),
                result(1, "a@1", [0, 1, 2, 3], cid_all=1),
                removed(40, 2),
                removed(40, 3),
                result(40, "a@1", [0, 1]),
            ]
        ),
        "b.log": sorted([added(10, 2), added(10, 3), result(10, "b@1", [2, 3]), *commits("b@1", 2, range(15, 60, 5))]),
    }
    (group,) = audited(tmp_path, logs).groups
    found = one_of(group, What.VIEWS)
    assert (found.level, found.members) == (Level.SEEN, ("a@1", "b@1"))
    assert (found.at, found.until) == (AT + 10_000, AT + 40_000)


@pytest.mark.parametrize(
    ("queues", "sizes", "unlike"),
    [
        ([0, 1], (4, 2), False),
        ([2, 3], (4, 2), False),
        ([0, 2], (4, 2), True),
        ([1, 2], (4, 2), True),
        ([0, 1, 2], (4, 2), True),
        ([], (4, 2), False),
        ([3], (4, 4), False),
    ],
)
def test_share_that_no_strategy_gives_is_reported(tmp_path, queues, sizes, unlike):
    every = result(100, "b@1", [0, 1, 2, 3], cid_all=1)
    logs = {"a.log": [result(0, "a@1", queues, *sizes)], "b.log": [every]}
    (group,) = audited(tmp_path, logs).groups
    assert (What.UNLIKE in kinds(group)) is unlike


def test_indexes_that_contradict_the_ids_are_reported(tmp_path):
    """a sorts before b, and has the allocation of the second consumer."""
    swapped = {
        "a.log": sorted([added(0, 2), added(0, 3), result(0, "a@1", [2, 3]), *commits("a@1", 2, range(5, 60, 5))]),
        "b.log": sorted([added(0, 0), added(0, 1), result(0.5, "b@1", [0, 1]), *commits("b@1", 0, range(5, 60, 5))]),
    }
    (group,) = audited(tmp_path, swapped).groups
    found = one_of(group, What.UNLIKE)
    assert "contradicts the order of their ids" in found.detail
    # It is so once the second of them has its share, and both lines show it.
    assert (found.members, found.at, found.until) == (("a@1", "b@1"), AT + 500, AT + 500)
    assert [name.rpartition("/")[2] for name, _ in found.evidence] == ["a.log", "b.log"]
    assert found.causes[0] == "registries-differ"


def test_offset_rollback_is_observed(tmp_path):
    logs = {
        "a.log": sorted([*QUIET[:3], *commits("a@1", 0, range(5, 30, 5), 100), removed(31, 0)]),
        "b.log": sorted([*OTHER, added(32, 0), *commits("b@1", 0, range(35, 60, 5), 40)]),
    }
    (group,) = audited(tmp_path, logs).groups
    found = one_of(group, What.BACK)
    assert (found.numbers["before"], found.numbers["after"]) == (100, 40)
    assert found.members == ("a@1", "b@1")


def test_one_id_in_two_processes_is_observed(tmp_path):
    logs = {
        "a.log": sorted(QUIET),
        "b.log": sorted([*commits("a@1", 2, range(7, 60, 5)), *commits("a@1", 3, range(7, 60, 5))]),
    }
    (group,) = audited(tmp_path, logs).groups
    assert one_of(group, What.IDS).level is Level.SEEN


def test_console_copy_of_a_log_is_no_second_process(tmp_path):
    """The same lines, in another layout."""
    console = [text.replace(" INFO RocketmqClient - ", " [main] INFO x : ") for text in QUIET]
    (group,) = audited(
        tmp_path, {"a.log": sorted(QUIET), "console.log": sorted(console), "b.log": sorted(OTHER)}
    ).groups
    assert group.findings == []
    assert len(group.mirrored) == 1


def test_silence_of_a_committing_member_is_reported(tmp_path):
    quiet = [*QUIET[:3], *commits("a@1", 0, range(5, 20, 5)), *commits("a@1", 0, range(60, 80, 5))]
    (group,) = audited(tmp_path, {"a.log": sorted(quiet)}).groups
    found = one_of(group, What.UNREAD)
    assert (found.at, found.until) == (AT + 15_000, AT + 60_000)


def test_log_without_commits_shows_nothing_by_silence(tmp_path):
    (group,) = audited(tmp_path, {"a.log": [*QUIET[:3], removed(90, 0)]}).groups
    assert What.UNREAD not in kinds(group)


def test_denied_locks_and_storms_are_reported(tmp_path):
    denied = [line(20 * n, f"doRebalance, G, add a new mq failed, {mq(1)}, because lock failed") for n in range(4)]
    notice = "receive broker's notification[10.0.0.1:10911], the consumer group: G changed, rebalance immediately"
    logs = {"a.log": sorted([added(0, 0), *denied, *(line(n, notice) for n in range(1, 13))])}
    (group,) = audited(tmp_path, logs).groups
    assert one_of(group, What.LOCKS).numbers["lines"] == 4
    assert one_of(group, What.STORM).numbers["lines"] == 12


def test_several_clients_in_one_file_are_separated(tmp_path):
    """Lines without an id belong to the client whose result follows."""
    text = [
        added(0, 0), added(0, 1), result(0.01, "a@1", [0, 1]),
        added(1, 2), added(1, 3), result(1.01, "b@1", [2, 3]),
        *commits("a@1", 0, range(5, 30, 5)), *commits("b@1", 2, range(5, 30, 5)),
    ]  # fmt: skip
    (group,) = audited(tmp_path, {"all.log": sorted(text)}).groups
    assert {(one.member[0], one.queue[2]) for one in group.spans} == {("a@1", 0), ("a@1", 1), ("b@1", 2), ("b@1", 3)}
    assert group.findings == []


def test_group_topic_and_times_filter_findings(tmp_path):
    logs = {"a.log": sorted(QUIET), "b.log": sorted([*OTHER, added(20, 1), *commits("b@1", 1, range(25, 60, 5))])}
    assert audited(tmp_path, logs, Asked(group="H")).groups == []
    assert audited(tmp_path, logs, Asked(topic="U")).groups == []
    (group,) = audited(tmp_path, logs, Asked(end=AT + 10_000)).groups
    assert group.findings == []


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(list(FORMS)))
@example(109, 5, "4")  # one member is killed a millisecond after the other has stopped
def test_findings_in_generated_groups_are_correct(tmp_path_factory, seed, members, form):
    """Entries are where they were; two owners that overlapped by more than a second are SEEN, no others."""
    played = play(seed, members, form=form)
    found = audited(
        tmp_path_factory.mktemp("generated"), {f"{client}.log": text for client, text in played.logs.items()}
    )
    (group,) = found.groups
    spans = {(one.member[0], one.queue, one.begin): one.end for one in group.spans}
    held = {(one.client, tuple(one.queue), one.begin): one.end for one in played.held}
    assert set(spans) == set(held)
    assert all(abs(spans[key] - held[key]) <= 5_000 for key in held)
    seen = {
        (each.queue, each.at, each.until)
        for one in group.findings
        if one.what is What.TWO and one.level is Level.SEEN
        for each in one.intervals
    }
    really = list(overlaps(played, 0))
    # Who stops, or is killed, wrote its last line up to 5 s before.
    for queue, at, until in overlaps(played, 5_000):
        assert any(one == queue and begin < until and end > at for one, begin, end in seen), (queue, at, until)
    for queue, begin, end in seen:
        assert any(one == queue and at < end and until > begin for one, at, until in really), (queue, begin, end)


def overlaps(played, before):
    """Times over 1 s in which two members that ran had a queue, by the truth; for ``before`` ms not near an end."""
    for place, one in enumerate(played.held):
        for other in played.held[:place]:
            if one.queue == other.queue and one.client != other.client:
                at = max(one.begin, other.begin)
                until = min(end - (before if end in played.killed else 0) for end in (one.end, other.end))
                still = sorted(stop for client in (one.client, other.client) for stop in played.stopped.get(client, []))
                for begin, end in still:
                    if at < end and until > begin - before:
                        if begin - before - at > 1_000:
                            yield tuple(one.queue), at, begin - before
                        at = max(at, end)
                if until - at > 1_000:
                    yield tuple(one.queue), at, until


def test_digest_depends_on_the_findings(tmp_path):
    first = audited(tmp_path, {"a.log": sorted(QUIET)})
    again = audited(tmp_path, {"a.log": sorted(QUIET)})
    assert digest(first.groups) == digest(again.groups)
    changed = [replace(first.groups[0], spans=first.groups[0].spans[1:])]
    assert digest(changed) != digest(first.groups)
