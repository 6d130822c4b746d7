"""Explanations of observed events: the signs of each cause, and what is left unexplained."""

import ast
import gzip
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rebalance_proofs.recorded.groups.run import shipped
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.facts import Pause
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report import live
from rebalance_proofs.report.live.explain import CALLED, Explained, explain
from rebalance_proofs.report.live.told import kind_of, lines, verdict
from tests.each import each
from tests.recorded.seen.runs import Made, Q

UNEXPLAINED = ""


def explained(made: Made, tmp_path, end: int = 300_000, calm: bool | None = True) -> list[Explained]:
    history = made.history(tmp_path, end, calm)
    return explain(history, seen(history))


def causes(every: list[Explained], kind: str) -> list[str]:
    """The names of causes of the facts of that kind; "" for what is unexplained."""
    return [
        one.found.cause.name if one.found else one.words or UNEXPLAINED for one in every if kind_of(one.fact) == kind
    ]


@pytest.fixture
def two() -> Made:
    """A message that c0 has read at 1 s, of a queue that c1 takes over at 5 s."""
    return Made().member("c0").member("c1").sent(0, 900).entry("c0", 500, 0, end=4_900).call("c0", 0, 1_000, 1_020)


@pytest.fixture
def ordered() -> Made:
    """The same of an ordered group, whose listener takes long."""
    made = Made().member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900).pulled("c0", 950, 0)
    return made.call("c0", 0, 1_000, 9_000)


class TestTwice:
    def test_uncommitted_offset_explains_a_repeated_message(self, two, tmp_path):
        two.entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_200, 5_220)
        assert causes(explained(two, tmp_path), "twice") == ["hand-over"]

    def test_committed_offset_does_not_explain_a_repeated_message(self, two, tmp_path):
        two.entry("c1", 5_000, 1).pulled("c1", 5_100, 1).call("c1", 0, 5_200, 5_220)
        assert causes(explained(two, tmp_path), "twice") == [UNEXPLAINED]

    def test_earlier_call_of_the_same_entry_does_not_explain_a_repeated_message(self, two, tmp_path):
        two.call("c0", 0, 3_000, 3_020)
        assert causes(explained(two, tmp_path), "twice") == [UNEXPLAINED]

    def test_offset_reset_explains_a_repeated_message(self, two, tmp_path):
        two.committed(2_000, None, 1).committed(4_950, 1, 0)
        two.line(
            "c0", 4_900, "ask", code="UPDATE_CONSUMER_OFFSET", opaque=1, oneway=True, to="x", thread="t", said=COMMIT
        )
        two.entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_200, 5_220)
        every = explained(two, tmp_path)
        assert causes(every, "twice") == ["late-commit"]
        assert causes(every, "back") == ["late-commit"]

    @pytest.mark.parametrize(
        ("options", "cause"),
        [
            ({"id": "c0"}, "same-client-id"),
            ({"strategy": "AllocateMessageQueueAveragelyByCircle"}, "strategies-differ"),
        ],
    )
    def test_group_settings_explain_a_repeated_message(self, options, cause, tmp_path):
        made = Made().member("c0").member("c1", **options).sent(0, 900)
        made.entry("c0", 500, 0).entry("c1", 500, 0).call("c0", 0, 1_000, 1_020).call("c1", 0, 1_000, 1_020)
        assert causes(explained(made, tmp_path), "twice") == [cause]

    def test_broker_restart_explains_a_lost_offset(self, two, tmp_path):
        two.committed(2_000, None, 1).signal("b0", 3_000, "SIGKILL").line("b0", 4_000, "broker-started")
        two.committed(4_100, None, 0).entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_200, 5_220)
        every = explained(two, tmp_path)
        assert causes(every, "twice") == ["broker-forgot"]
        assert causes(every, "back") == ["broker-forgot"]


COMMIT = {"q": "T1:0", "consumerGroup": "G", "commitOffset": "0"}


class TestBack:
    def test_lower_offset_without_a_commit_is_unexplained(self, two, tmp_path):
        two.committed(2_000, None, 1).committed(3_000, 1, 0)
        assert causes(explained(two, tmp_path), "back") == [UNEXPLAINED]

    def test_offset_above_its_senders_start_is_unexplained(self, tmp_path):
        made = Made().member("c0").entry("c0", 500, 5).committed(600, None, 9).committed(3_000, 9, 0)
        made.line(
            "c0", 2_900, "ask", code="UPDATE_CONSUMER_OFFSET", opaque=1, oneway=True, to="x", thread="t", said=COMMIT
        )
        assert causes(explained(made, tmp_path), "back") == [UNEXPLAINED]

    @pytest.mark.parametrize(("other", "said"), [({}, "late-commit"), ({"who": "c1"}, ""), ({"q": "T1:b0:1"}, "")])
    def test_only_the_senders_own_entry_explains_an_offset(self, other, said, tmp_path):
        whose = {"who": "c0", "begin": 500, "read": 0} | other
        made = Made().member("c0").member("c1").entry(**whose).committed(600, None, 9).committed(3_000, 9, 0)
        made.line(
            "c0", 2_900, "ask", code="UPDATE_CONSUMER_OFFSET", opaque=1, oneway=True, to="x", thread="t", said=COMMIT
        )
        assert causes(explained(made, tmp_path), "back") == [said]

    def test_lower_commit_after_a_restart_is_no_loss_of_the_broker(self, tmp_path):
        """The restarted broker has all offsets; a member commits a lower one 20 s later."""
        made = Made().member("c0").entry("c0", 500, 0).committed(600, None, 9)
        made.signal("b0", 1_000, "SIGKILL").line("b0", 2_000, "broker-started").committed(2_010, None, 9)
        asked(made.committed(22_000, 9, 0), "c0", 21_900)
        assert causes(explained(made, tmp_path), "back") == ["late-commit"]

    @pytest.mark.parametrize(("first", "was"), [(4, 9), (None, 9)])
    def test_restarted_broker_has_lost_offsets_that_its_first_poll_lacks(self, first, was, tmp_path):
        made = Made().member("c0").entry("c0", 500, 9).committed(600, None, 9)
        made.signal("b0", 1_000, "SIGKILL").line("b0", 2_000, "broker-started")
        if first is not None:
            made.committed(2_010, None, first)
        made.line("b0", 8_000, "heard", code="HEART_BEAT", from_="x", opaque=1, said={"clientID": "x"})
        every = explained(made, tmp_path)
        assert causes(every, "back") == ["broker-forgot"]
        assert [(one.fact.was, one.fact.now) for one in every] == [(was, first)]

    @pytest.mark.parametrize("how", ["heard", "logged", "commit"])
    def test_reset_that_somebody_asked_for_explains_an_offset(self, how, two, tmp_path):
        """The broker hears of it, or only its log has it; or somebody who is no member commits for the group."""
        two.entry("c0", 500, 0).committed(600, None, 9)
        said = {"group": "G", "q": "T1", "timestamp": "1"}
        if how == "heard":
            two.line("b0", 2_500, "heard", code="INVOKE_BROKER_TO_RESET_OFFSET", from_="x", opaque=1, said=said)
        if how == "commit":
            answered(two, 2_995, 0, opaque=7)
        else:
            asked(two, "c0", 2_900)
        two.committed(3_000, 9, 0).entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_200, 5_220)
        history = two.history(tmp_path, 60_000)
        if how == "logged":
            with_log(history, 2_500, 60_000)
        every = explain(history, seen(history))
        assert causes(every, "back") == ["reset"]
        assert causes(every, "twice") == ["reset"]

    def test_reset_of_another_group_explains_nothing(self, tmp_path):
        made = asked(
            Made().member("c0").entry("c0", 500, 0).committed(600, None, 9).committed(3_000, 9, 0), "c0", 2_900
        )
        history = made.history(tmp_path, 60_000)
        with_log(history, 2_500, 60_000, group="H")
        assert causes(explain(history, seen(history)), "back") == ["late-commit"]


def asked(made: Made, who: str, at: int) -> Made:
    """A member commits offset 0."""
    return made.line(
        who, at, "ask", code="UPDATE_CONSUMER_OFFSET", opaque=1, oneway=True, to="x", thread="t", said=COMMIT
    )


def answered(made: Made, at: int, offset: int, opaque: int = 1) -> Made:
    """The broker accepts a commit."""
    said = {"asked": {**COMMIT, "commitOffset": str(offset)}, "said": {"code": 0}}
    return made.line("b0", at, "answered", code="UPDATE_CONSUMER_OFFSET", from_="x", opaque=opaque, **said)


def with_log(history: History, at: int, end: int, group: str = "G") -> None:
    """Write the log of the broker, whose time zone is two hours ahead."""
    folder = history.run.folder / "logs"
    folder.mkdir()
    words = f"[reset-offset] reset offset started by 127.0.0.1:1. topic=T1, group={group}, timestamp=0, isForce=true"
    with gzip.open(folder / "b0-broker.log.gz", "wt", encoding="utf-8") as log:
        for time, text in ((at, words), (end, "the last line")):
            stamp = datetime.fromtimestamp((history.run.start + time) / 1000, UTC) + timedelta(hours=2)
            log.write(f"{stamp:%Y-%m-%d %H:%M:%S},{time % 1000:03} INFO x - {text}\n")


class TestNever:
    def test_message_skipped_by_an_owner_is_unexplained(self, two, tmp_path):
        two.sent(1, 1_100).committed(2_000, None, 2)
        assert causes(explained(two, tmp_path), "never") == [UNEXPLAINED]

    @pytest.mark.parametrize(("read", "cause"), [(-1, "moved-before-a-commit"), (2, UNEXPLAINED)])
    def test_start_at_the_last_offset_explains_a_skipped_message(self, read, cause, tmp_path):
        made = Made().member("c0", from_="LAST").member("c1", from_="LAST")
        for offset in (0, 1, 2):
            made.sent(offset, 900 + offset)
        made.entry("c0", 500, -1, end=4_900).pulled("c0", 600, 0).call("c0", 0, 1_000, 1_020)
        made.entry("c1", 5_000, read).pulled("c1", 5_100, 2).call("c1", 2, 5_200, 5_220).committed(6_000, None, 3)
        assert causes(explained(made, tmp_path), "never") == [cause]

    def test_message_before_the_first_owner_is_explained(self, tmp_path):
        made = Made().member("c0", from_="LAST").sent(0, 100).sent(1, 900).entry("c0", 500, -1).pulled("c0", 600, 1)
        made.call("c0", 1, 1_000, 1_020).committed(6_000, None, 2)
        assert causes(explained(made, tmp_path), "never") == ["nothing-committed"]

    def test_different_subscriptions_explain_a_skipped_message(self, tmp_path):
        made = Made().member("c0", sub="T1:A").member("c1", sub="T1:B").sent(0, 900).committed(2_000, None, 1)
        made.member("d0", group="H", sub="T1").member("d1", group="H", sub="T1,T2").sent(0, 900, q="T2:b0:0")
        every = explained(made, tmp_path)
        assert causes(every, "never") == ["tags-differ", UNEXPLAINED, "not-subscribed"]

    @pytest.mark.parametrize(
        ("calm", "cause"), [(None, "waits-for-living"), (False, "waits-for-living"), (True, UNEXPLAINED)]
    )
    def test_pause_at_the_end_of_a_recording_is_explained(self, calm, cause, tmp_path):
        """The pause lasts to the end and has a cause; a recording that waits until the group is calm decides it."""
        made = Made("4.9.8").member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900).sent(1, 950)
        made.entry("c0", 500, 0).pulled("c0", 600, 0).call("c0", 0, 1_000, 9_000)
        every = explained(made, tmp_path, end=50_000, calm=calm)
        assert causes(every, "pause") == ["waits-for-living"]
        assert causes(every, "never") == [cause]


class TestOverlap:
    def test_kept_lock_explains_a_pause(self, ordered, tmp_path):
        ordered.entry("c0", 500, 0).entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_600, 6_000)
        assert causes(explained(ordered, tmp_path), "overlap") == [UNEXPLAINED]

    def test_listeners_of_a_single_member_are_unexplained(self, ordered, tmp_path):
        ordered.entry("c0", 500, 0).call("c0", 1, 5_600, 6_000)
        assert causes(explained(ordered, tmp_path), "overlap") == [UNEXPLAINED]

    @pytest.mark.parametrize(("release", "cause"), [("5.3.3", "forced-unlock"), ("4.9.8", UNEXPLAINED)])
    def test_lock_released_under_the_listener_explains_two_listeners(self, release, cause, tmp_path):
        made = Made(release).member("c0", mode="ordered").member("c1", mode="ordered")
        made.entry("c0", 500, 0, end=4_900).call("c0", 0, 1_000, 9_000)
        unlock = {"consumerGroup": "G", "clientID": "127.0.0.1@c0", "queues": [Q]}
        made.line("b0", 4_950, "heard", code="UNLOCK_BATCH_MQ", from_="x", opaque=1, said=unlock)
        made.entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_600, 6_000)
        assert causes(explained(made, tmp_path), "overlap") == [cause]

    @pytest.mark.parametrize(("unlocked", "cause"), [(7_000, "delayed-unlock"), (3_000, UNEXPLAINED)])
    def test_lock_released_by_an_earlier_entry_explains_two_listeners(self, unlocked, cause, tmp_path):
        """The client does not know of it, and calls its listener; events before the entry do not count."""
        made = Made("4.9.8").member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900)
        made.entry("c0", 500, 0, end=2_900).entry("c0", 5_000, 0).pulled("c0", 5_100, 0).call("c0", 0, 9_000, 19_000)
        unlock = {"consumerGroup": "G", "clientID": "127.0.0.1@c0", "queues": [Q]}
        made.line("b0", unlocked, "heard", code="UNLOCK_BATCH_MQ", from_="x", opaque=1, said=unlock)
        made.entry("c1", 12_000, 0).pulled("c1", 12_100, 0).call("c1", 0, 12_600, 13_000)
        assert causes(explained(made, tmp_path), "overlap") == [cause]

    def test_shutdown_explains_two_listeners(self, ordered, tmp_path):
        ordered.entry("c0", 500, 0, end=4_900, how="clear").line("c0", 4_800, "shutdown-begin")
        ordered.entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_600, 6_000)
        assert causes(explained(ordered, tmp_path), "overlap") == ["shut-down-under-listener"]

    def test_broker_restart_explains_two_listeners(self, ordered, tmp_path):
        ordered.entry("c0", 500, 0).signal("b0", 3_000, "SIGTERM").line("b0", 4_000, "broker-started")
        ordered.entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_600, 6_000)
        assert causes(explained(ordered, tmp_path), "overlap") == ["broker-restarted"]


class TestStoppedBroker:
    """Requests to a broker that is stopped, or to a consumer, arrive when it continues."""

    @pytest.mark.parametrize(("stopped", "cause"), [(True, "late-commit"), (False, UNEXPLAINED)])
    def test_commit_to_a_stopped_broker_may_be_late(self, stopped, cause, tmp_path):
        made = Made().member("c0").entry("c0", 500, 0).committed(600, None, 9)
        if stopped:
            made.signal("b0", 10_000, "SIGSTOP").signal("b0", 50_000, "SIGCONT")
        asked(made.committed(50_500, 9, 0), "c0", 20_000)
        assert causes(explained(made, tmp_path), "back") == [cause]

    @pytest.mark.parametrize(("stopped", "cause"), [(True, "reset"), (False, "late-commit")])
    def test_stopped_consumer_resets_its_offsets_later(self, stopped, cause, tmp_path):
        made = Made().member("c0").entry("c0", 500, 0).committed(600, None, 9)
        said = {"group": "G", "q": "T1"}
        made.line("b0", 2_500, "heard", code="INVOKE_BROKER_TO_RESET_OFFSET", from_="x", opaque=1, said=said)
        if stopped:
            made.signal("c0", 3_000, "SIGSTOP").signal("c0", 50_000, "SIGCONT")
        asked(made.committed(60_000, 9, 0), "c0", 59_900)
        assert causes(explained(made, tmp_path), "back") == [cause]

    @pytest.mark.parametrize(("told", "cause"), [(12_510, "reset"), (None, "late-commit")])
    def test_consumer_carries_out_one_reset_after_the_other(self, told, cause, tmp_path):
        """Each takes 10 s. The second one begins when the first one ends."""
        made = Made().member("c0").entry("c0", 500, 0).committed(600, None, 9)
        said = {"group": "G", "q": "T1"}
        made.line("b0", 12_500, "heard", code="INVOKE_BROKER_TO_RESET_OFFSET", from_="x", opaque=1, said=said)
        if told:
            made.line("c0", told, "reset-told", said={"timestamp": "0", **said}, from_="x")
            made.line("c0", 27_700, "reset-done", from_="x")
        asked(made.committed(27_600, 9, 0), "c0", 27_500)
        assert causes(explained(made, tmp_path), "back") == [cause]


class TestOneIdLater:
    """A member is shut down or killed, and another process comes back with its id."""

    @pytest.mark.parametrize(("left", "twice"), [(2_000, "hand-over"), (None, "same-client-id")])
    def test_only_processes_alive_together_share_an_id(self, left, twice, tmp_path):
        made = Made().member("c0").sent(0, 900).entry("c0", 500, 0, end=1_900).call("c0", 0, 1_000, 1_020)
        if left:
            made.signal("c0", left, "SIGKILL")
        made.member("c1", at=4_000, id="c0").entry("c1", 5_000, 0).pulled("c1", 5_100, 0).call("c1", 0, 5_200, 5_220)
        made.sent(1, 20_000).call("c1", 1, 40_000, 40_010)
        every = explained(made, tmp_path)
        assert causes(every, "twice") == [twice]
        assert causes(every, "pause") == [UNEXPLAINED if left else "same-client-id"]


def allocates(made: Made, who: str, at: int, result: list[str], ids: tuple[str, ...] = ("c0", "c1")) -> Made:
    """A rebalance of the topic's only queue."""
    lists = {"mqAll": [Q], "cidAll": [f"127.0.0.1@{each}" for each in ids], "result": result, "error": None}
    return made.line(who, at, "allocate", topic="T1", strategy="AVG", cid=f"127.0.0.1@{who}", **lists)


class TestPause:
    @pytest.mark.parametrize(("claimed", "cause"), [(True, "waits-for-living"), (False, UNEXPLAINED)])
    def test_former_owner_gets_a_queue_back_that_another_one_waited_for(self, claimed, cause, tmp_path):
        made = Made("4.9.8").member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900)
        made.entry("c0", 500, 0, end=19_000).call("c0", 0, 1_000, 1_020).sent(1, 20_000)
        if claimed:
            allocates(made, "c1", 19_500, [Q])
        made.signal("c1", 39_000, "SIGKILL").entry("c0", 41_000, 1).pulled("c0", 41_100, 1).call(
            "c0", 1, 41_200, 41_300
        )
        assert causes(explained(made, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(("entered", "cause"), [(20_500, "subscription-not-latest"), (49_000, "waits-for-living")])
    def test_lock_explains_a_pause_whose_pulls_were_refused_only_at_its_end(self, entered, cause, tmp_path):
        made = Made("4.9.8").member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900)
        made.entry("c0", 500, 0, end=19_000).call("c0", 0, 1_000, 1_020).sent(1, 20_000)
        pull = {"asked": {"q": "T1:0", "consumerGroup": "G"}, "said": {"code": 25}}
        made.entry("c1", entered, 1).line(
            "b0", entered + 100, "answered", code="PULL_MESSAGE", from_="x", opaque=1, **pull
        )
        made.pulled("c1", 50_000, 1).call("c1", 1, 50_100, 50_200)
        assert causes(explained(made, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(
        ("stopped", "found"), [("signal", ["waits-for-living", "second-channel"]), ("silent", None), ("", [])]
    )
    def test_pause_over_a_stopped_broker_has_causes_before_and_after(self, stopped, found, tmp_path):
        """The new owner waits for the lock; the broker stops for 75 s, and then lists a member twice for 120 s."""
        made = Made("4.9.8").member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900)
        made.entry("c0", 500, 0, end=19_000).call("c0", 0, 1_000, 1_020).sent(1, 20_000)
        allocates(made, "c1", 19_500, [Q])
        beat = {"clientID": "127.0.0.1@c0", "groups": []}
        ask = {"code": "HEART_BEAT", "oneway": False, "to": "b", "thread": "t", "said": beat}
        for number, (sent, heard) in enumerate([(40_000, 40_001), (70_000, 115_000), (116_000, 116_001)]):
            made.line("c0", sent, "ask", opaque=number, **ask)
            made.line(
                "b0", heard if stopped else sent + 1, "heard", code="HEART_BEAT", from_="x", opaque=number, said=beat
            )
        if stopped == "signal":
            made.signal("b0", 40_500, "SIGSTOP").signal("b0", 115_000, "SIGCONT")
        allocates(made, "c0", 118_000, [], ("c0", "c1", "c1"))
        made.entry("c0", 250_000, 1).pulled("c0", 250_100, 1).call("c0", 1, 250_200, 250_300)
        (one,) = [each for each in explained(made, tmp_path) if isinstance(each.fact, Pause)]
        names = [each.cause.name for each in (one.found, *one.then) if each]
        assert names == (["waits-for-living", "second-channel"] if found is None else found)

    @pytest.mark.parametrize(("until", "cause"), [(52_000, "offset-illegal"), (90_000, UNEXPLAINED)])
    def test_illegal_offset_explains_a_pause_until_its_repair(self, until, cause, tmp_path):
        made = Made("4.9.8").member("c0").sent(0, 900).entry("c0", 500, 0, end=31_000).call("c0", 0, 1_000, 1_020)
        made.sent(1, 20_000).line("c0", 21_000, "pulled", q=Q, status="OFFSET_ILLEGAL", next=1, min=0, max=1, got=[])
        made.entry("c0", until - 100, 1).pulled("c0", until - 50, 1).call("c0", 1, until, until + 10)
        assert causes(explained(made, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(
        ("release", "error", "pulls", "cause"),
        [
            ("4.9.8", True, False, "pull-thread-ended"),
            ("4.9.8", True, True, UNEXPLAINED),
            ("4.9.8", False, False, UNEXPLAINED),
            ("5.3.3", True, False, UNEXPLAINED),
        ],
    )
    def test_error_in_the_thread_for_pulls_explains_a_pause(self, release, error, pulls, cause, tmp_path):
        made = Made(release).member("c0").sent(0, 900).entry("c0", 500, 0).call("c0", 0, 1_000, 1_020)
        made.line("c0", 19_000, "threw", where="hook", q="%RETRY%G:0", error=error, to="x").sent(1, 20_000)
        if pulls:
            said = {"q": "T1:0", "consumerGroup": "G"}
            more = {"opaque": 1, "oneway": False, "to": "x", "thread": "PullMessageService", "said": said}
            made.line("c0", 30_000, "ask", code="PULL_MESSAGE", **more)
        made.call("c0", 1, 150_000, 150_100)
        assert causes(explained(made, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(("delay", "cause"), [(None, UNEXPLAINED), ("90000", "waits-for-living")])
    def test_longer_limits_allow_longer_pauses(self, delay, cause, tmp_path):
        props = {"props": {"rocketmq.client.unlockDelayTimeMills": delay}} if delay else {}
        made = Made("4.9.8").member("c0", mode="ordered", **props).member("c1", mode="ordered").sent(0, 900)
        made.entry("c0", 500, 0, end=19_000).call("c0", 0, 1_000, 1_020).sent(1, 20_000)
        made.entry("c1", 190_000, 1).pulled("c1", 190_050, 1).call("c1", 1, 190_100, 190_110)
        assert causes(explained(made, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(("rebalances", "cause"), [(38_000, "lost-notification"), (22_000, UNEXPLAINED)])
    def test_late_rebalance_of_the_next_owner_explains_a_pause(self, rebalances, cause, tmp_path):
        made = Made().member("c0").member("c1").sent(0, 900).entry("c0", 500, 0, end=None).call("c0", 0, 1_000, 1_020)
        made.signal("c0", 20_000, "SIGKILL").sent(1, 20_500)
        allocates(made, "c1", rebalances, [Q] if rebalances > 30_000 else [], ("c1",))
        made.entry("c1", 38_010, 1).pulled("c1", 38_050, 1).call("c1", 1, 38_100, 38_110)
        assert causes(explained(made, tmp_path), "pause") == [cause]

    def test_stopped_broker_alone_explains_a_pause(self, two, tmp_path):
        two.signal("b0", 19_000, "SIGSTOP").signal("b0", 60_000, "SIGCONT").sent(1, 20_000).call(
            "c0", 1, 60_010, 60_020
        )
        assert causes(explained(two, tmp_path), "pause") == ["the broker was stopped for 40.0 s"]

    def test_pause_of_an_owner_that_could_pull_is_unexplained(self, two, tmp_path):
        two.sent(1, 20_000).call("c0", 1, 40_000, 40_010)
        assert causes(explained(two, tmp_path), "pause") == [UNEXPLAINED]

    @pytest.mark.parametrize(("seconds", "cause"), [(60, "waits-for-crashed"), (200, UNEXPLAINED)])
    def test_crash_explains_a_pause_up_to_its_bound(self, seconds, cause, tmp_path):
        made = Made().member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900).entry("c0", 500, 0)
        made.call("c0", 0, 1_000, 1_020).signal("c0", 19_000, "SIGKILL").sent(1, 20_000)
        made.entry("c1", 19_900 + seconds * 1000, 1).call("c1", 1, 20_000 + seconds * 1000, 20_100 + seconds * 1000)
        every = explained(made, tmp_path)
        assert causes(every, "pause") == [cause]
        if not cause:
            assert [one.rejected for one in every if one.unexplained] == ["waits-for-crashed lasts at most 140 s"]

    @pytest.mark.parametrize(("locks", "cause"), [(True, "locked-again-at-shutdown"), (False, "waits-for-shut-down")])
    def test_shutdown_explains_a_pause(self, locks, cause, tmp_path):
        made = Made().member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900).entry("c0", 500, 0)
        made.call("c0", 0, 1_000, 1_020).line("c0", 19_000, "shutdown-begin").sent(1, 20_000)
        said = {"consumerGroup": "G", "clientID": "127.0.0.1@c0", "queues": [Q]}
        made.line("b0", 19_010, "heard", code="UNLOCK_BATCH_MQ", from_="x", opaque=1, said=said)
        if locks:
            made.line("b0", 19_020, "heard", code="LOCK_BATCH_MQ", from_="x", opaque=2, said=said)
        made.entry("c1", 50_000, 1).call("c1", 1, 50_100, 50_200)
        assert causes(explained(made, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(
        ("leaves", "found"),
        [(60_000, ["waits-for-living", "waits-for-shut-down"]), (21_500, []), (None, [])],
    )
    def test_pause_has_two_causes_if_its_next_owner_leaves_between(self, leaves, found, tmp_path):
        """The first cause lasts until c1 is shut down, and the second one no longer than its bound after that."""
        made = Made("5.1.4").member("c0", mode="ordered").member("c1", mode="ordered").sent(0, 900)
        made.entry("c0", 500, 0, end=19_000).call("c0", 0, 1_000, 1_020).sent(1, 20_000)
        if leaves:
            made.entry("c1", leaves - 1_000, 1, end=leaves).line("c1", leaves, "shutdown-begin")
        made.entry("c0", 175_000, 1).call("c0", 1, 175_100, 175_200)
        (one,) = [each for each in explained(made, tmp_path) if isinstance(each.fact, Pause)]
        assert [each.cause.name for each in (one.found, *one.then) if each] == found

    @pytest.mark.parametrize(
        ("ids", "end", "cause"),
        [
            (["c0", "c1", "c1"], 10_000, "second-channel"),
            (["c0", "c1"], 10_000, UNEXPLAINED),
            (["c0", "c1", "c1"], None, UNEXPLAINED),
        ],
    )
    def test_id_that_is_listed_twice_explains_a_pause(self, ids, end, cause, two, tmp_path):
        """The second share of c1 has no owner until the broker forgets its first connection.

        It explains nothing if c1 has the queue all the time.
        """
        two.entry("c1", 5_000, 1, **({"end": end} if end else {}))
        for at, listed in ((4_900, ids), (100_000, ["c0", "c1"])):
            lists = {"mqAll": [Q], "cidAll": [f"127.0.0.1@{each}" for each in listed], "result": [], "error": None}
            two.line("c1", at, "allocate", topic="T1", strategy="AVG", cid="127.0.0.1@c1", **lists)
        two.sent(1, 20_000).entry("c0", 100_000, 1).pulled("c0", 100_100, 1).call("c0", 1, 100_200, 100_220)
        assert causes(explained(two, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(("stopped", "cause"), [(True, "second-channel"), (False, UNEXPLAINED)])
    def test_broker_that_comes_back_lists_an_id_twice_again(self, stopped, cause, two, tmp_path):
        """The cause lasts at most 156 s, each time."""
        two.entry("c1", 5_000, 1, end=10_000)
        if stopped:
            two.signal("b0", 100_000, "SIGSTOP").signal("b0", 130_000, "SIGCONT")
        for at in (10_000, 132_000):
            allocates(two, "c1", at, [], ("c0", "c1", "c1"))
        two.sent(1, 20_000).entry("c0", 250_000, 1).pulled("c0", 250_100, 1).call("c0", 1, 250_200, 250_220)
        assert causes(explained(two, tmp_path), "pause") == [cause]

    def test_busy_threads_explain_a_pause(self, tmp_path):
        made = Made().member("c0")
        for number in range(9):
            queue = f"T1:b0:{number}"
            made.sent(0, 900, q=queue).entry("c0", 500, 0, q=queue)
            if number < 8:
                made.call("c0", 0, 1_000, 30_000, q=queue)
        made.call("c0", 0, 30_001, 60_000, q="T1:b0:8")
        assert causes(explained(made, tmp_path), "pause") == ["listener-blocks"]

    @pytest.mark.parametrize(("second", "cause"), [(16_000, "listener-blocks"), (24_000, UNEXPLAINED)])
    def test_busy_threads_of_one_owner_after_the_other_explain_a_pause(self, second, cause, tmp_path):
        """The queue T1:b0:8 moves from c0 to c1 at 15 s. All threads of c1 are busy from ``second`` on."""
        made = Made().member("c0").member("c1")
        for number in range(8):
            queue = f"T1:b0:{number}"
            made.sent(0, 900, q=queue).entry("c0", 500, 0, q=queue).call("c0", 0, 1_000, 15_000, q=queue)
            made.sent(1, 900, q=queue).call("c1", 1, second, 30_000, q=queue)
        made.entry("c0", 500, 0, 15_000, q="T1:b0:8").sent(0, 901, q="T1:b0:8")
        made.entry("c1", 15_000, 0, q="T1:b0:8").call("c1", 0, 30_001, 30_020, q="T1:b0:8")
        assert causes([one for one in explained(made, tmp_path) if one.fact.q == "T1:b0:8"], "pause") == [cause]

    def test_stopped_owner_explains_a_pause(self, two, tmp_path):
        two.signal("c0", 19_000, "SIGSTOP").signal("c0", 60_000, "SIGCONT").entry("c0", 15_000, 1).sent(1, 20_000)
        two.call("c0", 1, 60_010, 60_020)
        assert causes(explained(two, tmp_path), "pause") == ["host-vanished"]

    @pytest.mark.parametrize(("resumed", "cause"), [(60_000, "suspended"), (19_000, UNEXPLAINED)])
    def test_suspended_owner_explains_a_pause(self, resumed, cause, two, tmp_path):
        two.line("c0", 15_000, "suspending").line("c0", 15_000, "suspended")
        two.line("c0", resumed, "resuming").line("c0", resumed, "resumed")
        two.entry("c0", 15_000, 1).sent(1, 20_000).call("c0", 1, 60_010, 60_020)
        assert causes(explained(two, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(("done", "cause"), [(60_000, "reset"), (19_000, UNEXPLAINED)])
    def test_reset_of_an_owners_offsets_explains_a_pause(self, done, cause, two, tmp_path):
        """The owner is suspended for 10 s or more, and pulls nothing."""
        two.line("c0", 15_000, "reset-told", said={"q": "T1", "timestamp": "0", "group": "G"}, from_="x")
        two.line("c0", done, "reset-done", from_="x")
        two.entry("c0", 15_000, 1).sent(1, 20_000).call("c0", 1, 60_010, 60_020)
        assert causes(explained(two, tmp_path), "pause") == [cause]

    def test_machine_gap_explains_a_pause(self, two, tmp_path):
        two.sent(1, 20_000).line("c0", 30_000, "gap", ms=9_000).call("c0", 1, 30_010, 30_020)
        assert causes(explained(two, tmp_path), "pause") == ["the machine paused c0 for 9.0 s"]

    def test_scenario_delay_explains_a_pause(self, two, tmp_path):
        two.line("driver", 19_000, "delay", of="b0", ms=5_000).line("driver", 29_000, "delay", of="b0", ms=0)
        two.sent(1, 20_000).call("c0", 1, 30_010, 30_020)
        assert causes(explained(two, tmp_path), "pause") == ["the scenario delayed the broker's traffic"]

    def test_delay_explains_messages_that_are_late_after_it(self, two, tmp_path):
        two.line("driver", 1_500, "delay", of="b0", ms=4_000).line("driver", 19_000, "delay", of="b0", ms=0)
        two.sent(1, 20_000).call("c0", 1, 27_600, 27_610).sent(2, 40_000).call("c0", 2, 47_600, 47_610)
        late, other = causes(explained(two, tmp_path), "pause")
        assert (late, other) == ("the scenario delayed the broker's traffic", UNEXPLAINED)

    @pytest.mark.parametrize(("queues", "cause"), [(1, "routes-differ"), (2, UNEXPLAINED)])
    def test_different_routes_explain_a_queue_without_owner(self, queues, cause, two, tmp_path):
        """One member's route has a queue less: its allocation omits what the other one considers its own."""
        ids = ["127.0.0.1@c0", "127.0.0.1@c1"]
        for who, known in (("c0", queues), ("c1", 2)):
            lists = {"mqAll": [f"T1:b0:{each}" for each in range(known)], "cidAll": ids, "result": [], "error": None}
            two.line(who, 5_000, "allocate", topic="T1", strategy="AVG", cid=f"127.0.0.1@{who}", **lists)
        two.sent(1, 12_000).entry("c1", 30_000, 1).pulled("c1", 30_100, 1).call("c1", 1, 30_200, 30_220)
        assert causes(explained(two, tmp_path), "pause") == [cause]

    @pytest.mark.parametrize(("heard", "known"), [(25_000, True), (45_000, False)])
    def test_missing_route_explains_an_empty_group(self, heard, known, tmp_path):
        """It had no route at its start, as the name server did not answer in time, and asked again later."""
        made = Made().member("c0", mode="ordered", at=1_000).sent(0, 900)
        said = {"clientID": "127.0.0.1@c0", "groups": [{"group": "G", "subs": {"T1": "*@7"}}]}
        made.line("b0", heard, "heard", code="HEART_BEAT", from_="x", opaque=1, said=said)
        made.entry("c0", heard + 2_000, 0).pulled("c0", heard + 2_500, 0).call("c0", 0, heard + 3_000, heard + 3_020)
        words = "no broker knew a consumer yet: the first heartbeat came 24.0 s after start()"
        assert causes(explained(made, tmp_path), "pause") == [words if known else UNEXPLAINED]

    @pytest.mark.parametrize(("again", "cause"), [(90_000, "not-subscribed"), (10_000, UNEXPLAINED)])
    def test_unsubscribed_topic_explains_a_pause(self, again, cause, tmp_path):
        made = Made().member("c0").member("c1").entry("c0", 500, 0).sent(0, 900).call("c0", 0, 1_000, 1_020)
        made.line("c1", 5_000, "unsubscribed", topic="T1").line("c1", again, "subscribed", topic="T1")
        made.sent(1, 20_000).call("c0", 1, 80_000, 80_010)
        assert causes(explained(made, tmp_path), "pause") == [cause]

    def test_stopped_broker_explains_a_pause(self, two, tmp_path):
        two.sent(1, 18_000).signal("b0", 19_000, "SIGKILL").line("b0", 50_000, "broker-started")
        two.call("c0", 1, 70_010, 70_020)
        assert causes(explained(two, tmp_path), "pause") == ["broker-comes-back"]


SHIPPED = {
    ("java-4.9.8", "b_sigstop"): {"late-commit", "hand-over", "host-vanished", "listener-blocks"},
    ("java-4.9.8", "c2_ordered_long"): {"hand-over-ordered", "shut-down-under-listener", "waits-for-living"},
    ("java-5.3.3", "thrown"): {"pull-request-lost", "routes-differ", "suspended"},
    ("java-5.3.3", "relock"): {"hand-over-ordered", "locked-again-at-shutdown"},
    ("java-5.3.3", "ordered_all"): {
        "forced-unlock",
        "hand-over-ordered",
        "marked-until-timer",
        "waits-for-crashed",
    },
}


@each("place, expected", SHIPPED.items())
def test_recorded_groups_have_known_causes(place, expected):
    history = History(shipped(*place))
    every = explain(history, seen(history))
    assert not [one for one in every if one.unexplained]
    assert {one.found.cause.name for one in every if one.found} == expected


def test_every_cause_named_by_a_rule_exists():
    named = Counter(
        node.value
        for file in Path(live.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Yield | ast.YieldFrom)
        for node in ast.walk(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "-" in node.value
    )
    assert len(named) > 20
    assert set(named) <= set(CALLED)


class TestTold:
    def test_summary_lists_causes_and_unexplained_findings(self, two, tmp_path):
        two.entry("c1", 5_000, 1).pulled("c1", 5_100, 1).call("c1", 0, 5_200, 5_220)
        history = two.history(tmp_path, 20_000)
        every = explain(history, seen(history))
        assert list(lines("mine", history, every)) == [
            "mine (RocketMQ 5.3.3): 1 message, 2 listener calls, 20 s. Recorded until it was calm.",
            "  Redelivered messages: 1",
            "    group G: 1 redelivered message, the first 5.2 s after the start. UNEXPLAINED",
            "      after 5.200 s T1:b0:0: offset 0, by c0 after 1.000 s, then by c1",
            "  Messages that no listener received: none",
            "  Two ordered listeners at once: none",
            "  Pauses of at least 5 s with waiting messages: none",
            "  Offset rollbacks: none",
        ]
        assert verdict(every) == "UNEXPLAINED: 1"

    def test_fields_that_a_release_cannot_record_are_named(self, two, tmp_path):
        two.line("c0", 5, "cannot", what=["entry-new", "entry-gone"], why="no such field")
        two.line("c0", 6, "release", rocketmq="V4_9_0", java="8")
        told = list(lines("mine", two.history(tmp_path, 20_000), []))
        assert told[0].startswith("mine (RocketMQ 4.9.0 and 5.3.3, broker 5.3.3):")
        assert told[1] == "  not recorded in this release: entry-new and entry-gone of c0 (no such field)"
