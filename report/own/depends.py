"""What a strategy's answers depend on besides its arguments, in words, and what to do."""

from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.spark_enum.own.differs import Why

__all__ = ["depends"]

PYTHON = {
    Why.HASHES: (
        "it goes by hash(), which gives another number in every process (PYTHONHASHSEED), and each consumer is a "
        "process of its own: take hashlib or zlib.crc32 of the names instead"
    ),
    Why.ORDER: (
        "it goes by the order of a set, which is another one in every process (PYTHONHASHSEED), and each consumer is a "
        "process of its own: sort it first"
    ),
    Why.TIME: "it goes by the time, and consumers do not rebalance at the same time: leave clocks out of it",
    Why.RANDOM: "it draws random numbers, other ones in every process and call: leave them out of it",
    Why.SEVERAL: "it goes by several things of these: hash(), the order of a set, random numbers, the time",
    Why.CALLS: (
        "it goes by what it was asked before (a counter, a cache, a list that it keeps), and a consumer that has just "
        "started was asked nothing: let it go by its arguments alone"
    ),
    Why.PROCESS: (
        "it goes by something else that differs from process to process: its number, addresses of objects (id()), "
        "the environment, a file"
    ),
}
JAVA = {
    **PYTHON,
    Why.HASHES: (
        "it goes by the hashCode() of objects that have none of their own (Object.hashCode()), or by the order of a "
        "set of these, which differ from JVM to JVM, and each consumer is one of its own: take the hashCode() of names"
    ),
    Why.RANDOM: "it draws random numbers, or goes by a clock of less than a millisecond: leave them out of it",
    Why.PROCESS: (
        "it goes by something that is fixed when a JVM starts, and differs from JVM to JVM: a random number or a time "
        "taken then, the order of Set.of and Map.of, its process id, the environment, a file"
    ),
}


def depends(answer: Answer) -> str:
    """The sentence, without a full stop; empty if the strategy repeats itself."""
    why = answer.checked.why
    return (JAVA if answer.strategy.language == "java" else PYTHON)[why] if why else ""
