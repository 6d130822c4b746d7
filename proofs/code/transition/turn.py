"""One symbolic rebalance of a table with at most one queue, run by the client's code."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.client import local_file_offset_store, remote_broker_offset_store
from rebalance_proofs.model.client.effects import Effect, about
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.model.transition.rounds import queue_of
from rebalance_proofs.model.transition.variables import QUEUE
from rebalance_proofs.proofs.code.run import Run
from rebalance_proofs.proofs.code.terms import Number, Truth
from rebalance_proofs.proofs.code.transition.unknowns import UnknownAnswers, UnknownSettings, Value, is_instance

STORES = (local_file_offset_store, remote_broker_offset_store)
BENIGN = {known.name: known.benign for known in QUEUE} | {"memory": NO_OFFSET}


@dataclass(frozen=True)
class Outcome:
    """The observable outcome of one path through a rebalance.

    Its numbers and truth values may be symbolic.
    """

    effects: tuple[Effect, ...]
    changed: bool | None
    """Whether the rebalance returns that the table changed; None if it threw an exception."""
    entry: ProcessQueue | None
    """The queue's entry in the process queue table afterwards; None if there is none."""
    fresh: bool
    """Whether the entry is a new object, created by this rebalance."""
    memory: int | Number
    """The queue's offset in the client's offset store in memory; ``NO_OFFSET`` for none."""


def turn(run: Run, client: Client, mode: Mode) -> Outcome:
    """Run the rebalance from an arbitrary state, with arbitrary answers."""

    def holds(name: str) -> bool:
        return run.decide(smt.Int(name) == 1)

    mine = holds("mine")
    retry = mine and holds("retry")
    queue, topic = queue_of(0, mine, retry), queue_of(0, 1, retry).topic
    driver: Any = client.drive(mode, 0)  # the annotations are int, but the numbers are symbolic
    rebalance = driver._rebalance
    rebalance.settings = UnknownSettings(run, rebalance.settings)
    if run.decide(smt.Int("memory") >= 0):
        driver.memory[queue] = Value(run, smt.Int("memory"))
    before = None
    if holds("present"):
        driver.put(queue, BENIGN)
        before = driver.table[queue]
        before.dropped, before.locked = (Truth(run, smt.Int(name) == 1) for name in ("dropped", "locked"))
        before.last_pull_timestamp = Value(run, NOW - smt.Int("pull_age"))
        before.last_lock_timestamp = Value(run, NOW - smt.Int("lock_age"))
        before.consume_lock, before.cached = (Value(run, smt.Int(name)) for name in ("consume_lock", "cached"))
    mq_set = [queue] if holds("in_set") else []
    with _numbers_are_integers():
        done = driver.update({queue: UnknownAnswers(run)}, topic, mq_set)
    entry = driver.table.get(queue)
    return Outcome(
        effects=about(done.effects, queue),
        changed=done.changed,
        entry=entry,
        fresh=entry is not before,
        memory=driver.memory.get(queue, NO_OFFSET),
    )


@contextmanager
def _numbers_are_integers() -> Iterator[None]:
    """Make ``isinstance`` treat symbolic numbers as integers.

    This affects the two modules of the client's code that call it.
    """
    for module in STORES:
        vars(module)["isinstance"] = is_instance
    try:
        yield
    finally:
        for module in STORES:
            del vars(module)["isinstance"]
