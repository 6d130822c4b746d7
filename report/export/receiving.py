"""Tests of gRPC clients: a counterexample about receive loops, with the network replaced by a fake broker.

A test makes the client's own assignment step with scripted answers, and counts the loops that receive queue 0 of T.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.receiving.sdks import NEIGHBOURS, OTHER, TOPIC, Queue
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.export.files import Body, Release

Step = tuple[str, str, tuple[int, ...]]
"""What happens, the topic, and the numbers of queues that an answer has."""
SCAN, ANSWER, FAIL, EXPIRE, UNSUBSCRIBE, SUBSCRIBE, SHUTDOWN = (
    "scan",
    "answer",
    "fail",
    "expire",
    "unsubscribe",
    "subscribe",
    "shutdown",
)
ALONE = {"expires": EXPIRE, "unsubscribes": UNSUBSCRIBE, "subscribes": SUBSCRIBE, "shuts": SHUTDOWN, "fails": FAIL}
"""Action of the machine without an answer -> the step."""
AT_MOST_ONE, AT_LEAST_ONE, NONE, SAME = "at most one", "at least one", "none", "as before the last step"
EXPECTED = {
    "one-loop": AT_MOST_ONE,
    "received": AT_LEAST_ONE,
    "let-go": NONE,
    "emptied": NONE,
    "unharmed": SAME,
    "apart": SAME,
    "unsubscribed": NONE,
    "stopped": NONE,
}
"""Guarantee -> how many receive loops the queue has in the end."""


def steps(example: Counterexample) -> tuple[Step, ...]:
    """Return the steps of a counterexample, with the queues of each answer.

    A query is a step of its own only if something happens before its answer.
    """
    run = example.group
    consumer = run.client.made()
    apply: Callable[[str, frozenset[Queue]], None] = consumer.on_success
    found: list[Step] = []

    def on_success(topic: str, latest: frozenset[Queue]) -> None:
        found.append((ANSWER, topic, tuple(sorted(number for _, number in latest))))
        apply(topic, latest)

    consumer.on_success = on_success
    actions = [(one.happens.action, dict(one.happens.said)) for one in run.seen]
    if any(action == "others" for action, _ in actions):  # the other topic had an assignment before
        on_success(OTHER, frozenset(NEIGHBOURS[:1]))
    for place, (action, said) in enumerate(actions):
        count = len(found)
        getattr(consumer, action)(**said)
        if action in ALONE:
            found[count:] = [(ALONE[action], TOPIC, ())]
        elif action == "asks" and actions[place + 1][0] not in ("answers", "empties", "fails"):
            found.append((SCAN, TOPIC, ()))
    return tuple(found)


@dataclass(frozen=True)
class Syntax:
    """How a language writes the steps of a test."""

    template: str
    steps: Mapping[str, str]
    """Step -> statement, with ``{topic}``, ``{numbers}`` and ``{number}``, the observed queue's number."""
    before: str
    """Statement that notes the number of loops before the last step."""
    checks: Mapping[str, str]
    """Expected number of loops -> statement that checks it."""
    numbers: Callable[[Sequence[int]], str] = lambda numbers: ", ".join(map(str, numbers))
    run: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)


def _checks(check: str, **of: str) -> Mapping[str, str]:
    """Return the four checks: ``check`` has ``{test}``, ``{words}``, and names from ``of``."""
    words = {AT_MOST_ONE: "at most 1", AT_LEAST_ONE: "at least 1", NONE: "0"}
    tests = {AT_MOST_ONE: of["most"], AT_LEAST_ONE: of["least"], NONE: of["none"], SAME: of["same"]}
    words[SAME] = of["before"]
    return {name: check.format(test=tests[name], words=words[name]) for name in tests}


PYTHON = Syntax(
    "export_receiving.py.txt",
    {
        ANSWER: 'consumer.answer("{topic}", [{numbers}])',
        EXPIRE: 'consumer.expire("{topic}", 0)',
        UNSUBSCRIBE: 'consumer.unsubscribe("{topic}")',
        SCAN: "# A query for the assignment of {topic} is in flight.",
    },
    'before = consumer.loops("T", 0)',
    _checks(
        'loops = consumer.loops("T", 0)\nassert {test}, f"{{loops}} receive loops poll queue 0 of T, not {words}"',
        most="loops <= 1",
        least="loops >= 1",
        none="loops == 0",
        same="loops == before",
        before="{before} as before",
    ),
)
GO = Syntax(
    "export_receiving.go.txt",
    {
        ANSWER: 'broker.answer("{topic}", {numbers})\nconsumer.scanAssignments()',
        FAIL: 'broker.fail("{topic}")\nconsumer.scanAssignments()',
        EXPIRE: 'broker.expire(consumer, "{topic}", 0)',
        UNSUBSCRIBE: 'consumer.Unsubscribe("{topic}")',
    },
    'before := broker.loops("T", 0)',
    _checks(
        'if loops := broker.loops("T", 0); !({test}) {{\n'
        '\tt.Errorf("%d receive loops poll queue 0 of T, not {words}", loops)\n}}',
        most="loops <= 1",
        least="loops >= 1",
        none="loops == 0",
        same="loops == before",
        before='"+fmt.Sprint(before)+" as before',
    ),
    run=(
        "go mod download {package}@{version} && cp -r $(go env GOMODCACHE)/{package}@{version} client && "
        "chmod -R u+w client && cp {path} client && cd client && go test -run 'Test_{name}$' ."
    ),
)
NODE = Syntax(
    "export_receiving.js.txt",
    {
        SCAN: "client.scan();",
        ANSWER: "await client.answer('{topic}', [{numbers}]);",
        UNSUBSCRIBE: "client.consumer.unsubscribe('{topic}');",
        SHUTDOWN: "await client.consumer.shutdown();",
    },
    "const before = await client.loops('T', 0);",
    _checks(
        "const loops = await client.loops('T', 0);\n"
        "assert.ok({test}, `${{loops}} receive loops poll queue 0 of T, not {words}`);",
        most="loops <= 1",
        least="loops >= 1",
        none="loops === 0",
        same="loops === before",
        before="${before} as before",
    ),
)

JAVA = Syntax(
    "export_receiving.java.txt",
    {
        ANSWER: 'client.answer("{topic}", {numbers});',
        EXPIRE: 'client.expire("{topic}", 0);',
        UNSUBSCRIBE: 'client.unsubscribe("{topic}");',
    },
    'int before = client.loops("T", 0);',
    _checks(
        'int loops = client.loops("T", 0);\n'
        'assertTrue({test}, loops + " receive loops poll queue 0 of T, not {words}");',
        most="loops <= 1",
        least="loops >= 1",
        none="loops == 0",
        same="loops == before",
        before='" + before + " as before',
    ),
    beside={"pom.xml": "export_pom.xml.txt"},
)

GO_PACKAGE = "github.com/apache/rocketmq-clients/golang/v5"
WRITERS: Mapping[tuple[str, str], tuple[Syntax, Release]] = {
    ("python_v5_0", "pytest"): (PYTHON, Release("rocketmq-python-client", "5.0.9")),
    ("python_v5_1_1", "pytest"): (PYTHON, Release("rocketmq-python-client", "5.1.1")),
    ("go", "go"): (GO, Release(GO_PACKAGE, "v5.1.4")),
    ("java", "junit"): (JAVA, Release("org.apache.rocketmq:rocketmq-client-java", "5.2.0")),
    ("node", "node"): (NODE, Release("rocketmq-client-nodejs", "1.0.8")),
}
"""Client of the model, and value of ``--for`` -> how to write its tests, and the release they run against."""


def languages(claim: Claim) -> tuple[str, ...]:
    """Return the languages that have a writer for the claim."""
    return tuple(language for client, language in WRITERS if client == claim.subjects[0].name)


def body(claim: Claim, language: str, example: Counterexample) -> Body:
    """Return the parts of a claim's test."""
    syntax, release = WRITERS[claim.subjects[0].name, language]
    expected = EXPECTED[claim.guarantee.name]
    written = [_statement(syntax, step) for step in steps(example)]
    if expected == SAME:
        written.insert(len(written) - 1, syntax.before)
    parts = {"STEPS": "\n".join(written), "CHECK": syntax.checks[expected], "CODE": _code(claim)}
    return Body(release, syntax.template, parts, syntax.run, syntax.beside)


def _code(claim: Claim) -> str:
    """Return the broker's answer at the end of Go's receive requests.

    After an answer without messages, Go's loops go on although their process queue is dropped. Other faults show only
    after answers that end these loops.
    """
    endless = claim.guarantee.name in ("one-loop", "let-go", "emptied")
    return "v2.Code_MESSAGE_NOT_FOUND" if endless else "v2.Code_OK"


def _statement(syntax: Syntax, step: Step) -> str:
    kind, topic, numbers = step
    return syntax.steps[kind].format(topic=topic, numbers=syntax.numbers(numbers))
