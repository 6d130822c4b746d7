"""Assumptions about heartbeats and the subscriptions of a group's members, and sets of them."""

from dataclasses import replace
from typing import ClassVar

from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.machines.subscriptions.actions import _version, refuses
from rebalance_proofs.model.machines.subscriptions.state import Choices, Limits, Subscription
from rebalance_proofs.model.subscriptions import IDLE
from rebalance_proofs.model.transition.client import ORDERLY, PUSH, Mode

assume = Premise[Subscription, Choices, Limits]

TABLE = assume(
    "pulls checked against the broker's table (`postSubscriptionWhenPull` off, the default)", excludes=("posts",)
)
POSTS = assume(
    "every pull carries the member's expression (`postSubscriptionWhenPull` on)", excludes=("pulls", "firsts")
)
SAME_TOPICS = assume(
    "the same topics for all members",
    name="alike",
    otherwise="members' topics differ",
    allows={"others": lambda s, c, lim: c.topic == s.subscribes},
)
REMEMBERS = assume("no loss of the group at the broker: no restart, always an open channel", excludes=("forgets",))
DIFFER = assume("one member with the topic and one without it")
TIMELY = assume("at most maxHeartbeatGap between two heartbeats of a member at the broker")
SKIPS = assume(
    "changes of the queue table at any time, even during a heartbeat, when they send no heartbeat of their own"
)
LOCK_FREE = assume(
    "no heartbeat of the member's process under way when the member's queue table changes",
    name="free",
    otherwise="a heartbeat was under way then",
    allows={"raises": lambda s, c, lim: s.at == IDLE},
)
FREE_THEN = replace(LOCK_FREE, otherwise="a heartbeat is under way when it is added")
NO_DELAY = assume("a first pull sent immediately after the queue is added")
SOON = assume(
    "maxHeartbeat < firstPullDelay",
    name="soon",
    otherwise="a heartbeat to all brokers outlasts the first-pull delay",
    allows={"firsts": lambda s, c, lim: lim.beat < lim.delay},
)
SENT = assume(
    "a new subscription version with each added queue, and no other change of the queue table before its first pull",
    allows={"raises": lambda s, c, lim: Not(s.fresh)},
)
NO_DOWNTIME = assume("no downtime at a broker restart: the broker is back immediately")
STAYS = assume("no change of the member's queue table", excludes=("raises",))
LEAVES = assume(
    "no heartbeat of a member without the topic within maxPullGap after one of the member",
    name="room",
    otherwise="a heartbeat without the topic always follows its own",
    allows={"others": lambda s, c, lim: Or(c.topic, s.now > s.heard + lim.retry)},
)
RETRIES = assume("the next pull of a queue at most maxPullGap after a refusal")
FOLLOWED_BY = assume("a heartbeat of a member without the topic immediately after each heartbeat of the member")
SINGLE = assume(
    "no other member with the topic or with the member's fingerprint",
    allows={"others": lambda s, c, lim: And(Not(c.topic), Not(c.same)), "prints": lambda s, c, lim: Not(c.same)},
)
ALONE = assume("no other member with the topic, and no topic in the broker's table when a pull is refused")
SAME_EXPRESSIONS = assume(
    "the same expression for all members with the topic",
    name="same-tags",
    otherwise="another member subscribes with other tags",
    allows=dict.fromkeys(("others", "pulled"), lambda s, c, lim: c.takes),
)
NEWER = assume(
    "no other member's subscription version as new as the member's",
    allows={"others": lambda s, c, lim: _version(s, c) < s.mine},
)
ALWAYS = (
    assume("a push consumer that keeps running"),
    assume("no clock jumps"),
    assume("a broker with queues of the topic, from which members pull"),
    assume("every heartbeat arrives at this broker and is answered"),
    assume("periodic heartbeats on time, with maxHeartbeat < `heartbeatBrokerInterval`"),
    assume("no heartbeat lock held for a heartbeat to a single other broker (sent on reconnect, from 5.2.0)"),
    assume("no two heartbeats of the group processed by the broker at the same time"),
    assume("`notifyConsumerIdsChangedEnable` on, the default"),
    assume("tag expressions only"),
)
"""Assumptions of every claim about subscriptions: behaviour outside the model."""


class Members(Assumptions[Subscription, Choices, Limits]):
    """A set of assumptions about heartbeats and the subscriptions of a group's members."""

    kind: ClassVar[str] = "subscriptions"
    modes: ClassVar[tuple[Mode, ...]] = (PUSH, ORDERLY)
    """The modes of use of the client that the assumptions cover."""

    def waits(self, state: Subscription, until: Int, limits: Limits) -> Bool:
        """Return whether time can pass until ``until``: no heartbeat and no assumed pull is due before."""
        s = state
        given = [until <= s.next, Implies(s.at != IDLE, until <= s.began + limits.beat)]
        tried = And(s.refused, Not(refuses(s)))
        given += [Implies(tried, until <= s.opened + limits.retry)] if RETRIES in self else []
        given += [until <= s.heard + limits.apart] if TIMELY in self else []
        given += [until <= s.left + limits.apart] if DIFFER in self else []
        return And(until >= s.now, Or(until == s.now, And(*given)))

    def given(self, limits: Limits) -> dict[str, Bool]:
        return super().given(limits) | {"maxHeartbeat < heartbeatBrokerInterval": limits.beat < limits.period}


ALIKE = Members.of("alike", SAME_TOPICS, REMEMBERS, *ALWAYS, row="if all members have the same topics")
"""Assumptions under which subscription versions change, but topics do not."""
SKIPPED = Members.of(
    "skipped",
    *(SAME_TOPICS, REMEMBERS, SKIPS, TABLE, *ALWAYS),
    row="if topics are the same, even if its heartbeat is skipped",
)
"""Assumptions under which the queue table may change during a heartbeat."""
UNALIKE = SKIPPED.dropping(SAME_TOPICS)
ANY = Members.of("any", REMEMBERS, *ALWAYS, row="whatever members subscribe to")
"""Assumptions under which members subscribe to any topics."""
UNLIKE = Members.of(
    "apart",
    *(DIFFER, TIMELY, REMEMBERS, *ALWAYS),
    row="if members subscribe to different topics",
    when=", if members subscribe to different topics",
)
FREE = Members.of(
    "free",
    *(SAME_TOPICS, LOCK_FREE, REMEMBERS, TABLE, *ALWAYS),
    row="if topics are the same and no heartbeat is under way",
)
ADDED = Members.of(
    "added",
    *(NO_DELAY, SAME_TOPICS, FREE_THEN, SENT, REMEMBERS, TABLE, *ALWAYS),
    row="if heartbeats take any time and none is under way",
)
"""Assumptions under which queues are added, and heartbeats take any time."""
QUICK = Members.of(
    "quick",
    *(SAME_TOPICS, FREE_THEN, SOON, SENT, REMEMBERS, TABLE, *ALWAYS),
    row="if heartbeats are shorter than the first-pull delay and none is under way",
)
"""Assumptions under which a heartbeat ends before added queues are pulled."""
FORGOTTEN = Members.of(
    "forgotten",
    *(SAME_TOPICS, NO_DOWNTIME, SKIPS, TABLE, *ALWAYS),
    row="if topics are the same, even after a group loss",
    when=" or later group loss",
    meaning="a group loss: a broker restart, or no open channel of the group",
)
"""As ``SKIPPED``, but the broker may also forget the group."""
ROOM = Members.of(
    "room",
    *(STAYS, TIMELY, LEAVES, RETRIES, REMEMBERS, TABLE, *ALWAYS),
    row="if a pull precedes the heartbeats of members without the topic",
)
ONLY_ONE = Members.of(
    "only-one",
    *(SINGLE, *ROOM.declared),
    row="if no other member has the topic, and a pull precedes others' heartbeats",
)
FOLLOWED = Members.of(
    "followed",
    *(ALONE, FOLLOWED_BY, STAYS, TIMELY, RETRIES, REMEMBERS, TABLE, *ALWAYS),
    row="if a heartbeat without the topic always follows its own",
)
SAME_TAGS = Members.of(
    "same-tags", SAME_EXPRESSIONS, NO_DOWNTIME, TABLE, *ALWAYS, row="if all members have the same expression"
)
NEWEST = Members.of(
    "newest",
    *(NEWER, NO_DOWNTIME, TABLE, *ALWAYS),
    row="if its version is the newest",
    when=", if its subscription version is the newest",
)
POSTING = Members.of("posted", POSTS, NO_DOWNTIME, *ALWAYS, row="if pulls carry the expression")
