"""The Java client's cases of ``scripted.jsonl``: whole rebalances, broker locks and shutdown, several steps each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.client.assignment import BROKER_EXCEPTION, TIMEOUT, Answer, Assignment
from rebalance_proofs.model.client.broker_rebalance import BrokerRebalance
from rebalance_proofs.model.client.effects import ALLOCATE, DROP, IN, PROCESS_QUEUE_LOCKED, TRY_UNLOCK_TIMES, Effect
from rebalance_proofs.model.client.environment import BENIGN, Answers, Environment
from rebalance_proofs.model.client.errors import RuntimeException
from rebalance_proofs.model.client.process_queue import FREE, ProcessQueue
from rebalance_proofs.model.client.settings import Listener, Settings
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded import jsonl
from rebalance_proofs.recorded.jsonl import Row, value
from rebalance_proofs.recorded.tally import RowError, Unmodelled
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.java_call import java_client
from rebalance_proofs.recorded.transition.java_notation import (
    KIND,
    LOCKED_LONG_AGO,
    NOW,
    PULL_EXPIRED,
    effects_text,
    entry,
    lock_answer,
    offset_answer,
    persist_answer,
    post_text,
    queue_name,
    thrown_text,
)
from rebalance_proofs.recorded.tsv import choice, number
from rebalance_proofs.recorded.values import int32

__all__ = ["run"]

CLIENT_ID = "C1"
VOID = "void"

INPUTS = frozenset(
    {"kind", "model", "orderly", "strategy", "subscribed", "listener", "clientRebalance", "thrTopic", "thrSizeTopic"}
)
"""Besides those of one queue or topic, which are written ``have:T/b0/0`` or ``route:T``."""

BROADCASTING = {"BROADCASTING": True, "CLUSTERING": False}
LISTENERS = {listener.value: listener for listener in Listener}
ANSWERS: Mapping[str, Callable[[str, str], dict[str, Any]]] = {
    "lock": lock_answer,
    "off": offset_answer,
    "persist": persist_answer,
}
MODES = {"PULL": "pull", "POP": "pop"}
ANSWERS_WITHOUT_QUEUES: Mapping[str, Answer] = {
    "empty": Assignment(),
    "null": None,
    BROKER_EXCEPTION: BROKER_EXCEPTION,
    TIMEOUT: TIMEOUT,
}
SETTERS = frozenset({DROP, TRY_UNLOCK_TIMES, PROCESS_QUEUE_LOCKED})
"""Effects that were observed only on entries that were there before the first step."""


class ScriptedError(Exception):
    """What a strategy throws that is made to."""


def run(version: str, case: Row) -> list[dict[str, Any]]:
    """The steps of the case as the model computes them, in the file's notation.

    Raises ``RowError`` for a bad case, and ``Unmodelled`` for a step that is not known.
    """
    script = Script(version, value(case, "in"))
    return [script.step(jsonl.text(value(step, "op"), "op")) for step in value(case, "steps")]


class Script:
    """One client and its environment, between two steps."""

    def __init__(self, version: str, given: Row) -> None:
        self.given = given
        self.answers: dict[MessageQueue, Answers] = {}
        self.environment = Environment(self.answers, NOW)
        self.orderly = self._flag("orderly", False)
        self.client = java_client(version, self.environment, self._settings())
        self.client.subscription_inner = self._texts("subscribed", given.get("subscribed", []))
        self.client.allocate = self._allocation(jsonl.text(value(given, "strategy"), "strategy"))
        self.client.topic_subscribe_info_table = routes = {}
        self.client.consumer_ids = self.consumer_ids = {}
        assignments: dict[str, Answer] = {}
        for key, found in given.items():
            about, _, name = key.partition(":")
            match about:
                case "have":
                    self.client.process_queue_table[_queue(name, key)] = entry(jsonl.text(found, key), key)
                case "script":
                    self.answers[_queue(name, key)] = _answers(self._texts(key, found), key)
                case "route":
                    routes[name] = tuple(dict.fromkeys(_queue(each, key) for each in self._texts(key, found)))
                case "cids":
                    self.consumer_ids[name] = self._texts(key, found)
                case "cidsImmutable":
                    self.consumer_ids[name] = tuple(self._texts(key, found))
                case "assignment":
                    assignments[name] = _assigned(name, jsonl.text(found, key), key)
                case _ if key not in INPUTS:
                    raise RowError(f"in has {quoted(key)}, which is not an input")
        if isinstance(self.client, BrokerRebalance):
            self.client.assignments = assignments
        self.former: dict[MessageQueue, ProcessQueue] = dict(self.client.process_queue_table)
        self.replaced: set[MessageQueue] = set()
        """Queues that have had a new entry."""

    def step(self, op: str) -> dict[str, Any]:
        """One operation, and how the client is after it."""
        self.environment.effects.clear()
        returned, thrown = VOID, None
        try:
            result = self._operate(op)
            returned = VOID if result is None else str(result).lower()
        except RuntimeException as error:
            returned, thrown = None, thrown_text(error)
        return {
            "op": op,
            "ret": returned,
            "exc": thrown,
            "effects": effects_text(self._observed(), queue_name),
            "table": {
                queue_name(queue): post_text(found, self.former.get(queue))
                for queue, found in self.client.process_queue_table.items()
            },
            "pendingDelayed": len(self.environment.scheduled),
        }

    def _operate(self, op: str) -> bool | None:
        client = self.client
        match op.split(" "):
            case ["doRebalance"]:
                return client.do_rebalance(self.orderly)
            case ["rebalanceByTopic", topic]:
                return client.rebalance_by_topic(topic, self.orderly)
            case ["removeProcessQueue", name]:
                client.remove_process_queue(_queue(name, "op"))
            case ["lockAll"]:
                client.lock_all()
            case ["unlockAll"]:
                client.unlock_all()
            case ["destroy"]:
                client.destroy()
            case ["fire"]:
                tasks, self.environment.scheduled[:] = list(self.environment.scheduled), []
                for task in tasks:
                    task()
            case ["truncate"]:
                client.truncate_message_queue_not_my_topic()
            case ["unsub", topic]:
                client.subscription_inner = tuple(each for each in client.subscription_inner if each != topic)
            case ["resub", topic]:
                client.subscription_inner = tuple(dict.fromkeys((*client.subscription_inner, topic)))
            case ["setCids", topic, ids]:
                self.consumer_ids[topic] = ids.split(",") if ids else []
            case ["setLock", name, said]:
                self._answer(name, lock_answer(said, "op"))
            case ["setOff", name, said]:
                self._answer(name, offset_answer(said, "op"))
            case ["setPersist", name, said]:
                self._answer(name, persist_answer(said, "op"))
            case ["expire", name]:
                self._held(name).last_pull_timestamp = PULL_EXPIRED
            case ["age", name]:
                self._held(name).last_lock_timestamp = LOCKED_LONG_AGO
            case ["free", name]:
                self._held(name).consume_lock = FREE
            case _:
                raise Unmodelled(f"op is {quoted(op)}, which no client can be told")
        return None

    def _held(self, name: str) -> ProcessQueue:
        queue = _queue(name, "op")
        if queue not in self.client.process_queue_table:
            raise RowError(f"op is about {quoted(name)}, which the client does not hold")
        return self.client.process_queue_table[queue]

    def _answer(self, name: str, said: Mapping[str, Any]) -> None:
        queue = _queue(name, "op")
        self.answers[queue] = self.answers.get(queue, BENIGN)._replace(**said)

    def _observed(self) -> list[Effect]:
        """The effects without those that set something in an entry that is new since the case began."""
        found = []
        for effect in self.environment.effects:
            name, queue = effect[:2]
            if name == IN:
                self.replaced.add(queue)
            if name not in SETTERS or queue not in self.replaced:
                found.append(effect)
        return found

    def _settings(self) -> Settings:
        listener = self.given.get("listener")
        return Settings(
            kind=choice(jsonl.text(value(self.given, "kind"), "kind"), KIND, "kind"),
            orderly=self.orderly,
            broadcasting=choice(jsonl.text(value(self.given, "model"), "model"), BROADCASTING, "model"),
            pull_threshold_for_topic=jsonl.whole_number(self.given.get("thrTopic", -1), "thrTopic"),
            pull_threshold_size_for_topic=jsonl.whole_number(self.given.get("thrSizeTopic", -1), "thrSizeTopic"),
            listener=None if listener is None else choice(jsonl.text(listener, "listener"), LISTENERS, "listener"),
            client_rebalance=self._flag("clientRebalance", True),
        )

    def _flag(self, key: str, otherwise: bool) -> bool:
        found = self.given.get(key, otherwise)
        if not isinstance(found, bool):
            raise RowError(f"{key} is {quoted(found)}, neither true nor false")
        return found

    def _texts(self, what: str, found: Any) -> list[str]:
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            raise RowError(f"{what} is {quoted(found)}, not a list of texts")
        return found

    def _allocation(self, strategy: str) -> Callable[[Sequence[MessageQueue], Sequence[str]], Any]:
        """``avg``; ``throwRT`` and ``throwErr``; ``null``; or the queues that it returns whatever it is given."""
        throws = strategy in ("throwRT", "throwErr")
        always = None if strategy in ("avg", "null") or throws else [_queue(n, "strategy") for n in strategy.split(",")]

        def allocate(mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> Sequence[MessageQueue] | None:
            self.environment.record(ALLOCATE, None, len(mq_all), tuple(cid_all), strategy)
            if throws:
                raise ScriptedError(strategy)
            return JAVA_V5.allocate(AVERAGELY, CLIENT_ID, mq_all, cid_all) if strategy == "avg" else always

        return allocate


def _queue(name: str, what: str) -> MessageQueue:
    match name.split("/"):
        case [topic, broker_name, queue_id]:
            return MessageQueue(topic, broker_name, int32(number(queue_id, "queueId")))
    raise RowError(f"{what} has {quoted(name)}, which is not topic/broker/queueId")


def _answers(said: Sequence[str], what: str) -> Answers:
    """Written ``["lock=ok", "off=100", "persist=ok"]``."""
    fields: dict[str, Any] = {}
    for each in said:
        name, _, word = each.partition("=")
        fields |= choice(name, ANSWERS, what)(word, what)
    return BENIGN._replace(**fields)


def _assigned(topic: str, text: str, what: str) -> Answer:
    """What the broker answers: ``PULL`` or ``POP`` and queues, ``empty``, ``null``, ``brokerexc``, ``timeout``.

    A queue of the topic on broker ``b0`` can be written as its queueId alone.
    """
    mode, *names = text.split(" ")
    if mode not in MODES:
        return choice(text, ANSWERS_WITHOUT_QUEUES, what)
    queues = [_queue(f"{topic}/b0/{name}" if name.isdigit() else name, what) for name in names]
    return Assignment(**{MODES[mode]: queues})
