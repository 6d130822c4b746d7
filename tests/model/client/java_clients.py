"""Java clients for tests: of each version, the only consumer of topic T, which has four queues on one broker."""

import pytest

from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue, one_broker

NOW = 1_000_000
T = one_broker(4)
A, B, C, D = T
OTHER = MessageQueue("U", "broker-a", 0)

VERSIONS = (JavaV4_9, JavaV5_0, JavaV5_3_2)
every_version = pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.__name__)


def client(version, answers=None, held=(), environment=None, **settings):
    """A client that holds some queues of T, as if it had just pulled from them and renewed their locks."""
    made = version(environment or Environment(answers or {}, NOW), Settings(**settings))
    made.subscription_inner = ("T",)
    made.topic_subscribe_info_table = {"T": T}
    made.consumer_ids = {"T": ["c0"]}
    for queue in held:
        made.process_queue_table[queue] = entry()
    return made


def entry(**fields):
    """A locked entry of the table, with nothing overdue."""
    return ProcessQueue(**{"locked": True, "last_pull_timestamp": NOW, "last_lock_timestamp": NOW, **fields})


def names(found):
    """Names of the effects of a client."""
    return [effect[0] for effect in found.environment.effects]


def done(found, name):
    """Details of all effects with that name."""
    return [effect[1:] for effect in found.environment.effects if effect[0] == name]
