"""The answer of ``rebalance shares`` as JSON."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.documents import Division, Places, Share, Shares
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.shares.described import Asked, Topic
from rebalance_proofs.report.shares.divided import Divided
from rebalance_proofs.report.shares.told import sentence, troubles, views

FORMAT = 1


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("shares")


def document(every: Sequence[Divided]) -> Shares:
    """Return the answer as JSON: the group, and the shares under every strategy."""
    asked = every[0].asked
    return {
        "format": FORMAT,
        "topics": [
            {
                "topic": topic.name,
                "queues": [{"broker": queue.broker_name, "queue_id": queue.queue_id} for queue in topic.queues],
            }
            for topic in asked.topics
        ],
        "members": [_member(asked, client_id) for client_id in asked.ids],
        "rooms": list(asked.rooms),
        "sentence": " ".join([sentence(every), *views(every[0].asked), *troubles(every)]),
        "strategies": [_divided(one) for one in every],
    }


def _member(asked: Asked, client_id: str) -> dict[str, Any]:
    return {
        "id": client_id,
        "sees": list(asked.sees.get(client_id, asked.ids)),
        "topics": [topic.name for topic in asked.topics if asked.reads(client_id, topic)],
        "knows": asked.knows.get(client_id),
    }


def _divided(one: Divided) -> Division:
    return {
        "strategy": one.name,
        "name": one.label,
        "source": one.source,
        "seen": one.mark.value,
        "least": min(one.counts),
        "most": max(one.counts),
        "level": one.level,
        "sound": one.sound,
        "shares": [_share(one, client_id, topic) for topic in one.asked.topics for client_id in one.asked.ids],
        "unread": _places(one.unread),
        "several": _places(one.doubled),
    }


def _share(one: Divided, client_id: str, topic: Topic) -> Share:
    taken = one.shares.get((client_id, topic.name), ())
    return {
        "id": client_id,
        "topic": topic.name,
        "queues": [topic.places[queue] for queue in taken if queue in topic.places],
        "foreign": [
            {"topic": queue.topic, "broker": queue.broker_name, "queue_id": queue.queue_id}
            for queue in taken
            if queue not in topic.places
        ],
        "failed": one.refused.get((client_id, topic.name)),
    }


def _places(found: Sequence[tuple[Topic, tuple[int, ...]]]) -> list[Places]:
    return [{"topic": topic.name, "queues": list(places)} for topic, places in found]
