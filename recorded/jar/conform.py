"""Compare all allocation strategies in a Java client's jar with the model of that client."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.own.call import ENDING, NULL, THROWS, Call, Gave, Outcome, Refused, Worker
from rebalance_proofs.model.own.java.worker import JavaWorker
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.profiles import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jar.shipped import CLASSES, SHIPPED, Shipped
from rebalance_proofs.recorded.outcome import NULL_POINTER

# Compare one strategy of a real client with the model's, call by call.

BATCH = 4096
"""Number of calls that are sent to the client and compared in one batch."""
SORTED = ""
"""The consumerGroup of a ``Difference.call`` that is an unsorted list: its other list and its currentCID are empty."""
PATIENCE = 3
"""Number of failed calls after which the rest is skipped.

A call fails if it hangs, ends its process, or uses too much memory.
"""


@dataclass(frozen=True)
class Difference:
    """A call with different outcomes in the client and in the model."""

    call: Call | None
    """The call of ``allocate``, or an unsorted list (``SORTED``); None for a constructor or a rebalance step."""
    client: str
    """The client's outcome, such as ``gives [0, 2]`` or ``throws NAME: MESSAGE``."""
    model: str
    """The model's outcome, in the same form as the client's."""
    case: str = ""
    """The inputs of a rebalance step, for people."""


@dataclass(frozen=True)
class Compared:
    """Result of comparing one strategy with one choice of constructor arguments."""

    name: str
    calls: int
    """Number of calls; 1, for the constructor, if the strategy cannot be constructed."""
    differ: int = 0
    smallest: Difference | None = None
    """The difference whose call has the fewest client ids, then the fewest queues.

    A call without empty arguments is preferred.
    """
    left_out: int = 0
    """Number of calls that were not compared, because earlier calls hung or ended their process."""


def compare(name: str, worker: Worker, profile: Profile, strategy: Strategy, calls: Sequence[Call]) -> Compared:
    """Compare the outcomes of all ``calls``, which are sorted smallest first.

    Raises ``StrategyError`` if the worker process cannot start.
    """
    made, differ, ended, smallest = 0, 0, 0, None
    while made < len(calls) and ended < PATIENCE:
        some = calls[made : made + BATCH]
        for call, outcome in zip(some, worker.answers(some), strict=False):
            made += 1
            ended += isinstance(outcome, Refused) and outcome.kind in ENDING
            if isinstance(outcome, Gave) and outcome.null:
                outcome = Refused(NULL, "returns null")  # the strategy's own answer is compared, not the client's
            if profile.refusal is None and isinstance(outcome, Refused) and outcome.kind == NULL:
                outcome = Gave(())  # a client without errors returns nil, its empty list
            expected = _of_model(profile, strategy, call)
            if not agrees(outcome, expected):
                differ += 1
                smallest = smallest or Difference(call, _told(outcome, call), _said(expected, call))
    return Compared(name, made, differ, smallest, len(calls) - made)


Expected = list[MessageQueue | None] | ClientError | None


def _of_model(profile: Profile, strategy: Strategy, call: Call) -> Expected:
    try:
        return profile.allocate(strategy, call.current_cid, call.mq_all, call.cid_all)
    except ClientError as error:
        return error


def agrees(outcome: Outcome, expected: Expected) -> bool:
    """Return True if both outcomes are the same.

    They are the same queues in the same order, null, or the same exception.
    """
    if isinstance(outcome, Gave):
        return isinstance(expected, list) and list(outcome.queues) == expected
    if outcome.kind == NULL:
        return expected is None
    return outcome.kind == THROWS and isinstance(expected, ClientError) and throws(outcome.what, expected)


def throws(what: str, error: ClientError) -> bool:
    """Return True if ``throws NAME: MESSAGE (File.java:12)`` is the error in the model.

    The text of a NullPointerException depends on the JVM and is not compared.
    """
    message = "(: .*)?" if error.exception == NULL_POINTER else f": {re.escape(error.message)}"
    return bool(re.fullmatch(rf"throws {re.escape(error.exception)}{message}( \([^()]*:\d+\))?", what, re.DOTALL))


def _told(outcome: Outcome, call: Call) -> str:
    return _given(outcome.queues, call) if isinstance(outcome, Gave) else outcome.what


def _said(expected: Expected, call: Call) -> str:
    if isinstance(expected, ClientError):
        return f"throws {expected}"
    return "returns null" if expected is None else _given(expected, call)


def _given(queues: Sequence[MessageQueue | None], call: Call) -> str:
    """Return a result as text; queues in mqAll are written as their positions in it."""
    places = {queue: str(place) for place, queue in reversed(list(enumerate(call.mq_all)))}
    names = ("null" if one is None else places.get(one) or f"{one.broker_name}:{one.queue_id}" for one in queues)
    return f"gives [{', '.join(names)}]"


BOUND = 32
"""Default for the largest number of consumers and of queues in compared calls."""
SHORT = ("-XX:TieredStopAtLevel=1",)
"""JVM options that suit many JVMs with little work each."""
ABSENT = "java.lang.NoClassDefFoundError"


def conform_jar(
    classpath: str,
    profile: Profile,
    *,
    bound: int = BOUND,
    shipped: Sequence[Shipped] | None = None,
    found: Callable[[Compared], None] = lambda compared: None,
) -> list[Compared]:
    """Compare all strategies, and call ``found`` with each result.

    A missing class is a difference. ``bound``: largest number of consumers and of queues. ``shipped``: the strategies
    to compare, by default all. Raises ``StrategyError`` if the classpath has no strategy of RocketMQ, if a class that
    they need is missing, or if there is no JVM.
    """
    results: list[Compared] = []
    missing: set[str] = set()
    waiting: list[Compared] = []  # results are kept until one class is found
    for one in SHIPPED if shipped is None else shipped:
        absent = CLASSES[one.strategy] in missing
        compared = _absent(one, CLASSES[one.strategy]) if absent else _compared(one, classpath, profile, bound)
        if compared.smallest and compared.smallest == _absent(one, CLASSES[one.strategy]).smallest:
            missing.add(CLASSES[one.strategy])
        results.append(compared)
        waiting.append(compared)
        if not all(map(_is_absent, results)):
            while waiting:
                found(waiting.pop(0))
    if waiting:
        raise StrategyError(
            f"the classpath contains none of RocketMQ's strategies, not even {CLASSES['AVG']}; add the client's jar"
        )
    return results


def _compared(shipped: Shipped, classpath: str, profile: Profile, bound: int) -> Compared:
    expected = of_model(shipped, profile)
    name = CLASSES[shipped.strategy]
    worker = JavaWorker(name, classpath, construction=shipped.construction, options=SHORT)
    try:
        worker.__enter__()
    except StrategyError as error:
        return _not_made(shipped, str(error), expected)
    with worker:
        if isinstance(expected, ClientError):
            return Compared(shipped.name, 1, 1, Difference(None, "is constructed", f"throws {expected}"))
        compared = compare(shipped.name, worker, profile, expected, shipped.calls(bound))
    if compared.smallest and compared.smallest.client.startswith(f"throws {ABSENT}"):
        missing = compared.smallest.client.removeprefix(f"throws {ABSENT}: ").partition(" ")[0].replace("/", ".")
        raise StrategyError(f"{name} needs {missing}, which is not on the classpath; add its jar")
    return compared


def of_model(shipped: Shipped, profile: Profile) -> Strategy | ClientError:
    """Return the model's strategy with the same arguments, or the error of its constructor."""
    strategy = profile.strategy(shipped.strategy)
    if strategy is None:
        raise LookupError(f"{profile.name} has no {shipped.strategy}")
    try:
        return profile.configured(strategy, **shipped.arguments(profile))
    except ClientError as error:
        return error


def _not_made(shipped: Shipped, complaint: str, expected: Strategy | ClientError) -> Compared:
    for absent in CLASSES.values():
        if complaint == f"there is no class {absent} on the classpath":
            return _absent(shipped, absent)
    name = CLASSES[shipped.strategy]
    thrown = re.fullmatch(rf"the constructor of {re.escape(name)} (throws .*)", complaint, re.DOTALL)
    if thrown and isinstance(expected, ClientError) and throws(thrown[1], expected):
        return Compared(shipped.name, 1)
    if thrown:
        said = f"throws {expected}" if isinstance(expected, ClientError) else "constructs it"
        return Compared(shipped.name, 1, 1, Difference(None, thrown[1], said))
    raise StrategyError(complaint)


def _absent(shipped: Shipped, name: str) -> Compared:
    return Compared(shipped.name, 0, 1, Difference(None, f"has no class {name}", "ships it"))


def _is_absent(compared: Compared) -> bool:
    return not compared.calls
