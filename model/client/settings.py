"""The settings of a consumer, as chosen by its user."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from rebalance_proofs.model.client import pull_from_where
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.queues import MessageQueue


@dataclass(frozen=True)
class Kind:
    """One of RocketMQ's kinds of consumer, with the properties that a rebalance depends on."""

    name: str
    passive: bool
    """``CONSUME_PASSIVELY``: the client pulls by itself, so a pull can expire."""
    compute_pull_from_where: Callable[[Environment, MessageQueue, ConsumeFromWhere], int]


PUSH = Kind("push", True, pull_from_where.push)
PULL = Kind("pull", False, pull_from_where.pull)
LITE_PULL = Kind("lite", False, pull_from_where.lite_pull)

KINDS = (PUSH, PULL, LITE_PULL)


class Listener(Enum):
    """The user's ``MessageQueueListener``."""

    RETURNS = "ok"
    THROWS = "throw"


@dataclass(frozen=True)
class Settings:
    """One consumer's settings."""

    kind: Kind = PUSH
    orderly: bool = False
    """True if the consumer's listener is a ``MessageListenerOrderly``."""
    broadcasting: bool = False
    """True if every consumer gets every queue; otherwise the consumers divide the queues.

    Mirror of ``CLUSTERING``.
    """
    consume_from_where: ConsumeFromWhere = ConsumeFromWhere.LAST_OFFSET
    pull_threshold_for_topic: int = -1
    """Limit of cached messages of a topic; -1 for no limit."""
    pull_threshold_size_for_topic: int = -1
    """Limit of cached messages of a topic in MiB; -1 for no limit."""
    listener: Listener | None = None
    client_rebalance: bool = True
    """``clientRebalance``: from 5.0 on, the broker divides the queues unless this is set."""
    consumer_group: str = "G"
