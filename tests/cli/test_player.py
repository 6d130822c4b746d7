"""Paging through steps at a terminal: the keys, and that the terminal is always restored."""

import os
import signal
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, lists, sampled_from

from rebalance_proofs.cli import player
from rebalance_proofs.report.replay.steps import Line
from tests.cli.terminal import at_terminal

CLAIM = "ordered.java_v5_2.exclusive.without-time"
RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


def test_there_and_back():
    """What has changed is marked, not by colour alone; and at the end it is told what is wrong."""
    with at_terminal("replay", CLAIM) as terminal:
        first = terminal.until("q: quit")
        assert "0 of 10: 0.000 s: Two consumers, X and Y, and one queue" in first
        assert not terminal.as_before
        for key, words in (
            (RIGHT, "1 of 10: 0.000 s: A rebalance of X asks for the lock"),
            (" ", "2 of 10"),
            (LEFT, "1 of 10"),
            (END, "10 of 10"),
            (RIGHT, "10 of 10"),
            (HOME, "0 of 10"),
            (LEFT, "0 of 10"),
            ("\x1bOC", "1 of 10"),
            ("x", "1 of 10"),
            ("nn", "3 of 10"),
            ("\x7f", "2 of 10"),
        ):
            terminal.type(key)
            terminal.until(words)
        terminal.type(f"{HOME}{RIGHT}")
        terminal.until("\x1b[7m* broker  lock      X\x1b[0m")
        terminal.type(END)
        terminal.until("At 20.506 s the listeners of X and of Y run on the same queue.")
        terminal.type("\x1b")
        assert terminal.ended() == 0
        assert terminal.as_before


@pytest.mark.parametrize(
    ("ends", "status"),
    [
        ("\x03", 2),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 2, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow),
        pytest.param("\x04", 0, marks=pytest.mark.slow),
        pytest.param(signal.SIGQUIT, -3, marks=pytest.mark.slow),
    ],
)
def test_the_terminal_is_given_back(ends, status):
    with at_terminal("replay", CLAIM) as terminal:
        terminal.until("q: quit")
        assert not terminal.as_before
        if isinstance(ends, str):
            terminal.type(ends)
        else:
            terminal.process.send_signal(ends)
        assert terminal.ended() == status
        assert terminal.as_before
        assert "Traceback" not in terminal.drawn


def test_after_it_was_suspended_it_goes_on():
    with at_terminal("replay", CLAIM, job=True) as terminal:
        terminal.until("q: quit")
        terminal.type(RIGHT)
        terminal.until("1 of 10")
        terminal.type("\x1a")
        terminal.until("<stopped>")
        assert terminal.as_before
        terminal.goes_on()
        terminal.until("1 of 10")
        assert not terminal.as_before
        terminal.type(RIGHT)
        terminal.until("2 of 10")
        terminal.type("q")
        assert terminal.ended() == 0
        assert terminal.as_before


BROKEN = """
from rebalance_proofs.cli import player
from rebalance_proofs.cli.main import main
player._draw = lambda screen, at: 1 / 0
main()
"""


@pytest.mark.slow
def test_an_exception_gives_the_terminal_back():
    with at_terminal("replay", CLAIM, code=BROKEN) as terminal:
        assert terminal.ended() == 2
        assert terminal.as_before
        assert "unexpected ZeroDivisionError" in terminal.drawn


@pytest.mark.slow
def test_it_is_drawn_anew_when_the_size_is_another_one():
    with at_terminal("replay", CLAIM, columns=100, rows=30) as terminal:
        terminal.until("q: quit")
        terminal.resize(40, 8)
        os.killpg(terminal.process.pid, signal.SIGWINCH)
        drawn = terminal.until("arrows or space: next and back")
        lines = drawn.rpartition("\x1b[2J")[2].split("\r\n")
        assert len(lines) <= 8
        assert max(len(line.rstrip()) for line in lines) <= 40
        assert "…" in lines
        assert lines[0].startswith("0 of 10: 0.000 s: Two consumers")
        terminal.type("q")
        assert terminal.ended() == 0


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("--plain",), ()])
def test_as_text_where_it_is_asked_for_or_the_terminal_can_do_no_more(arguments):
    with at_terminal("replay", CLAIM, *arguments, term="xterm" if arguments else "dumb") as terminal:
        assert terminal.ended() == 0
        assert "\x1b[?1049h" not in terminal.drawn
        assert " 10. 20.506 s: Y finds its lock to be recent" in terminal.drawn


@pytest.mark.parametrize(("lines", "last"), [(3, "line 2"), (4, "line 3"), (5, "…")])
def test_what_just_fits_is_not_cut(lines, last, monkeypatch, capsys):
    """Of six rows one is for the keys, and one stays free."""
    monkeypatch.setattr(player.shutil, "get_terminal_size", lambda: os.terminal_size((60, 6)))
    player._draw(lambda at, width: [Line(f"line {number}") for number in range(lines)], 0)
    drawn = capsys.readouterr().out.removeprefix(player.CLEAR).split("\n")
    assert len(drawn) == 5
    assert [line for line in drawn[:-1] if line][-1] == last


@pytest.mark.parametrize(
    ("keys", "means"),
    [
        ("\x1b[C \x1bOC \x1b[B \x1bOB \r \n n l j", player.NEXT),
        ("\x1b[D \x1bOD \x1b[A \x1bOA \x7f \x08 b p h k", player.BACK),
        ("\x1b[H \x1bOH \x1b[1~ g", player.FIRST),
        ("\x1b[F \x1bOF \x1b[4~ G", player.LAST),
        ("q Q \x1b \x04", player.QUIT),
    ],
)
def test_what_keys_mean(keys, means):
    """Arrows, Home and End as terminals send them in either mode, and the letters of vi and less."""
    assert {player.MEANS[key.encode()] for key in keys.split(" ")} == {means}
    assert player.MEANS[b" "] == player.NEXT


@contextmanager
def closing_pipe():
    """A pipe's two ends."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


@given(keys=lists(sampled_from(sorted(player.MEANS.keys() - {b"\x1b"})), max_size=6), ended=booleans())
def test_keys_that_come_at_once_are_told_apart(keys, ended):
    """A key that is held down fills the terminal's buffer; Escape is one only if nothing follows."""
    with closing_pipe() as (reads, writes), closing_pipe() as (woken, _):
        os.write(writes, b"".join([*keys, b"\x1b"] if ended else keys))
        assert [player._key(reads, woken) for _ in keys] == [player.MEANS[key] for key in keys]
        if ended:
            assert player._key(reads, woken) == player.QUIT


def test_a_wake_up_and_a_key_that_nobody_knows_mean_nothing_and_the_end_of_input_quits():
    with closing_pipe() as (reads, writes), closing_pipe() as (woken, wakes):
        os.write(wakes, b"\x1c")
        os.write(writes, b"\x1b[5~x")
        assert [player._key(reads, woken) for _ in range(3)] == [None] * 3  # nothing of either is left
        os.write(writes, b"n")
        assert player._key(reads, woken) == player.NEXT
        os.close(os.dup2(os.open(os.devnull, os.O_WRONLY), writes))
        os.dup2(os.open(os.devnull, os.O_RDONLY), reads)
        assert player._key(reads, woken) == player.QUIT
