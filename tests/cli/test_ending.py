"""An early end of a run: which work is interrupted, and which is not."""

import signal

import pytest

from rebalance_proofs.cli.ending import SIGNALS, UNREAD, Ending

INTERRUPTED, TERMINATED = SIGNALS[signal.SIGINT], SIGNALS[signal.SIGTERM]


def test_exit_status_depends_on_the_signal():
    assert {number: cause.status for number, cause in SIGNALS.items()} == {
        signal.SIGINT: 2,
        signal.SIGTERM: 128 + 15,
        signal.SIGHUP: 128 + 1,
    }
    assert UNREAD.status == 128 + 13


def test_work_has_begun_once_results_can_be_lost():
    """Before that, a signal ends the process immediately."""
    ending = Ending()
    assert not ending.begun
    ending.keep()
    assert ending.begun
    ending.release()
    assert ending.begun
    ending.reset()
    assert not ending.begun


def test_unknown_end_counts_as_interrupted():
    assert Ending().how == "interrupted"


@pytest.fixture
def ending() -> Ending:
    ending = Ending()
    ending.keep()
    return ending


def test_signal_before_any_results_ends_at_once():
    ending = Ending()
    with pytest.raises(SystemExit) as ended:
        ending.arrive(TERMINATED)
    assert ended.value.code == 143
    assert ending.by is TERMINATED


def test_only_the_first_signal_cuts_the_work(ending):
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


def test_signal_before_the_work_prevents_it(ending):
    ending.arrive(TERMINATED)
    assert ending.by is None
    with pytest.raises(KeyboardInterrupt), ending.cuts():
        pytest.fail("the work has begun")
    assert ending.by is TERMINATED


def test_signal_too_late_for_the_work_ends_the_run_after_it(ending):
    with pytest.raises(KeyboardInterrupt), ending.cuts(lambda: None):
        ending.arrive(TERMINATED)
    assert ending.by is TERMINATED


def test_complete_report_has_its_own_status(ending):
    with ending.cuts():
        pass
    ending.arrive(INTERRUPTED)
    assert ending.by is None


def test_signal_after_results_are_saved_ends_at_once(ending):
    ending.release()
    with pytest.raises(SystemExit) as ended:
        ending.arrive(TERMINATED)
    assert ended.value.code == 143


def test_first_cause_of_an_end_is_kept(ending):
    with pytest.raises(KeyboardInterrupt), ending.cuts():
        ending.arrive(TERMINATED)
    ending.release()
    with pytest.raises(SystemExit) as ended:
        ending.arrive(INTERRUPTED)
    assert ended.value.code == 143
