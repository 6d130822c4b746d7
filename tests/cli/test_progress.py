"""Animated lines in a terminal, and what is printed elsewhere."""

import io
import re
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import pytest

from rebalance_proofs.cli.progress import Remaining, Reporter

COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What a terminal does not show."""
LONG = "a line of a claim's sentence " * 8


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(params=[Terminal, io.StringIO], ids=["a terminal", "a pipe"])
def streams(request, monkeypatch):
    """Standard output and standard error of one kind, once the test has redirected them (see ``to``)."""
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return request.param(), request.param()


@contextmanager
def to(streams):
    """Output goes to these streams in the body."""
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        yield


@pytest.mark.parametrize("as_json", [False, True])
def test_progress_line_is_printed_unchanged(streams, as_json):
    """It is not wrapped, has no colours of its own, and markup characters are printed unchanged."""
    with to(streams):
        reporter = Reporter(as_json)
        for line in (LONG, "[bold]3 of 14[/bold] 'quoted' 0x1f", "bell \x07"):
            reporter.line(line)
    used, free = reversed(streams) if as_json else streams
    assert used.getvalue() == f"{LONG}\n[bold]3 of 14[/bold] 'quoted' 0x1f\nbell \\u0007\n"
    assert free.getvalue() == ""


def test_progress_moves_in_a_terminal_and_is_printed_elsewhere(streams):
    out, _ = streams
    with to(streams), Reporter() as reporter:
        reporter.begins("proving 2 claims")
        step = reporter.step("proving", 2)
        step.advance()
        reporter.line("ok")
    told = out.getvalue()
    assert reporter.moving is isinstance(out, Terminal)
    if not reporter.moving:
        assert told == "proving 2 claims ...\nok\n"
        return
    assert "proving 2 claims" not in told
    moving = [line for line in re.split("[\r\n]", COLOURS.sub("", told)) if "proving" in line]
    for part in ("1/2", "0:00:0"):
        assert any(part in line for line in moving), part
    assert not any("left" in line for line in moving)  # too early for an estimate
    assert told.endswith("\x1b[1A\x1b[2K")  # the line is wiped out when the work is done


def test_style_is_used_in_terminals_only(streams):
    out, _ = streams
    with to(streams):
        Reporter().line("BAD", style="bold red")
    assert out.getvalue() == ("\x1b[1;31mBAD\x1b[0m\n" if isinstance(out, Terminal) else "BAD\n")


def test_failures_are_red_and_only_the_verdict_is_green(streams):
    out, _ = streams
    with to(streams):
        reporter = Reporter()
        for wrong in (True, False):
            reporter.judged("one", wrong=wrong)
            reporter.verdict("all", wrong=wrong)
    colours = ["\x1b[1;31m", "\x1b[1;31m", "", "\x1b[1;32m"] if isinstance(out, Terminal) else [""] * 4
    words = [f"{colour}{word}" for colour, word in zip(colours, ["one", "all"] * 2, strict=True)]
    assert out.getvalue() == "".join(f"{word}\x1b[0m\n" if "\x1b" in word else f"{word}\n" for word in words)


def test_moving_line_fits_the_terminal(streams, monkeypatch):
    out, _ = streams
    monkeypatch.setenv("COLUMNS", "40")
    with to(streams), Reporter() as reporter:
        reporter.step("proving", 2).advance()
    drawn = COLOURS.sub("", out.getvalue())
    assert max(len(line) for line in re.split("[\r\n]+", drawn)) in ((39, 40) if reporter.moving else (0,))


def test_progress_bar_shows_the_estimate(streams, monkeypatch):
    monkeypatch.setattr(Remaining, "words", "about 4 min left")
    with to(streams), Reporter() as reporter:
        reporter.step("proving", 2, 7.5).advance(2.5)
    assert ("about 4 min left" in streams[0].getvalue()) is reporter.moving


@pytest.mark.parametrize("columns", ["0", ""])
def test_zero_columns_print_as_in_a_pipe(streams, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    with to(streams), Reporter() as reporter:
        reporter.step("proving", 2).advance()
    drawn = COLOURS.sub("", streams[0].getvalue())
    widths = {len(line) for line in re.split("[\r\n]+", drawn) if line}
    assert bool(widths) is reporter.moving
    assert all(70 < width <= 80 for width in widths)
