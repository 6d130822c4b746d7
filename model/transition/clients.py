"""The clients whose transitions are claimed about. To add one: its code, its terms, and a line in ``CLIENTS``."""

from functools import partial

from model.client.java_v4_9 import JavaV4_9
from model.client.java_v5_0 import JavaV5_0
from model.client.java_v5_3_2 import JavaV5_3_2
from model.client.node import Node
from model.transition import java, mutants, node
from model.transition.client import (
    BROADCAST,
    LITES,
    ORDERLY,
    ORDERLY_BROADCAST,
    ORDERLY_BROADCAST_UNLOCKED,
    PULLS,
    PUSH,
    Client,
)
from model.transition.drivers import JavaDriver, NodeDriver

_COMMON = (PUSH, ORDERLY, BROADCAST, *PULLS, *LITES)

V4_9 = Client(
    name="java_v4_9",
    rocketmq_name="Java 4.9.x",
    observed="4.9.8",
    driver=partial(JavaDriver, JavaV4_9),
    encoding=java.encoding(java.JAVA_V4_9),
    modes=(*_COMMON, ORDERLY_BROADCAST),
    ignores=frozenset({"memory"}),
    mutants=mutants.of(java.JAVA_V4_9),
)
V5_0 = Client(
    name="java_v5_0",
    rocketmq_name="Java 5.0 to 5.1.4",
    observed="5.1.4",
    driver=partial(JavaDriver, JavaV5_0),
    encoding=java.encoding(java.JAVA_V5_0),
    modes=(*_COMMON, ORDERLY_BROADCAST),
    ignores=frozenset({"memory"}),
    mutants=mutants.of(java.JAVA_V5_0),
)
V5_2 = Client(
    name="java_v5_2",
    rocketmq_name="Java 5.2 and later",
    observed="5.3.3",
    driver=partial(JavaDriver, JavaV5_3_2),
    encoding=java.encoding(java.JAVA_V5_2),
    modes=(*_COMMON, ORDERLY_BROADCAST_UNLOCKED),
    ignores=frozenset({"memory"}),
    mutants=mutants.of(java.JAVA_V5_2),
)

NODE = Client(
    name="node",
    rocketmq_name="Node (ali-ons)",
    observed="3.12.2",
    driver=partial(NodeDriver, Node),
    encoding=node.ENCODING,
    modes=(PUSH, BROADCAST),
    ignores=frozenset({"locked", "lock_age", "consume_lock", "cached", "lock"}),
    mutants=mutants.everywhere(
        node.ENCODING,
        but=(
            "unmarked",
            "expires-always",
            "lock-after-put",
            "unlocks-when-marked",
            "forgets-when-marked",
            "broadcast-locks",
        ),
    ),
)

CLIENTS: tuple[Client, ...] = (V4_9, V5_0, V5_2, NODE)
