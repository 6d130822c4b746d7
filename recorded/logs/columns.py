"""Split a large piece of a log into columns with NumPy: times, commits, and lines that say nothing.

Nearly all lines of a large log are of these two kinds. The other lines are parsed one by one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rebalance_proofs.recorded.logs.commits import COMMIT, STILL
from rebalance_proofs.recorded.logs.commits import PAUSE as COMMITS_PAUSE
from rebalance_proofs.recorded.logs.search import TWO
from rebalance_proofs.recorded.logs.times import ms_of, stamp
from rebalance_proofs.recorded.logs.unrelated import unrelated

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
DIGITS = 18
"""Largest number of digits of an offset in a column."""
WORD = 8
"""Number of bytes that are compared at once. So many after a time are examined for a zone."""
FEWEST = 100
"""Fewest lines that are searched together; the search has to be prepared, so fewer lines are parsed one by one."""
FORM = b"0000-00-00 00:00:00.000"
"""Form of a time: digits are zeros."""
SIGNS = (b"-", b"-", b" T", b":", b":", b",.")
"""Signs between the digits."""


class Span(NamedTuple):
    """Successive commits of one queue within a stretch."""

    key: bytes
    plain: bool
    """True if no pause, offset rollback or long time without progress is among the commits."""
    begin: int
    end: int
    """Positions in the columns of commits of the first one, and after the last one."""
    line: int
    """Position in the piece of the first commit."""
    at: int
    offset: int
    last_line: int
    last_at: int
    last_offset: int
    still_line: int
    """The last commit before the first one with another offset; -1 if all have the same offset."""
    still_at: int
    moved_line: int
    """The last commit with another offset than the one before."""
    moved_at: int


@dataclass(frozen=True)
class Stretch:
    """Lines between two lines that are parsed one by one."""

    first: int
    last: int
    """Positions of its first and last line among the quick lines; no line if the last one is before the first."""
    spans: list[Span]
    unrelated: list[int]
    """Number of unrelated lines, and position in the piece of the last one; empty if there are none."""
    slow: int
    """Position in the piece of the line after the stretch, which is parsed alone; -1 at the end of the piece."""


@dataclass(frozen=True)
class Columns:
    """The columns of a piece."""

    starts: Ints
    ends: Ints
    quick: Ints
    """Positions in the piece of commits and unrelated lines."""
    at: Ints
    """Their times in ms."""
    breaks: list[int]
    """Quick lines that come before the line before, or long after it."""
    commits: Ints
    """Positions in the piece of commits, by stretch and queue."""
    commit_times: Ints
    offsets: Ints
    stretches: list[Stretch]

    def time(self, place: int) -> int:
        """Return the time of a quick line."""
        return int(self.at[np.searchsorted(self.quick, place)])


def columns(piece: bytes, place: int, wide: int, shift: int, pause: int) -> Columns | None:
    """Return the columns of a piece.

    ``place``: position of commits in their lines, 0 if the piece has none. ``wide``: length of the lines' times.
    ``shift``: correction of times in ms. ``pause``: longest time in ms between two lines of a running process. Return
    None if a line consists of digits, which a terminal can have wrapped.
    """
    data = np.frombuffer(piece, dtype=np.uint8)
    ends = np.flatnonzero(data == 10)
    if not piece.endswith(b"\n"):
        ends = np.append(ends, len(data))
    starts = np.empty_like(ends)
    starts[0], starts[1:] = 0, ends[:-1] + 1
    dated, at = _times(data, starts, ends, wide, shift)
    for line in np.flatnonzero(~dated).tolist():
        if piece[starts[line] : ends[line]].isdigit():
            return None
    commits, begins, offsets = _commits(data, starts, ends, dated, place)
    other = dated & ~commits
    calm = _calm(piece, data, starts, ends, other, at - shift, wide)
    quick = np.flatnonzero(commits | calm)
    slow = np.flatnonzero(~(commits | calm))
    times = at[quick]
    steps = np.diff(times)
    breaks = (np.flatnonzero((steps < 0) | (steps > pause)) + 1).tolist()
    spans, order = _spans(piece, np.flatnonzero(commits), starts + place, begins, offsets, at, slow)
    return Columns(
        starts,
        ends,
        quick,
        times,
        breaks,
        order,
        at[order],
        offsets[order],
        list(_stretches(quick, slow, calm, spans)),
    )


def _times(data: npt.NDArray[np.uint8], starts: Ints, ends: Ints, wide: int, shift: int) -> tuple[Bools, Ints]:
    """Return for each line whether it begins with a time, and the time."""
    dated = ends - starts > wide
    at = np.zeros(len(starts), dtype=np.int64)
    heads = _rows(data, starts[dated], wide)
    if not len(heads):
        return dated, at
    new = np.flatnonzero(np.append(True, (heads[1:] != heads[:-1]).any(axis=1)))
    many = np.diff(np.append(new, len(heads)))
    heads = heads[new]
    form = np.frombuffer(FORM[:wide], dtype=np.uint8)
    numbers = (heads[:, form == ord("0")] - ord("0")).T
    fits = (numbers <= 9).all(axis=0)
    for column, signs in zip(heads[:, form != ord("0")].T, SIGNS, strict=False):
        fits &= (column == signs[0]) | (column == signs[-1])
    numbers = numbers.astype(np.int64)
    days = np.zeros(len(heads), dtype=np.int64)
    for digit in numbers[:8]:
        days = days * 10 + digit
    clock = numbers[8:]
    hours, minutes = clock[0] * 10 + clock[1], clock[2] * 10 + clock[3]
    fits &= (hours < 24) & (minutes < 60)
    ms = (hours * 60 + minutes) * 60_000 + np.minimum(clock[4] * 10 + clock[5], 59) * 1000
    if wide > len("2024-05-01 10:00:00"):
        ms += clock[6] * 100 + clock[7] * 10 + clock[8]
    known, which = np.unique(np.where(fits, days, 0), return_inverse=True)
    midnights = np.array([_midnight(day) for day in known.tolist()], dtype=np.int64)[which.reshape(-1)]
    fits &= midnights >= 0
    at[dated] = np.repeat(ms + midnights + shift, many)
    dated[dated] = np.repeat(fits, many)
    return dated, at


def _midnight(day: int) -> int:
    """Return the ms at which a day such as 20240501 begins; -1 for a day that is not in the calendar."""
    try:
        return ms_of(datetime(day // 10_000, day // 100 % 100, day % 100, tzinfo=UTC))
    except ValueError:
        return -1


def _rows(data: npt.NDArray[np.uint8], places: Ints, many: int) -> npt.NDArray[np.uint8]:
    """Return the bytes from each of the places on."""
    if not len(places):
        return np.empty((0, many), dtype=np.uint8)
    return np.lib.stride_tricks.sliding_window_view(data, many)[places]


def _alike(data: npt.NDArray[np.uint8], places: Ints, text: bytes) -> Bools:
    """Return whether the text is at each of the places."""
    inside = places + len(text) <= len(data)
    for begin in (*range(0, len(text) - WORD, WORD), len(text) - WORD):
        word = np.frombuffer(text[begin : begin + WORD], dtype=np.int64)
        inside[inside] = _words(data, places[inside] + begin) == word
    return inside


def _words(data: npt.NDArray[np.uint8], places: Ints) -> Ints:
    """Return the eight bytes from each of the places on, as a number."""
    return _rows(data, places, WORD).view(np.int64).reshape(-1)


def _commits(
    data: npt.NDArray[np.uint8], starts: Ints, ends: Ints, dated: Bools, place: int
) -> tuple[Bools, Ints, Ints]:
    """Return for each line whether it is a commit, where its offset begins, and the offset."""
    begins, offsets = np.zeros(len(starts), dtype=np.int64), np.zeros(len(starts), dtype=np.int64)
    commits = dated & (ends - starts > place + len(COMMIT) + DIGITS + 2)
    if not place:
        return commits & False, begins, offsets
    commits[commits] = _alike(data, starts[commits] + place, COMMIT)
    until = ends[commits]
    until -= data[until - 1] == ord("\r")
    rows = _rows(data, until - DIGITS, DIGITS)
    many, values = np.zeros(len(until), dtype=np.int64), np.zeros(len(until), dtype=np.int64)
    digits, power, first = np.ones(len(until), dtype=bool), 1, np.zeros(len(until), dtype=np.uint8)
    for column in rows.T[::-1]:
        number = column - ord("0")
        digits = digits & (number <= 9)
        if not digits.any():
            break
        first = np.where(digits, number, first)
        values += np.where(digits, number, 0) * np.int64(power)
        many += digits
        power *= 10
    begin = until - many
    fits = (many > 0) & (many < DIGITS) & (data[begin - 1] == ord(" ")) & ((many == 1) | (first > 0))
    begins[commits], offsets[commits] = begin, values
    commits[commits] = fits
    return commits, begins, offsets


def _calm(
    piece: bytes, data: npt.NDArray[np.uint8], starts: Ints, ends: Ints, other: Bools, at: Ints, wide: int
) -> Bools:
    """Return for each line whether it has a time and says nothing, and does not go on in the next line.

    ``other``: lines with a time that are no commits. ``at``: times without correction.
    """
    asked = other & (ends - starts <= TWO) & (ends - starts > wide + WORD)
    if np.count_nonzero(asked) < FEWEST:
        return asked & False
    colons = data == ord(":")
    twice = np.flatnonzero(colons[:-3] & colons[3:])
    lines = np.searchsorted(starts, twice, "right") - 1
    asked[lines[twice - starts[lines] > wide - 1]] = False
    tails = _words(data, starts[asked] + wide)
    _, first, which = np.unique(tails, return_index=True, return_inverse=True)
    positions = np.flatnonzero(asked)[first].tolist()
    usual = [_usual(piece[starts[one] : ends[one]], int(at[one])) for one in positions]
    asked[asked] = np.array(usual, dtype=bool)[which.reshape(-1)]
    bounds = np.append(starts, min(ends[-1] + 1, len(data)))
    asked[asked] = unrelated(piece, bounds, asked)
    return asked


def _usual(line: bytes, at: int) -> bool:
    """Return True if the line's time is the one at its beginning, without a zone."""
    made = stamp(line, 1970)
    return made is not None and made.dated and not made.zoned and not made.named and not made.place and made.at == at


class _Numbers(dict[bytes, int]):
    """Text -> its number, in the order of their first look-up."""

    def __missing__(self, key: bytes) -> int:
        self[key] = number = len(self)
        return number


def _spans(
    piece: bytes, lines: Ints, keys: Ints, begins: Ints, offsets: Ints, at: Ints, slow: Ints
) -> tuple[dict[int, list[Span]], Ints]:
    """Return the spans of commits by stretch, and the commits' lines in the spans' order."""
    if not len(lines):
        return {}, lines
    numbers = _Numbers()
    slices = map(slice, keys[lines].tolist(), (begins[lines] - 1).tolist())
    which = list(map(numbers.__getitem__, map(piece.__getitem__, slices)))
    texts = list(numbers)
    groups = np.searchsorted(slow, lines) * len(texts) + np.array(which, dtype=np.int64)
    few = groups.max() < 1 << 16  # short numbers are sorted in linear time
    order = np.argsort(groups.astype(np.uint16) if few else groups, kind="stable")
    groups, lines = groups[order], lines[order]
    begin = np.flatnonzero(np.append(True, groups[1:] != groups[:-1]))
    end = np.append(begin[1:], len(lines))
    times, values = at[lines], offsets[lines]
    same = np.append(False, groups[1:] == groups[:-1])
    steps = np.diff(times, prepend=times[:1])
    before = np.append(values[:1], values[:-1])
    odd = same & ((steps < 0) | (steps > COMMITS_PAUSE) | (values < before))
    changed = np.flatnonzero(same & (values != before))
    if len(changed) > 1:
        long = (times[changed[1:] - 1] - times[changed[:-1]] >= STILL) & (groups[changed[1:]] == groups[changed[:-1]])
        odd[changed[1:][long]] = True
    odd_spans = np.logical_or.reduceat(odd, begin)
    from_, to = np.searchsorted(changed, begin), np.searchsorted(changed, end)
    some = to > from_
    still, moved, last = np.zeros_like(begin), np.zeros_like(begin), end - 1
    still[some], moved[some] = changed[from_[some]] - 1, changed[to[some] - 1]
    numbers_of = groups[begin] // len(texts), groups[begin] % len(texts)
    columns_ = (
        *(~odd_spans, begin, end, lines[begin], times[begin], values[begin], lines[last], times[last], values[last]),
        *(np.where(some, lines[still], -1), times[still], lines[moved], times[moved]),
    )
    found: dict[int, list[Span]] = {}
    for stretch, key, *span in zip(*(one.tolist() for one in (*numbers_of, *columns_)), strict=True):
        found.setdefault(stretch, []).append(Span(texts[key], *span))
    return found, lines


def _stretches(quick: Ints, slow: Ints, calm: Bools, spans: dict[int, list[Span]]) -> Iterator[Stretch]:
    bounds = np.searchsorted(quick, slow).tolist()
    of_calm = np.flatnonzero(calm)
    until = np.searchsorted(of_calm, slow).tolist()
    before = known = 0
    for number, (line, bound, many) in enumerate(
        zip([*slow.tolist(), -1], [*bounds, len(quick)], [*until, len(of_calm)], strict=True)
    ):
        calm_ = [many - known, int(of_calm[many - 1])] if many > known else []
        yield Stretch(before, bound - 1, spans.get(number, []), calm_, line)
        before, known = bound, many
