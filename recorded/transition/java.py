"""The Java client's dialect: recordings of 4.9.8, 5.1.4 and 5.3.3."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any

from rebalance_proofs.model.client.environment import BENIGN, Environment
from rebalance_proofs.model.client.errors import RuntimeException
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_3_2 import JavaV5_3_2
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import KINDS, Settings
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.recorded.readers import Reader
from rebalance_proofs.recorded.transition import java_hash
from rebalance_proofs.recorded.transition.call_rows import shape
from rebalance_proofs.recorded.transition.dialect import Dialect
from rebalance_proofs.recorded.transition.entries import NOW, entry_reader

VERSIONS: Mapping[str, type[RebalanceImpl]] = {"4.9.8": JavaV4_9, "5.1.4": JavaV5_0, "5.3.3": JavaV5_3_2}
"""The versions that were observed, and the model of each."""

KIND = {kind.name: kind for kind in KINDS}
ENTRY = entry_reader(ProcessQueue, d="[01]", l="[01]", e="[01]", a="[01]", c="[012]", m=r"\d+")

_EFFECT = r"[a-zA-Z+]+(\[\w+\])?(\([^ ]*\))?(=[^ ]+)?(@\w+)?"
OUTPUTS: Mapping[str, Reader] = {
    "post": shape(r"-|[SN]:d[01]l[01]t\d+"),
    "changed": shape(r"[-01]"),
    "exc": shape(r".+"),
    "old": shape(r"-|d[01]l[01]t\d+"),
    "memPost": shape(r"-?\d+"),
    "effects": shape(rf"-|{_EFFECT}( {_EFFECT})*"),
    "later": shape(rf"-|{_EFFECT}( {_EFFECT})*"),
    "withException": shape(r"-?\d+|[A-Z]\w+"),
    "computePullFromWhere": shape(r"-?\d+|[A-Z]\w+"),
}
"""What a call gives, and how it looks."""


def java_client(model: type[RebalanceImpl], environment: Environment, settings: Settings) -> RebalanceImpl:
    """A client that goes through its tables as Java does."""
    client = model(environment, settings)
    sized = java_hash.SIZED_BY_4_9 if isinstance(client, JavaV4_9) else java_hash.SIZED

    def iterate(table: str, queues: Collection[Any]) -> Iterable[Any]:
        return java_hash.iterate(table, queues, len(client.process_queue_table), sized)

    client.iterate = iterate
    return client


SCRIPTED = ("persist", "readOffset", "admin")
"""Where exceptions were thrown by the recordings' own parts."""


def thrown(error: RuntimeException) -> str:
    """The exception that has left a method; the recordings' own ones say where they came from."""
    (where,) = error.args
    return f"IllegalStateException:scripted {where}" if where in SCRIPTED else where


def state(found: ProcessQueue) -> str:
    """``d1l0t2``: whether it is dropped, and locked; how often it could not be unlocked."""
    return f"d{found.dropped:d}l{found.locked:d}t{found.try_unlock_times}"


JAVA: Mapping[str, Dialect] = {
    version: Dialect(
        name=f"java {version}",
        profile=JAVA_V5,
        environment=partial(Environment, now=NOW),
        client=partial(java_client, model),
        benign=BENIGN,
        thrown=thrown,
        state=state,
        state_in_table=state,
    )
    for version, model in VERSIONS.items()
}
