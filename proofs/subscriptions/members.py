"""The worlds of subscriptions: the subscriptions of the other members, and what happens to heartbeats."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import IDLE, Choices, Subscription, refuses
from rebalance_proofs.model.transition.client import ORDERLY, PUSH, Mode
from rebalance_proofs.proofs.machine.world import MachineWorld

__all__ = [
    "ADDED",
    "ALIKE",
    "ANY",
    "APART",
    "BUSY",
    "CROWDED",
    "FOLLOWED",
    "FORGOTTEN",
    "FREE",
    "LOCKED",
    "NEWEST",
    "ONLY_ONE",
    "POSTING",
    "QUICK",
    "ROOM",
    "SAME_TAGS",
    "SKIPPED",
    "SLOW",
    "TAGS",
    "UNALIKE",
    "Members",
]


@dataclass(frozen=True)
class Members(MachineWorld[Subscription, Choices, Limits]):
    """A world of subscriptions: all premises hold, or all but one, or fewer are assumed."""

    alike: bool = False
    """Whether all members subscribe to the same topics."""
    equal: bool = False
    """Whether all members' expressions take the message."""
    newest: bool = False
    """Whether no other member has a version as new as the member's."""
    posted: bool = False
    """Whether the member sends its expression with its pulls."""
    raises: bool = True
    """Whether the member's table of queues changes."""
    skips: bool = True
    """Whether it may change while a heartbeat is under way."""
    forgets: bool = False
    """Whether the broker may forget the group."""
    comes: bool = False
    """Whether the member's heartbeats come in time."""
    goes: bool = False
    """Whether the heartbeats of a member that does not subscribe to the topic come in time."""
    room: bool = False
    """Whether these heartbeats leave the member time for a pull."""
    asks: bool = True
    """Whether the world is about pulls."""
    retries: bool = False
    """Whether refused pulls are repeated in time."""
    adds: bool = False
    """Whether the world is about first pulls of added queues; the member's table does not change before them."""
    soon: bool = False
    """Whether a heartbeat to all brokers takes less time than first pulls are put off."""
    alone: bool = False
    """Whether no other member subscribes to the topic."""
    kind: ClassVar[str] = "subscriptions"
    modes: ClassVar[tuple[Mode, ...]] = (PUSH, ORDERLY)
    """Modes of use of the clients in this world."""

    @property
    def excludes(self) -> Mapping[str, str]:
        excluded = {} if self.raises else {"raises": STAYS}
        excluded |= {} if self.forgets else {"forgets": REMEMBERS}
        if self.posted:
            return excluded | {"pulls": POSTS, "firsts": POSTS}
        return excluded | ({"posts": TABLE} if self.asks else {})

    def allows(self, action: str, state: Subscription, choices: Choices, limits: Limits) -> Bool:
        s, c = state, choices
        given: list[Bool] = []
        if action == "raises":
            given += [] if self.skips else [s.at == IDLE]
            given += [Not(s.fresh)] if self.adds else []
        if action == "firsts":
            given += [limits.beat < limits.delay] if self.soon else []
        if action == "others":
            given += [c.topic == s.subscribes] if self.alike else []
            given += [If(c.newer, s.now, c.version) < s.mine] if self.newest else []
            given += [Or(c.topic, s.now > s.heard + limits.retry)] if self.room else []
            given += [Not(c.topic)] if self.alone else []
        if action in ("others", "prints"):
            given += [Not(c.same)] if self.alone else []
        if action in ("others", "pulled"):
            given += [c.takes] if self.equal else []
        return And(*given)

    def waits(self, state: Subscription, until: Int, limits: Limits) -> Bool:
        s = state
        given = [until <= s.next, Implies(s.at != IDLE, until <= s.began + limits.beat)]
        tried = And(s.refused, Not(refuses(s)))
        given += [Implies(tried, until <= s.opened + limits.retry)] if self.retries else []
        given += [until <= s.heard + limits.apart] if self.comes else []
        given += [until <= s.left + limits.apart] if self.goes else []
        return And(until >= s.now, Or(until == s.now, And(*given)))

    def given(self, limits: Limits) -> dict[str, Bool]:
        return super().given(limits) | {"a heartbeat takes less than the period": limits.beat < limits.period}


ALWAYS = (
    "The member consumes with push, and goes on; its clock does not step.",
    "The broker is the one of which the topic's queues are pulled.",
    "Every heartbeat that is sent comes there, and is answered.",
    "Periodic heartbeats are due on time, and one to all brokers takes less time than the period.",
    "No heartbeat that goes to one other broker alone (a reconnect, from 5.2.0 on) holds the lock of heartbeats.",
    "Heartbeats of a group come to the broker one after the other.",
    "The broker notifies the group of changes (`notifyConsumerIdsChangedEnable`, as shipped).",
    "Expressions are of tags.",
)
"""Premises of every world: behaviour that the model does not have."""
TABLE = "The pulls of the member are checked by the broker's table (`postSubscriptionWhenPull` is false, as shipped)."
SAME_TOPICS = "All members of the group subscribe to the same topics."
REMEMBERS = "The broker does not forget the group: it is not restarted, and a channel of the group is always open."
AT_ONCE = "A broker that is restarted is there again at once."
LOCK_FREE = "When the member's table of queues changes, no heartbeat of its process is under way."
SOON = (
    "A heartbeat to all brokers takes less time than the first pull of a queue is put off (0.5 s from 5.0 on; up to "
    "4.9.8 it is not)."
)
SENT = (
    "The version is raised when a queue is added, and the member's table does not change again before its first pull."
)
DIFFER = "A member of the group subscribes to the topic, and one does not."
TIMELY = "From one heartbeat of a member to its next, as the broker sees them, it is at most the limit for that."
STAYS = "The member's table of queues does not change."
LEAVES = (
    "After a heartbeat of the member none of a member that does not subscribe to the topic comes before the longest "
    "time from a refusal to the next pull is over."
)
FOLLOWS = "the heartbeat of a member that does not subscribe to the topic comes at once after each of the member's"
SINGLE = "No other member of the group subscribes to the topic, nor has its fingerprint."
ALONE = "No other member of the group subscribes to the topic, and the broker's table lacks it when a pull is refused."
SAME_EXPRESSIONS = "All members of the group that subscribe to the topic do so with the same expression."
NEWER = "No other member has a version of the subscription that is as new as the member's."
POSTS = "The member sends its expression with every pull (`postSubscriptionWhenPull`)."


def _all(*premises: str) -> str:
    return " ".join((*premises, *ALWAYS))


ALIKE = Members(
    "alike",
    _all(SAME_TOPICS, REMEMBERS),
    dropped=False,
    alike=True,
    asks=False,
    when=", if all members subscribe to the same topics",
)
"""The world in which versions change, but topics do not."""
UNALIKE = Members("alike", SAME_TOPICS, "another member of the group subscribes to other topics")
ANY = Members("any", _all(REMEMBERS), dropped=False, asks=False)
"""The world in which members subscribe to anything."""
APART = Members(
    "apart",
    _all(DIFFER, TIMELY, REMEMBERS),
    dropped=False,
    comes=True,
    goes=True,
    asks=False,
    when=", if a member subscribes to a topic and another one does not",
)
FREE = Members(
    "free",
    _all(SAME_TOPICS, LOCK_FREE, REMEMBERS, TABLE),
    dropped=False,
    alike=True,
    skips=False,
    when=", if no heartbeat was under way when that came",
)
LOCKED = Members("free", LOCK_FREE, "a heartbeat of its process was under way when that came", alike=True)
ADDED = Members(
    "added",
    _all(SAME_TOPICS, LOCK_FREE, SENT, REMEMBERS, TABLE),
    dropped=False,
    alike=True,
    skips=False,
    adds=True,
    when=", which is sent at once, though no heartbeat was under way when it was added",
)
"""The world in which queues are added, and heartbeats take any time."""
QUICK = Members(
    "quick",
    _all(SAME_TOPICS, LOCK_FREE, SOON, SENT, REMEMBERS, TABLE),
    dropped=False,
    alike=True,
    skips=False,
    adds=True,
    soon=True,
    when=", if a heartbeat takes less time than that is put off, and none was under way when it was added",
)
"""The world in which a heartbeat is over before added queues are pulled."""
BUSY = Members(
    "free",
    LOCK_FREE,
    "a heartbeat of its process was under way when it was added",
    alike=True,
    adds=True,
    soon=True,
)
SLOW = Members(
    "soon",
    SOON,
    "a heartbeat to all brokers takes as long as first pulls are put off, or longer",
    alike=True,
    skips=False,
    adds=True,
)
SKIPPED = Members(
    "skipped",
    _all(SAME_TOPICS, REMEMBERS, TABLE),
    "that comes while a heartbeat of its process is under way, and its own is skipped",
    dropped=False,
    alike=True,
)
"""The world in which the table of queues may change while a heartbeat is under way."""
SHOWN_SKIPPED = replace(SKIPPED, otherwise="")
"""The same world, of claims that show one run in it."""
FORGOTTEN = Members(
    "forgotten",
    _all(SAME_TOPICS, AT_ONCE, TABLE),
    dropped=False,
    alike=True,
    forgets=True,
    when=", or after the broker has forgotten the group",
)
"""The same world, in which the broker may also forget the group."""
ROOM = Members(
    "room",
    _all(STAYS, TIMELY, LEAVES, REMEMBERS, TABLE),
    dropped=False,
    raises=False,
    comes=True,
    room=True,
    retries=True,
    when=", if heartbeats of members without the topic leave the member time for a pull after its own",
)
SHOWN_APART = replace(ROOM, when="")
"""The same world, of claims that show one run in it, and say by themselves how far apart heartbeats are."""
ONLY_ONE = replace(
    ROOM,
    name="only-one",
    sentence=f"{SINGLE} {ROOM.sentence}",
    alone=True,
    when=", if no other member subscribes to the topic, and heartbeats of the others leave it time for a pull",
)
CROWDED = Members("room", LEAVES, FOLLOWS, raises=False, comes=True, retries=True)
FOLLOWED = Members(
    "followed",
    _all(ALONE, f"{FOLLOWS[0].upper()}{FOLLOWS[1:]}.", STAYS, TIMELY, REMEMBERS, TABLE),
    dropped=False,
    raises=False,
    comes=True,
    retries=True,
)
SAME_TAGS = Members(
    "same-tags",
    _all(SAME_EXPRESSIONS, AT_ONCE, TABLE),
    dropped=False,
    equal=True,
    forgets=True,
    when=", if all members have the same expression",
)
TAGS = Members("same-tags", SAME_EXPRESSIONS, "another member of the group subscribes to the topic with other tags")
NEWEST = Members(
    "newest",
    _all(NEWER, AT_ONCE, TABLE),
    dropped=False,
    newest=True,
    forgets=True,
    when=", if no other member's version is as new as its own",
)
POSTING = Members("posted", _all(POSTS, AT_ONCE), dropped=False, posted=True, forgets=True)
