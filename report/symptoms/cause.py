"""Possible causes of symptoms, with their evidence.

To attach a claim to a cause, add its id to one of the tuples.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from rebalance_proofs.model.releases import OTHERS
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = [
    "SETTING",
    "SUSPENDING",
    "TIMER",
    "WITHOUT_SUSPEND",
    "Basis",
    "Cause",
    "Effect",
    "Help",
    "Lasts",
    "Needs",
    "Symptom",
    "first_choice",
]


TIMER = "The 26 s are the timer's 20 s plus two rebalances of all groups, if each takes 3 s"
"""A sentence for ``Lasts.words`` about how long it takes until a rebalance has ended."""
SETTING = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z]+(?:_[A-Z]+)+|\w+\(\)|(?:rocketmq|com)\.[\w.]+|mqadmin|`rebalance)")
"""A regular expression that finds the name of a setting, method or command in the text of a fix."""


SUSPENDING, WITHOUT_SUSPEND = ("java", "go"), ("node", "cpp", "rust")
"""Languages of the clients whose push consumers have ``suspend`` and ``resume``, and of the others."""


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
    """What a cause requires to occur. Causes that require less are listed first."""

    NOTHING = "ordinary operation with default settings: consumers come and go, queues change owners"
    SETTING = "a particular setup of the group or its consumers"
    FAILURE = "a failure: of a broker, a host, the network or a request"

    @property
    def heading(self) -> str:
        """The condition as a heading."""
        return HEADINGS[self]


class Basis(Enum):
    """Kinds of evidence for the longest duration of an effect."""

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
    """How long an effect lasts, with the claims that prove it."""

    words: str
    """The duration in words: a clause that follows "It lasts", or "It happens" for a one-time event.

    The text has no final full stop; sentences may follow the clause.
    """
    most: int | None = None
    """Longest duration in ms with default settings; None if unbounded, or if it is computed from ``way``.
    """
    claims: tuple[str, ...] = ()
    """Proved claims that bound ``most`` minus ``then`` for some clients."""
    then: int = 0
    """The part of ``most`` in ms that no claim bounds."""
    way: Way | None = None
    """How an ordered queue changes owner (shutdown, crash, ...), for effects explored in the model; otherwise None.

    The longest pause of the queue, explored for each client, is then the duration.
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
        """Kind of evidence for the duration."""
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
    """A symptom that a cause produces, with the claims about this effect."""

    symptom: Symptom
    lasts: Lasts
    refuted: tuple[str, ...] = ()
    """Refuted claims whose counterexamples show the effect."""
    proved: tuple[str, ...] = ()
    """Proved claims that exclude the effect, each for the clients or strategies that it is about."""
    shown: tuple[str, ...] = ()
    """Proved claims that state the effect."""
    bounds: tuple[str, ...] = ()
    """Proved claims that limit how many queues or messages the effect concerns, or how far an offset rolls back."""

    @property
    def claimed(self) -> bool:
        """True if some claim shows the effect."""
        return bool(self.refuted or self.shown)


@dataclass(frozen=True)
class Help:
    """A fix for a cause, with the claims that prove that it helps."""

    words: str
    claims: tuple[str, ...] = ()
    """Claims, each about some clients, which are proved on condition that the fix is applied."""
    short: str = ""
    """The fix as one imperative sentence of at most 25 words; empty if ``words`` is such a sentence."""
    clients: tuple[str, ...] = ()
    """Languages of the clients that have what the fix uses: ``java``, ``go``; empty for all clients."""

    def suits(self, release: str) -> bool:
        """Return whether a client release has what the fix uses; an empty release stands for any client."""
        return not (self.clients and release) or (release if release in OTHERS else "java") in self.clients

    @property
    def brief(self) -> str:
        """The fix in one sentence."""
        return self.short or self.words

    @property
    def handy(self) -> bool:
        """True if the fix names a setting, a method or a command, so that a user can apply it directly."""
        return bool(SETTING.search(self.words))


def first_choice(found: Iterable[Help]) -> Help:
    """Return the fix to try first: the first that names a setting, a method or a command, else the first fix."""
    return min(found, key=lambda one: not one.handy)


@dataclass(frozen=True)
class Cause:
    """A cause of one or more symptoms, with its evidence, checks and fixes."""

    name: str
    """Name on the command line: ``same-client-id``."""
    sentence: str
    """The description: the first sentence states the cause, and further sentences may explain it."""
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
    """Known bugs (``report.symptoms.bugs``) with this cause that none of its claims shows: ``rocketmq#2732``."""
    read: tuple[str, ...] = ()
    """Releases in whose source the cause was found; empty if a claim or an exploration of the model shows it."""
    modes: tuple[str, ...] = ()
    """Modes of use for which the source was read; empty for all."""
    source: str = ""
    """Class and method of RocketMQ in which the cause was found."""

    @property
    def headline(self) -> str:
        """The first sentence of the description."""
        first, _, more = self.sentence.partition(". ")
        return f"{first}." if more else first

    def effect(self, symptom: Symptom) -> Effect | None:
        """Return the cause's effect with that symptom; None if it has none."""
        return next((one for one in self.effects if one.symptom is symptom), None)
