"""Sentences about hidden inputs of a strategy, such as the time, and how to remove them."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.caption import Assignment, Comparison, Row, assigned, told
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.shares.told import ranges
from rebalance_proofs.report.text.english import bracketed, capitalized, count, listing, shorten, shortened
from rebalance_proofs.spark_enum.own.repeated import Why

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


# Lines about proofs of a user-defined strategy: which code, and which guarantees are proved.

MEANINGS = {
    "returns": "every consumer gets a list, and no index is out of range",
    "inside": "a result has only queues of mqAll, and no queue twice",
    "disjoint": "no queue is given to two consumers",
    "balanced": "sizes differ by at most one",
    "covers": "every queue is given to some consumer",
}


def _with(answer: Answer) -> str:
    """Return a list of module constants that the proof relies on, with their values.

    The strategy's module computed them when it was loaded, so they can differ the next time.
    """
    constants = next((proof.constants for proof in answer.proofs if proof.constants), {})
    return f", with {listing(f'{name} = {value}' for name, value in constants.items())}" if constants else ""


def proved(answer: Answer) -> Iterator[str]:
    """Yield a line for each guarantee: proved, or why not. One line if all have the same reason."""
    if not answer.proofs:
        return
    code = next((proof.code for proof in answer.proofs if proof.code), answer.strategy.name)
    yield (
        f"Proofs by Z3 and cvc5 for all numbers of queues and consumers, if all consumers see the same lists with "
        f"their own id once. They are about the present code of {code} and of its callees{_with(answer)}:"
    )
    reasons = {proof.reason for proof in answer.proofs}
    if len(answer.proofs) > 1 and len(reasons) == 1 and not any(proof.proved for proof in answer.proofs):
        yield f"  not proved  {', '.join(proof.name for proof in answer.proofs)}: {reasons.pop()}"
        return
    for proof in answer.proofs:
        meaning = MEANINGS[proof.name]
        if proof.proved:
            how = f"; {proof.reason}" if proof.reason else ""
            yield f"  PROVED      {proof.name}: {meaning} ({count(len(proof.questions), 'step')}{how})"
        else:
            yield f"  not proved  {proof.name}: {meaning}: {proof.reason}"
    for name in answer.contradicted:
        yield f"  DISAGREE    {name} is proved, but broken in a group: a bug in this program, please report it"


# A group as a text grid: a row for each consumer, a column for each queue, and the queue's owner count.

NARROW = 24
"""Largest number of queues for which columns are separated by spaces."""
NAME = 28
"""Largest number of letters of a consumer's name."""


def grid(example: Counterexample) -> Iterator[str]:
    """Yield the lines of the grid."""
    found, compared = assigned(example.group)
    yield f"{count(len(found.rows), 'consumer')}, {count(found.queues, 'queue')}. {told(example)}"
    names = shortened([row.name for row in found.rows], NAME)
    wide = max(map(len, [*names, "taken by"]))
    for line in _header(found.queues):
        yield f"{'':{wide}}  {line}"
    for place, (row, name) in enumerate(zip(found.rows, names, strict=True)):
        cells = _spaced([_cell(row, queue, compared, place) for queue in range(found.queues)])
        yield f"{name:{wide}}  {cells}{_beside(row, found, compared)}"
    yield f"{'taken by':{wide}}  {_spaced([_number(len(readers)) for readers in found.readers])}"
    yield from _legend(compared)


def placed(queues: Sequence[MessageQueue]) -> str:
    """Return the queues at each position, in words: ``queues of orders: 0-3 = broker-a 0-3, 4 = broker-b 0``."""
    place, found = 0, []
    for broker, some in groupby(queues, lambda queue: queue.broker_name):
        ids = [queue.queue_id for queue in some]
        found.append(f"{ranges(range(place, place + len(ids)))} = {broker} {ranges(ids)}")
        place += len(ids)
    return f"queues of {queues[0].topic}: {', '.join(found)}"


def _header(queues: int) -> Iterator[str]:
    numbers = range(queues)
    if queues > 10:
        yield _spaced([str(number // 10) if number >= 10 else " " for number in numbers])
    yield _spaced([str(number % 10) for number in numbers])


def _spaced(cells: list[str]) -> str:
    return (" " if len(cells) <= NARROW else "").join(cells)


def _cell(row: Row, queue: int, compared: Comparison | None, place: int) -> str:
    takes = queue in row.takes
    if compared:
        had = queue in compared.had(place)
        return "#" if takes and had else "+" if takes else "-" if had else "."
    return "#" if takes else "." if queue in row.sees else " "


def _number(readers: int) -> str:
    return str(readers) if readers < 10 else "*"


def _beside(row: Row, found: Assignment, compared: Comparison | None) -> str:
    """Return remarks about one consumer, such as an error or its own lists."""
    said = []
    if row.instead:
        said.append(row.instead)
    if not found.agreed("cid_all") and not compared:
        said.append(f"cidAll {shorten(bracketed(row.consumer.cid_all), 60)}")
    if not found.agreed("mq_all") and not compared:
        said.append(f"mqAll {shorten(bracketed(row.sees), 60)}")
    if row.index is None:
        said.append("cidAll lacks its id")
    if not row.consumer.subscribes:
        said.append("does not subscribe to the topic")
    if row.elsewhere:
        said.append(f"takes {', '.join(row.elsewhere)}, not in the topic")
    if not found.one_strategy:
        said.append(row.consumer.strategy.rocketmq_name)
    return f"   {'; '.join(said)}" if said else ""


def _legend(compared: Comparison | None) -> Iterator[str]:
    if not compared:
        return
    if compared.earlier:
        rows = compared.earlier.rows
        yield f"At first: {'; '.join(f'{row.name} {bracketed(row.takes)}' for row in rows)}."
    first, second = (capitalized(title) for title in compared.titles)
    yield f"# both; - only {first[:1].lower()}{first[1:]}; + only {second[:1].lower()}{second[1:]}"
