"""Assemble a text from parts up to a size limit.

Parts that do not fit are left out and listed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.text.english import listing

BETWEEN = "\n\n"


@dataclass(frozen=True)
class Part:
    """Texts of one sort, such as all diagrams; each of them is printed whole or left out."""

    name: str
    """Name for the list of what was left out: ``counterexamples in words``."""
    texts: Sequence[str]
    before: str = ""
    after: str = ""
    """Text after the part's texts, like ``before`` in front of them.

    Both only if any of the texts fits.
    """


def within(parts: Sequence[Part], most: int, where: str) -> str:
    """Return the parts joined, with those texts that fit within ``most`` bytes of UTF-8 overall.

    A list of what was left out follows the first part, with ``where`` to find it. No text is cut.
    """
    room = most - 500 - sum(_size(part.name) + 20 for part in parts)  # keeps room for the list of what was left out
    kept: list[list[str]] = []
    left: list[str] = []
    for part in parts:
        texts = [text for text in part.texts if text]
        fitting: list[str] = []
        around = _size(part.before) + _size(part.after)
        for text in texts:
            if around + _size(text) > room:
                continue
            room -= around + _size(text)
            around = 0
            fitting.append(text)
        if len(fitting) < len(texts):
            missing = f"{len(texts) - len(fitting):,} of {len(texts):,} " if len(texts) > 1 else ""
            left.append(f"{missing}{part.name}")
        kept.append(list(_around(part, fitting)))
    if left:
        said = f"Left out, because a job summary holds no more than 1 MiB: {listing(left)}. {where}"
        kept.insert(1, [said])
    return BETWEEN.join(text for texts in kept for text in texts) + "\n"


def _around(part: Part, texts: Sequence[str]) -> Iterator[str]:
    yield from [part.before] * bool(texts and part.before)
    yield from texts
    yield from [part.after] * bool(texts and part.after)


def _size(text: str) -> int:
    return len(text.encode()) + len(BETWEEN)
