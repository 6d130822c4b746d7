"""The code of a member and of the broker in the place of what is said of a topic's subscription, on numerals."""

from functools import partial
from typing import Any

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.subscriptions.actions import SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.broker import Heartbeat, SubscriptionData
from rebalance_proofs.model.subscriptions.client import MQClientInstanceV2
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.member import GROUP, OTHER_TAG, TAG, TOPIC, Member
from rebalance_proofs.model.subscriptions.state import FLIES, Turn
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.observed_turns import observed
from rebalance_proofs.proofs.subscriptions.inductive import ACTIONS
from rebalance_proofs.proofs.subscriptions.schedule import told

__all__ = ["act", "does", "observe_subscriptions"]

Values = dict[str, int | bool]
TELLS = {"others": ("topic", "takes", "same", "version"), "prints": ("same",), "pulled": ("topic", "takes", "version")}
"""What the code has to be told, by action."""


def observe_subscriptions(client: SubscriptionsClient) -> SubscriptionsEncoding:
    """An encoding whose parts run the code; all arguments have to be numerals."""

    return SubscriptionsEncoding(**{name: observed(Turn, partial(act, client, name)) for name in ACTIONS})


def does(member: Member, happens: Happens) -> None:
    """What a schedule says; raises ``Impossible`` where the code does not do that now."""
    given = told(dict(happens.said), member.now)
    getattr(member, happens.action)(**{name: given[name] for name in TELLS.get(happens.action, ())})


def act(
    client: SubscriptionsClient, name: str, now: int, me: Values, said: dict[str, Any], limits: Limits
) -> Values | None:
    """What the code makes of a state, given by the names of ``model.subscriptions.state``; None when it does not do
    that now."""
    member = client.member(limits, topic=bool(me["topic"]))
    _put(member, now, me)
    try:
        getattr(member, name)(**{one: said[one] for one in TELLS.get(name, ())})
    except Impossible:
        return None
    return _seen(member, me)


GHOSTS = (
    "fresh",
    "barred",
    "heard",
    "left",
    "changed",
    "moved",
    "refused",
    "asked",
    "first",
    "opened",
    "had",
    "odd",
    "stirred",
)
SKIPPED = ("lost", "missed")


def _put(member: Member, now: int, me: Values) -> None:
    member.now = now
    for name in (*GHOSTS, *SKIPPED):
        setattr(member, name, me[name])
    client, broker = member.client, member.broker
    if me["topic"]:
        client.subscription_inner[TOPIC] = SubscriptionData(TOPIC, frozenset({TAG}), int(me["mine"]))
    else:
        member.unused = int(me["mine"])
    client.at, client.began, client.next = int(me["at"]), int(me["began"]), int(me["next"])
    table = broker.consumer_table[GROUP].subscription_table
    if me["has"]:
        tag = TAG if me["takes"] else OTHER_TAG
        table[TOPIC] = SubscriptionData(TOPIC, frozenset({tag}), int(me["version"]))
    else:
        table.pop(TOPIC, None)
    if isinstance(client, MQClientInstanceV2):
        client.broker_addr_heartbeat_fingerprint = member.print if me["known"] else None
        broker.consumer_group_heartbeat_table[GROUP] = member.print if me["same"] else member.print + 1
    client.sent = _sent(member, me)


def _sent(member: Member, me: Values) -> Heartbeat:
    own = tuple(
        SubscriptionData(one.topic, one.tags_set, int(me["carried"])) if one.topic == TOPIC else one
        for one in member.client.subscription_inner.values()
    )
    without = not me["full"]
    return Heartbeat(GROUP, () if without else own, member.print, without_sub=without)


def _seen(member: Member, me: Values) -> Values:
    """What is so afterwards. What is not there is as before."""
    client, entry = member.client, member.entry
    sent = client.sent
    assert sent is not None
    carried = next((one.sub_version for one in sent.subscriptions if one.topic == TOPIC), None)
    if carried is None:
        carried = member.version if client.at == FLIES and me["at"] != FLIES else int(me["carried"])
    found: Values = {
        "topic": member.topic,
        "mine": member.version,
        "at": client.at,
        "began": client.began,
        "next": client.next,
        "carried": carried,
        "full": not sent.without_sub,
        "known": me["known"],
        "has": entry is not None,
        "version": me["version"] if entry is None else entry.sub_version,
        "takes": me["takes"] if entry is None else entry.takes(TAG),
        "same": me["same"],
    }
    if isinstance(client, MQClientInstanceV2):
        has = member.broker.consumer_group_heartbeat_table.get(GROUP)
        found["known"] = client.broker_addr_heartbeat_fingerprint is not None
        found["same"] = has in (None, member.print)
    return found | {name: getattr(member, name) for name in (*GHOSTS, *SKIPPED)}
