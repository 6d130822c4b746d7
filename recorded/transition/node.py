"""Dialect of the Node client: recordings of ali-ons 3.12.2, and cases that only Node has."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from rebalance_proofs.model.client.environment import THROWS, Answers
from rebalance_proofs.model.client.node import Node, NodeProcessQueue
from rebalance_proofs.model.client.node_environment import NodeEnvironment, all_at_once
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles import NODE as PROFILE
from rebalance_proofs.model.profiles import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Objects, json_object, text, texts, whole_number
from rebalance_proofs.recorded.rows import Reader, Row, expect, in_turn, number, one_of, quoted
from rebalance_proofs.recorded.transition.calls import BROADCASTING_CASE, STEP, Case, shape
from rebalance_proofs.recorded.transition.notation import (
    ABSENT,
    NOW,
    OF_NODE,
    Dialect,
    entry_reader,
    queue_name,
    read_queue,
)

NEXT_OFFSET = 5
"""Next offset of every process queue that exists before the call."""
ENTRY = entry_reader(partial(NodeProcessQueue, NEXT_OFFSET), d="[01]", l="[01]", e="[01]", a="[01]", m="[01]")
BENIGN = Answers(stored=100, queried=77)
"""Default answers: the broker has offset 100, and the queue ends at 77."""

_EFFECT = r"[a-zA-Z]+(\([^ ]*\))?(=[^ ]+)?"
OUTPUTS: Mapping[str, Reader] = {
    "post": shape(r"-|[SNR]:d[01]l[01]:n-?\d+"),
    "changed": shape(r"[-01]"),
    "exc": shape(r".+"),
    "old": shape(r"-|d[01]l[01]"),
    "memPost": shape(r"-|-?\d+"),
    "effects": shape(rf"-|{_EFFECT}( {_EFFECT})*"),
}
"""Name of an output of a call -> reader of its notation."""


def state(found: ProcessQueue) -> str:
    """Return a process queue as text such as ``d1l0``: dropped, locked."""
    return f"d{found.dropped:d}l{found.locked:d}"


def state_in_table(found: NodeProcessQueue) -> str:
    """Return a process queue as text such as ``d1l0:n5``: state, offset of the next pull.

    The process queue is in the table.
    """
    return f"{state(found)}:n{found.next_offset}"


NODE: Mapping[str, Dialect[Node]] = {
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


MEMORY_OFFSET = 55
"""Offset in memory (offset store) of every queue in the table before the first operation."""


class NodeCase(Case[Node]):
    """A case of the Node client. In its inputs, queues and topics are keys."""

    inputs = Objects(
        {
            "cids": json_object,
            "have": json_object,
            "model": in_turn(text, one_of(BROADCASTING_CASE)),
            "q": json_object,
            "route": json_object,
            "strategy": text,
            "sub": texts,
        }
    )
    steps = Objects({**STEP, "memoryOffsets": json_object})
    methods: ClassVar = {"persistConsumerOffset": "persist_consumer_offset"}
    throwing = frozenset({THROWS})

    def __init__(self, dialect: Dialect[Node], given: Row) -> None:
        for key in given.fields:
            expect(key in self.inputs.keys, f"the input {quoted(key)} is none of {', '.join(self.inputs.keys)}")
        asked = {queue: json_object(found, "q") for queue, found in by_queue(given, "q").items()}
        answers = {queue: read_answers(dialect.benign, texts_of(found)) for queue, found in asked.items()}
        super().__init__(dialect, answers, Settings(broadcasting=given.get("model", False)))
        client = self.client
        client.subscription_inner = tuple(given.get("sub", ()))
        client.topic_subscribe_info_table = {
            topic: [read_queue(name, "route") for name in texts(queues, "route")]
            for topic, queues in given.get("route", {}).items()
        }
        client.consumer_ids = {
            topic: THROWS if ids == THROWS else texts(ids, "cids")
            for topic, ids in given.get("cids", {}).items()
            if ids is not None
        }
        client.allocate = self.allocation(given.get("strategy", "avg"))
        for queue, pre in by_queue(given, "have").items():
            client.process_queue_table[queue] = ENTRY(text(pre, "have"), "have")
            client.offset_store.offset_table[queue] = MEMORY_OFFSET
        self.former.update(client.process_queue_table)

    def operate_alone(self, op: Sequence[str]) -> None:
        client = self.client
        match op:
            case ["twoConcurrent"]:
                all_at_once(client.environment, client.do_rebalance, client.do_rebalance)
            case ["set", name, key, said]:
                queue = read_queue(name, "op")
                self.answers[queue] = read_answers(self.answers.get(queue, self.dialect.benign), {key: said})
            case ["setMem", name, offset]:
                client.offset_store.offset_table[read_queue(name, "op")] = number(offset, "op")
            case _:
                super().operate_alone(op)

    def besides(self) -> dict[str, Any]:
        memory = self.client.offset_store.offset_table
        return {"memoryOffsets": {queue_name(queue): offset for queue, offset in memory.items()}}

    def thrown(self, error: ClientError) -> str:
        return f"{error.exception}:{super().thrown(error)}"


def by_queue(given: Row, key: str) -> dict[MessageQueue, Any]:
    """Return an input field that has one value per queue, as queue -> value."""
    return {read_queue(name, key): found for name, found in given.get(key, {}).items()}


def texts_of(found: Mapping[str, Any]) -> dict[str, str]:
    """Return a broker's answers as texts, by name."""
    return {key: said if isinstance(said, str) else str(whole_number(said, key)) for key, said in found.items()}


def read_answers(otherwise: Answers, given: Mapping[str, str]) -> Answers:
    """Parse a broker's answers about one queue, by name.

    Missing values and ``-`` are taken from ``otherwise``.
    """
    found = otherwise
    for key, said in given.items():
        expect(key in OF_NODE, f"{quoted(key)} is none of {', '.join(OF_NODE)}")
        if said != ABSENT:
            found = found._replace(**OF_NODE[key](said, key))
    return found
