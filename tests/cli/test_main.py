"""Log records of libraries are printed only with --debug, and the exit status is the command's."""

import logging
import sys

import pytest

from rebalance_proofs.cli import main
from rebalance_proofs.proofs.errors import UsageError


def doing(monkeypatch, work):
    """The command group does that instead of its own work."""
    monkeypatch.setattr(main.cli, "main", lambda *given, **more: work())


@pytest.mark.parametrize(("words", "said"), [(["list"], ""), (["--debug", "list"], "a connection was refused\n")])
def test_library_warning_is_printed_in_debug_mode_only(call, monkeypatch, words, said):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # not even pytest's: then Python prints it
    doing(monkeypatch, lambda: logging.getLogger("a.library").warning("a connection was refused"))
    called = call(*words)
    assert (called.status, called.err) == (0, said)


@pytest.mark.parametrize(("result", "status"), [(None, 0), (0, 0), (1, 1), (True, 1), (2, 2)])
def test_exit_status_is_the_status_of_the_command(call, monkeypatch, result, status):
    doing(monkeypatch, lambda: result)
    assert call("list").status == status


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UsageError("there is no such claim"), "rebalance: there is no such claim"),
        (
            ValueError("twice\n  as long"),
            "rebalance: unexpected ValueError: twice as long (run again with --debug for the stack trace)",
        ),
        (KeyboardInterrupt(), "rebalance: interrupted"),
    ],
)
def test_error_prints_one_sentence_and_a_trace_in_debug_mode(call, monkeypatch, debug, error, said):
    def fail():
        raise error

    doing(monkeypatch, fail)
    called = call(*["--debug"] * debug, "list")
    assert called.status == 2
    assert called.err.splitlines()[-1] == said
    assert ("Traceback" in called.err) is (debug and isinstance(error, Exception))


def test_command_without_arguments_uses_sys_argv(capfd, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["rebalance", "no-such-command"])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 2
    assert "no-such-command" in capfd.readouterr().err
