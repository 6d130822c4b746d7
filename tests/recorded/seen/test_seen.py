"""Facts observed in a run: each kind of fact, and what is none."""

import pytest

from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.facts import Back, Fact, Never, Overlap, Pause, Twice
from tests.recorded.seen.runs import Made


@pytest.fixture
def made() -> Made:
    """Two members of one group, of which c0 has the queue."""
    return Made().member("c0").member("c1").entry("c0", 20, 0).pulled("c0", 30, 0)


def of(made: Made, tmp_path, kind: type[Fact], end: int = 20_000, calm: bool = True) -> list[Fact]:
    return [fact for fact in seen(made.history(tmp_path, end, calm)) if isinstance(fact, kind)]


def read(made: Made, *offsets: int, who: str = "c0") -> Made:
    for offset in offsets:
        made.sent(offset, 100 * offset + 50).call(who, offset, 100 * offset + 60, 100 * offset + 70)
    return made


class TestTwice:
    def test_redelivered_message_is_observed(self, made, tmp_path):
        read(made, 0, 1, 2).call("c1", 1, 900, 950, last=2)
        first, second = of(made, tmp_path, Twice)
        assert [(fact.offset, fact.first.who, fact.again.who, fact.at) for fact in (first, second)] == [
            (1, "c0", "c1", 900),
            (2, "c0", "c1", 900),
        ]

    def test_third_delivery_is_compared_with_the_second(self, made, tmp_path):
        read(made, 0).call("c1", 0, 900, 950).call("c0", 0, 1000, 1050)
        assert [(fact.first.begin, fact.again.begin) for fact in of(made, tmp_path, Twice)] == [(60, 900), (900, 1000)]

    def test_groups_are_separate(self, made, tmp_path):
        read(made, 0).member("d0", group="H").call("d0", 0, 900, 950)
        assert of(made, tmp_path, Twice) == []


class TestNever:
    def test_waiting_and_skipped_messages_are_observed(self, made, tmp_path):
        read(made, 0, 3).sent(1, 150).sent(9, 950).committed(400, None, 4)
        assert [(fact.sent.offset, fact.skipped) for fact in of(made, tmp_path, Never)] == [(1, True), (9, False)]

    def test_unsubscribed_messages_are_not_missed(self, tmp_path):
        made = Made().member("c0", sub="T1:A||B").sent(0, 50, tag="B").sent(1, 60, tag="C").sent(2, 70, q="T2:b0:0")
        assert [fact.sent.offset for fact in of(made, tmp_path, Never)] == [0]

    @pytest.mark.parametrize("how", ["killed", "shut down", "never joined"])
    def test_messages_without_a_consumer_are_not_missed(self, how, tmp_path):
        made = Made().sent(0, 50)
        if how == "never joined":
            made.line("driver", 10, "start-consumer", of="c0", id="c0", ms=20)
        else:
            made.member("c0")
            made.signal("c0", 500, "SIGKILL") if how == "killed" else made.line("c0", 500, "shutdown-begin")
        assert of(made, tmp_path, Never) == []

    def test_backlog_of_a_cut_recording_is_not_missed(self, made, tmp_path):
        history = read(made, 0).sent(1, 150).call("c0", 0, 39_000, None).history(tmp_path, 40_000, calm=True)
        assert [fact.sent.offset for fact in seen(history) if isinstance(fact, Never)] == []


class TestOverlap:
    def test_two_ordered_listeners_on_one_queue_are_observed(self, tmp_path):
        made = Made().member("c0", mode="ordered").member("c1", mode="ordered")
        made.call("c0", 0, 100, 1000).call("c1", 0, 900, 1500).call("c1", 0, 150, 1100, q="T1:b0:1")
        (fact,) = of(made, tmp_path, Overlap)
        assert (fact.first.who, fact.second.who, fact.ms) == ("c0", "c1", 100)

    def test_consecutive_calls_do_not_overlap(self, tmp_path):
        made = Made().member("c0", mode="ordered").member("c1", mode="ordered")
        made.call("c0", 0, 100, 1000).call("c1", 0, 1000, 1500)
        assert of(made, tmp_path, Overlap) == []

    def test_endless_call_lasts_until_its_process_ends(self, tmp_path):
        made = Made().member("c0", mode="ordered").member("c1", mode="ordered")
        made.call("c0", 0, 100, None).signal("c0", 700, "SIGKILL").call("c1", 0, 600, 900).call("c1", 1, 950, 990)
        assert [fact.ms for fact in of(made, tmp_path, Overlap)] == [100]

    def test_concurrent_calls_may_overlap(self, made, tmp_path):
        made.call("c0", 0, 100, 1000).call("c1", 0, 900, 1500)
        assert of(made, tmp_path, Overlap) == []


class TestPause:
    def test_pause_lasts_from_waiting_to_the_next_call(self, made, tmp_path):
        read(made, 0).sent(1, 15_000).call("c0", 1, 21_000, 21_010)
        (fact,) = of(made, tmp_path, Pause, end=30_000)
        assert (fact.since, fact.until, fact.ms, fact.ended_by.who) == (15_000, 21_000, 6_000, "c0")

    def test_idle_queue_has_no_pause(self, made, tmp_path):
        read(made, 0).sent(1, 25_000).call("c0", 1, 25_010, 25_020)
        assert of(made, tmp_path, Pause, end=30_000) == []

    def test_running_listener_is_no_pause(self, made, tmp_path):
        read(made, 0).sent(1, 12_000).sent(2, 12_000).call("c0", 1, 12_010, 25_000).call("c0", 2, 25_001, 25_020)
        assert of(made, tmp_path, Pause, end=30_000) == []

    def test_pause_ends_with_the_recording_or_the_last_member(self, made, tmp_path):
        read(made, 0).sent(1, 12_000).signal("c0", 13_000, "SIGKILL").signal("c1", 20_000, "SIGKILL")
        (fact,) = of(made, tmp_path, Pause, end=90_000)
        assert (fact.since, fact.until, fact.ended_by) == (12_000, 20_000, None)

    def test_skipped_message_does_not_wait(self, made, tmp_path):
        read(made, 0, 2).sent(1, 150).sent(3, 12_000).committed(12_100, 0, 4)
        assert of(made, tmp_path, Pause, end=90_000) == []

    def test_starting_group_has_a_grace_period(self, tmp_path):
        made = Made().sent(0, 50).member("c0", at=1_000).call("c0", 0, 10_900, 10_950)
        assert of(made, tmp_path, Pause) == []

    def test_pause_of_a_starting_group_counts_from_its_first_moment(self, tmp_path):
        made = Made().sent(0, 50).member("c0", at=1_000).call("c0", 0, 2_000, 2_100).sent(1, 2_200)
        (fact,) = of(made.call("c0", 1, 31_800, 31_900), tmp_path, Pause)
        assert (fact.since, fact.ms) == (2_200, 29_600)


class TestBack:
    def commits(self, made, *each):
        """Commits that the broker accepts: (time in ms, offset)."""
        for at, offset in each:
            asked = {"q": "T1:0", "consumerGroup": "G", "commitOffset": str(offset)}
            more = {"from_": "x", "opaque": at, "asked": asked, "said": {"code": 0}}
            made.line("b0", at, "answered", code="UPDATE_CONSUMER_OFFSET", **more)
        return made

    @pytest.mark.parametrize(
        ("commits", "found"),
        [
            (((1_000, 40), (1_027, 51)), [(1_000, 50, 40)]),  # between two polls of the table
            (((1_000, 51), (1_010, 40), (1_037, 52)), [(1_010, 51, 40)]),
            (((1_000, 52), (1_001, 51)), []),  # two threads, either may be first
            (((1_000, 51), (1_001, 40), (1_002, 40)), [(1_001, 50, 40)]),
        ],
    )
    def test_rollback_between_two_polls_is_observed(self, commits, found, made, tmp_path):
        self.commits(made.committed(500, None, 50), *commits).committed(1_060, 50, commits[-1][1])
        assert [(fact.at, fact.was, fact.now) for fact in of(made, tmp_path, Back)] == found

    def test_lower_or_missing_offset_is_observed(self, made, tmp_path):
        made.committed(100, None, 5).committed(200, 5, 7).committed(300, 7, 4).committed(400, 4, None)
        assert [(fact.at, fact.was, fact.now) for fact in of(made, tmp_path, Back)] == [(300, 7, 4), (400, 4, None)]

    def test_rollback_over_a_restart_is_observed(self, made, tmp_path):
        made.committed(100, None, 5).signal("b0", 200, "SIGKILL").committed(300, None, 3)
        assert [(fact.was, fact.now) for fact in of(made, tmp_path, Back)] == [(5, 3)]
