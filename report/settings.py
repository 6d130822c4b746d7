"""What is said about a queue besides its number, where queues of a group differ in it: topic, broker or room."""

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.worlds.rooms import Rooms


def detail(group: Group, queue: int) -> str:
    """``T1``, ``room1@broker-a``, ``room B``; empty where all queues stand alike."""
    here = group.queues[queue]
    if isinstance(group.setting, Rooms):
        return f"room {group.setting.of_queues[queue]}"
    if len({other.topic for other in group.queues}) > 1:
        return f"topic {here.topic}"
    if any("@" in other.broker_name for other in group.queues) or len({q.broker_name for q in group.queues}) > 1:
        return here.broker_name
    return ""
