"""What can be behind a symptom, and what is known of it. To attach a claim to a cause: its id in one of the tuples."""

from dataclasses import dataclass
from enum import Enum

from rebalance_proofs.proofs.ordered.pauses import Way
from rebalance_proofs.report.symptoms.lines import Line
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["Basis", "Cause", "Effect", "Help", "Lasts", "Needs", "Symptom"]


class Symptom(Enum):
    """What an operator sees, and asks."""

    TWICE = "twice"
    LOST = "lost"
    STUCK = "stuck"
    BACK = "back"
    TILTED = "tilted"

    @property
    def question(self) -> str:
        """In full."""
        return QUESTIONS[self]


QUESTIONS = {
    Symptom.TWICE: "Why is it read twice?",
    Symptom.LOST: "Why is it lost?",
    Symptom.STUCK: "Why does nothing move?",
    Symptom.BACK: "Why did the offset go back?",
    Symptom.TILTED: "Why does one consumer have more?",
}


class Needs(Enum):
    """What has to come together; causes that need less fit better."""

    NOTHING = "ordinary operation, with settings as shipped: consumers come and go, queues change hands"
    SETTING = "a way to set up the group or its consumers"
    FAILURE = "something fails: a broker, a host, the network, a request"


class Basis(Enum):
    """What a length of time rests on."""

    PROVED = "a proved bound"
    PARTLY = "a proved bound, and what comes then is known from the source"
    EXPLORED = "explored, in steps of ten seconds from when its new owner knows of it, not proved"
    READ = "known from the source, not claimed"
    OPEN = "no bound: it ends when what causes it does"
    EVENT = "an event that is over at once; what it does stays done"


@dataclass(frozen=True)
class Lasts:
    """How long it lasts at most."""

    words: str
    """To follow "It lasts"; for an event, when it comes."""
    most: int | None = None
    """ms, with the settings as shipped."""
    claims: tuple[str, ...] = ()
    """Proved; they say of some clients what ``most`` says, but for ``then``."""
    then: int = 0
    """ms of ``most`` that no claim speaks of."""
    way: Way | None = None
    """Explored: how a queue changes hands; ``most`` is what its longest pause is, client by client."""
    event: bool = False

    @property
    def basis(self) -> Basis:
        """What the number is worth."""
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
    """A cause shows in one way; by which claims that is known."""

    symptom: Symptom
    lasts: Lasts
    refuted: tuple[str, ...] = ()
    """Their counterexamples show it."""
    proved: tuple[str, ...] = ()
    """They exclude it, each for what it is about."""
    shown: tuple[str, ...] = ()
    """Proved, and they say that it is so."""
    bounds: tuple[str, ...] = ()
    """Proved; they say how far it goes at most."""

    @property
    def claimed(self) -> bool:
        """Some claim shows it."""
        return bool(self.refuted or self.shown)


@dataclass(frozen=True)
class Help:
    """What helps."""

    words: str
    claims: tuple[str, ...] = ()
    """Proved, with it; of some clients."""


@dataclass(frozen=True)
class Cause:
    """One of them."""

    name: str
    """``same-client-id``: what it is called on the command line."""
    sentence: str
    """What happens."""
    needs: Needs
    effects: tuple[Effect, ...]
    lines: tuple[Line, ...] = ()
    """That a log has then."""
    looks: tuple[str, ...] = ()
    """What else tells it apart, ``mqadmin`` above all."""
    signs: tuple[Sign, ...] = ()
    """What the output of ``mqadmin`` has then."""
    helps: tuple[Help, ...] = ()
    issues: tuple[str, ...] = ()
    """Known bugs besides those that a claim of the effects shows: ``rocketmq#2732``."""
    read: tuple[str, ...] = ()
    """The releases in whose source it was read, where no claim shows it and it was not explored; else empty."""
    modes: tuple[str, ...] = ()
    """The ways to use a client in which it was read; empty for all."""
    source: str = ""
    """Where it was read: class and method."""

    def effect(self, symptom: Symptom) -> Effect | None:
        """As that symptom."""
        return next((one for one in self.effects if one.symptom is symptom), None)
