"""The clients of claims about subscriptions. To add a client, add a line to ``CLIENTS``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong
from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.values import And, Bool, If, Int, Not, Or, number, truth
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.subscriptions.broker import Heartbeat, SubscriptionData
from rebalance_proofs.model.subscriptions.client import MQClientInstance, MQClientInstanceV2
from rebalance_proofs.model.subscriptions.machine import SUBSCRIPTIONS
from rebalance_proofs.model.subscriptions.member import GROUP, OTHER_TAG, TAG, TOPIC, Member
from rebalance_proofs.model.subscriptions.state import Choices, Limits, Subscription, Variant
from rebalance_proofs.model.transition.generations import GENERATIONS, releases_of

# Mutants of heartbeats and brokers, each with one error.
# Claims must reject those in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof fails.

Mistake = Wrong[Subscription, Choices, Limits, Variant]
After = Turn[Subscription]


def _plain(client: Variant) -> bool:
    return not client.fingerprints


def _counts_versions(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    newer = And(c.topic, If(c.newer, s.now, c.version) > s.latest)
    return turn.but(stirred=Or(turn.after.stirred, newer))


def _adds_only(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    kept = Or(s.has, turn.after.has)
    changes = kept != s.has
    odd = Or(s.odd, changes != (s.had != turn.after.had))
    return turn.but(has=kept, changed=If(changes, s.now, s.changed), odd=odd)


def _takes_any(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    return turn.but(matches=And(s.matches, Not(c.topic)))


def _filtered(s: Subscription) -> Bool:
    return Or(s.lost, And(s.has, Not(s.matches)))


WRONG = (
    Mistake(
        "counts-versions",
        ("a newer version triggers a notification like a change of topics"),
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
        ("the broker filters the member's pulls with a wrong expression"),
        _takes_any,
        "others",
        "own-tags",
        _plain,
    ),
    Mistake(
        "takes-none",
        ("the broker filters pulls of other members with a wrong expression"),
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
        lambda s, c, lim, turn: turn.but(lost=_filtered(s)),
        "posts",
        "posted",
        _plain,
    ),
    Mistake(
        "older-is-fine",
        "the broker filters with an expression older than the pull's",
        lambda s, c, lim, turn: turn.but(lost=_filtered(s)),
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


# Refinement map: how ``Member`` implements the machine of subscriptions.
# It gives the object's attribute for each field of the state, and the method for each action.

CALLS: Mapping[str, Callable[[Member, Subscription, Choices], None]] = {
    "raises": lambda member, s, c: member.raises(number(s.now)),
    "ticks": lambda member, s, c: member.client.scheduled(number(s.now)),
    "begins": lambda member, s, c: member.begins(number(s.now)),
    "sends": lambda member, s, c: member.sends(),
    "arrives": lambda member, s, c: member.arrives(),
    "ends": lambda member, s, c: member.client.end(),
    "others": lambda member, s, c: member.others(
        topic=truth(c.topic), takes=truth(c.takes), same=truth(c.same), version=_version(s, c)
    ),
    "forgets": lambda member, s, c: member.forgets(number(s.now)),
    "pulls": lambda member, s, c: member.pulls(),
    "firsts": lambda member, s, c: member.firsts(number(s.now)),
    "posts": lambda member, s, c: member.posts(),
    "pulled": lambda member, s, c: member.pulled(topic=truth(c.topic), takes=truth(c.takes), version=_version(s, c)),
}
WITH_V2_CODE: Mapping[str, Callable[[Member, Subscription, Choices], None]] = {
    **CALLS,
    "prints": lambda member, s, c: member.prints(same=truth(c.same)),
}


def code(made: Callable[[Limits], Member], *, fingerprints: bool) -> Code[Subscription, Choices, Limits, Member]:
    """Return the refinement map of one client's code; ``fingerprints``: it uses heartbeat V2.

    ``made(limits)``: a new member, started at 0 ms.
    """
    return Code(made, _put, _seen, WITH_V2_CODE if fingerprints else CALLS)


def _version(s: Subscription, c: Choices) -> int:
    return number(s.now) if c.newer else number(c.version)


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
    member.moved, member.fresh, member.refused = number(s.moved), truth(s.fresh), truth(s.refused)
    member.lost, member.missed = truth(s.lost), truth(s.missed)
    member.known, member.agrees = truth(s.known), truth(s.agrees)
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
    """Return the state of a member, as a number for each field of the machine.

    Fields of a topic that is not in the broker's table keep their values. The carried version is that of ``Member``
    while no subscription is being sent.
    """
    client, own, sent = member.client, member.own, member.client.sent
    table = member.found or member.had
    assert sent is not None
    assert table is not None
    carried = next((one.sub_version for one in sent.subscriptions if one.topic == TOPIC), member.carried)
    known, agrees = member.known, member.agrees
    if isinstance(client, MQClientInstanceV2):
        known = client.broker_addr_heartbeat_fingerprint is not None
        agrees = member.broker.consumer_group_heartbeat_table.get(GROUP) in (None, member.print)
    return {
        "subscribes": own is not None,
        "mine": own.sub_version if own else member.version,
        "at": client.at,
        "began": client.began,
        "next": client.next,
        "carried": carried,
        "full": not sent.without_sub,
        "known": known,
        "has": member.found is not None,
        "latest": table.sub_version,
        "matches": table.takes(TAG),
        "agrees": agrees,
        "moved": member.moved,
        "refused": member.refused,
        "lost": member.lost,
        "missed": member.missed,
        "fresh": member.fresh,
    }


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
    machine, wrong = SUBSCRIPTIONS, WRONG

    @property
    def fingerprints(self) -> bool:
        """Whether the client uses heartbeat V2."""
        return issubclass(self.made, MQClientInstanceV2)

    @cached_property
    def code(self) -> Code[Subscription, Choices, Limits, Member]:
        """How the Python code of client and broker implements the machine (refinement map)."""
        return code(self.member, fingerprints=self.fingerprints)

    def member(self, limits: Limits) -> Member:
        """Return a new member that runs the client's Python code, started at 0 ms."""
        return Member(self.made, limits, delay=number(limits.delay) if self.delays else None)


RELEASES = releases_of(*GENERATIONS)
FIRST_WITH_V2 = "5.1.3"
"""The first release with heartbeat V2, of clients and of brokers."""

PLAIN = SubscriptionsClient("java_v4_9_to_v5_3", java_from("4.9"), MQClientInstance, RELEASES, delays=False)
"""The client without heartbeat V2.

``delays`` is false, here and with heartbeat V2: a delayed first pull is one of the times at which any first pull may
come.
"""
WITH_V2 = SubscriptionsClient(
    "java_v5_1_3_heartbeat_v2",
    f"{java_from(FIRST_WITH_V2)}, heartbeat V2",
    MQClientInstanceV2,
    RELEASES[RELEASES.index(FIRST_WITH_V2) :],
    delays=False,
)
PULLS_AT_ONCE = SubscriptionsClient(
    "java_v4_9",
    "Java 4.9",
    MQClientInstance,
    releases_of(*(one for one in GENERATIONS if not one.rules.pull_delay)),
    delays=False,
)
PULLS_LATER = SubscriptionsClient(
    "java_v5_0_to_v5_3",
    java_from("5.0"),
    MQClientInstance,
    releases_of(*(one for one in GENERATIONS if one.rules.pull_delay)),
    delays=True,
)
CLIENTS = (PLAIN, WITH_V2, PULLS_AT_ONCE, PULLS_LATER)
