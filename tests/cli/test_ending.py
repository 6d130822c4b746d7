"""An early end of a run: the work that it cuts short, and the work that it does not."""

import signal

import pytest

from rebalance_proofs.cli.ending import SIGNALS, UNREAD, Ending

INTERRUPTED, TERMINATED = SIGNALS[signal.SIGINT], SIGNALS[signal.SIGTERM]


def test_the_status_is_that_of_a_process_that_the_signal_ended_but_of_ctrl_c_that_of_an_incomplete_run():
    assert {number: cause.status for number, cause in SIGNALS.items()} == {
        signal.SIGINT: 2,
        signal.SIGTERM: 128 + 15,
        signal.SIGHUP: 128 + 1,
    }
    assert UNREAD.status == 128 + 13


def test_work_has_begun_once_there_are_results_to_lose():
    """Before that, a signal ends the process where it stands."""
    ending = Ending()
    assert not ending.begun
    ending.keep()
    assert ending.begun
    ending.release()
    assert ending.begun
    ending.reset()
    assert not ending.begun


def test_what_was_not_ended_by_anything_known_was_interrupted():
    assert Ending().how == "interrupted"


@pytest.fixture
def ending() -> Ending:
    ending = Ending()
    ending.keep()
    return ending


def test_while_there_is_nothing_to_lose_it_ends_at_once():
    ending = Ending()
    with pytest.raises(SystemExit) as ended:
        ending.arrive(TERMINATED)
    assert ended.value.code == 143
    assert ending.by is TERMINATED


def test_the_first_cuts_the_work_and_those_that_follow_nothing(ending):
    def work() -> None:
        with ending.cuts():
            try:
                ending.arrive(TERMINATED)
            finally:
                ending.arrive(INTERRUPTED)  # while workers are ended

    with pytest.raises(KeyboardInterrupt):
        work()
    ending.arrive(INTERRUPTED)  # while the report is written
    assert ending.by is TERMINATED
    assert ending.how == "ended by SIGTERM"


def test_what_comes_before_the_work_cuts_it_before_it_begins(ending):
    ending.arrive(TERMINATED)
    assert ending.by is None
    with pytest.raises(KeyboardInterrupt), ending.cuts():
        pytest.fail("the work has begun")
    assert ending.by is TERMINATED


def test_what_comes_too_late_to_cut_the_work_ends_the_run_after_it(ending):
    with pytest.raises(KeyboardInterrupt), ending.cuts(lambda: None):
        ending.arrive(TERMINATED)
    assert ending.by is TERMINATED


def test_a_report_of_all_the_work_is_written_and_has_the_status_of_its_own(ending):
    with ending.cuts():
        pass
    ending.arrive(INTERRUPTED)
    assert ending.by is None


def test_when_the_results_are_safe_it_ends_at_once(ending):
    ending.release()
    with pytest.raises(SystemExit) as ended:
        ending.arrive(TERMINATED)
    assert ended.value.code == 143


def test_it_keeps_the_first_cause(ending):
    with pytest.raises(KeyboardInterrupt), ending.cuts():
        ending.arrive(TERMINATED)
    ending.release()
    with pytest.raises(SystemExit) as ended:
        ending.arrive(INTERRUPTED)
    assert ended.value.code == 143
