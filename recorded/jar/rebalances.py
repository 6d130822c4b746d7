"""Compare rebalance steps of a real Java client with the model of its release."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import Any

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.own.java.classpath import NoJava, find_java
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.recorded.jar.conform import Compared, Difference
from rebalance_proofs.recorded.jar.describe import described
from rebalance_proofs.recorded.jar.harness import Broken, Run, perform
from rebalance_proofs.recorded.jar.steps import FILES, LOCAL_FILE, Cells, File, scripted_case, scripted_outputs
from rebalance_proofs.recorded.rows import Row
from rebalance_proofs.recorded.transition import java, scripted
from rebalance_proofs.recorded.transition.java import JAVA, JavaCase
from rebalance_proofs.recorded.transition.notation import ABSENT, Dialect
from rebalance_proofs.recorded.transition.pairs import NAMES

FLAGS = ("0", "1")
LOCKS = "ok,denied,exc,nobroker,unlockexc"
PERSISTS = "ok,throw,throw2"
OFFSETS = "100,nf77,nferr,-2,throw"
ALL_OFFSETS = "0,100,nf0,nf77,nf-1,nferr,nfrt,-2,-3,throw"
PAIRS = 400
"""Number of calls with two queues; they are drawn once, from all combinations."""
SEED = 49

Models = Dialect[RebalanceImpl]
Found = Sequence[list[Run] | Broken]


def _queues(*letters: tuple[str, Sequence[int]]) -> list[str]:
    """Return states of a queue: without a process queue, then one with every combination of the letters' numbers."""
    names = [name for name, _ in letters]
    all_numbers = product(*(numbers for _, numbers in letters))
    made = ("".join(f"{name}{number}" for name, number in zip(names, numbers, strict=True)) for numbers in all_numbers)
    return [ABSENT, *made]


PUSHED = _queues(("d", (0, 1)), ("l", (0, 1)), ("e", (0, 1)), ("a", (0, 1)), ("c", (0, 1, 2)), ("m", (0, 1)))
PULLED = _queues(("d", (0, 1)), ("l", (0, 1)), ("e", (0, 1)), ("a", (0,)), ("c", (0,)), ("m", (0,)))
"""States of a queue of a pull or lite pull consumer, which never reads the other letters' numbers."""
STORED = ("-", "d0l1e0a0c0m0", "d0l1e1a0c0m0", "d0l1e0a0c1m0")


def _single(kind: str) -> Iterator[Cells]:
    for pre, topic, in_set, order, orderly, model in product(
        PUSHED if kind == "push" else PULLED, "SO", FLAGS, FLAGS, FLAGS, "CB"
    ):
        yield {
            "kind": kind,
            "topic": topic,
            "pre": pre,
            "inSet": in_set,
            "argOrder": order,
            "consumeOrderly": orderly,
            "model": model,
            "lock": LOCKS,
            "off": OFFSETS,
            "persist": PERSISTS,
        }


def _offset() -> Iterator[Cells]:
    for kind, where, topic in product(("push", "pull", "lite"), ConsumeFromWhere, ("T", "%RETRY%G")):
        yield {"table": "offset", "kind": kind, "consumeFromWhere": where.value, "topic": topic, "off": ALL_OFFSETS}


def _store() -> Iterator[Cells]:
    for pre, memory, in_set, order in product(STORED, (ABSENT, "55"), FLAGS, FLAGS):
        yield {
            "table": "store",
            "pre": pre,
            "mem": memory,
            "inSet": in_set,
            "order": order,
            "queryRPC": "0,100,notfound,brokerexc,timeout,interrupted,rt",
            "max": "77,err",
            "updateRPC": "ok,throw",
        }


def _local() -> Iterator[Cells]:
    for kind, pre, memory, file, in_set, order, orderly in product(
        ("push", "lite"), STORED, (ABSENT, "55"), (ABSENT, "100", "unreadable"), FLAGS, FLAGS, FLAGS
    ):
        yield {
            "kind": kind,
            "pre": pre,
            "mem": memory,
            "file": file,
            "inSet": in_set,
            "argOrder": order,
            "consumeOrderly": orderly,
            "max": "77,err",
        }


def _pairs() -> Iterator[Cells]:
    drawn = Random(SEED)
    choices = {"lock": LOCKS.split(","), "off": OFFSETS.split(","), "persist": PERSISTS.split(",")}
    for number in range(PAIRS):
        yield {
            "id": str(number),
            "argOrder": drawn.choice(FLAGS),
            "consumeOrderly": drawn.choice(FLAGS),
            "model": drawn.choice("CCB"),
            **{
                f"{name}.{column}": cell
                for name, broker in (("A", "b"), ("B", "c"))
                for column, cell in {
                    "mq": f"{broker}{drawn.randrange(4)}:{drawn.randrange(8)}",
                    "pre": drawn.choice((ABSENT, *PUSHED)) if drawn.random() < 0.8 else ABSENT,
                    "inSet": drawn.choice(FLAGS),
                    **{question: drawn.choice(answers) for question, answers in choices.items()},
                }.items()
            },
        }


@dataclass(frozen=True)
class Group:
    """Calls of one kind, compared together."""

    name: str
    cases: Callable[[], Sequence[str]]
    """Function that returns the cases for ``step.Main``."""
    compare: Callable[[Models, Found], Iterator[Difference | None]]
    """Function that compares the client's runs with the model, and yields None for each call that agrees."""


def _of_file(name: str, file: File, rows: Callable[[], Iterator[Cells]]) -> Group:
    made = cache(lambda: [(cells, file.cases(cells)) for cells in rows()])

    def cases() -> list[str]:
        return [case for _, each in made() for case in each]

    def compare(dialect: Models, found: Found) -> Iterator[Difference | None]:
        runs = iter(found)
        for cells, each in made():
            of_row = [next(runs) for _ in each]
            performed = [one for one in of_row if not isinstance(one, Broken)]
            if len(performed) == len(of_row):
                for chosen in zip(*performed, strict=True):
                    yield _row(file, dialect, cells, chosen)

    return Group(name, cases, compare)


def _row(file: File, dialect: Models, given: Cells, runs: Sequence[Run]) -> Difference | None:
    queue, answers = file.queue(given), runs[0].answers
    chosen = {column: answers.get((queue, question), ABSENT) for column, question in file.asked.items()}
    cells = {**given, **chosen, "ver": dialect.name}
    client = file.outputs(cells, runs)
    model = file.rows.compute(dialect, Row(file.rows.columns, cells))
    differing = [column for column in file.rows.outputs if client[column] != model[column]]
    if not differing:
        return None
    inputs = {column: cell for column, cell in {**given, **chosen}.items() if cell != ABSENT or column == "pre"}
    return Difference(None, _columns(client, differing), _columns(model, differing), described(inputs))


OUTPUTS: Mapping[str, str] = {
    "changed": "result",
    "ret": "result",
    "exc": "exception",
    "old": "former process queue",
    "post": "process queue",
    "mem": "offset in memory",
    "file": "offset in the file",
    "later": "effects of delayed tasks",
    "pendingDelayed": "delayed tasks",
    "withException": "computePullFromWhereWithException",
    "tableOrder": "order of the table",
    "setOrder": "order of the new set",
}
"""Name of an output -> its name for people; the others are the same."""


def _columns(outputs: Mapping[str, Any], names: Sequence[str]) -> str:
    return "has " + "; ".join(f"{_named(name)} {_text(outputs[name])}" for name in names)


def _named(output: str) -> str:
    if output[-1] in NAMES and output[:-1] in OUTPUTS:
        return f"{OUTPUTS[output[:-1]]} of {output[-1]}"
    return OUTPUTS.get(output.removesuffix("Post"), output)


def _text(found: Any) -> str:
    return found if isinstance(found, str) else scripted.written(found) or ABSENT


@cache
def _sequences() -> list[tuple[str, Mapping[str, Any], tuple[str, ...]]]:
    """Return the recorded sequences of operations, each once: name, client at the beginning, operations."""
    found = {}
    with (OWN / scripted.FILE).open(encoding="utf-8") as lines:
        for each in map(json.loads, lines):
            if each["ver"] in JAVA:
                found[each["case"]] = (each["case"], each["in"], tuple(step["op"] for step in each["steps"]))
    return sorted(found.values(), key=lambda one: (len(one[2]), len(one[1])))


def _sequence_cases() -> list[str]:
    return [scripted_case(given, ops) for _, given, ops in _sequences()]


def _compare_sequences(dialect: Models, found: Found) -> Iterator[Difference | None]:
    for (name, given, ops), runs in zip(_sequences(), found, strict=True):
        if isinstance(runs, Broken):
            continue
        (run,) = runs
        case = JavaCase(dialect, JavaCase.inputs.row(given))
        different = False  # after the first difference of a sequence both are in different states
        for op, operation in zip(ops, run.operations, strict=True):
            client, model = scripted_outputs(op, operation), case.step(op)
            differing = [key for key in client if client[key] != model[key]]
            if differing and not different:
                different = True
                yield Difference(None, _columns(client, differing), _columns(model, differing), f"{op} of {name}")
            else:
                yield None


GROUPS: Sequence[Group] = (
    _of_file("one rebalance step, push", FILES["single"], lambda: _single("push")),
    _of_file("one rebalance step, pull", FILES["single"], lambda: _single("pull")),
    _of_file("one rebalance step, lite pull", FILES["single"], lambda: _single("lite")),
    _of_file("one rebalance step, two queues", FILES["pairs"], _pairs),
    _of_file("one rebalance step, the client's offset store", FILES["store"], _store),
    _of_file("one rebalance step, broadcasting with an offset file", LOCAL_FILE, _local),
    _of_file("start offset of a new queue", FILES["offset"], _offset),
    Group("rebalances and other operations in sequence", _sequence_cases, _compare_sequences),
)
"""What is compared, in the order of the results."""


def conform_steps(
    classpath: str,
    release: str,
    *,
    groups: Sequence[Group] | None = None,
    found: Callable[[Compared], None] = lambda compared: None,
) -> list[Compared]:
    """Compare a client's rebalance with the model of ``release``, and call ``found`` with each result.

    ``classpath`` has the form of ``java -cp``: the client's jar and its dependencies. ``release``: a modelled release
    (``model.releases.JAVA``). A class or method that the client lacks is a difference. Raises ``StrategyError`` if
    there is no JVM, if the JVM ends, or if a class of another jar is missing, and ``LookupError`` for an unknown
    release.
    """
    groups = GROUPS if groups is None else groups
    dialect = java.of_release(release)
    try:
        path = find_java().path
    except NoJava as error:
        raise StrategyError(f"a rebalance step {error}") from None
    cases = [group.cases() for group in groups]
    if not any(cases):
        return []
    runs = perform(classpath, path, [case for each in cases for case in each])
    results = []
    for group, each in zip(groups, cases, strict=True):
        results.append(_compared(group, dialect, runs[: len(each)]))
        runs = runs[len(each) :]
        found(results[-1])
    return results


def _compared(group: Group, dialect: Models, runs: Found) -> Compared:
    broken = next((one for one in runs if isinstance(one, Broken)), None)
    if broken and broken.kind == "class" and not broken.absent:
        raise StrategyError(f"{group.name} needs {broken.what}, which is not on the classpath; add its jar")
    calls, differ, smallest = 0, 0, None
    for difference in group.compare(dialect, runs):
        calls += 1
        differ += difference is not None
        smallest = smallest or difference
    if broken:
        said = f"has no class {broken.absent}" if broken.absent else f"cannot take the step: {broken.what}"
        smallest = Difference(None, said, "takes the step")
        differ += 1
    return Compared(group.name, calls, differ, smallest, sum(isinstance(one, Broken) for one in runs))
