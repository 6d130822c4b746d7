"""Differences between two contents of a pinned file, in terms of its parts: claims, calls, sentences and numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from tests.pins.pin import Parts, Pin

VALUE = re.compile(r"\b[0-9a-f]{8,64}\b|-?\b\d(?:[\d,.]*\d)?")
"""A digest or a number."""
MOST, LINES, WIDTH = 12, 12, 150
"""Parts of a file, lines of a part and characters of a line that are printed by default."""
BEFORE = 30
"""Characters that are printed before the first difference in a long line."""


@dataclass(frozen=True)
class Changes:
    """Differences of one pinned file."""

    noun: str
    before: Parts
    now: Parts
    renamed: dict[str, str] = field(default_factory=dict)
    """Former name of a part -> its name now; its lines are the same."""

    def __post_init__(self) -> None:
        """Find renamed parts."""
        gone = {tuple(self.before[name]): name for name in self.before if name not in self.now and self.before[name]}
        for name in self.now:
            if name not in self.before and (was := gone.pop(tuple(self.now[name]), None)):
                self.renamed[was] = name

    @property
    def added(self) -> list[str]:
        """Names of new parts."""
        return [name for name in self.now if name not in self.before and name not in self.renamed.values()]

    @property
    def removed(self) -> list[str]:
        """Names of parts that are gone."""
        return [name for name in self.before if name not in self.now and name not in self.renamed]

    @property
    def changed(self) -> list[str]:
        """Names of parts with other lines."""
        return [name for name in self.now if name in self.before and [*self.now[name]] != [*self.before[name]]]

    @property
    def moved(self) -> bool:
        """Whether the parts in both contents are in another order."""
        return [name for name in self.before if name in self.now] != [name for name in self.now if name in self.before]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.renamed or self.moved)

    def summary(self) -> str:
        """Return one line with the number of parts of each sort."""
        sorts = ("added", self.added), ("removed", self.removed), ("changed", self.changed), ("renamed", self.renamed)
        told = [f"{len(names)} {sort}" for sort, names in sorts if names] + ["other order"] * self.moved
        return f"{', '.join(told) or 'unchanged'} ({len(self.now)} {self.noun})"

    def lines(self, *, everything: bool = False) -> Iterator[str]:
        """Yield each change with the part that it is in; by default only the first ones."""
        blocks = [
            *([f"renamed  {was} -> {name}"] for was, name in self.renamed.items()),
            *([f"added    {name}", *(f"  + {line}" for line in self.now[name])] for name in self.added),
            *([f"removed  {name}", *(f"  - {line}" for line in self.before[name])] for name in self.removed),
            *([f"changed  {name}", *differences(self.before[name], self.now[name])] for name in self.changed),
        ]
        for block in blocks if everything else blocks[:MOST]:
            most = len(block) if everything else LINES + 1
            yield from block[:most]
            if len(block) > most:
                yield f"  ... {len(block) - most} more lines"
        if len(blocks) > MOST and not everything:
            names = [one[0].split(maxsplit=1)[1] for one in blocks[MOST : 2 * MOST]]
            more = f" and {len(blocks) - 2 * MOST} others" if len(blocks) > 2 * MOST else ""
            yield f"... more {self.noun}: {', '.join(names)}{more} (--all prints them)"


def told(pin: Pin, now: bytes) -> str:
    """Return the changes since the pinned content as text; empty if there are none."""
    before = pin.pinned()
    if now == before:
        return ""
    found = Changes(pin.noun, pin.parts(before), pin.parts(now))
    if not found:
        return f"{pin.name}: other bytes, same meaning"
    return "\n".join([f"{pin.name}: {found.summary()}", *found.lines()])


def differences(before: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    """Yield removed lines, added lines, and lines in which only numbers or digests differ."""
    for what, i, j, k, m in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        old, new = before[i:j], now[k:m]
        if what == "equal":
            continue
        if len(old) == len(new):
            for a, b in zip(old, new, strict=True):
                if VALUE.sub("_", a) == VALUE.sub("_", b):
                    yield f"  {_with_values(a, b)}"
                else:
                    yield from map("  {}{}".format, "-+", _shortened(a, b))
        else:
            yield from (f"  - {line[:WIDTH]}" for line in old)
            yield from (f"  + {line[:WIDTH]}" for line in new)


def _with_values(old: str, new: str) -> str:
    """Return the line, with ``before -> now`` in place of each value that differs."""
    values = iter([(one[0], other[0]) for one, other in zip(VALUE.finditer(old), VALUE.finditer(new), strict=True)])
    first = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    line = VALUE.sub(lambda _: (lambda a, b: a if a == b else f"[{a} -> {b}]")(*next(values)), new)
    return f"~ {_around(line, first)}"


def _shortened(old: str, new: str) -> tuple[str, str]:
    first = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return f" {_around(old, first)}", f" {_around(new, first)}"


def _around(line: str, first: int) -> str:
    """Return the line, or its part around the first difference if it is long."""
    if len(line) <= WIDTH:
        return line
    start = max(0, first - BEFORE)
    return f"{'...' if start else ''}{line[start : start + WIDTH]}{'...' if len(line) > start + WIDTH else ''}"
