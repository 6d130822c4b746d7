"""Paging through steps at a terminal: the keys, and that the terminal is always restored."""

import fcntl
import io
import os
import pty
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from unittest import mock

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, integers, lists, sampled_from

from rebalance_proofs.cli import player
from rebalance_proofs.report.replay.steps import Line
from tests.cli.terminal import at_terminal

CLAIM = "ordered.java_v5_2.exclusive.without-time"
LONG = 90
"""Seconds after which a test that waits for a key waits for ever."""
RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise AssertionError("no key comes any more")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, LONG, 1)  # hypothesis tries what has failed once more
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_player_steps_forward_and_back():
    """Changed values are marked, not by colour alone, and the last step says what is wrong."""
    with at_terminal("replay", CLAIM) as terminal:
        first = terminal.until("q: quit")
        assert "0 of 10: 0.000 s: Consumers X and Y; one queue" in first
        assert not terminal.as_before
        for key, words in (
            (RIGHT, "1 of 10: 0.000 s: A rebalance of X requests the lock"),
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
        terminal.until("\x1b[7m* broker  lock holder    X\x1b[0m")
        terminal.type(END)
        terminal.until("At 20.506 s the listeners of X and Y both run on this queue.")
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
def test_player_restores_the_terminal(ends, status):
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


def test_player_continues_after_suspension():
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
def test_exception_in_the_player_restores_the_terminal():
    with at_terminal("replay", CLAIM, code=BROKEN) as terminal:
        assert terminal.ended() == 2
        assert terminal.as_before
        assert "unexpected ZeroDivisionError" in terminal.drawn


@pytest.mark.slow
def test_player_redraws_after_a_resize():
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
def test_steps_are_printed_as_text_on_a_dumb_terminal(arguments):
    with at_terminal("replay", CLAIM, *arguments, term="xterm" if arguments else "dumb") as terminal:
        assert terminal.ended() == 0
        assert "\x1b[?1049h" not in terminal.drawn
        assert " 10. 20.506 s: Y checks that its lock is recent" in terminal.drawn


@pytest.mark.parametrize(("rows", "shown"), [(7, "a {path}"), (6, "a {path}"), (5, "a …"), (3, "…")])
def test_unbreakable_line_uses_the_rows_it_needs(rows, shown):
    """The keys stay on the last row but one."""
    path, out = "/a-long/path" * 5, io.StringIO()
    with (
        mock.patch.object(player.shutil, "get_terminal_size", return_value=os.terminal_size((25, rows))),
        mock.patch.object(sys, "stdout", out),
    ):
        player._draw(lambda at, width: [Line("a"), Line(path)], 0)
    *drawn, keys = out.getvalue().removeprefix(player.CLEAR).split("\n")
    assert " ".join(filter(None, drawn)) == shown.format(path=path)
    taken = len(drawn) + (2 if path in drawn else 0)
    assert (keys, taken) == (player.KEYS[:24], rows - 2)


@given(columns=integers(14, 50), rows=integers(1, 9), marks=lists(booleans(), max_size=12))
def test_player_draws_as_much_as_fits(columns, rows, marks):
    """The keys are below it, the last row and column stay empty, and text that was cut ends with an ellipsis."""
    asked, out = [], io.StringIO()

    def screen(at, width):
        asked.append((at, width))
        return [Line(f"line {number}\x07", marked) for number, marked in enumerate(marks)]

    with (
        mock.patch.object(player.shutil, "get_terminal_size", return_value=os.terminal_size((columns, rows))),
        mock.patch.object(sys, "stdout", out),
    ):
        player._draw(screen, 3)
    *drawn, keys = out.getvalue().removeprefix(player.CLEAR).split("\n")
    assert asked == [(3, max(20, columns - 1))]
    assert keys == player.KEYS[: columns - 1]
    assert len(drawn) == (rows - 2 if rows > 2 else 1)
    every = [f"\x1b[7mline {n}\\u0007\x1b[0m" if mark else f"line {n}\\u0007" for n, mark in enumerate(marks)]
    if len(every) > len(drawn):
        assert drawn == [*every[: len(drawn) - 1], "…"]
    else:
        assert drawn == every + [""] * (len(drawn) - len(every))


SIGNALS = (signal.SIGTSTP, signal.SIGCONT, signal.SIGQUIT, signal.SIGWINCH)


class Here:
    """This process at a terminal: keys are typed at its one end, and ``screen`` is asked what to draw."""

    def __init__(self, ours: int, theirs: int, out: io.StringIO) -> None:
        self.ours, self.theirs, self.out = ours, theirs, out

    @property
    def keyed(self) -> bool:
        """Whether keys come one by one, and are not shown."""
        return not termios.tcgetattr(self.theirs)[3] & (termios.ICANON | termios.ECHO)

    def type(self, key: str) -> None:
        """Type it."""
        os.write(self.ours, key.encode())


@contextmanager
def here():
    """As if the process's input were a terminal; what was handled by signals is so again."""
    ours, theirs = pty.openpty()
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    out = io.StringIO()
    with os.fdopen(theirs) as source, mock.patch.object(sys, "stdin", source), mock.patch.object(sys, "stdout", out):
        yield Here(ours, theirs, out)
    os.close(ours)
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("keys", "last", "seen"),
    [
        ("nnnbbbq", 2, [0, 1, 2, 2, 1, 0, 0]),
        ("Gbgnxq", 5, [0, 5, 4, 0, 1, 1]),
        ("nbGgQ", 0, [0, 0, 0, 0, 0]),
    ],
)
def test_each_key_shows_another_step(keys, last, seen):
    with here() as at:
        before, handlers = termios.tcgetattr(at.theirs), [signal.getsignal(number) for number in SIGNALS]
        shown, left = [], iter(keys)

        def screen(place, width):
            shown.append(place)
            assert at.keyed
            assert all(callable(signal.getsignal(number)) for number in SIGNALS)
            at.type(next(left))
            return []

        player.play(screen, last)
        assert (shown, [*left]) == (seen, [])
        assert termios.tcgetattr(at.theirs) == before
        assert [signal.getsignal(number) for number in SIGNALS] == handlers
        assert at.out.getvalue().startswith("\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J")
        assert at.out.getvalue().endswith("\x1b[0m\x1b[?25h\x1b[?1049l")


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGQUIT])
def test_stop_signal_restores_the_terminal_first(number, monkeypatch):
    """The signal is sent again for the system's default action; a process that was only stopped draws again."""
    with here() as at:
        sent, left = [], iter(("", "n", "q"))

        def kill(process, signalled):
            sent.append(process)
            assert (signalled, signal.getsignal(number)) == (number, signal.SIG_DFL)
            assert not at.keyed
            assert at.out.getvalue().endswith(player.LEAVE)
            if number is signal.SIGQUIT:
                sys.exit()

        def screen(place, width):
            key = next(left)
            if not key:
                signal.raise_signal(number)
            assert at.keyed
            assert callable(signal.getsignal(number))
            at.type(key)
            return []

        monkeypatch.setattr(os, "kill", kill)
        with suppress(SystemExit):
            player.play(screen, 1)
        assert sent == [os.getpid()]
        assert [*left] == ([] if number is signal.SIGTSTP else ["n", "q"])


def test_continued_player_takes_the_terminal_again():
    """Also after SIGSTOP, which a process cannot handle."""
    with here() as at:
        before, left = termios.tcgetattr(at.theirs), iter(("", "q"))

        def screen(place, width):
            key = next(left)
            if not key:
                termios.tcsetattr(at.theirs, termios.TCSANOW, before)
                signal.raise_signal(signal.SIGCONT)
            assert at.keyed
            at.type(key)
            return []

        player.play(screen, 1)
        assert at.out.getvalue().count("\x1b[?1049h") == 2


def test_repeated_resizes_print_nothing(capfd):
    with player._wakes() as woken:
        fcntl.fcntl(woken, fcntl.F_SETPIPE_SZ, 4096)
        for _ in range(5000):
            signal.raise_signal(signal.SIGWINCH)
        with closing_pipe() as (reads, _):
            assert player._key(reads, woken) is None
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("terminals", "term", "drawn_on"),
    [
        ((0, 1), "xterm", True),
        ((0, 1), "dumb", False),
        ((0, 1), "", False),
        ((0, 1), None, False),
        ((0,), "xterm", False),
        ((1,), "xterm", False),
        ((), "xterm", False),
    ],
)
def test_player_needs_a_capable_terminal(monkeypatch, terminals, term, drawn_on):
    for number, name in enumerate(("stdin", "stdout")):
        monkeypatch.setattr(sys, name, mock.Mock(fileno=lambda number=number: number))
    monkeypatch.setattr(os, "isatty", lambda number: number in terminals)
    monkeypatch.delenv("TERM", raising=False)
    if term is not None:
        monkeypatch.setenv("TERM", term)
    assert player.playable() is drawn_on


@pytest.mark.parametrize(("module", "name"), [(player, "termios"), (sys, "stdin"), (sys, "stdout")])
def test_player_needs_standard_streams(monkeypatch, module, name):
    """As on Windows, or in a process without standard streams."""
    monkeypatch.setattr(os, "isatty", lambda number: True)
    monkeypatch.setenv("TERM", "xterm")
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, mock.Mock(fileno=lambda: 0))
    assert player.playable()
    monkeypatch.setattr(module, name, None)
    assert not player.playable()


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
def test_keys_have_their_meanings(keys, means):
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
def test_simultaneous_keys_are_separated(keys, ended):
    """A key that is held down fills the terminal's buffer; Escape is a key only if nothing follows it."""
    with closing_pipe() as (reads, writes), closing_pipe() as (woken, _):
        os.write(writes, b"".join([*keys, b"\x1b"] if ended else keys))
        assert [player._key(reads, woken) for _ in keys] == [player.MEANS[key] for key in keys]
        if ended:
            assert player._key(reads, woken) == player.QUIT


def test_unknown_keys_are_ignored_and_end_of_input_quits():
    with closing_pipe() as (reads, writes), closing_pipe() as (woken, wakes):
        os.write(wakes, b"\x1c")
        os.write(writes, b"\x1b[5~x")
        assert [player._key(reads, woken) for _ in range(3)] == [None] * 3  # nothing of either is left
        os.write(writes, b"n")
        assert player._key(reads, woken) == player.NEXT
        os.close(os.dup2(os.open(os.devnull, os.O_WRONLY), writes))
        os.dup2(os.open(os.devnull, os.O_RDONLY), reads)
        assert player._key(reads, woken) == player.QUIT
