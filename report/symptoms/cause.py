"""The form of causes of symptoms, with their evidence; ``recorded/knowledge/causes/`` has the causes themselves."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from typing import TypeVar

from rebalance_proofs.errors import UsageError
from rebalance_proofs.language import Text, gettext, later
from rebalance_proofs.model.receiving.releases import ANY, client_of, clients_with, is_sdk
from rebalance_proofs.model.releases import OTHERS
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.knowledge.schema import entries, joined, text
from rebalance_proofs.recorded.logs.lines import Line

# Signs that can be observed in the output of ``mqadmin``.


@cache
def _texts() -> dict[str, Text]:
    return {one["name"]: text(one["text"]) for one in entries("", "sign")}


class Sign(Enum):
    """An observation that can point to a problem; it does not say which cause produced it."""

    UNOWNED = "unowned"
    SHARED = "shared"
    UNEVEN = "uneven"
    UNEVEN_TOPIC = "uneven-topic"
    ONE_ADDRESS = "one-address"
    IDLE = "idle"
    SUBSCRIPTIONS = "subscriptions"
    NO_SUBSCRIPTION = "no-subscription"
    SAME_ID = "same-id"
    VERSIONS = "versions"
    STRATEGIES = "strategies"
    BEHIND = "behind"
    STANDS = "stands"
    WENT_BACK = "went-back"
    SKIPPED_AHEAD = "skipped-ahead"
    DROPPED = "dropped"
    UNLOCK_FAILED = "unlock-failed"
    NOT_LOCKED = "not-locked"
    NOT_PULLED = "not-pulled"
    BLOCKED = "blocked"

    @property
    def text(self) -> Text:
        """The sign in words: ``a queue without a client``."""
        return _texts()[self.value]


# Facts that an operator can give about a symptom, such as the preceding event, and facts that a cause predicts.


class After(Enum):
    """Kinds of events just before the symptom."""

    DEPLOY = "deploy"
    CRASH = "crash"
    BROKER = "broker"
    NETWORK = "network"
    SCALING = "scaling"
    SUBSCRIPTION = "subscription"
    NEW = "new"
    RESET = "reset"
    NOTHING = "nothing"
    ALWAYS = "always"

    @property
    def words(self) -> str:
        """The event as words in a sentence: ``after a deploy``."""
        return gettext(WORDS[self])


WORDS = {
    After.DEPLOY: later("after a deploy"),
    After.CRASH: later("after a crash of a consumer"),
    After.BROKER: later("after a restart or an outage of a broker"),
    After.NETWORK: later("after trouble in the network"),
    After.SCALING: later("after consumers came or went"),
    After.SUBSCRIPTION: later("after a change of subscriptions"),
    After.NEW: later("for a new topic, queue, broker or group"),
    After.RESET: later("after a reset of offsets"),
    After.NOTHING: later("without any change"),
    After.ALWAYS: later("since the group was set up"),
}


class Reach(Enum):
    """How many queues or consumers have the symptom."""

    ONE = "one"
    ALL = "all"

    @property
    def words(self) -> str:
        """How many queues or consumers have the symptom, as words in a sentence."""
        return gettext("one queue or consumer") if self is Reach.ONE else gettext("all queues")


Kind = TypeVar("Kind", After, Reach)


def fact(kind: type[Kind], value: str | None) -> Kind | None:
    """Return the member with that value; None for none. Raises ``UsageError``."""
    if not value:
        return None
    known = [one.value for one in kind]
    if value not in known:
        raise UsageError(f"{value!r} is not one of {', '.join(map(repr, known))}")
    return kind(value)


@dataclass(frozen=True)
class Facts:
    """Facts that the operator gave; None for facts that the operator did not give."""

    after: After | None = None
    reach: Reach | None = None
    over: bool | None = None
    lasted: int | None = None
    """Time in ms for which the symptom is or was observed."""
    also: tuple[After, ...] = ()
    """Further events that the operator gave."""

    @property
    def events(self) -> tuple[After, ...]:
        """All events that the operator gave."""
        return ((self.after,) if self.after else ()) + self.also

    @property
    def words(self) -> str:
        """All facts in words: ``after a deploy; one queue or consumer; over``."""
        course = {True: gettext("over"), False: gettext("still there"), None: ""}[self.over]
        parts = (self.after.words if self.after else "", self.reach.words if self.reach else "", course)
        return gettext("; ").join(part for part in parts if part)


class Unusual(Enum):
    """A condition that most groups do not meet."""

    STRATEGY = "a strategy other than AVG"
    LANGUAGES = "clients of several languages in one group"
    CLIENT = "a client other than Java"
    MODE = "a mode other than push"
    ORDERED = "an ordered listener"
    SETTING = "an option that is off by default"
    CODE = "unusual user code: an offset store, suspend(), unsubscribe()"
    MOMENT = "two events within a second, or a queue that leaves and comes back"
    BESIDE = "a fault beside rebalancing: a listener, a producer, a permission, an address"


@dataclass(frozen=True)
class Predicts:
    """Facts to expect if a cause is the right one. A given fact that differs counts against the cause."""

    after: tuple[After, ...]
    """Events after which the cause occurs, each about equally often."""
    reach: tuple[Reach, ...]
    unusual: tuple[Unusual, ...] = ()
    """Unusual conditions that the cause requires."""


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


def _suits(clients: Sequence[str], release: str) -> bool:
    """Return whether a client release is of one of the clients; empty clients, an empty release and grpc are any."""
    if not clients or release in ("", ANY):
        return True
    return (client_of(release) if is_sdk(release) else release if release in OTHERS else "java") in clients


@dataclass(frozen=True)
class Look:
    """A way to recognise a cause."""

    words: Text
    clients: tuple[str, ...] = ()
    """Clients that it is about: ``java``, ``grpc-cpp``; empty for all."""

    def suits(self, release: str) -> bool:
        """Return whether it is about a client release; an empty release stands for any client."""
        return _suits(self.clients, release)


@dataclass(frozen=True)
class Help:
    """A fix for a cause, with the claims that prove that it helps."""

    words: Text
    claims: tuple[str, ...] = ()
    """Claims, each about some clients, which are proved on condition that the fix is applied."""
    short: Text | None = None
    """The fix as one imperative sentence of at most 25 words; None if ``words`` is such a sentence."""
    clients: tuple[str, ...] = ()
    """Clients that have what the fix uses: ``java``, ``go``, ``grpc-python``; empty for all clients."""
    symptoms: tuple[Symptom, ...] = ()
    """Symptoms that the fix prevents, if it does not prevent or even causes the cause's others; empty for all."""

    def suits(self, release: str) -> bool:
        """Return whether a client release has what the fix uses; an empty release stands for any client."""
        return _suits(self.clients, release)

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
    looks: tuple[Look, ...] = ()
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

    @property
    def of_sdks(self) -> bool:
        """True if it is a cause of gRPC clients (rocketmq-clients), which other clients do not have."""
        claims = (name for one in self.effects for name in one.refuted)
        return any(map(is_sdk, self.read)) or any(name.startswith("receiving.") for name in claims)

    @cached_property
    def only_sdk(self) -> str:
        """The one gRPC client that has it: ``grpc-rust``; empty if several have it, or if it is none of theirs."""
        if not self.of_sdks:
            return ""
        refuted = (name.split(".")[1] for one in self.effects for name in one.refuted)
        clients = clients_with((*self.read, *refuted))
        return next(iter(clients)) if len(clients) == 1 and ANY not in clients else ""

    def effect(self, symptom: Symptom) -> Effect | None:
        """Return the cause's effect with that symptom; None if it has none."""
        return next((one for one in self.effects if one.symptom is symptom), None)

    def looks_of(self, release: str) -> tuple[Text, ...]:
        """Return the other ways to recognise the cause for a client release; an empty one stands for any client."""
        return tuple(look.words for look in self.looks if look.suits(release))

    def looks_like(self, symptom: Symptom) -> bool:
        """Return whether users may name the symptom when they see the cause."""
        return symptom in self.taken_for or self.effect(symptom) is not None
