"""``pairs.tsv``: two queues of one topic in one call, and whether either of them fares as it does alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.client.effects import Effect, about
from rebalance_proofs.model.client.environment import Answers, Environment
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows
from rebalance_proofs.recorded.transition import java_hash
from rebalance_proofs.recorded.transition.java_call import Called, call, compare_cells, java_client, named_cells
from rebalance_proofs.recorded.transition.java_notation import (
    ABSENT,
    NOW,
    cell,
    effects_text,
    entry,
    former_text,
    lock_answer,
    offset_answer,
    persist_answer,
    post_text,
)
from rebalance_proofs.recorded.tsv import choice, flag, queues
from rebalance_proofs.recorded.values import TOPIC

__all__ = ["FORMAT"]

FILE = "transition/pairs.tsv"
NAMES = ("A", "B")
OF_A_QUEUE = ("mq", "pre", "inSet", "lock", "off", "persist")
INPUTS = ("argOrder", "consumeOrderly", "model")
ORDERS = ("tableOrder", "setOrder")
OUTPUTS = ("postA", "postB", "changed", "exc", "oldA", "oldB", "effects", "later", "independent")
QUEUE_COLUMNS = tuple(f"{name}.{column}" for name in NAMES for column in OF_A_QUEUE)
COLUMNS = ("ver", "id", *INPUTS, *ORDERS, *QUEUE_COLUMNS, *OUTPUTS)

BROADCASTING = {"C": False, "B": True}


@dataclass(frozen=True)
class Queue:
    """The inputs about one of both queues."""

    queue: MessageQueue
    pre: str
    in_set: bool
    answers: Answers

    def entry(self) -> ProcessQueue | None:
        """Its entry before the call, made anew for every call."""
        return None if self.pre == ABSENT else entry(self.pre, "pre")


def check_row(tally: Tally, line: Line) -> None:
    """What becomes of both, what the call says and does in all, and in which order it meets them."""
    row = named_cells(line.text, COLUMNS, (*ORDERS, *OUTPUTS))
    found = {name: _queue(row, name) for name in NAMES}
    if found["A"].queue == found["B"].queue:
        raise RowError("A and B are one queue")
    names = {found[name].queue: name for name in NAMES}
    settings = Settings(
        orderly=flag(row["consumeOrderly"], "consumeOrderly"), broadcasting=choice(row["model"], BROADCASTING, "model")
    )
    order = flag(row["argOrder"], "argOrder")
    both = list(found.values())
    called = _call(row["ver"], settings, order, both)
    held, mq_set = list(called.former), [each.queue for each in both if each.in_set]
    computed = {
        "tableOrder": _order("table", held, names),
        "setOrder": _order("set", mq_set, names),
        **{f"post{name}": _post(called, found[name].queue) for name in NAMES},
        "changed": called.changed,
        "exc": called.thrown,
        **{f"old{name}": former_text(called.former.get(found[name].queue)) for name in NAMES},
        "effects": cell(effects_text(called.effects, names.__getitem__)),
        "later": called.later_cell(names.__getitem__),
        "independent": f"{all(_fares_as_alone(row['ver'], settings, order, each, called) for each in both):d}",
    }
    compare_cells(tally, line, row, computed)


def _queue(row: Mapping[str, str], name: str) -> Queue:
    mq, pre, in_set, lock, off, persist = (f"{name}.{column}" for column in OF_A_QUEUE)
    (queue,) = queues(row[mq], 1, mq)
    if row[pre] != ABSENT:
        entry(row[pre], pre)
    answers = Answers(
        **lock_answer(row[lock], lock), **offset_answer(row[off], off), **persist_answer(row[persist], persist)
    )
    return Queue(queue, row[pre], flag(row[in_set], in_set), answers)


def _call(version: str, settings: Settings, order: bool, found: Sequence[Queue]) -> Called:
    client = java_client(version, Environment({each.queue: each.answers for each in found}, NOW), settings)
    entries = {each.queue: former for each in found if (former := each.entry())}
    mq_set = dict.fromkeys(each.queue for each in found if each.in_set)
    return call(client, TOPIC, mq_set, order, entries)


def _order(table: str, found: Sequence[MessageQueue], names: Mapping[MessageQueue, str]) -> str:
    return "".join(names[queue] for queue in java_hash.iterate(table, found, len(found))) or ABSENT


def _post(called: Called, queue: MessageQueue) -> str:
    return post_text(called.client.process_queue_table.get(queue), called.former.get(queue))


def _fares_as_alone(version: str, settings: Settings, order: bool, found: Queue, together: Called) -> bool:
    """Its state and its own effects, later ones too, are those of a call with this queue alone."""
    return _fare(_call(version, settings, order, [found]), found.queue) == _fare(together, found.queue)


def _fare(called: Called, queue: MessageQueue) -> tuple[str, str, tuple[Effect, ...], tuple[Effect, ...]]:
    former = former_text(called.former.get(queue))
    return _post(called, queue), former, about(called.effects, queue), about(called.later, queue)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """One file."""
    return (check_rows(found[FILE], check_row, "\t".join(COLUMNS)),)


FORMAT = Format(files=(FILE,), check=check)
