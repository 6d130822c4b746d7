"""The Node client's dialect: recordings of ali-ons 3.12.2."""

from collections.abc import Mapping
from functools import partial

from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.node import Node, NodeProcessQueue
from rebalance_proofs.model.client.node_environment import NodeEnvironment
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.profiles.node import NODE as PROFILE
from rebalance_proofs.recorded.readers import Reader
from rebalance_proofs.recorded.transition.call_rows import shape
from rebalance_proofs.recorded.transition.dialect import Dialect
from rebalance_proofs.recorded.transition.entries import NOW, entry_reader

NEXT_OFFSET = 5
"""Of every entry that is there before the call."""
ENTRY = entry_reader(partial(NodeProcessQueue, NEXT_OFFSET), d="[01]", l="[01]", e="[01]", a="[01]", m="[01]")
BENIGN = Answers(stored=100, queried=77)
"""Where nothing else is said, the broker has offset 100, and the queue ends at 77."""

_EFFECT = r"[a-zA-Z]+(\([^ ]*\))?(=[^ ]+)?"
OUTPUTS: Mapping[str, Reader] = {
    "post": shape(r"-|[SNR]:d[01]l[01]:n-?\d+"),
    "changed": shape(r"[-01]"),
    "exc": shape(r".+"),
    "old": shape(r"-|d[01]l[01]"),
    "memPost": shape(r"-|-?\d+"),
    "effects": shape(rf"-|{_EFFECT}( {_EFFECT})*"),
}
"""What a call gives, and how it looks."""


def state(found: ProcessQueue) -> str:
    """``d1l0``: whether it is dropped, and locked."""
    return f"d{found.dropped:d}l{found.locked:d}"


def state_in_table(found: NodeProcessQueue) -> str:
    """``d1l0:n5``: the same, and where the next pull begins."""
    return f"{state(found)}:n{found.next_offset}"


NODE: Mapping[str, Dialect] = {
    "node3.12.2": Dialect(
        name=str(PROFILE.recorded_as),
        profile=PROFILE,
        environment=partial(NodeEnvironment, now=NOW, otherwise=BENIGN),
        client=Node,
        benign=BENIGN,
        thrown=lambda error: error.message,
        state=state,
        state_in_table=state_in_table,
    )
}
