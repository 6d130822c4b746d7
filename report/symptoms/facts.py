"""Facts that an operator can give about a symptom, such as the preceding event, and facts that a cause predicts."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from rebalance_proofs.errors import UsageError
from rebalance_proofs.language import gettext, later


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
