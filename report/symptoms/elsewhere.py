"""Recognise pastes that are not about a consumer group of the model: pop, gRPC, producers, other products."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.language import Text, gettext
from rebalance_proofs.recorded.knowledge.pasted_texts import pasted
from rebalance_proofs.recorded.knowledge.schema import text as text_of
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.symptoms.told import outside
from rebalance_proofs.report.symptoms.unmodelled import UNMODELLED, Unmodelled
from rebalance_proofs.report.text.english import shorten

MOST_LINES = 1_000
"""Most lines of a paste that are searched."""
LONGEST = 2_000
"""Most characters of a line that are searched."""


@dataclass(frozen=True)
class _Subject:
    name: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    means: Text | None
    unmodelled: Unmodelled | None


@dataclass(frozen=True)
class Elsewhere:
    """A subject outside the model that a paste is about."""

    subject: str
    quoted: str
    """The first line about it."""
    means: Text | None
    unmodelled: Unmodelled | None
    """The part of RocketMQ that is not modelled; None for producers and brokers."""
    many: int = 1
    """Number of lines about it."""

    @property
    def lines(self) -> Iterator[str]:
        """Yield the answer."""
        yield gettext('Read: "{line}"').format(line=self.quoted)
        if self.unmodelled:
            yield from outside(self.unmodelled)
        if self.means:
            yield str(self.means)


@cache
def _subjects() -> tuple[_Subject, ...]:
    anchored = {one.anchor: one for one in UNMODELLED}
    return tuple(
        _Subject(
            one["name"],
            re.compile("|".join(f"(?:{text})" for text in one["texts"]), re.I if "anchor" not in one else 0),
            re.compile(one["unless"]) if "unless" in one else None,
            text_of(one["means"]) if "means" in one else None,
            anchored.get(one.get("anchor", "")),
        )
        for one in pasted("elsewhere")["subject"]
    )


def elsewhere(text: str) -> Elsewhere | None:
    """Return the subject outside the model that most lines of the text are about; None if there is none."""
    first: dict[str, str] = {}
    many = Counter[str]()
    every = [line.strip()[:LONGEST] for line in text.splitlines()[:MOST_LINES]]
    subjects = [one for one in _subjects() if not (one.unless and any(map(one.unless.search, every)))]
    for line in every:
        for one in subjects:
            if one.pattern.search(line):
                first.setdefault(one.name, line)
                many[one.name] += 1
    if not many:
        return None
    # Of equally frequent subjects, the one that the file lists first.
    subject = max(subjects, key=lambda one: many[one.name])
    quoted = shorten(printable(first[subject.name]), 160)
    return Elsewhere(subject.name, quoted, subject.means, subject.unmodelled, many[subject.name])
