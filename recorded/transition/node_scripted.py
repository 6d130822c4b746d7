"""The Node client's cases of ``scripted.jsonl``: whole rebalances, several steps each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.client.effects import ALLOCATE, Effect
from rebalance_proofs.model.client.environment import THROWS
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.node_environment import NodeEnvironment, scripted
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.client.turns import all_at_once
from rebalance_proofs.model.profiles.node import NODE
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded import jsonl
from rebalance_proofs.recorded.jsonl import Row, value
from rebalance_proofs.recorded.tally import RowError, Unmodelled
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.node_notation import (
    BENIGN,
    LOCKED_LONG_AGO,
    NOW,
    PULL_EXPIRED,
    answers,
    effect_text,
    entry,
    state,
)
from rebalance_proofs.recorded.tsv import choice, number
from rebalance_proofs.recorded.values import int32

CLIENT_ID = "C1"
MEMORY_OFFSET = 55
"""What the offset store's memory has of every queue that is there before the first step."""

INPUTS = frozenset({"cids", "have", "model", "q", "route", "strategy", "sub"})
BROADCASTING = {"BROADCASTING": True, "CLUSTERING": False}


def run(case: Row) -> list[dict[str, Any]]:
    """The steps of the case as the model computes them, in the file's notation.

    Raises ``RowError`` for a bad case, and ``Unmodelled`` for a step that is not known.
    """
    steps = value(case, "steps")
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise RowError(f"steps is {quoted(steps)}, not a list of objects")
    script = Script(_object(value(case, "in"), "in"))
    return [script.step(jsonl.text(value(step, "op"), "op")) for step in steps]


class Script:
    """One client and its environment, between two steps."""

    def __init__(self, given: Row) -> None:
        for key in given:
            if key not in INPUTS:
                raise RowError(f"the input {quoted(key)} is none of {', '.join(sorted(INPUTS))}")
        asked = {queue: _object(found, "q") for queue, found in _by_queue(given, "q").items()}
        self.answers = {queue: answers(_texts(found)) for queue, found in asked.items()}
        self.environment = NodeEnvironment(self.answers, NOW, BENIGN)
        model = jsonl.text(given.get("model", "CLUSTERING"), "model")
        self.client = Node(self.environment, Settings(broadcasting=choice(model, BROADCASTING, "model")))
        self.client.subscription_inner = tuple(_strings(given.get("sub", []), "sub"))
        self.client.topic_subscribe_info_table = {
            topic: _queues(queues, "route") for topic, queues in _object(given.get("route", {}), "route").items()
        }
        self.client.consumer_ids = {
            topic: THROWS if ids == THROWS else _strings(ids, "cids")
            for topic, ids in _object(given.get("cids", {}), "cids").items()
            if ids is not None
        }
        self.client.allocate = self._allocation(jsonl.text(given.get("strategy", "avg"), "strategy"))
        for queue, pre in _by_queue(given, "have").items():
            self.client.process_queue_table[queue] = entry(jsonl.text(pre, "have"), "have")
            self.client.offset_store.offset_table[queue] = MEMORY_OFFSET
        self.former: dict[MessageQueue, ProcessQueue] = dict(self.client.process_queue_table)

    def step(self, op: str) -> dict[str, Any]:
        """One operation, and how the client is after it."""
        self.environment.effects.clear()
        thrown = None
        try:
            self._operate(op)
        except ClientError as error:
            thrown = f"{error.exception}:{error.message}"
        table = {
            _name(queue): f"{'S' if found is self.former.get(queue) else 'N'}:{state(found)}:n{found.next_offset}"
            for queue, found in self.client.process_queue_table.items()
        }
        return {
            "op": op,
            "ret": "void" if thrown is None else None,
            "exc": thrown,
            "effects": [_effect(effect) for effect in self.environment.effects],
            "table": table,
            "memoryOffsets": {_name(queue): at for queue, at in self.client.offset_store.offset_table.items()},
        }

    def _operate(self, op: str) -> None:
        client = self.client
        match op.split(" "):
            case ["doRebalance"]:
                client.do_rebalance()
            case ["twoConcurrent"]:
                all_at_once(self.environment, client.do_rebalance, client.do_rebalance)
            case ["rebalanceByTopic", topic]:
                client.rebalance_by_topic(topic)
            case ["removeProcessQueue", name]:
                client.remove_process_queue(_queue(name, "op"))
            case ["persistConsumerOffset"]:
                client.persist_consumer_offset()
            case ["unsub", topic]:
                client.subscription_inner = tuple(each for each in client.subscription_inner if each != topic)
            case ["resub", topic]:
                client.subscription_inner = tuple(dict.fromkeys((*client.subscription_inner, topic)))
            case ["setCids", topic, ids]:
                client.consumer_ids[topic] = ids.split(",") if ids else []
            case ["set", name, key, said]:
                queue = _queue(name, "op")
                self.answers[queue] = answers({key: said}, self.answers.get(queue, BENIGN))
            case ["setMem", name, offset]:
                client.offset_store.offset_table[_queue(name, "op")] = number(offset, "op")
            case ["expire", name]:
                self._held(name).last_pull_timestamp = PULL_EXPIRED
            case ["age", name]:
                self._held(name).last_lock_timestamp = LOCKED_LONG_AGO
            case _:
                raise Unmodelled(f"op is {quoted(op)}, which no client can be told")

    def _held(self, name: str) -> ProcessQueue:
        queue = _queue(name, "op")
        if queue not in self.client.process_queue_table:
            raise RowError(f"op is about {quoted(name)}, which the client does not hold")
        return self.client.process_queue_table[queue]

    def _allocation(self, strategy: str) -> Callable[[Sequence[MessageQueue], Sequence[str]], Any]:
        """``avg``, ``throw``, ``null``, or the queues that it returns whatever it is given."""
        always = None if strategy in ("avg", THROWS, "null") else _queues(strategy.split(","), "strategy")

        def allocate(mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> Sequence[MessageQueue] | None:
            self.environment.effects.append((ALLOCATE, None, len(mq_all), tuple(cid_all), strategy))
            if strategy == THROWS:
                raise scripted("allocate")
            return NODE.allocate(AVERAGELY, CLIENT_ID, mq_all, cid_all) if strategy == "avg" else always

        return allocate


def _effect(effect: Effect) -> str:
    queue = effect[1]
    return effect_text(effect) + ("" if queue is None else f"@{_name(queue)}")


def _name(queue: MessageQueue) -> str:
    return f"{queue.topic}/{queue.broker_name}/{queue.queue_id}"


def _queue(name: str, what: str) -> MessageQueue:
    match name.split("/"):
        case [topic, broker_name, queue_id]:
            return MessageQueue(topic, broker_name, int32(number(queue_id, "queueId")))
    raise RowError(f"{what} has {quoted(name)}, which is not topic/broker/queueId")


def _queues(found: Any, what: str) -> list[MessageQueue]:
    return [_queue(name, what) for name in _strings(found, what)]


def _by_queue(given: Row, key: str) -> dict[MessageQueue, Any]:
    return {_queue(name, key): found for name, found in _object(given.get(key, {}), key).items()}


def _object(found: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise RowError(f"{what} is {quoted(found)}, not an object")
    return found


def _strings(found: Any, what: str) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise RowError(f"{what} is {quoted(found)}, not a list of texts")
    return found


def _texts(found: Mapping[str, Any]) -> dict[str, str]:
    """Answers are texts; a number is read like its text."""
    return {key: said if isinstance(said, str) else str(jsonl.whole_number(said, key)) for key, said in found.items()}
