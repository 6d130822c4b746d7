"""The answer of ``rebalance check`` for CI servers: a JUnit report, and a SARIF log."""

import json
import re
from collections.abc import Iterator
from io import BytesIO

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.told import other_names, picture, sentence, untold, verdict
from rebalance_proofs.spark_enum.own.rows import Holds, Row, needed

JUNIT_FIRST = '<?xml version="1.0" encoding="utf-8"?><!-- written by: rebalance check -->'
"""First line of a JUnit report, which identifies files that this command wrote."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
SARIF_FIRST = (
    f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{"tool": {{"driver": {{"name": "rebalance check",'
)
"""First line of a SARIF log, with the same purpose."""
GROUPS = "all-groups"
"""Name of the case that fails if groups of the user's ids were not tried."""


def junit_report(answer: Answer) -> str:
    """Return a JUnit report with a test case for each required guarantee."""
    suite = TestSuite(f"rebalance check {printable(answer.strategy.name)}")
    suite.time = round(answer.checked.seconds, 3)
    suite.add_testcases([_case(answer, row) for row in answer.checked.rows if needed(row, answer.required)])
    if answer.checked.incomplete:
        whole = TestCase(GROUPS, answer.strategy.name)
        if answer.unfinished:
            whole.result = [Failure(printable(verdict(answer)))]
        suite.add_testcase(whole)
    suites = JUnitXml("rebalance check")
    suites.add_testsuite(suite)
    suites.update_statistics()
    written = BytesIO()
    suites.write(written, pretty=True)
    _, _, rest = written.getvalue().decode().partition("?>")
    return f"{JUNIT_FIRST}\n{rest.lstrip()}"


def _case(answer: Answer, row: Row) -> TestCase:
    case = TestCase(row.name, answer.strategy.name)
    if row.holds is Holds.NO and row.smallest:
        found = Failure(printable(row.smallest.wrong.sentence))
        found.text = "\n".join(printable(line.text) for line in picture(answer, row)).strip()
        case.result = [found]
    elif row.holds is not Holds.YES:
        case.result = [Error(printable(untold(row)))]
    if row.elsewhere:
        case.system_out = printable(other_names(row))
    return case


def sarif(answer: Answer) -> str:
    """Return a SARIF 2.1.0 log with a result for each required guarantee that does not hold."""
    failing = [*answer.failing, *answer.elsewhere]
    rules = [{"id": row.name, "shortDescription": {"text": sentence(row)}} for row in failing]
    results = list(_results(answer))
    if answer.unfinished:
        rules.append({"id": GROUPS, "shortDescription": {"text": "All groups of the given client ids are tried"}})
    rest = {"rules": rules, "informationUri": "https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance"}
    tail = json.dumps(rest, ensure_ascii=False)[1:]
    return f'{SARIF_FIRST}\n{tail}}},\n"results": {json.dumps(results, ensure_ascii=False, indent=1)}\n}}]}}\n'


def _results(answer: Answer) -> Iterator[dict[str, object]]:
    for row in answer.failing:
        said = row.smallest.wrong.sentence if row.smallest else untold(row)
        lines = [f"{sentence(row)}: {said}"]
        if row.name in answer.checked.examples and row.smallest:
            lines.append(f"Reproduce: {answer.reproduce(row)}")
        yield _result(answer, row.name, "\n".join(lines), "error" if row.holds is Holds.NO else "warning", said)
    for row in answer.elsewhere:
        if row.elsewhere:
            said = row.elsewhere.wrong.sentence
            message = f"{sentence(row)}; {other_names(row)}"
            yield _result(answer, row.name, message, "note", said)
    if answer.unfinished:
        yield _result(answer, GROUPS, verdict(answer), "warning", "")


def _result(answer: Answer, rule: str, message: str, level: str, said: str) -> dict[str, object]:
    strategy = answer.strategy
    place = {"artifactLocation": {"uri": strategy.file}, "region": {"startLine": _line(answer, said)}}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": "\n".join(map(printable, message.split("\n")))},
        "locations": [{"physicalLocation": place, "logicalLocations": [{"fullyQualifiedName": strategy.name}]}],
        "partialFingerprints": {"guarantee/v1": f"{strategy.name} {rule}"},
    }


def _line(answer: Answer, said: str) -> int:
    """Return the line in which the strategy throws, if the sentence names one of its file; else its first line."""
    name = answer.strategy.file.rpartition("/")[2]
    found = re.search(rf"\({re.escape(name)}:(\d+)\)", said) if name else None
    return int(found[1]) if found else answer.strategy.line
