"""Dialect of the Java client, of every modelled release.

4.9.8, 5.1.4 and 5.3.3 were recorded. It includes cases that only Java has.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar

from rebalance_proofs.model.client.broker_rebalance import (
    BROKER_EXCEPTION,
    TIMEOUT,
    Answer,
    Assignment,
    BrokerRebalance,
)
from rebalance_proofs.model.client.effects import (
    DROP,
    IN,
    NULL_POINTER,
    PROCESS_QUEUE_LOCKED,
    TRY_UNLOCK_TIMES,
    Effect,
    RuntimeException,
)
from rebalance_proofs.model.client.environment import BENIGN, Answers, Environment
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_2
from rebalance_proofs.model.client.process_queue_table import FREE, ProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import KINDS, Listener, Settings
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.model.queues import MessageQueue, utf16_units
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.recorded.jsonl import Objects, flag, text, texts, whole_number
from rebalance_proofs.recorded.rows import Reader, Row, RowError, in_turn, one_of, quoted, unless
from rebalance_proofs.recorded.transition.calls import BROADCASTING_CASE, STEP, Case, shape
from rebalance_proofs.recorded.transition.notation import NOW, OF_JAVA, Dialect, entry_reader, merged, read_queue

# The order in which Java iterates its hash tables.
# The number of a table's buckets is a power of two, and it is iterated bucket by bucket; in a bucket the elements are
# in order of insertion. Not modelled: buckets that become trees (from 8 elements in one bucket on), and the growth of
# a ``ConcurrentHashMap`` (from 96 queues of one consumer on).

PROCESS_QUEUE_TABLE_BUCKETS = 128
"""Number of buckets of ``processQueueTable``, which is a ``ConcurrentHashMap(64)``."""
DEFAULT_BUCKETS = 16
SIZED = frozenset({"removed"})
SIZED_BY_4_9 = frozenset({"removed", "brokers"})
"""Maps that a client creates with the size of its table as capacity.

In 4.9, ``brokers`` is one.
"""
WORD = 0xFFFFFFFF


def string_hash(text: str) -> int:
    """Return ``String.hashCode`` as an unsigned number."""
    units, result = utf16_units(text), 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        result = (31 * result + (high << 8 | low)) & WORD
    return result


def queue_hash(queue: MessageQueue) -> int:
    """Return ``MessageQueue.hashCode`` as an unsigned number."""
    result = 31 + string_hash(queue.broker_name)
    result = 31 * result + queue.queue_id
    return (31 * result + string_hash(queue.topic)) & WORD


def iterate(table: str, queues: Collection[Any], held: int, sized: Collection[str] = SIZED) -> Iterable[Any]:
    """Return queues in the order in which Java iterates the map named ``table``.

    ``held`` is the number of the client's process queues. The maps in ``sized`` are created with the capacity ``held``,
    the others with the default one.
    """
    if table == "table":
        return _in_order(queues, queue_hash, PROCESS_QUEUE_TABLE_BUCKETS)
    if table == "topics":
        return topics_in_order(queues)
    buckets = _power_of_two(held) if table in sized else DEFAULT_BUCKETS
    if table != "brokers":
        return _in_order(queues, queue_hash, _grown(buckets, queues))
    # A map of brokers that is created with that capacity does not grow.
    return _in_order(queues, string_hash, buckets if table in sized else _grown(buckets, queues))


def topics_in_order(topics: Collection[str]) -> list[str]:
    """Return the subscribed topics in Java's order."""
    return _in_order(topics, string_hash, DEFAULT_BUCKETS)


def _in_order(elements: Iterable[Any], hash_of: Callable[[Any], int], buckets: int) -> list[Any]:
    def bucket(element: Any) -> int:
        code = hash_of(element)
        return (code ^ code >> 16) & buckets - 1

    return sorted(elements, key=bucket)


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 0).bit_length()


def _grown(buckets: int, elements: Collection[Any]) -> int:
    """Return the number of a ``HashMap``'s buckets after growth.

    A ``HashMap`` doubles it when its elements exceed three quarters of it.
    """
    while len(elements) * 4 > buckets * 3:
        buckets *= 2
    return buckets


VERSIONS: Mapping[str, type[RebalanceImpl]] = {
    generation.recorded: generation.made for generation in GENERATIONS if generation.recorded
}
"""Recorded version of the Java client -> its class in the model."""
OTHERS: Mapping[str, type[RebalanceImpl]] = {
    "5.0.0": JavaV5_0_0,
    **dict.fromkeys(("5.2.0", "5.3.0", "5.3.1"), JavaV5_2),
}
"""Release -> its class in the model, if it differs from the class of its generation in some modes."""

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
"""Name of an output of a call -> reader of its notation."""


def java_client(model: type[RebalanceImpl], environment: Environment, settings: Settings) -> RebalanceImpl:
    """Return a Java client of the model that iterates its tables in Java's order."""
    client = model(environment, settings)
    sized = SIZED_BY_4_9 if isinstance(client, JavaV4_9) else SIZED
    client.iterate = lambda table, queues: iterate(table, queues, len(client.process_queue_table), sized)
    return client


SCRIPTED = ("persist", "readOffset", "admin")
"""Names of those parts of the recording program that threw exceptions on purpose."""


def thrown(error: RuntimeException) -> str:
    """Return a thrown exception as text; exceptions of the recording program name their source."""
    (where,) = error.args
    return f"IllegalStateException:scripted {where}" if where in SCRIPTED else where


def state(found: ProcessQueue) -> str:
    """Return a process queue as text such as ``d1l0t2``: dropped, locked, ``tryUnlockTimes``."""
    return f"d{found.dropped:d}l{found.locked:d}t{found.try_unlock_times}"


def _dialect(version: str, model: type[RebalanceImpl]) -> Dialect[RebalanceImpl]:
    return Dialect(
        name=f"java {version}",
        profile=JAVA_V5,
        environment=partial(Environment, now=NOW),
        client=partial(java_client, model),
        benign=BENIGN,
        thrown=thrown,
        state=state,
        state_in_table=state,
    )


@cache
def of_release(release: str) -> Dialect[RebalanceImpl]:
    """Return the dialect of a modelled release, whether it was recorded or only read.

    Raises ``LookupError`` for another release.
    """
    for generation in GENERATIONS:
        if release in generation.releases:
            return _dialect(release, OTHERS.get(release, generation.made))
    raise LookupError(f"release {release} is not modelled")


JAVA: Mapping[str, Dialect[RebalanceImpl]] = {version: _dialect(version, model) for version, model in VERSIONS.items()}

ANSWERS_WITHOUT_QUEUES: Mapping[str, Answer] = {
    "empty": Assignment(),
    "null": None,
    BROKER_EXCEPTION: BROKER_EXCEPTION,
    TIMEOUT: TIMEOUT,
}
SETTERS = frozenset({DROP, TRY_UNLOCK_TIMES, PROCESS_QUEUE_LOCKED})
"""Effects that were observed only on process queues from before the first operation."""


def pinned_thrown(found: str, what: str) -> str:
    """Return the part of a recorded exception that is compared.

    The text of a NullPointerException depends on the JVM and is omitted.
    """
    return NULL_POINTER if found.partition(":")[0] == NULL_POINTER else found


class JavaCase(Case[RebalanceImpl]):
    """A case of the Java client.

    Names of inputs contain queues and topics, as ``have:T/b0/0`` or ``route:T``.
    """

    inputs = Objects(
        {
            "kind": in_turn(text, one_of(KIND)),
            "model": in_turn(text, one_of(BROADCASTING_CASE)),
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

    def __init__(self, dialect: Dialect[RebalanceImpl], given: Row) -> None:
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
        """Queues that got a new process queue since the case began."""

    def operate_alone(self, op: Sequence[str]) -> None:
        match op:
            case ["fire"]:
                scheduled = self.client.environment.scheduled
                tasks, scheduled[:] = list(scheduled), []
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
        return {"pendingDelayed": len(self.client.environment.scheduled)}

    def observed(self) -> Iterator[Effect]:
        """Yield effects, without effects of ``SETTERS`` on new process queues.

        New are those that were added since the case began.
        """
        for effect in self.environment.effects:
            name, queue = effect[:2]
            if name == IN:
                self.replaced.add(queue)
            if name not in SETTERS or queue not in self.replaced:
                yield effect


def read_answers(benign: Answers, said: Sequence[str], what: str) -> Answers:
    """Parse the broker's answers from a list such as ``["lock=ok", "off=100", "persist=ok"]``.

    ``benign``: answers for fields that the list does not give.
    """
    parts = (each.partition("=") for each in said)
    return benign._replace(**merged(one_of(OF_JAVA)(name, what)(word, what) for name, _, word in parts))


def read_assignment(topic: str, found: str, what: str) -> Answer:
    """Parse a broker's assignment of queues: ``PULL`` or ``POP`` with queues, or an error.

    Errors are ``empty``, ``null``, ``brokerexc`` and ``timeout``. A queue of the topic on broker ``b0`` can be written
    as its queueId alone.
    """
    mode, *names = found.split(" ")
    if mode not in ("PULL", "POP"):
        answer: Answer = one_of(ANSWERS_WITHOUT_QUEUES)(found, what)
        return answer
    queues = [read_queue(f"{topic}/b0/{name}" if name.isdigit() else name, what) for name in names]
    return Assignment(**{mode.lower(): queues})
