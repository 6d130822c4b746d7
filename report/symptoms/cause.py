"""Possible causes of symptoms, with their evidence.

To attach a claim to a cause, add its id to one of the tuples.
"""

import re
from dataclasses import dataclass
from enum import Enum

from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["SETTING", "TIMER", "Basis", "Cause", "Effect", "Help", "Lasts", "Needs", "Symptom"]


TIMER = "The 26 s are the timer's 20 s plus two rebalances of all groups, if each takes 3 s"
"""A note for ``Lasts.words`` on the time until a rebalance has ended."""
SETTING = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z]+(?:_[A-Z]+)+|\w+\(\)|(?:rocketmq|com)\.[\w.]+|mqadmin|`rebalance)")
"""A regular expression for the name of a setting, of a method or of a command."""


class Symptom(Enum):
    """A symptom that an operator observes."""

    TWICE = "twice"
    LOST = "lost"
    STUCK = "stuck"
    BACK = "back"
    TILTED = "tilted"

    @property
    def question(self) -> str:
        """The symptom as a question."""
        return QUESTIONS[self]


QUESTIONS = {
    Symptom.TWICE: "Why are messages redelivered?",
    Symptom.LOST: "Why are messages lost?",
    Symptom.STUCK: "Why is consumption stalled?",
    Symptom.BACK: "Why did the offset roll back?",
    Symptom.TILTED: "Why is the queue distribution skewed?",
}


class Needs(Enum):
    """Conditions of a cause. Causes with fewer conditions fit better."""

    NOTHING = "ordinary operation with default settings: consumers come and go, queues change owners"
    SETTING = "a particular setup of the group or its consumers"
    FAILURE = "a failure: of a broker, a host, the network or a request"

    @property
    def heading(self) -> str:
        """The condition as a heading."""
        return HEADINGS[self]


class Basis(Enum):
    """Kinds of evidence for a duration."""

    PROVED = "a claim proves the bound"
    PARTLY = "a claim proves a part of the bound, and the rest was read in the source"
    EXPLORED = "explored, not proved"
    READ = "read in the source, not proved"
    OPEN = "no bound: it ends with its cause"
    EVENT = "a one-time event, whose effect stays"


HEADINGS = {
    Needs.NOTHING: "In ordinary operation",
    Needs.SETTING: "Depending on the setup",
    Needs.FAILURE: "After a failure",
}


@dataclass(frozen=True)
class Lasts:
    """Longest duration of an effect."""

    words: str
    """A clause that follows "It lasts", or "It happens" for an event.

    It has no final full stop; sentences may follow.
    """
    most: int | None = None
    """Longest duration in ms, with default settings.

    None if it is unbounded or ``way`` gives it.
    """
    claims: tuple[str, ...] = ()
    """Proved claims that bound ``most`` minus ``then`` for some clients."""
    then: int = 0
    """The part of ``most`` in ms that no claim bounds."""
    way: Way | None = None
    """The transfer of a queue between owners, for explored effects.

    The duration is the longest pause, client by client.
    """
    event: bool = False
    by_itself: bool = False
    """True if the effect ends by itself without a bound.

    Examples: when a listener returns, or when messages are consumed.
    """

    @property
    def clause(self) -> str:
        """The first clause of ``words``."""
        return self.words.partition(". ")[0]

    @property
    def basis(self) -> Basis:
        """Evidence for the duration."""
        if self.event:
            return Basis.EVENT
        if self.way:
            return Basis.EXPLORED
        if self.most is None:
            return Basis.OPEN
        if not self.claims:
            return Basis.READ
        return Basis.PARTLY if self.then else Basis.PROVED


@dataclass(frozen=True)
class Effect:
    """A symptom that a cause produces, with the claims about it."""

    symptom: Symptom
    lasts: Lasts
    refuted: tuple[str, ...] = ()
    """Refuted claims whose counterexamples show the effect."""
    proved: tuple[str, ...] = ()
    """Proved claims that exclude the effect, each for its own subjects."""
    shown: tuple[str, ...] = ()
    """Proved claims that state the effect."""
    bounds: tuple[str, ...] = ()
    """Proved claims that limit the effect's extent."""

    @property
    def claimed(self) -> bool:
        """True if some claim shows the effect."""
        return bool(self.refuted or self.shown)


@dataclass(frozen=True)
class Help:
    """A fix."""

    words: str
    claims: tuple[str, ...] = ()
    """Claims that are proved with the fix, for some clients."""
    short: str = ""
    """The fix as one imperative sentence of at most 25 words; empty if ``words`` is such a sentence."""

    @property
    def brief(self) -> str:
        """The fix in one sentence."""
        return self.short or self.words

    @property
    def handy(self) -> bool:
        """True if the fix names a setting, a method or a command."""
        return bool(SETTING.search(self.words))


@dataclass(frozen=True)
class Cause:
    """A cause of symptoms."""

    name: str
    """Name on the command line: ``same-client-id``."""
    sentence: str
    """The description: the first sentence names the cause, and others may explain it."""
    needs: Needs
    effects: tuple[Effect, ...]
    lines: tuple[Line, ...] = ()
    """Log lines that the cause produces."""
    looks: tuple[str, ...] = ()
    """Other ways to recognise the cause, mostly with ``mqadmin``."""
    signs: tuple[Sign, ...] = ()
    """Signs of the cause in the output of ``mqadmin``."""
    helps: tuple[Help, ...] = ()
    issues: tuple[str, ...] = ()
    """Bugs of ``report.bugs`` that no claim of the effects shows: ``rocketmq#2732``."""
    read: tuple[str, ...] = ()
    """Releases whose source was read; empty if a claim shows the cause or it was explored."""
    modes: tuple[str, ...] = ()
    """Modes of use that were read; empty for all."""
    source: str = ""
    """Class and method of the source that was read."""

    @property
    def headline(self) -> str:
        """The first sentence."""
        first, _, more = self.sentence.partition(". ")
        return f"{first}." if more else first

    def effect(self, symptom: Symptom) -> Effect | None:
        """Return the cause's effect with that symptom; None if it has none."""
        return next((one for one in self.effects if one.symptom is symptom), None)
