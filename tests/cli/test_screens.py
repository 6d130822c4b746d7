"""Input and output of a terminal, simulated: keys from a pipe, screens of any size."""

import os
import sys
from types import SimpleNamespace

import pytest

from rebalance_proofs.cli import player
from rebalance_proofs.report.replay.steps import Line
from tests.each import each


@pytest.fixture
def ends():
    """The ends of a pipe for keys, and of one that wakes: (keys, keys' writer, woken, waker)."""
    pipes = [*os.pipe(), *os.pipe()]
    os.set_blocking(pipes[2], False)
    yield pipes
    for end in pipes:
        if end is not None:
            os.close(end)


def read(ends, typed: bytes, many: int) -> list[int | None]:
    os.write(ends[1], typed)
    return [player._key(ends[0], ends[2]) for _ in range(many)]


@each(
    ("typed", "meanings"),
    [
        (b"nn", [player.NEXT, player.NEXT]),
        (b"x n", [None, player.NEXT, player.NEXT]),
        (b"\x1b[Cp", [player.NEXT, player.BACK]),
        (b"\x1bOD\x1b[H", [player.BACK, player.FIRST]),
        (b"\x1b[1~\x1b[4~", [player.FIRST, player.LAST]),
        (b"\x1b[15~n", [None, player.NEXT]),
        (b"\x1b[1;5Cn", [None, player.NEXT]),
        (b"\x1b[99999n", [None]),
        (b"\x1b", [player.QUIT]),
        (b"q", [player.QUIT]),
    ],
)
def test_key_sequences_are_parsed(typed, meanings):
    pipes = [*os.pipe(), *os.pipe()]
    assert read(pipes, typed, len(meanings)) == meanings
    for end in pipes:
        os.close(end)


def test_closed_terminal_quits(ends):
    os.close(ends[1])
    ends[1] = None
    assert player._key(ends[0], ends[2]) == player.QUIT


def test_wake_up_bytes_are_no_key(ends):
    os.write(ends[3], b"\x1c" * 9)
    assert read(ends, b"n", 2) == [None, player.NEXT]


def drawn(monkeypatch, capsys, columns: int, rows: int, *lines: Line) -> tuple[int, list[str]]:
    """The width that the screen was asked for, and the rows that were drawn."""
    widths = []
    size = SimpleNamespace(get_terminal_size=lambda: os.terminal_size((columns, rows)))
    monkeypatch.setattr(player, "shutil", size)  # of the player alone: pytest asks shutil, too
    player._draw(lambda at, width: widths.append(width) or [*lines], 0)
    out = capsys.readouterr().out
    assert out.startswith(player.CLEAR)
    (width,) = widths
    return width, out.removeprefix(player.CLEAR).split("\n")


@pytest.mark.parametrize(("columns", "width"), [(100, 99), (21, 20), (20, 20), (5, 20)])
def test_screen_leaves_one_column_free_and_has_a_minimum_width(monkeypatch, capsys, columns, width):
    asked, rows = drawn(monkeypatch, capsys, columns, 8, Line("a line"))
    assert asked == width
    assert rows[-1] == player.KEYS[: columns - 1]
    assert rows[0] == "a line"


@pytest.mark.parametrize(("rows", "shown"), [(1, ["…"]), (2, ["…"]), (3, ["…"]), (4, ["1", "2"]), (9, ["1", "2"])])
def test_screen_shows_at_least_one_line(monkeypatch, capsys, rows, shown):
    _, told = drawn(monkeypatch, capsys, 80, rows, Line("1"), Line("2"))
    assert [line for line in told[:-1] if line] == shown
    assert len(told) == max(2, rows - 1)


def test_changed_lines_are_marked_and_control_characters_removed(monkeypatch, capsys):
    _, told = drawn(monkeypatch, capsys, 80, 9, Line("a\x1b[2J", True), Line("b\x07"))
    assert told[0].startswith(player.MARKED)
    assert told[0].endswith(player.PLAIN)
    assert "\x1b[2J" not in told[0]
    assert told[1] == "b\\u0007"


@pytest.mark.parametrize(
    ("term", "there", "playable"),
    [
        ("xterm", (True, True), True),
        ("xterm", (True, False), False),
        ("xterm", (False, True), False),
        ("dumb", (True, True), False),
        ("", (True, True), False),
        (None, (True, True), False),
    ],
)
def test_player_needs_two_capable_terminals(monkeypatch, term, there, playable):
    if term is None:
        monkeypatch.delenv("TERM", raising=False)
    else:
        monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(os, "isatty", lambda number: there[number])
    for number, name in enumerate(("stdin", "stdout")):
        monkeypatch.setattr(sys, name, SimpleNamespace(fileno=lambda number=number: number))
    assert player.playable() is playable


def test_player_needs_open_streams(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", None)
    assert player.playable() is False
