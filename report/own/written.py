"""pytest file with a test for each broken guarantee of a Python strategy.

Tests do not need this project if assertions on direct calls suffice.
"""

import json
import shlex
from collections.abc import Collection, Iterator, Sequence
from textwrap import indent

from rebalance_proofs.model.own.asked import Refusal
from rebalance_proofs.model.own.call import CHANGED, ENDING
from rebalance_proofs.model.own.named import Named
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.told import sentence
from rebalance_proofs.spark_enum.own.rows import Row

# Common parts of the generated pytest and JUnit files with tests for broken guarantees.

APART = (*ENDING, CHANGED)
"""Failures of the strategy that would harm the test's own process, or that a direct call would miss."""


def failing(answer: Answer) -> Iterator[tuple[Row, Counterexample]]:
    """Yield (broken required guarantee, the smallest group that breaks it).

    Guarantees that fail only after other calls of the strategy are left out.
    """
    shown = answer.checked.examples
    return ((row, shown[row.name]) for row in answer.failing if row.smallest and row.name in shown)


def name_of(row: Row) -> str:
    """Return the part of a test function's name with the guarantee and the size of the group."""
    assert row.smallest
    n, q = row.smallest.wrong.size
    return "".join(letter if letter.isalnum() else "_" for letter in f"{row.name}_{n}x{q}")


def plain(answer: Answer, row: Row, example: Counterexample, assertions: Collection[str]) -> bool:
    """Return whether a test can assert on direct calls; otherwise it runs ``rebalance check``.

    A strategy whose results are not repeatable needs the command, which calls it in several processes.
    """
    alike = row.name in assertions and row.world is AGREED and not answer.checked.why
    return alike and not {*_kinds(example)} & {*APART}


def _kinds(example: Counterexample) -> Iterator[str]:
    for consumer in example.group.consumers:
        try:
            consumer.allocate()
        except Refusal as error:
            yield error.kind


FIRST = '"""Written by `{command}`: each test fails until the strategy is fixed."""'
HEAD = '''{first}

import importlib{util}
{imports}from typing import NamedTuple


class MessageQueue(NamedTuple):
    """A queue with RocketMQ's fields."""

    topic: str
    broker_name: str
    queue_id: int


{load}
{call}'''

FROM_FILE = '''def strategy():
    """Load {where}, relative to this file's folder; change the path if you move this file."""
    path = pathlib.Path(__file__).parent / {path}
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return named(module)

'''
FROM_MODULE = '''def strategy():
    """Load {where}."""
    return named(importlib.import_module({path}))

'''
NAMED = '''
def named(module):
    """Return the strategy in the module."""
    found = module.{what}
    if isinstance(found, type):
        found = found()
    return getattr(found, "allocate", found)

'''
TAKEN = '''
def take(group, queues, consumers):
    """Return each consumer's queues; all consumers see the same sorted lists."""
    allocate = strategy()
    return [allocate({arguments}) for consumer in consumers]
'''

ASSERTIONS = {
    "returns": (
        "for result in taken:\n"
        "    assert isinstance(result, (list, tuple))\n"
        "    assert all(hasattr(queue, 'queue_id') for queue in result)"
    ),
    "inside": "for result in taken:\n    assert set(result) <= set(queues)\n    assert len(set(result)) == len(result)",
    "disjoint": "for result, other in itertools.combinations(taken, 2):\n    assert not set(result) & set(other)",
    "covers": "assert set().union(*taken) >= set(queues)",
    "sublist": "for result in taken:\n    assert list(result) == [queue for queue in queues if queue in result]",
    "balanced": "assert max(map(len, taken)) - min(map(len, taken)) <= 1",
    "shares": (
        "base, extra = divmod(len(queues), len(consumers))\n"
        "assert [len(result) for result in taken] == [base + (place < extra) for place in range(len(consumers))]"
    ),
    "idle": (
        "surplus = len(consumers) - len(queues)\nassert surplus <= 0 or sum(not result for result in taken) == surplus"
    ),
    "served": "assert sum(map(bool, taken)) == min(len(queues), len(consumers))",
    "contiguous": (
        "for result in taken:\n"
        "    places = sorted(queues.index(queue) for queue in result)\n"
        "    assert not places or places == list(range(places[0], places[-1] + 1))"
    ),
}
"""Assertions by guarantee, for groups whose consumers see the same lists.

Other tests run the command.
"""


def pytest_file(answer: Answer, named: Named, arguments: int, folder: str) -> str | None:
    """Return a file with a test for each broken required guarantee; None if there is none.

    ``named``: the strategy with its file. ``folder``: the folder in which the command ran. Both are relative to the
    test's folder. ``arguments``: number of the strategy's parameters.
    """
    tests = list(_tests(answer, folder))
    if not tests:
        return None
    modules = {
        name for name in ("itertools", "pathlib", "subprocess", "sys") if any(f"{name}." in one for one in tests)
    }
    modules |= {"pathlib", "sys"} if named.in_file else set()
    load = (FROM_FILE if named.in_file else FROM_MODULE).format(
        where=named.where, path=_text(named.where)
    ) + NAMED.format(what=named.what)
    passed = "consumer, list(queues), list(consumers)"
    called = TAKEN.format(arguments=f"group, {passed}" if arguments == 4 else passed)
    head = HEAD.format(
        first=pytest_first(answer.command),
        util=".util" if named.in_file else "",
        imports="".join(f"import {name}\n" for name in sorted(modules)),
        load=load.strip("\n") + "\n\n",
        call=called,
    )
    return "\n\n".join([_two_lines(head), *tests])


def pytest_first(command: Sequence[str]) -> str:
    """Return the first line of the file, which identifies files that this command wrote."""
    return FIRST.format(command=" ".join(" ".join(command).split()))


def _two_lines(text: str) -> str:
    """Return the text with at most two empty lines in a row, and one line break at its end."""
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text.rstrip("\n") + "\n"


def _tests(answer: Answer, folder: str) -> Iterator[str]:
    for row, example in failing(answer):
        assert row.smallest
        words = f'"""{sentence(row)}.\n\n    {row.smallest.wrong.sentence}\n    """'
        body = _body(answer, row, example, folder)
        yield f"def test_{name_of(row)}():\n    {words}\n{indent(body, '    ')}\n"


def _body(answer: Answer, row: Row, example: Counterexample, folder: str) -> str:
    if not plain(answer, row, example, ASSERTIONS):
        words = shlex.split(answer.reproduce(row))[1:]
        command = ",\n".join(
            f"    {word}" for word in ["sys.executable", *map(_text, ["-m", "rebalance_proofs", *words])]
        )
        return (
            f"command = [\n{command},\n]\nfolder = pathlib.Path(__file__).parent / {_text(folder)}\n"
            "assert subprocess.run(command, cwd=folder, check=False).returncode == 0"
        )
    assert row.smallest
    group, naming = example.group, row.smallest.space.naming
    consumer_group = _text(answer.consumer_group or naming.consumer_group)
    queues = ",\n".join(
        f"    MessageQueue({_text(one.topic)}, {_text(one.broker_name)}, {one.queue_id})" for one in group.queues
    )
    ids = ",\n".join(f"    {_text(consumer.client_id)}" for consumer in group.consumers)
    return (
        f"queues = [\n{queues},\n]\nconsumers = [\n{ids},\n]\n"
        f"taken = take({consumer_group}, queues, consumers)\n{ASSERTIONS[row.name]}"
    )


def _text(text: str) -> str:
    """Return the text as a Python literal in double quotes."""
    return json.dumps(text)
