"""The form of causes of symptoms, with their evidence; ``recorded/knowledge/causes/`` has the causes themselves."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache

from rebalance_proofs.language import Text, gettext, later
from rebalance_proofs.model.releases import OTHERS
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.knowledge.data import entries, joined, text
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.symptoms.facts import Predicts
from rebalance_proofs.report.symptoms.sign import Sign

SETTING = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z]+(?:_[A-Z]+)+|\w+\(\)|(?:rocketmq|com)\.[\w.]+|mqadmin|`rebalance)")
"""A regular expression that finds the name of a setting, method or command in the text of a fix."""


@cache
def _told(kind: str, key: str) -> dict[str, Text]:
    """Return the texts under ``key`` of all entries of one kind in symptoms.toml, by their names."""
    return {one["name"]: text(one[key] if key else one) for one in entries("", kind)}


TIMER = _told("phrase", "")["timer"]
"""A sentence in ``Lasts.more`` about how long it takes until a rebalance has ended."""


class Symptom(Enum):
    """A symptom that an operator observes."""

    TWICE = "twice"
    LOST = "lost"
    STUCK = "stuck"
    BACK = "back"
    TILTED = "tilted"
    OFTEN = "often"
    START = "start"

    @property
    def question(self) -> Text:
        """The symptom as a question."""
        return _told("symptom", "question")[self.value]


class Needs(Enum):
    """What a cause requires to occur. Causes that require less are listed first."""

    NOTHING = "nothing"
    SETTING = "setting"
    FAILURE = "failure"

    @property
    def text(self) -> Text:
        """The condition in words."""
        return _told("needs", "text")[self.value]

    @property
    def heading(self) -> Text:
        """The condition as a heading."""
        return _told("needs", "heading")[self.value]


class Basis(Enum):
    """Kinds of evidence for the longest duration of an effect."""

    PROVED = later("a claim proves the bound")
    PARTLY = later("a claim proves a part of the bound, and the rest was read in the source")
    EXPLORED = later("explored, not proved")
    READ = later("read in the source, not proved")
    OPEN = later("no bound: it ends with its cause")
    EVENT = later("a one-time event, whose effect stays")

    @property
    def words(self) -> str:
        """The kind in words, in the language in use."""
        return gettext(self.value)


@dataclass(frozen=True)
class Lasts:
    """How long an effect lasts, with the claims that prove it."""

    clause: Text
    """The duration in words: a clause that follows "It lasts", or "It happens" for a one-time event; no full stop."""
    more: Text | None = None
    """Sentences that follow the clause; no full stop at the end."""
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
    def words(self) -> Text:
        """The clause and the sentences that follow it; no full stop at the end."""
        return joined(self.clause, self.more)

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

    words: Text
    claims: tuple[str, ...] = ()
    """Claims, each about some clients, which are proved on condition that the fix is applied."""
    short: Text | None = None
    """The fix as one imperative sentence of at most 25 words; None if ``words`` is such a sentence."""
    clients: tuple[str, ...] = ()
    """Languages of the clients that have what the fix uses: ``java``, ``go``; empty for all clients."""
    symptoms: tuple[Symptom, ...] = ()
    """Symptoms that the fix prevents, if it does not prevent or even causes the cause's others; empty for all."""

    def suits(self, release: str) -> bool:
        """Return whether a client release has what the fix uses; an empty release stands for any client."""
        return not (self.clients and release) or (release if release in OTHERS else "java") in self.clients

    def serves(self, symptom: Symptom) -> bool:
        """Return whether the fix helps against that symptom of its cause."""
        return not self.symptoms or symptom in self.symptoms

    @property
    def brief(self) -> Text:
        """The fix in one sentence."""
        return self.short or self.words

    @property
    def handy(self) -> bool:
        """True if the fix names a setting, a method or a command, so that a user can apply it directly."""
        return bool(SETTING.search(self.words.en))


def first_choice(found: Iterable[Help]) -> Help:
    """Return the fix to try first: the first that names a setting, a method or a command, else the first fix."""
    return min(found, key=lambda one: not one.handy)


@dataclass(frozen=True)
class Cause:
    """A cause of one or more symptoms, with its evidence, checks and fixes."""

    name: str
    """Name on the command line: ``same-client-id``."""
    sentence: Text
    """The description: the headline, and further sentences that may explain it."""
    headline: Text
    """The first sentence of the description; it states the cause."""
    needs: Needs
    effects: tuple[Effect, ...]
    predicts: Predicts
    """Facts to expect if the cause is the right one."""
    lines: tuple[Line, ...] = ()
    """Log lines that the cause produces."""
    looks: tuple[Text, ...] = ()
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
    any_client: bool = False
    """True if the cause lies in the broker, the producer, the listener or the set-up, so that every client has it."""
    common: tuple[Symptom, ...] = ()
    """Symptoms of which it is among the causes that users report most often."""
    taken_for: tuple[Symptom, ...] = ()
    """Symptoms that users name when they see one of its effects: unread queues are reported as lost messages."""

    def effect(self, symptom: Symptom) -> Effect | None:
        """Return the cause's effect with that symptom; None if it has none."""
        return next((one for one in self.effects if one.symptom is symptom), None)

    def looks_like(self, symptom: Symptom) -> bool:
        """Return whether users may name the symptom when they see the cause."""
        return symptom in self.taken_for or self.effect(symptom) is not None
