"""Sentences about hidden inputs of a strategy, such as the time, and how to remove them."""

from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.spark_enum.own.differs import Why

PYTHON = {
    Why.HASHES: (
        "it uses hash(), whose values differ between processes (PYTHONHASHSEED), and each consumer is a separate "
        "process; use hashlib or zlib.crc32 of the names instead"
    ),
    Why.ORDER: (
        "it uses the order of a set, which differs between processes (PYTHONHASHSEED), and each consumer is a separate "
        "process; sort the set first"
    ),
    Why.TIME: "it uses the time, and consumers do not rebalance at the same time; do not use clocks",
    Why.RANDOM: "it uses random numbers, which differ between processes and calls; do not use them",
    Why.SEVERAL: "it uses several of these: hash(), the order of a set, random numbers, the time",
    Why.CALLS: (
        "it uses earlier calls (a counter, a cache, a stored list), which a new consumer does not have; use only the "
        "arguments"
    ),
    Why.PROCESS: (
        "it uses something else that differs between processes: the process id, addresses of objects (id()), the "
        "environment, a file"
    ),
}
JAVA = {
    **PYTHON,
    Why.HASHES: (
        "it uses Object.hashCode(), or the order of a set of objects without their own hashCode(). Both differ "
        "between JVMs, and each consumer is a separate JVM; use the hashCode() of names"
    ),
    Why.RANDOM: "it uses random numbers, or a clock finer than a millisecond; do not use them",
    Why.PROCESS: (
        "it uses something that differs between JVMs: a random number or time at the start, the order of Set.of and "
        "Map.of, the process id, the environment, a file"
    ),
}


def depends(answer: Answer) -> str:
    """Return why repeated calls of the strategy return different results; empty if they do not."""
    why = answer.checked.why
    return (JAVA if answer.strategy.language == "java" else PYTHON)[why] if why else ""
