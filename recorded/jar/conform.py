"""Compare all allocation strategies in a Java client's jar with the model of that client."""

import re
from collections.abc import Callable, Sequence

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.own.errors import StrategyError
from rebalance_proofs.model.own.java.worker import JavaWorker
from rebalance_proofs.model.profiles.profile import ClientError, Profile
from rebalance_proofs.recorded.jar.compare import Compared, Difference, compare, throws
from rebalance_proofs.recorded.jar.shipped import CLASSES, SHIPPED, Shipped

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
