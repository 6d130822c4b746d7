"""Cases of rebalance steps, and a real client's results in the columns of the recorded files.

Each function ``case`` returns the line for ``step.Main``, and each function ``outputs`` reads the results. Rows are
those of ``recorded.transition``: the cells of their inputs, by column.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.client.effects import WRITE_OFFSET
from rebalance_proofs.model.client.environment import EXC, OK, THROW
from rebalance_proofs.model.client.offset_stores import LocalFileOffsetStore
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jar.harness import Operation, Run
from rebalance_proofs.recorded.rows import TOPIC, Row, flag, number, one_of, unless
from rebalance_proofs.recorded.transition import java, offset, pairs, single, store
from rebalance_proofs.recorded.transition.calls import NOTHING, CallRows, call, put
from rebalance_proofs.recorded.transition.notation import (
    ABSENT,
    NOW,
    OF_JAVA_STORE,
    Dialect,
    effects_cell,
    if_asked,
    queue_name,
)

Cells = Mapping[str, str]
"""Column -> cell of one row."""
QUEUE = f"{TOPIC}/b0/0"


@dataclass(frozen=True)
class File:
    """A kind of recorded calls, with the functions that let a real client make them."""

    rows: CallRows[Any]
    """The columns, and the model's function from a row to its outputs."""
    cases: Callable[[Cells], Sequence[str]]
    """Function from a row's inputs to the cases of its call; the first one is the call itself.

    A cell of an answer can list several answers, separated by commas. The client makes the call with each one.
    """
    outputs: Callable[[Cells, Sequence[Run]], dict[str, str]]
    """Function from a row's inputs, and one run of each case, to the client's outputs."""
    asked: Mapping[str, str]
    """Column of a scripted answer -> the question of ``step.Main``."""
    queue: Callable[[Cells], str] = lambda cells: QUEUE
    """Function from a row's inputs to the name of its queue, for files with one queue."""


def _line(*fields: Iterable[str] | str) -> str:
    return "\t".join(field if isinstance(field, str) else " ".join(field) for field in fields if field)


def _scripts(queue: str, cells: Cells, columns: Mapping[str, str]) -> list[str]:
    """Return the scripted answers about a queue; an answer that is not given has its default."""
    return [f"script {queue} {name} {cells[column]}" for column, name in columns.items() if cells[column] != ABSENT]


def _have(queue: str, state: str) -> str:
    return "" if state == ABSENT else f"have {queue} {state}"


def _bare(effects: Iterable[str], names: Mapping[str, str]) -> str:
    """Return effects as a cell; ``names`` replaces the names of queues, an empty name is left out.

    The recorded order of process queues that leave the table at once is by name, as in the model's ``effects_text``.
    """
    return " ".join(_sorted(_renamed(effect, names) for effect in effects)) or ABSENT


def _renamed(effect: str, names: Mapping[str, str]) -> str:
    what, at, queue = effect.rpartition("@")
    if not at:
        return effect
    name = names.get(queue, queue)
    return f"{what}@{name}" if name else what


def _sorted(effects: Iterable[str]) -> list[str]:
    found: list[str] = []
    leaving = 0
    for effect in effects:
        found.append(effect)
        leaving = leaving + 1 if effect.partition("@")[0] == "out" else 0
        if leaving > 1:
            found[-leaving:] = sorted(found[-leaving:])
    return found


def _changed(operation: Operation) -> str:
    return {"true": "1", "false": "0"}.get(operation.returned, operation.returned)


def _later(call: Operation, fired: Operation, names: Mapping[str, str]) -> str:
    if call.pending and not fired.effects:
        return NOTHING
    return _bare(fired.effects, names)


def _call(call: Operation, fired: Operation, queue: str) -> dict[str, str]:
    """Return the outputs about a single queue."""
    names = {queue: ""}
    return {
        "post": call.table.get(queue, ABSENT),
        "changed": _changed(call),
        "exc": java.pinned_thrown(call.thrown, "exc"),
        "old": call.old.get(queue, ABSENT),
        "effects": _bare(call.effects, names),
        "later": _later(call, fired, names),
    }


def _settings(cells: Cells, orderly: str) -> list[str]:
    return [f"kind {cells.get('kind', 'push')}", f"model {cells.get('model', 'C')}", f"orderly {orderly}"]


def _update(order: str, queues: Iterable[str], topic: str = TOPIC) -> list[str]:
    return [_line((f"op update {topic} {order}", *queues)), "op fire"]


OF_JAVA = {"lock": "lock", "off": "off", "persist": "persist"}
OF_STORE = {"queryRPC": "query", "max": "max", "updateRPC": "update"}


def _single_queue(cells: Cells) -> str:
    return queue_name(single.QUEUES[cells["topic"]])


def _single(cells: Cells) -> list[str]:
    queue = _single_queue(cells)
    return [
        _line(
            *_settings(cells, cells["consumeOrderly"]),
            _have(queue, cells["pre"]),
            *_scripts(queue, cells, OF_JAVA),
            *_update(cells["argOrder"], [queue] * (cells["inSet"] == "1")),
        )
    ]


def _single_outputs(cells: Cells, runs: Sequence[Run]) -> dict[str, str]:
    called, fired = runs[0].operations
    return _call(called, fired, _single_queue(cells))


def _offset_queue(cells: Cells) -> str:
    return f"{cells['topic']}/b0/0"


def _offset(cells: Cells) -> list[str]:
    queue = _offset_queue(cells)
    return [
        _line(
            *_settings(cells, "0"),
            f"where {cells['consumeFromWhere']}",
            *_scripts(queue, cells, {"off": "off"}),
            f"op withException {queue}",
            f"op computePullFromWhere {queue}",
            *_update("0", [queue], cells["topic"]),
        )
    ]


def _offset_outputs(cells: Cells, runs: Sequence[Run]) -> dict[str, str]:
    expecting, computing, call, fired = runs[0].operations
    return {
        "withException": _number(expecting),
        "computePullFromWhere": _number(computing),
        **_call(call, fired, _offset_queue(cells)),
    }


def _number(operation: Operation) -> str:
    return operation.returned if operation.thrown == ABSENT else operation.thrown.partition(":")[0]


def _store(cells: Cells) -> list[str]:
    return [
        _line(
            *_settings(cells, cells["order"]),
            "store remote",
            _have(QUEUE, cells["pre"]),
            f"mem {QUEUE} {cells['mem']}" if cells["mem"] != ABSENT else "",
            *_scripts(QUEUE, cells, OF_STORE),
            *_update(cells["order"], [QUEUE] * (cells["inSet"] == "1")),
        )
    ]


def _store_outputs(cells: Cells, runs: Sequence[Run]) -> dict[str, str]:
    call, fired = runs[0].operations
    found = _call(call, fired, QUEUE)
    return {name: found[name] for name in ("post", "changed", "exc", "effects")} | {
        "memPost": call.memory.get(QUEUE, "-1")
    }


UNREADABLE = "unreadable"
"""Cell of an offset file that the client cannot parse."""
UNSEEN = ("persist", "rmOff")
"""Effects on a ``LocalFileOffsetStore`` that are not compared: in some releases these calls have no effect.

Their effects are the written file and the offset in memory.
"""


def _local(cells: Cells) -> list[str]:
    return [
        _line(
            *_settings({**cells, "model": "B"}, cells["consumeOrderly"]),
            "store local",
            f"file {QUEUE} {cells['file']}" if cells["file"] != ABSENT else "",
            _have(QUEUE, cells["pre"]),
            f"mem {QUEUE} {cells['mem']}" if cells["mem"] != ABSENT else "",
            *_scripts(QUEUE, cells, {"max": "max"}),
            *_update(cells["argOrder"], [QUEUE] * (cells["inSet"] == "1")),
            "op file",
        )
    ]


def _local_outputs(cells: Cells, runs: Sequence[Run]) -> dict[str, str]:
    call, fired, file = runs[0].operations
    effects = [effect for effect in call.effects if effect.partition("@")[0] not in UNSEEN]
    return {
        **_call(call, fired, QUEUE),
        "effects": _bare(effects, {QUEUE: ""}),
        "memPost": call.memory.get(QUEUE, ABSENT),
        "filePost": file.returned.removeprefix(f"{QUEUE}=") or ABSENT,
    }


class WrittenFile(LocalFileOffsetStore):
    """The model's store, whose file has what it has written.

    In the model alone, each read of the file returns a scripted offset.
    """

    def persist(self, queue: MessageQueue) -> None:
        super().persist(queue)
        if self.effects and self.effects[-1][0] == WRITE_OFFSET and self.effects[-1][-1] != EXC:
            self.answers = {queue: self.answers[queue]._replace(stored=self.effects[-1][2])}


def _local_model(dialect: Dialect[RebalanceImpl], row: Row) -> dict[str, str]:
    """Return the model's outputs for a broadcasting consumer with its own offset store.

    The client reads the file before it writes a queue's offset, so a write fails if the file is unreadable.
    """
    queue, stored, memory, order = single.QUEUES["S"], row["file"], row["mem"], row["argOrder"]
    settings = Settings(kind=row["kind"], orderly=row["consumeOrderly"], broadcasting=True)
    persists = dialect.client(dialect.environment({}), settings).local_file_persists
    unreadable = row.fields["file"] == UNREADABLE
    answers = dialect.answers(row, "max")._replace(stored=stored, persist=THROW if unreadable else OK)
    local = WrittenFile({queue: answers}, NOW, persists=persists)
    if memory is not None:
        local.offset_table[queue] = memory
    client = dialect.client(local, settings)
    entries = put(client.process_queue_table, {queue: row["pre"]})
    called = call(dialect, client, TOPIC, (queue,) if row["inSet"] else (), entries, order)
    failed = [effect for effect in called.effects if effect[0] == WRITE_OFFSET and effect[-1] == EXC]
    effects = [effect for effect in called.effects if effect[0] not in UNSEEN and effect not in failed]
    written = [effect[2] for effect in effects if effect[0] == WRITE_OFFSET]
    seen = [effect[:2] if effect[0] == WRITE_OFFSET else effect for effect in effects]
    return {
        **called.cells(queue, "post", "changed", "exc", "old", "later"),
        "effects": effects_cell(seen),
        "memPost": str(local.offset_table.get(queue, ABSENT)),
        "filePost": str([ABSENT if stored < 0 else stored, *written][-1]),
    }


LOCAL: CallRows[RebalanceImpl] = CallRows(
    {
        "kind": one_of(java.KIND),
        "pre": unless(ABSENT, java.ENTRY),
        "mem": unless(ABSENT, number),
        "file": unless(UNREADABLE, unless(ABSENT, number, -1), -1),
        "inSet": flag,
        "argOrder": flag,
        "consumeOrderly": flag,
        **if_asked(OF_JAVA_STORE, "max"),
    },
    ("post", "changed", "exc", "old", "effects", "later", "memPost", "filePost"),
    _local_model,
)


def _pair_queues(cells: Cells) -> dict[str, str]:
    """Return the name of each of the two queues: ``A`` or ``B``."""
    return {f"{TOPIC}/{cells[f'{name}.mq'].replace(':', '/')}": name for name in pairs.NAMES}


def _pairs_cases(cells: Cells) -> list[str]:
    both = _pair_queues(cells)
    return [_pair(cells, both), *(_pair(cells, {queue: name}) for queue, name in both.items())]


def _pair(cells: Cells, queues: Mapping[str, str]) -> str:
    in_set = [queue for queue, name in queues.items() if cells[f"{name}.inSet"] == "1"]
    return _line(
        *_settings(cells, cells["consumeOrderly"]),
        *(_have(queue, cells[f"{name}.pre"]) for queue, name in queues.items()),
        *(
            script
            for queue, name in queues.items()
            for script in _scripts(queue, cells, {f"{name}.{column}": question for column, question in OF_JAVA.items()})
        ),
        "op tableOrder",
        _line(("op setOrder", *in_set)),
        *_update(cells["argOrder"], in_set),
    )


def _pairs_outputs(cells: Cells, runs: Sequence[Run]) -> dict[str, str]:
    queues = _pair_queues(cells)
    table, in_set, call, fired = runs[0].operations
    fates = [_fate(run.operations[-2:], queue) for queue, run in zip(queues, runs[1:], strict=True)]
    together = [_fate((call, fired), queue) for queue in queues]
    return {
        "tableOrder": _order(table, queues),
        "setOrder": _order(in_set, queues),
        **{f"post{name}": call.table.get(queue, ABSENT) for queue, name in queues.items()},
        "changed": _changed(call),
        "exc": java.pinned_thrown(call.thrown, "exc"),
        **{f"old{name}": call.old.get(queue, ABSENT) for queue, name in queues.items()},
        "effects": _bare(call.effects, queues),
        "later": _later(call, fired, queues),
        "independent": f"{fates == together:d}",
    }


def _order(operation: Operation, names: Mapping[str, str]) -> str:
    return "".join(names[queue] for queue in operation.returned.split()) or ABSENT


def _fate(operations: Sequence[Operation], queue: str) -> object:
    """Return a queue's (new process queue, old one, effects of the call, effects of tasks)."""
    call = operations[0]
    about = [[effect for effect in each.effects if effect.endswith(f"@{queue}")] for each in operations]
    return call.table.get(queue), call.old.get(queue), about


FILES: Mapping[str, File] = {
    "single": File(single.ROWS, _single, _single_outputs, OF_JAVA, _single_queue),
    "offset": File(offset.ROWS, _offset, _offset_outputs, {"off": "off"}, _offset_queue),
    "store": File(store.ROWS, _store, _store_outputs, OF_STORE),
    "pairs": File(pairs.ROWS, _pairs_cases, _pairs_outputs, {}),
}
"""Name of a recorded file -> its calls for a real client."""
LOCAL_FILE = File(LOCAL, _local, _local_outputs, {"max": "max"})
"""Calls of a broadcasting consumer with the client's own offset store; none was recorded."""


def scripted_case(given: Mapping[str, Any], ops: Iterable[str]) -> str:
    """Return the case of a sequence of operations; ``given`` is the field ``in`` of ``scripted.jsonl``."""
    fields = []
    for key, value in given.items():
        name, _, queue = key.partition(":")
        match name:
            case "model":
                fields.append(f"model {value[0]}")
            case "orderly" | "clientRebalance":
                fields.append(f"{name} {value:d}")
            case "subscribed":
                fields += [f"subscribed {topic}" for topic in value]
            case "script":
                fields += [f"script {queue} {said.replace('=', ' ', 1)}" for said in value]
            case "route" | "cids" | "cidsImmutable":
                fields.append(_line((name.replace("cidsImmutable", "immutable"), queue, *value)))
            case "listener" if value is None:
                continue
            case _:
                fields.append(_line((name, queue, str(value))) if queue else f"{name} {value}")
    return _line(*fields, *(f"op {op}" for op in ops))


def scripted_outputs(op: str, operation: Operation) -> dict[str, Any]:
    """Return an operation's results, as fields of a step in ``scripted.jsonl``."""
    thrown = None if operation.thrown == ABSENT else java.pinned_thrown(operation.thrown, "exc")
    return {
        "op": op,
        "ret": None if thrown else operation.returned,
        "exc": thrown,
        "effects": _sorted(operation.effects),
        "table": dict(operation.table),
        "pendingDelayed": operation.pending,
    }
