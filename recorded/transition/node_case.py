"""What the Node client's cases have that others have not."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rebalance_proofs.model.client.environment import THROWS, Answers
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.client.turns import all_at_once
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Objects, json_object, text, texts, whole_number
from rebalance_proofs.recorded.readers import Row, in_turn, one_of
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.answers import OF_NODE
from rebalance_proofs.recorded.transition.case import BROADCASTING, STEP, Case
from rebalance_proofs.recorded.transition.dialect import Dialect
from rebalance_proofs.recorded.transition.entries import ABSENT, queue_name, read_queue
from rebalance_proofs.recorded.transition.node import ENTRY
from rebalance_proofs.recorded.tsv import number

MEMORY_OFFSET = 55
"""What the offset store's memory has of every queue that is there before the first step."""


class NodeCase(Case):
    """Queues and topics are keys of the inputs."""

    inputs = Objects(
        {
            "cids": json_object,
            "have": json_object,
            "model": in_turn(text, one_of(BROADCASTING)),
            "q": json_object,
            "route": json_object,
            "strategy": text,
            "sub": texts,
        }
    )
    steps = Objects({**STEP, "memoryOffsets": json_object})
    methods: ClassVar = {"persistConsumerOffset": "persist_consumer_offset"}
    throwing = frozenset({THROWS})

    def __init__(self, dialect: Dialect, given: Row) -> None:
        for key in given.fields:
            if key not in self.inputs.keys:
                raise RowError(f"the input {quoted(key)} is none of {', '.join(self.inputs.keys)}")
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
                all_at_once(self.environment, client.do_rebalance, client.do_rebalance)
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
    """An input that has something of each queue."""
    return {read_queue(name, key): found for name, found in given.get(key, {}).items()}


def texts_of(found: Mapping[str, Any]) -> dict[str, str]:
    """Answers are texts; a number is read like its text."""
    return {key: said if isinstance(said, str) else str(whole_number(said, key)) for key, said in found.items()}


def read_answers(otherwise: Answers, given: Mapping[str, str]) -> Answers:
    """Answers of one queue, by their names; those that are not given, or ``-``, are those of ``otherwise``."""
    found = otherwise
    for key, said in given.items():
        if key not in OF_NODE:
            raise RowError(f"{quoted(key)} is none of {', '.join(OF_NODE)}")
        if said != ABSENT:
            found = found._replace(**OF_NODE[key](said, key))
    return found
