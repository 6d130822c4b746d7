"""JUnit 5 file with a test for each broken guarantee of a Java strategy.

Tests do not need this project if assertions on direct calls suffice.
"""

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from textwrap import indent

from rebalance_proofs.model.own.java.protocol import Made
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.told import sentence
from rebalance_proofs.report.own.written import failing, name_of, plain
from rebalance_proofs.spark_enum.own.rows import Row

FIRST = "// Written by `{command}`: each test fails until the strategy is fixed."
FILE = """{first}

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
{imports}import org.junit.jupiter.api.Test;

class {name} {{
{parts}}}
"""

TAKE = """/** Returns positions in mqAll for each consumer, -1 for an unknown queue. All see the same sorted lists. */
private static List<List<Integer>> take(String group, List<{queue}> queues, String... consumers) throws Exception {{
    {strategy} strategy = new {strategy}({arguments});
    List<List<Integer>> taken = new ArrayList<>();
    for (String consumer : consumers) {{
        List<String> ids = new ArrayList<>(Arrays.asList(consumers));
        List<{queue}> result = strategy.allocate(group, new String(consumer), new ArrayList<>(queues), ids);
        List<Integer> positions = new ArrayList<>();
        for ({queue} found : result == null ? new ArrayList<{queue}>() : result) {{
            assertNotNull(found, consumer + " gets a null queue");
            positions.add(position(found, queues));
        }}
        taken.add(positions);
    }}
    return taken;
}}

private static int position({queue} found, List<{queue}> queues) {{
    for (int place = 0; place < queues.size(); place++) {{
        {queue} queue = queues.get(place);
        if (queue.getTopic().equals(found.getTopic()) && queue.getBrokerName().equals(found.getBrokerName())
            && queue.getQueueId() == found.getQueueId()) {{
            return place;
        }}
    }}
    return -1;
}}
"""

COMMAND = """/** Runs the command, which has to be on the PATH, if a plain assertion cannot check the guarantee. */
private static void rebalance(String... arguments) throws Exception {{
    List<String> command = new ArrayList<>(Arrays.asList(arguments));
    command.add(0, "rebalance");
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
}}
"""

QUEUE = "@queue@"
"""Placeholder for the name of the class of queues in the generated file."""
EACH = "for (List<Integer> result : taken) {{\n    {}\n}}"
ASSERTIONS = {
    "returns": "assertEquals(consumers, taken.size());",
    "inside": EACH.format(
        'assertTrue(!result.contains(-1), "not in mqAll");\n'
        '    assertEquals(result.size(), new TreeSet<>(result).size(), "appears twice");'
    ),
    "disjoint": (
        "for (int one = 0; one < consumers; one++) {\n"
        "    for (int other = 0; other < one; other++) {\n"
        '        assertTrue(Collections.disjoint(taken.get(one), taken.get(other)), other + " and " + one);\n'
        "    }\n"
        "}"
    ),
    "covers": (
        "for (int place = 0; place < queues; place++) {\n"
        "    int queue = place;\n"
        '    assertTrue(taken.stream().anyMatch(result -> result.contains(queue)), "no consumer gets " + queue);\n'
        "}"
    ),
    "sublist": EACH.format(
        "assertEquals(new ArrayList<>(new TreeSet<>(result)), result);\n"
        '    assertTrue(!result.contains(-1), "not in mqAll");'
    ),
    "balanced": (
        "int most = taken.stream().mapToInt(List::size).max().getAsInt();\n"
        "int least = taken.stream().mapToInt(List::size).min().getAsInt();\n"
        'assertTrue(most - least <= 1, most + " and " + least);'
    ),
    "shares": (
        "for (int place = 0; place < consumers; place++) {\n"
        "    int share = queues / consumers + (place < queues % consumers ? 1 : 0);\n"
        '    assertEquals(share, taken.get(place).size(), "consumer " + place);\n'
        "}"
    ),
    "idle": (
        "if (consumers > queues) {\n"
        "    assertEquals(consumers - queues, taken.stream().filter(List::isEmpty).count());\n"
        "}"
    ),
    "served": "assertEquals(Math.min(queues, consumers), taken.stream().filter(result -> !result.isEmpty()).count());",
    "contiguous": EACH.format(
        "TreeSet<Integer> places = new TreeSet<>(result);\n"
        "    assertTrue(places.isEmpty() || places.last() - places.first() == places.size() - 1, result.toString());"
    ),
}
"""Assertions by guarantee, for groups whose consumers see the same lists.

Other tests run the command.
"""


def junit_file(answer: Answer, name: str, made: Made, arguments: Sequence[str]) -> str | None:
    """Return a Java test class with a test for each broken required guarantee; None without any.

    ``name``: name of the class. ``made``: types of the strategy's queues and of its constructor's parameters.
    ``arguments``: the constructor's arguments.
    """
    tests = list(_tests(answer))
    if not tests:
        return None
    full = [one.replace("$", ".") for one in (answer.strategy.name, made.queue)]
    strategy, queue = (_short(one, {name, *(other for other in full if other != one)}) for one in full)
    imports = sorted({one for one, short in zip(full, (strategy, queue), strict=True) if short != one})
    given = ", ".join(map(_argument, arguments, made.parameters))
    helpers = {"take(": TAKE.format(strategy=strategy, queue=queue, arguments=given), "rebalance(": COMMAND.format()}
    used = [text for call, text in helpers.items() if any(call in test for test in tests)]
    parts = "\n".join(indent(part.replace(QUEUE, queue), "    ") for part in (*used, *tests))
    lines = "".join(f"import {one};\n" for one in imports)
    return FILE.format(first=junit_first(answer.command), name=name, imports=lines, parts=parts)


def junit_first(command: Sequence[str]) -> str:
    """Return the first line of the file, which identifies files that this command wrote."""
    return FIRST.format(command=_one_line(shlex.join(command)))


def _short(name: str, others: set[str]) -> str:
    """Return the class name, without its package unless the file uses that name for another class.

    A class without a package cannot be imported, so no other class gets its name.
    """
    short = name.rpartition(".")[2]
    taken = {"List", "ArrayList", "Arrays", "Collections", "TreeSet", "Test", "String", "Integer", "Exception", "Math"}
    return name if short in {*taken, "ProcessBuilder", *(other.rpartition(".")[2] for other in others)} else short


def _tests(answer: Answer) -> Iterator[str]:
    for row, example in failing(answer):
        assert row.smallest
        said = _comment(f"{sentence(row)}.\n\n{row.smallest.wrong.sentence}")
        body = _body(answer, row, example)
        yield f"{said}\n@Test\nvoid {name_of(row)}() throws Exception {{\n{indent(body, '    ')}\n}}\n"


def _comment(text: str) -> str:
    safe = text.replace("*/", "* /").replace("\\u", "\\ u")
    lines = (f" * {line}".rstrip() for line in safe.splitlines())
    return "\n".join(["/**", *lines, " */"])


def _one_line(text: str) -> str:
    """Return the text for a one-line comment. Java interprets Unicode escapes even in comments."""
    return " ".join(text.split()).replace("\\u", "\\ u")


def _body(answer: Answer, row: Row, example: Counterexample) -> str:
    assert row.smallest
    if not plain(answer, row, example, ASSERTIONS):
        words = _from_everywhere(shlex.split(answer.reproduce(row))[1:])
        return f"rebalance({', '.join(map(_text, words))});"
    group, name = example.group, answer.consumer_group or row.smallest.space.naming.consumer_group
    queues = ",\n        ".join(
        f"new {QUEUE}({_text(one.topic)}, {_text(one.broker_name)}, {one.queue_id})" for one in group.queues
    )
    ids = ", ".join(_text(consumer.client_id) for consumer in group.consumers)
    return (
        f"int queues = {len(group.queues)};\n"
        f"int consumers = {len(group.consumers)};\n"
        f"List<List<Integer>> taken = take({_text(name)},\n"
        f"    Arrays.asList(\n        {queues}),\n"
        f"    {ids});\n"
        f"{ASSERTIONS[row.name]}"
    )


def _from_everywhere(words: list[str]) -> list[str]:
    """Return the command's arguments with absolute paths, so that the test runs in any folder."""
    at = words.index("--classpath") + 1 if "--classpath" in words else 0
    if at:
        words[at] = os.pathsep.join(map(os.path.abspath, words[at].split(os.pathsep)))
    for option in ("--ids", "--brokers", "--queues"):
        if option in words:
            words[words.index(option) + 1] = os.path.abspath(words[words.index(option) + 1])
    second = words.index("--same-as") + 1 if "--same-as" in words else 0
    if second:
        file, colon, what = words[second].rpartition(":")
        words[second] = f"{os.path.abspath(file)}{colon}{what}" if file.endswith(".py") else words[second]
    return words


def _text(text: str) -> str:
    """Return the text as a Java literal; JSON's escapes are valid in Java."""
    return json.dumps(text)


READ = {
    "int": "Integer.parseInt",
    "java.lang.Integer": "Integer.valueOf",
    "long": "Long.parseLong",
    "java.lang.Long": "Long.valueOf",
    "double": "Double.parseDouble",
    "java.lang.Double": "Double.valueOf",
    "float": "Float.parseFloat",
    "java.lang.Float": "Float.valueOf",
    "boolean": "Boolean.parseBoolean",
    "java.lang.Boolean": "Boolean.valueOf",
}
"""Java parameter type -> Java method that parses a string into it."""
TEXTS = (
    "java.lang.String",
    "java.lang.Object",
    "java.lang.CharSequence",
    "java.lang.Comparable",
    "java.io.Serializable",
)
"""Java parameter types that accept a string unchanged."""


def _argument(text: str, type_: str) -> str:
    """Return a Java expression for a typed argument.

    A parameter type without a rule is treated as an enum.
    """
    if type_ in READ:
        return f"{READ[type_]}({_text(text)})"
    return f"({type_}) {_text(text)}" if type_ in TEXTS else f"{type_.replace('$', '.')}.{text}"
