"""Refinement map: how ``Member`` implements the machine of subscriptions.

It gives the object's attribute for each field of the state, and the method for each action.
"""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.machine.values import Int, number, truth
from rebalance_proofs.model.subscriptions.broker import Heartbeat, SubscriptionData
from rebalance_proofs.model.subscriptions.client import MQClientInstanceV2
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.member import GROUP, OTHER_TAG, TAG, TOPIC, Member
from rebalance_proofs.model.subscriptions.state import Choices, Subscription

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
WITH_V2: Mapping[str, Callable[[Member, Subscription, Choices], None]] = {
    **CALLS,
    "prints": lambda member, s, c: member.prints(same=truth(c.same)),
}


def code(made: Callable[[Limits], Member], *, fingerprints: bool) -> Code[Subscription, Choices, Limits, Member]:
    """Return the refinement map of one client's code; ``fingerprints``: it uses heartbeat V2.

    ``made(limits)``: a new member, started at 0 ms.
    """
    return Code(made, _put, _seen, WITH_V2 if fingerprints else CALLS)


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
