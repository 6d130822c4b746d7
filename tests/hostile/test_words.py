"""Words that belong to no command in particular: --debug, help, names that nearly are one."""

import pytest
from click.shell_completion import ShellComplete

from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.cli.main import cli


def test_debug_alone_is_no_call(call):
    called = call("--debug")
    assert called.status == 2
    assert "Usage: rebalance" in called.out + called.err
    assert "Traceback" not in called.out + called.err


@pytest.mark.parametrize("words", [("prove", "nonsense", "--debug"), ("--debug", "prove", "nonsense")])
def test_debug_stands_anywhere(call, words):
    called = call(*words)
    assert called.status == 2
    assert "Traceback" in called.err
    assert called.err.endswith("`rebalance list` lists all claims\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_debug(call, name):
    called = call(name, "--debug", "--help")
    assert called.status == 0
    assert "--debug" in called.out


def test_help_is_a_word(call):
    assert call("help").out == call("--help").out
    assert call("help", "why").out == call("why", "--help").out


@pytest.mark.parametrize("words", [("help", "wy"), ("wy",)])
def test_an_unknown_command_is_told_with_the_one_that_is_meant(call, words):
    called = call(*words)
    assert (called.status, called.complaint) == (2, "rebalance: unknown command 'wy'; did you mean 'why'?")


def test_an_unknown_command_like_none_is_told_with_those_there_are(call):
    assert call("xyzzy").complaint.endswith(f"the commands are {', '.join(COMMANDS)}")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("",), {*COMMANDS}),
        (("why", "--client", "5.2", "--client", "4.9", "--"), {"--after", "--strategy", "--json"}),
        (("wy", "--"), {"--help", "--version"}),
    ],
)
def test_what_a_shell_completes_may_be_wrong_so_far(typed, offered):
    """An option that stands twice, or a command that there is not, is told when it is called."""
    *before, incomplete = typed
    found = {one.value for one in ShellComplete(cli, {}, "rebalance", "_X").get_completions(before, incomplete)}
    assert found >= offered
