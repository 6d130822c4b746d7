"""Long output: paged at a terminal, whole everywhere else."""

import os
import signal
import sys
from types import SimpleNamespace

import click
import pytest

from rebalance_proofs.cli import paged as module
from rebalance_proofs.cli.paged import LESS, paged
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.text.wrapping import whole
from tests.cli.terminal import at_terminal

LINES = [f"line {number}" for number in range(40)]


@pytest.fixture
def terminal(monkeypatch):
    """Function that makes the streams look like a terminal of that size, and collects what the pager gets."""
    pages = []

    def echo(text):
        pages.append(("".join(text), os.environ.get("LESS"), signal.getsignal(signal.SIGINT)))

    def size(columns, rows):
        monkeypatch.setattr(module, "_at_terminal", lambda: True)
        monkeypatch.setattr(
            module, "shutil", SimpleNamespace(get_terminal_size=lambda: os.terminal_size((columns, rows)))
        )
        monkeypatch.setattr(click, "echo_via_pager", echo)
        return pages

    return size


def test_pipe_gets_every_line_whole(capsys):
    paged(["a" * 300, "word " * 60])
    assert capsys.readouterr().out == "a" * 300 + "\n" + "word " * 60 + "\n"


@pytest.mark.parametrize(("rows", "is_paged"), [(41, False), (40, True), (24, True)])
def test_only_output_that_does_not_fit_the_screen_is_paged(terminal, capsys, rows, is_paged):
    pages = terminal(80, rows)
    paged(LINES)
    assert bool(pages) is is_paged
    text = pages[0][0] if is_paged else capsys.readouterr().out
    assert text == "\n".join(LINES) + "\n"


def test_lines_break_between_words_at_a_terminal(terminal, capsys):
    terminal(30, 24)
    paged(["one two three four five six seven"])
    assert capsys.readouterr().out == "one two three four five six\n  seven\n"


def test_last_column_of_a_table_is_wrapped_in_itself(terminal, capsys):
    terminal(50, 24)
    paged(["PROVED   a.claim  one two three four five six seven eight nine"])
    assert capsys.readouterr().out == (
        "PROVED   a.claim  one two three four five six\n                  seven eight nine\n"
    )


def test_command_is_never_broken(terminal, capsys):
    terminal(30, 24)
    paged([f"Explain a cause: {whole('rebalance why nothing-committed')}"])
    assert capsys.readouterr().out == "Explain a cause:\n  rebalance why nothing-committed\n"


def test_rows_of_an_unbreakable_word_count(terminal):
    pages = terminal(30, 10)
    paged(["a" * 300])
    assert pages


def test_control_characters_are_escaped(terminal):
    pages = terminal(80, 3)
    paged(["a\x1b[2J", *LINES])
    assert pages[0][0].startswith("a\\u001b[2J\n")


@pytest.mark.parametrize(("given", "used"), [(None, LESS), ("-S", "-S"), ("", "")])
def test_less_keeps_the_options_that_the_user_has_set(terminal, monkeypatch, given, used):
    monkeypatch.delenv("LESS", raising=False)
    if given is not None:
        monkeypatch.setenv("LESS", given)
    pages = terminal(80, 10)
    paged(LINES)
    assert pages[0][1] == used
    assert os.environ.get("LESS") == given


def test_interrupts_are_left_to_the_pager(terminal):
    before = signal.getsignal(signal.SIGINT)
    pages = terminal(80, 10)
    paged(LINES)
    during = pages[0][2]
    assert callable(during)
    assert during is not before
    assert during(signal.SIGINT, None) is None
    assert signal.getsignal(signal.SIGINT) is before


def test_missing_streams_are_no_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert module._at_terminal() is False


def test_list_is_paged_with_less_until_the_user_quits(monkeypatch):
    for name in ("PAGER", "LESS"):
        monkeypatch.delenv(name, raising=False)
    with at_terminal("list", rows=20) as terminal:
        assert f"# {len(entries())} claims" in terminal.until("\n:")
        terminal.type("\x03")
        for _ in range(20):  # less can drop a key after an interrupt
            terminal.type("G")
            if terminal.draws("not recorded: ", within=1.0):
                break
        assert terminal.process.poll() is None
        terminal.type("q")
        assert terminal.ended() == 0
        assert terminal.as_before


def test_list_uses_the_pager_of_the_user_for_long_output_only(monkeypatch):
    monkeypatch.setenv("PAGER", "sed s/^/paged:/")
    with at_terminal("list", "allocation.*", rows=20) as terminal:
        assert terminal.ended() == 0
        assert "paged:# " in terminal.drawn
    with at_terminal("list", "allocation.avg.disjoint", rows=20) as terminal:
        assert terminal.ended() == 0
        assert "paged:" not in terminal.drawn
        assert "PROVED   allocation.avg.disjoint" in terminal.drawn


def test_missing_pager_leaves_the_output_whole(monkeypatch):
    monkeypatch.setenv("PAGER", "no-such-pager")
    with at_terminal("list", "allocation.*", rows=20) as terminal:
        assert terminal.ended() == 0
        assert "PROVED   allocation.avg.disjoint" in terminal.drawn
