"""Actions of one member, of the other members and of the broker; the clients, and mutants.

The parameters of an action: ``s``, the state before; ``c``, the action's nondeterministic choices; ``lim``, the time
limits; ``client``, the client's differences from others.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, by_name
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, Turn, becomes, step
from rebalance_proofs.model.machine.values import And, Bool, Either, If, Int, Not, Or, Value, number
from rebalance_proofs.model.machines.subscriptions.state import Choices, Limits, Subscription
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.subscriptions import (
    DONE,
    FLIES,
    GROUP,
    IDLE,
    OTHER_TAG,
    TAG,
    TOGO,
    TOPIC,
    Heartbeat,
    Member,
    MQClientInstance,
    MQClientInstanceV2,
    SubscriptionData,
)
from rebalance_proofs.model.transition.generations import GENERATIONS, releases_of

# ---- Differences between clients, and how their code stores the state


@dataclass(frozen=True)
class SubscriptionsClient(MachineClient):
    """Releases of client and broker whose heartbeats behave the same."""

    name: str
    """Name used in claim ids: ``java``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9 to 5.1.4``; later releases were not read."""
    made: type[MQClientInstance]
    """Class of the client instance, which sends heartbeats."""
    releases: tuple[str, ...]
    """The releases, oldest first; the source of each was read."""
    delays: bool
    """Whether the client delays the first pull of a queue."""

    @property
    def fingerprints(self) -> bool:
        """Whether the client uses heartbeat V2."""
        return issubclass(self.made, MQClientInstanceV2)

    @cached_property
    def code(self) -> Code[Subscription, Choices, Limits, Member]:
        """How the Python code of client and broker implements the machine (refinement map)."""
        return by_name(self.member, Member, SUBSCRIPTIONS, STORED, _put, _seen)

    def member(self, limits: Limits) -> Member:
        """Return a new member that runs the client's Python code, started at 0 ms."""
        return Member(self.made, limits, delay=number(limits.delay) if self.delays else None)


STORED = {name: name for name in ("moved", "fresh", "refused", "lost", "missed", "known", "agrees")}
"""Field of the state -> the attribute of ``Member`` that stores it."""


def _data(version: Int, tag: str = TAG) -> SubscriptionData:
    return SubscriptionData(TOPIC, frozenset({tag}), number(version))


def _put(member: Member, s: Subscription, c: Choices) -> None:
    client, broker = member.client, member.broker
    member.version, member.carried = number(s.mine), number(s.carried)
    if s.subscribes:
        client.subscription_inner[TOPIC] = _data(s.mine)
    else:
        client.subscription_inner.pop(TOPIC, None)
        member.print = member.fingerprint()
    client.at, client.began, client.next = number(s.at), number(s.began), number(s.next)
    member.had = _data(s.latest, TAG if s.matches else OTHER_TAG)
    table = broker.consumer_table[GROUP].subscription_table
    if s.has:
        table[TOPIC] = member.had
    else:
        table.pop(TOPIC, None)
    if isinstance(client, MQClientInstanceV2):
        client.broker_addr_heartbeat_fingerprint = member.print if s.known else None
        broker.consumer_group_heartbeat_table[GROUP] = member.print if s.agrees else member.print + 1
    own = tuple(_data(s.carried) if one.topic == TOPIC else one for one in client.subscription_inner.values())
    client.sent = Heartbeat(GROUP, own if s.full else (), member.print, without_sub=not s.full)


def _seen(member: Member) -> dict[str, int]:
    """Return the fields that ``Member`` does not store as they are.

    Fields of a topic that is not in the broker's table keep their values. The carried version is that of ``Member``
    while no subscription is being sent.
    """
    client, own, sent = member.client, member.own, member.client.sent
    table = member.found or member.had
    assert sent is not None
    assert table is not None
    found: dict[str, int] = {
        "subscribes": own is not None,
        "mine": own.sub_version if own else member.version,
        "at": client.at,
        "began": client.began,
        "next": client.next,
        "carried": next((one.sub_version for one in sent.subscriptions if one.topic == TOPIC), member.carried),
        "full": not sent.without_sub,
        "has": member.found is not None,
        "latest": table.sub_version,
        "matches": table.takes(TAG),
    }
    if isinstance(client, MQClientInstanceV2):
        found["known"] = client.broker_addr_heartbeat_fingerprint is not None
        found["agrees"] = member.broker.consumer_group_heartbeat_table.get(GROUP) in (None, member.print)
    return found


# ---- Actions of the member, of other members and of the broker

action: Actions[Subscription, Choices, Limits, SubscriptionsClient] = Actions()


def refuses(s: Subscription) -> Bool:
    """Check whether the broker refuses a pull of the member.

    Its answer is ``SUBSCRIPTION_NOT_EXIST`` or ``SUBSCRIPTION_NOT_LATEST``.
    """
    return Or(Not(s.has), s.latest < s.mine)


def _first(blank: Subscription, lim: Limits, client: SubscriptionsClient) -> Subscription:
    """Return the first state, where the member's first heartbeat has just arrived.

    No heartbeat of another member has arrived.
    """
    told = blank.but(has=blank.subscribes, had=blank.subscribes, matches=True, agrees=True, full=True, notified=1)
    return told.but(known=client.fingerprints, at=IDLE, next=blank.now + lim.period)


def _begun(s: Subscription, when: Bool) -> dict[str, Int]:
    """Return the fields that change when a heartbeat to all brokers begins, if ``when`` holds."""
    return {"at": If(when, TOGO, s.at), "began": If(when, s.now, s.began)}


def _told_begins(words: str, before: Subscription, after: Subscription) -> str:
    begins = before.at == IDLE and after.at == TOGO
    return (
        f"{words}: {'it starts to send heartbeats' if begins else 'another heartbeat has the lock, so it sends none'}"
    )


def _told_notifies(words: str, before: Subscription, after: Subscription) -> str:
    return words + ("" if after.notified == before.notified else ": the broker notifies all members")


def _updated(s: Subscription, topic: Bool, version: Int, takes: Bool) -> dict[str, Value]:
    """Return the changed fields when a heartbeat's subscriptions replace those at the broker.

    The largest version stays. Mirror of ``ConsumerGroupInfo.updateSubscription``.
    """
    news = And(topic, Or(Not(s.has), version > s.latest))
    changes = s.has != topic
    return {
        "has": topic,
        "latest": If(news, version, s.latest),
        "matches": Either(news, takes, s.matches),
        "changed": If(changes, s.now, s.changed),
        "stirred": Or(s.stirred, changes),
        "odd": Or(s.odd, changes != (s.had != topic)),
        "had": topic,
        "notified": If(changes, s.notified + 1, s.notified),
    }


def _opened(s: Subscription, after: Subscription) -> Int:
    return If(And(refuses(s), Not(refuses(after))), s.now, s.opened)


def _version(s: Subscription, c: Choices) -> Int:
    """Return the version of the other member."""
    return If(c.newer, s.now, c.version)


@action(
    "The member's queue table changes, and the member raises its subscription version.",
    lambda before, after, c, client: _told_begins(
        "The member's queue table changes and the member raises its version", before, after
    ),
)
def raises(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The member's queues change, and it raises its version.

    Added queues are to be pulled, and a heartbeat begins if its lock is free. Mirror of ``messageQueueChanged``.
    """
    free = s.at == IDLE
    known = And(s.known, Not(free)) if client.fingerprints else s.known
    return step(s.subscribes, mine=s.now, moved=s.now, known=known, fresh=True, **_begun(s, free))


@action(
    "A periodic heartbeat of the member is due.",
    lambda before, after, c, client: _told_begins("A periodic heartbeat of the member is due", before, after),
)
def ticks(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The periodic heartbeat begins, if the heartbeat lock is free."""
    return step(s.now >= s.next, next=s.next + lim.period, **_begun(s, s.at == IDLE))


@action("Another heartbeat of the member begins.", "Another heartbeat of the member begins")
def begins(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """A heartbeat to all brokers begins for another reason (``subscribe``, a producer's start)."""
    return step(s.at == IDLE, **_begun(s, True))


@action(
    "The member sends its heartbeat to this broker.",
    lambda before, after, c, client: (
        f"The member sends its heartbeat to this broker{'' if after.full else ', without the subscriptions'}"
    ),
)
def sends(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The heartbeat for the observed broker is created and sent."""
    return step(s.at == TOGO, at=FLIES, carried=s.mine, full=Not(s.known) if client.fingerprints else True)


@action(
    "The member's heartbeat reaches the broker.",
    lambda before, after, c, client: _told_notifies("The member's heartbeat reaches the broker", before, after),
)
def arrives(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The broker handles the member's heartbeat, and the client handles the answer.

    Mirror of ``registerConsumer`` and ``registerConsumerWithoutSub``.
    """
    told = s.where(s.full, **_updated(s, s.subscribes, s.carried, True))
    known = And(s.agrees, Or(s.full, s.known)) if client.fingerprints else s.known
    after = told.but(at=DONE, heard=s.now, known=known, agrees=Or(s.agrees, client.fingerprints))
    return becomes(s.at == FLIES, after.but(opened=_opened(s, after)))


@action("The member's heartbeat to all brokers ends.", "The member's heartbeat to all brokers ends")
def ends(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The heartbeat ends and releases its lock."""
    return step(s.at == DONE, at=IDLE)


def _told_others(before: Subscription, after: Subscription, c: Choices, client: SubscriptionsClient) -> str:
    words = "A heartbeat of another member arrives, which "
    if c.topic:
        tag, version = "the same tag" if c.takes else "another tag", "the newest" if c.newer else "an old"
        words += f"subscribes to the topic with {tag}, in {version} version"
    else:
        words += "does not subscribe to the topic"
    return _told_notifies(words, before, after)


@action(
    "A heartbeat of another member reaches the broker.",
    _told_others,
    choices=("topic", "takes", "newer", "version"),
    by=ENVIRONMENT,
)
def others(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """A heartbeat of another member arrives, with its subscriptions."""
    told = s.but(**_updated(s, c.topic, _version(s, c), c.takes))
    agrees = c.same if client.fingerprints else s.agrees
    return becomes(True, told.but(left=If(c.topic, s.left, s.now), agrees=agrees, opened=_opened(s, told)))


@action(
    "A heartbeat of another member without subscriptions reaches the broker.",
    "A heartbeat of another member arrives, without its subscriptions",
    choices=("same",),
    by=ENVIRONMENT,
    has=lambda client: client.fingerprints,
)
def prints(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """A heartbeat V2 of another member arrives, without its subscriptions."""
    return step(True, agrees=c.same)


@action("The broker loses the group's record.", by=ENVIRONMENT)
def forgets(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The broker restarts, or the last channel of the group is closed."""
    return step(True, has=False, had=False, moved=s.now, agrees=True if client.fingerprints else s.agrees)


def _told_pulls(words: str, after: Subscription) -> str:
    return f"{words}: the broker {'refuses' if after.refused else 'accepts'} it"


def _pulled(s: Subscription) -> dict[str, Value]:
    refused = refuses(s)
    return {
        "refused": refused,
        "asked": If(refused, s.now, s.asked),
        "first": If(And(refused, Not(s.refused)), s.now, s.first),
        "lost": Or(s.lost, And(Not(refused), Not(s.matches))),
    }


@action(
    "A pull of the member reaches the broker.",
    lambda before, after, c, client: _told_pulls("A pull of the member arrives", after),
)
def pulls(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The broker checks a pull of the member that would return or skip the message."""
    return step(s.subscribes, **_pulled(s))


@action(
    "The first pull of a queue that the member has added reaches the broker.",
    lambda before, after, c, client: _told_pulls("The first pull of a queue that the member has added arrives", after),
)
def firsts(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """The first pull arrives for a queue that the member's last change of its queues has added."""
    put_off = s.now >= s.moved + lim.delay if client.delays else True
    can = And(s.subscribes, s.fresh, put_off)
    return step(can, fresh=False, barred=Or(s.barred, refuses(s)), **_pulled(s))


@action(
    "A pull of the member that carries its expression reaches the broker.",
    lambda before, after, c, client: _told_pulls("A pull of the member arrives and carries its expression", after),
)
def posts(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """A pull arrives that carries its filter expression (``postSubscriptionWhenPull``).

    The broker does not use its stored subscription for it.
    """
    return step(s.subscribes, refused=False)


@action(
    "A pull of another member reaches the broker.",
    lambda before, after, c, client: (
        f"A pull of another member, which owns the queue, arrives{'' if c.takes else '; its tag differs'}"
    ),
    choices=("topic", "takes", "newer", "version"),
    by=ENVIRONMENT,
)
def pulled(s: Subscription, c: Choices, lim: Limits, client: SubscriptionsClient) -> Step:
    """A pull of another member, which owns the message's queue, arrives; the broker checks it."""
    through = And(s.has, _version(s, c) <= s.latest)
    return step(c.topic, missed=Or(s.missed, And(through, Not(And(s.matches, c.takes)))))


SUBSCRIPTIONS: Machine[Subscription, Choices, Limits, SubscriptionsClient] = Machine(
    Subscription, Choices, Limits, _first, action, open={"subscribes": True}
)

# ---- Clients and mutants. To add a client, add a line to ``CLIENTS``

RELEASES = releases_of(*GENERATIONS)
FIRST_WITH_V2 = "5.1.3"
"""The first release with heartbeat V2, of clients and of brokers."""
NAMED_V2 = f"{java_from(FIRST_WITH_V2)}, heartbeat V2"
SINCE_V2 = RELEASES[RELEASES.index(FIRST_WITH_V2) :]
AT_ONCE = releases_of(*(one for one in GENERATIONS if not one.rules.pull_delay))
LATER = releases_of(*(one for one in GENERATIONS if one.rules.pull_delay))

PLAIN = SubscriptionsClient("java_v4_9_to_v5_3", java_from("4.9"), MQClientInstance, RELEASES, delays=False)
"""The client without heartbeat V2.

``delays`` is false, here and with heartbeat V2: a delayed first pull is one of the times at which any first pull may
come.
"""
WITH_V2 = SubscriptionsClient("java_v5_1_3_heartbeat_v2", NAMED_V2, MQClientInstanceV2, SINCE_V2, delays=False)
PULLS_AT_ONCE = SubscriptionsClient("java_v4_9", "Java 4.9", MQClientInstance, AT_ONCE, delays=False)
PULLS_LATER = SubscriptionsClient("java_v5_0_to_v5_3", java_from("5.0"), MQClientInstance, LATER, delays=True)
CLIENTS = (PLAIN, WITH_V2, PULLS_AT_ONCE, PULLS_LATER)

Mistake = Wrong[Subscription, Choices, Limits, SubscriptionsClient]
After = Turn[Subscription]


def _plain(client: SubscriptionsClient) -> bool:
    return not client.fingerprints


def _counts_versions(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    newer = And(c.topic, _version(s, c) > s.latest)
    return turn.but(stirred=Or(turn.after.stirred, newer))


def _adds_only(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    kept = Or(s.has, turn.after.has)
    changes = kept != s.has
    odd = Or(s.odd, changes != (s.had != turn.after.had))
    return turn.but(has=kept, changed=If(changes, s.now, s.changed), odd=odd)


def _takes_any(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    return turn.but(matches=And(s.matches, Not(c.topic)))


def _filtered(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    return turn.but(lost=Or(s.lost, And(s.has, Not(s.matches))))


WRONG = (
    Mistake(
        "counts-versions",
        "a newer version triggers a notification like a change of topics",
        _counts_versions,
        "others",
        "calm",
    ),
    Mistake(
        "sends-nothing",
        "a client that raises its version sends no heartbeat",
        lambda s, c, lim, turn: turn.but(at=s.at, began=s.began),
        "raises",
        "accepted-soon",
    ),
    Mistake(
        "first-stays",
        "the broker does not update the topic's version",
        lambda s, c, lim, turn: turn.but(latest=s.latest),
        "arrives",
        "accepted",
    ),
    Mistake(
        "adds-only", "no heartbeat removes a topic from the table", _adds_only, ("others", "arrives"), "exactly", _plain
    ),
    Mistake(
        "takes-any",
        "the broker filters the member's pulls with a wrong expression",
        _takes_any,
        "others",
        "own-tags",
        _plain,
    ),
    Mistake(
        "takes-none",
        "the broker filters pulls of other members with a wrong expression",
        _takes_any,
        "others",
        "all-tags",
        _plain,
    ),
    Mistake(
        "adds-nothing",
        "no heartbeat of the member adds a topic to the table",
        lambda s, c, lim, turn: turn.but(has=s.has),
        "arrives",
        "answered",
        _plain,
    ),
    Mistake(
        "filters-posted",
        "a pull that carries its expression is filtered by the broker's expression",
        _filtered,
        "posts",
        "posted",
        _plain,
    ),
    Mistake(
        "older-is-fine",
        "the broker filters with an expression older than the pull's",
        _filtered,
        "pulls",
        "own-tags.newest",
        _plain,
    ),
    Mistake(
        "stays-known",
        "a client that is notified of a group change still believes that the broker has its subscriptions",
        lambda s, c, lim, turn: turn.but(known=Or(s.known, turn.after.known)),
        "arrives",
        "answered-later",
        lambda client: client.fingerprints,
    ),
    Mistake(
        "at-once",
        "the first pull of a queue is not delayed",
        lambda s, c, lim, turn: replace(turn, guard=And(s.subscribes, s.fresh)),
        "firsts",
        "first-pull",
        lambda client: client.delays,
    ),
)
SLIPS = (
    Mistake(
        "goes-wrong",
        "After any action, every forbidden event has happened.",
        lambda s, c, lim, turn: turn.but(odd=True, stirred=True, lost=True, missed=True, barred=True),
    ),
    Mistake(
        "is-long-ago",
        "After any action, the last heartbeats and pulls were long ago.",
        lambda s, c, lim, turn: turn.but(
            changed=turn.after.heard - 1, left=turn.after.heard, moved=turn.after.moved - 1, refused=True
        ),
    ),
    Mistake(
        "lets-through",
        "After any action, the broker accepts the next pull.",
        lambda s, c, lim, turn: turn.but(has=True, latest=turn.after.mine, refused=False),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""
