"""Words that belong to no single command: --debug, help, misspelt names."""

import pytest
from click.shell_completion import ShellComplete

from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.cli.main import cli


def test_debug_alone_prints_the_usage(call):
    called = call("--debug")
    assert called.status == 2
    assert "Usage: rebalance" in called.out + called.err
    assert "Traceback" not in called.out + called.err


@pytest.mark.parametrize("words", [("prove", "nonsense", "--debug"), ("--debug", "prove", "nonsense")])
def test_debug_is_accepted_anywhere(call, words):
    called = call(*words)
    assert called.status == 2
    assert "Traceback" in called.err
    assert called.err.endswith("`rebalance list` lists all claims\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_debug(call, name):
    called = call(name, "--debug", "--help")
    assert called.status == 0
    assert "--debug" in called.out


def test_help_is_a_command(call):
    assert call("help").out == call("--help").out
    assert call("help", "why").out == call("why", "--help").out


@pytest.mark.parametrize("words", [("help", "wy"), ("wy",)])
def test_unknown_command_is_reported_with_a_suggestion(call, words):
    called = call(*words)
    assert (called.status, called.complaint) == (2, "rebalance: unknown command 'wy'; did you mean 'why'?")


def test_unknown_command_without_a_similar_one_lists_all(call):
    assert call("xyzzy").complaint.endswith(f"the commands are {', '.join(COMMANDS)}")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("",), {*COMMANDS}),
        (("why", "--client", "5.2", "--client", "4.9", "--"), {"--after", "--strategy", "--json"}),
        (("wy", "--"), {"--help", "--version"}),
    ],
)
def test_completion_accepts_incomplete_invalid_words(typed, offered):
    """A repeated option or an unknown command is reported when the command is executed."""
    *before, incomplete = typed
    found = {one.value for one in ShellComplete(cli, {}, "rebalance", "_X").get_completions(before, incomplete)}
    assert found >= offered
