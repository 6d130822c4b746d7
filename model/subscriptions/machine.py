"""State machine of one topic's subscription at a broker, with heartbeats and pulls.

They are those of one member and of other members of the group. One message of the topic is observed, "the message".
Each action function returns the action's guard and the state's changed fields. Its parameters: ``s``, the state before;
``c``, the action's nondeterministic choices; ``lim``, the time limits; ``client``, the client's differences from
others.
"""

from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, becomes, step
from rebalance_proofs.model.machine.values import And, Bool, Either, If, Int, Not, Or, Value
from rebalance_proofs.model.subscriptions.state import (
    DONE,
    FLIES,
    IDLE,
    TOGO,
    Choices,
    Limits,
    Subscription,
    Variant,
    refuses,
)

action: Actions[Subscription, Choices, Limits, Variant] = Actions()


def _first(blank: Subscription, lim: Limits, client: Variant) -> Subscription:
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


@action(
    "The member's queue table changes, and the member raises its subscription version.",
    lambda before, after, c, client: _told_begins(
        "The member's queue table changes and the member raises its version", before, after
    ),
)
def raises(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
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
def ticks(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """The periodic heartbeat begins, if the heartbeat lock is free."""
    return step(s.now >= s.next, next=s.next + lim.period, **_begun(s, s.at == IDLE))


@action("Another heartbeat of the member begins.", "Another heartbeat of the member begins")
def begins(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """A heartbeat to all brokers begins for another reason (``subscribe``, a producer's start)."""
    return step(s.at == IDLE, **_begun(s, True))


@action(
    "The member sends its heartbeat to this broker.",
    lambda before, after, c, client: (
        f"The member sends its heartbeat to this broker{'' if after.full else ', without the subscriptions'}"
    ),
)
def sends(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """The heartbeat for the observed broker is created and sent."""
    return step(s.at == TOGO, at=FLIES, carried=s.mine, full=Not(s.known) if client.fingerprints else True)


@action(
    "The member's heartbeat reaches the broker.",
    lambda before, after, c, client: _told_notifies("The member's heartbeat reaches the broker", before, after),
)
def arrives(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """The broker handles the member's heartbeat, and the client handles the answer.

    Mirror of ``registerConsumer`` and ``registerConsumerWithoutSub``.
    """
    told = s.where(s.full, **_updated(s, s.subscribes, s.carried, True))
    known = And(s.agrees, Or(s.full, s.known)) if client.fingerprints else s.known
    after = told.but(at=DONE, heard=s.now, known=known, agrees=Or(s.agrees, client.fingerprints))
    return becomes(s.at == FLIES, after.but(opened=_opened(s, after)))


@action("The member's heartbeat to all brokers ends.", "The member's heartbeat to all brokers ends")
def ends(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """The heartbeat ends and releases its lock."""
    return step(s.at == DONE, at=IDLE)


def _told_others(before: Subscription, after: Subscription, c: Choices, client: Variant) -> str:
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
def others(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """A heartbeat of another member arrives, with its subscriptions."""
    told = s.but(**_updated(s, c.topic, If(c.newer, s.now, c.version), c.takes))
    agrees = c.same if client.fingerprints else s.agrees
    return becomes(True, told.but(left=If(c.topic, s.left, s.now), agrees=agrees, opened=_opened(s, told)))


@action(
    "A heartbeat of another member without subscriptions reaches the broker.",
    "A heartbeat of another member arrives, without its subscriptions",
    choices=("same",),
    by=ENVIRONMENT,
    has=lambda client: client.fingerprints,
)
def prints(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """A heartbeat V2 of another member arrives, without its subscriptions."""
    return step(True, agrees=c.same)


@action("The broker loses the group's record.", by=ENVIRONMENT)
def forgets(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
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
def pulls(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """The broker checks a pull of the member that would return or skip the message."""
    return step(s.subscribes, **_pulled(s))


@action(
    "The first pull of a queue that the member has added reaches the broker.",
    lambda before, after, c, client: _told_pulls("The first pull of a queue that the member has added arrives", after),
)
def firsts(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """The first pull arrives for a queue that the member's last change of its queues has added."""
    put_off = s.now >= s.moved + lim.delay if client.delays else True
    can = And(s.subscribes, s.fresh, put_off)
    return step(can, fresh=False, barred=Or(s.barred, refuses(s)), **_pulled(s))


@action(
    "A pull of the member that carries its expression reaches the broker.",
    lambda before, after, c, client: _told_pulls("A pull of the member arrives and carries its expression", after),
)
def posts(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
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
def pulled(s: Subscription, c: Choices, lim: Limits, client: Variant) -> Step:
    """A pull of another member, which owns the message's queue, arrives; the broker checks it."""
    through = And(s.has, If(c.newer, s.now, c.version) <= s.latest)
    return step(c.topic, missed=Or(s.missed, And(through, Not(And(s.matches, c.takes)))))


SUBSCRIPTIONS = Machine(Subscription, Choices, Limits, _first, action, open={"subscribes": True})
