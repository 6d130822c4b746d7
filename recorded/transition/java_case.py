"""What the Java client's cases have that others have not."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rebalance_proofs.model.client.assignment import BROKER_EXCEPTION, TIMEOUT, Answer, Assignment
from rebalance_proofs.model.client.broker_rebalance import BrokerRebalance
from rebalance_proofs.model.client.effects import DROP, IN, PROCESS_QUEUE_LOCKED, TRY_UNLOCK_TIMES, Effect
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.errors import NULL_POINTER
from rebalance_proofs.model.client.process_queue import FREE
from rebalance_proofs.model.client.settings import Listener, Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Objects, flag, text, texts, whole_number
from rebalance_proofs.recorded.readers import Row, in_turn, one_of, unless
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.answers import OF_JAVA
from rebalance_proofs.recorded.transition.case import BROADCASTING, STEP, Case
from rebalance_proofs.recorded.transition.dialect import Dialect
from rebalance_proofs.recorded.transition.entries import read_queue
from rebalance_proofs.recorded.transition.java import ENTRY, KIND

MODES = {"PULL": "pull", "POP": "pop"}
ANSWERS_WITHOUT_QUEUES: Mapping[str, Answer] = {
    "empty": Assignment(),
    "null": None,
    BROKER_EXCEPTION: BROKER_EXCEPTION,
    TIMEOUT: TIMEOUT,
}
SETTERS = frozenset({DROP, TRY_UNLOCK_TIMES, PROCESS_QUEUE_LOCKED})
"""Effects that were observed only on entries that were there before the first step."""


def pinned_thrown(found: str, what: str) -> str:
    """What of a recorded exception is compared: the text of a NullPointerException is the virtual machine's own."""
    return NULL_POINTER if found.partition(":")[0] == NULL_POINTER else found


class JavaCase(Case):
    """Queues and topics are parts of the inputs' names, which are written ``have:T/b0/0`` or ``route:T``."""

    inputs = Objects(
        {
            "kind": in_turn(text, one_of(KIND)),
            "model": in_turn(text, one_of(BROADCASTING)),
            "orderly": flag,
            "strategy": text,
            "subscribed": texts,
            "listener": unless(None, in_turn(text, one_of({listener.value: listener for listener in Listener}))),
            "clientRebalance": flag,
            "thrTopic": whole_number,
            "thrSizeTopic": whole_number,
        }
    )
    steps = Objects({**STEP, "exc": unless(None, in_turn(text, pinned_thrown)), "pendingDelayed": whole_number})
    methods: ClassVar = {
        "lockAll": "lock_all",
        "unlockAll": "unlock_all",
        "destroy": "destroy",
        "truncate": "truncate_message_queue_not_my_topic",
    }
    throwing = frozenset({"throwRT", "throwErr"})

    def __init__(self, dialect: Dialect, given: Row) -> None:
        orderly = given.get("orderly", False)
        settings = Settings(
            kind=given["kind"],
            orderly=orderly,
            broadcasting=given["model"],
            pull_threshold_for_topic=given.get("thrTopic", -1),
            pull_threshold_size_for_topic=given.get("thrSizeTopic", -1),
            listener=given.get("listener"),
            client_rebalance=given.get("clientRebalance", True),
        )
        super().__init__(dialect, {}, settings, orderly)
        client = self.client
        client.subscription_inner = given.get("subscribed", [])
        client.allocate = self.allocation(given["strategy"])
        client.topic_subscribe_info_table = routes = {}
        client.consumer_ids = {}
        assignments: dict[str, Answer] = {}
        for key, found in given.fields.items():
            about, _, name = key.partition(":")
            match about:
                case "have":
                    client.process_queue_table[read_queue(name, key)] = ENTRY(text(found, key), key)
                case "script":
                    self.answers[read_queue(name, key)] = read_answers(dialect.benign, texts(found, key), key)
                case "route":
                    routes[name] = tuple(dict.fromkeys(read_queue(each, key) for each in texts(found, key)))
                case "cids":
                    client.consumer_ids[name] = texts(found, key)
                case "cidsImmutable":
                    client.consumer_ids[name] = tuple(texts(found, key))
                case "assignment":
                    assignments[name] = read_assignment(name, text(found, key), key)
                case _ if key not in self.inputs.keys:
                    raise RowError(f"in has {quoted(key)}, which is not an input")
        if isinstance(client, BrokerRebalance):
            client.assignments = assignments
        self.former.update(client.process_queue_table)
        self.replaced: set[MessageQueue] = set()
        """Queues that have had a new entry."""

    def operate_alone(self, op: Sequence[str]) -> None:
        match op:
            case ["fire"]:
                tasks, self.environment.scheduled[:] = list(self.environment.scheduled), []
                for task in tasks:
                    task()
            case ["setLock" | "setOff" | "setPersist" as setter, name, word]:
                said = OF_JAVA[setter.removeprefix("set").lower()](word, "op")
                queue = read_queue(name, "op")
                self.answers[queue] = self.answers.get(queue, self.dialect.benign)._replace(**said)
            case ["free", name]:
                self.held(name).consume_lock = FREE
            case _:
                super().operate_alone(op)

    def besides(self) -> dict[str, Any]:
        return {"pendingDelayed": len(self.environment.scheduled)}

    def observed(self) -> list[Effect]:
        """Not those that set something in an entry that is new since the case began."""
        found = []
        for effect in self.environment.effects:
            name, queue = effect[:2]
            if name == IN:
                self.replaced.add(queue)
            if name not in SETTERS or queue not in self.replaced:
                found.append(effect)
        return found


def read_answers(benign: Answers, said: Sequence[str], what: str) -> Answers:
    """Written ``["lock=ok", "off=100", "persist=ok"]``."""
    found = benign
    for each in said:
        name, _, word = each.partition("=")
        found = found._replace(**one_of(OF_JAVA)(name, what)(word, what))
    return found


def read_assignment(topic: str, found: str, what: str) -> Answer:
    """What the broker answers: ``PULL`` or ``POP`` and queues, ``empty``, ``null``, ``brokerexc``, ``timeout``.

    A queue of the topic on broker ``b0`` can be written as its queueId alone.
    """
    mode, *names = found.split(" ")
    if mode not in MODES:
        return one_of(ANSWERS_WITHOUT_QUEUES)(found, what)
    queues = [read_queue(f"{topic}/b0/{name}" if name.isdigit() else name, what) for name in names]
    return Assignment(**{MODES[mode]: queues})
