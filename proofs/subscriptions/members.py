"""Sets of assumptions about heartbeats and the other members' subscriptions.

A member is a consumer of the group.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.subscriptions.state import IDLE, Choices, Limits, Subscription, refuses
from rebalance_proofs.model.transition.client import ORDERLY, PUSH, Mode

OR_LOSS = " or later group loss"
GROUP_LOSS = "a group loss: a broker restart, or no open channel of the group"


@dataclass(frozen=True)
class Members(MachineWorld[Subscription, Choices, Limits]):
    """A set of assumptions about the subscriptions of a group's members.

    All assumptions hold, all but one, or fewer.
    """

    alike: bool = False
    """Whether all members subscribe to the same topics."""
    equal: bool = False
    """Whether the tag expressions of all members match the message."""
    newest: bool = False
    """Whether the subscription of no other member has a version as new as the member's."""
    posted: bool = False
    """Whether the member sends its tag expression with its pulls."""
    raises: bool = True
    """Whether the member's queue table may change, which gives its subscription a new version."""
    skips: bool = True
    """Whether the queue table may change during a heartbeat."""
    forgets: bool = False
    """Whether the broker may forget the group, with its subscriptions."""
    comes: bool = False
    """Whether the member's heartbeats come in time."""
    goes: bool = False
    """Whether heartbeats of another member, without the topic, come in time."""
    room: bool = False
    """Whether the other member's heartbeats leave the member time for a pull."""
    asks: bool = True
    """Whether the claims are about pulls."""
    retries: bool = False
    """Whether refused pulls are repeated in time."""
    adds: bool = False
    """Whether the claims are about first pulls of added queues.

    The member's table does not change before them.
    """
    soon: bool = False
    """Whether a heartbeat to all brokers ends before a delayed first pull."""
    alone: bool = False
    """Whether no other member subscribes to the topic."""
    kind: ClassVar[str] = "subscriptions"
    definitions: ClassVar[Mapping[str, str]] = {OR_LOSS: GROUP_LOSS}
    modes: ClassVar[tuple[Mode, ...]] = (PUSH, ORDERLY)
    """The modes of use of the client that the assumptions cover."""

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
        return super().given(limits) | {"maxHeartbeat < heartbeatBrokerInterval": limits.beat < limits.period}


ALWAYS = (
    "a push consumer that keeps running",
    "no clock jumps",
    "a broker with queues of the topic, from which members pull",
    "every heartbeat arrives at this broker and is answered",
    "periodic heartbeats on time, with maxHeartbeat < `heartbeatBrokerInterval`",
    "no heartbeat lock held for a heartbeat to a single other broker (sent on reconnect, from 5.2.0)",
    "no two heartbeats of the group processed by the broker at the same time",
    "`notifyConsumerIdsChangedEnable` on, the default",
    "tag expressions only",
)
"""Assumptions of every claim about subscriptions: behaviour outside the model."""
TABLE = "pulls checked against the broker's table (`postSubscriptionWhenPull` off, the default)"
SAME_TOPICS = "the same topics for all members"
REMEMBERS = "no loss of the group at the broker: no restart, always an open channel"
AT_ONCE = "no downtime at a broker restart: the broker is back immediately"
LOCK_FREE = "no heartbeat of the member's process under way when the member's queue table changes"
SOON = "maxHeartbeat < firstPullDelay"
SENT = "a new subscription version with each added queue, and no other change of the queue table before its first pull"
NO_DELAY = "a first pull sent immediately after the queue is added"
DIFFER = "one member with the topic and one without it"
TIMELY = "at most maxHeartbeatGap between two heartbeats of a member at the broker"
STAYS = "no change of the member's queue table"
LEAVES = "no heartbeat of a member without the topic within maxPullGap after one of the member"
RETRIES = "the next pull of a queue at most maxPullGap after a refusal"
FOLLOWS = "a heartbeat without the topic always follows its own"
FOLLOWED_BY = "a heartbeat of a member without the topic immediately after each heartbeat of the member"
SINGLE = "no other member with the topic or with the member's fingerprint"
ALONE = "no other member with the topic, and no topic in the broker's table when a pull is refused"
SAME_EXPRESSIONS = "the same expression for all members with the topic"
NEWER = "no other member's subscription version as new as the member's"
POSTS = "every pull carries the member's expression (`postSubscriptionWhenPull` on)"
SKIPS = "changes of the queue table at any time, even during a heartbeat, when they send no heartbeat of their own"


ALIKE = Members("alike", (SAME_TOPICS, REMEMBERS, *ALWAYS), alike=True, asks=False)
"""Assumptions under which subscription versions change, but topics do not."""
SKIPPED = Members("skipped", (SAME_TOPICS, REMEMBERS, SKIPS, TABLE, *ALWAYS), alike=True)
"""Assumptions under which the queue table may change during a heartbeat."""
SHOWN_SKIPPED = SKIPPED
"""As ``SKIPPED``, for claims that a certain run exists."""
UNALIKE = Members("alike", SKIPPED.premises, "members' topics differ", drops=SAME_TOPICS)
ANY = Members("any", (REMEMBERS, *ALWAYS), asks=False)
"""Assumptions under which members subscribe to any topics."""
APART = Members(
    "apart",
    (DIFFER, TIMELY, REMEMBERS, *ALWAYS),
    comes=True,
    goes=True,
    asks=False,
    when=", if members subscribe to different topics",
)
FREE = Members("free", (SAME_TOPICS, LOCK_FREE, REMEMBERS, TABLE, *ALWAYS), alike=True, skips=False)
LOCKED = Members("free", FREE.premises, "a heartbeat was under way then", drops=LOCK_FREE, alike=True)
ADDED = Members(
    "added",
    (NO_DELAY, SAME_TOPICS, LOCK_FREE, SENT, REMEMBERS, TABLE, *ALWAYS),
    alike=True,
    skips=False,
    adds=True,
)
"""Assumptions under which queues are added, and heartbeats take any time."""
QUICK = Members(
    "quick",
    (SAME_TOPICS, LOCK_FREE, SOON, SENT, REMEMBERS, TABLE, *ALWAYS),
    alike=True,
    skips=False,
    adds=True,
    soon=True,
)
"""Assumptions under which a heartbeat ends before added queues are pulled."""
BUSY = Members(
    "free",
    QUICK.premises,
    "a heartbeat is under way when it is added",
    drops=LOCK_FREE,
    alike=True,
    adds=True,
    soon=True,
)
SLOW = Members(
    "soon",
    QUICK.premises,
    "a heartbeat to all brokers outlasts the first-pull delay",
    drops=SOON,
    alike=True,
    skips=False,
    adds=True,
)
FORGOTTEN = Members(
    "forgotten",
    (SAME_TOPICS, AT_ONCE, SKIPS, TABLE, *ALWAYS),
    alike=True,
    forgets=True,
    when=OR_LOSS,
)
"""As ``SKIPPED``, but the broker may also forget the group."""
ROOM = Members(
    "room",
    (STAYS, TIMELY, LEAVES, RETRIES, REMEMBERS, TABLE, *ALWAYS),
    raises=False,
    comes=True,
    room=True,
    retries=True,
)
SHOWN_APART = ROOM
"""The assumptions ``ROOM``, for claims that a certain run exists."""
ONLY_ONE = replace(ROOM, name="only-one", premises=(SINGLE, *ROOM.premises), alone=True)
CROWDED = Members("room", ROOM.premises, FOLLOWS, drops=LEAVES, raises=False, comes=True, retries=True)
FOLLOWED = Members(
    "followed",
    (ALONE, FOLLOWED_BY, STAYS, TIMELY, RETRIES, REMEMBERS, TABLE, *ALWAYS),
    raises=False,
    comes=True,
    retries=True,
)
SAME_TAGS = Members("same-tags", (SAME_EXPRESSIONS, AT_ONCE, TABLE, *ALWAYS), equal=True, forgets=True)
TAGS = Members("same-tags", SAME_TAGS.premises, "another member subscribes with other tags", drops=SAME_EXPRESSIONS)
NEWEST = Members(
    "newest",
    (NEWER, AT_ONCE, TABLE, *ALWAYS),
    newest=True,
    forgets=True,
    when=", if its subscription version is the newest",
)
POSTING = Members("posted", (POSTS, AT_ONCE, *ALWAYS), posted=True, forgets=True)
