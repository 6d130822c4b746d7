"""Every warning and error of the Java client and broker gets an answer when it is pasted."""

import tomllib
from pathlib import Path

import pytest

from rebalance_proofs.report.symptoms.paste import IRRELEVANT, statements

STATEMENTS = Path(__file__).parents[3] / "recorded" / "knowledge" / "statements"
LEVELS = ("warn", "error")


def logged(name: str, key: str) -> list[str]:
    """The log lines of the statements that have this key, with a value for each placeholder."""
    known = tomllib.loads((STATEMENTS / f"{name}.toml").read_text(encoding="utf-8"))
    found = [one for each in known.values() if isinstance(each, dict) for one in each["statements"]]
    return [
        f"2024-05-01 10:00:00 {one['level'].upper()} Thread_1 - {filled(one['text'])}"
        for one in found
        if one["level"] in LEVELS and key in one and one["text"].replace("{}", "")
    ]


def filled(text: str) -> str:
    first, *rest = text.split("{}")
    return first + "".join(f"v{place}{part}" for place, part in enumerate(rest))


@pytest.mark.parametrize("name", ["java-client", "java-broker"])
def test_warning_about_a_group_is_answered_with_its_meaning(name):
    lines = logged(name, "line")
    assert len(lines) > 50
    assert [line for line in lines if not (told := statements(line)) or told[0].rank == IRRELEVANT] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["java-client", "java-broker"])
def test_warning_about_something_else_is_known(name):
    assert [line for line in logged(name, "irrelevant") if not statements(line)] == []


def test_warning_that_is_not_known_has_no_answer():
    assert statements("2024-05-01 10:00:00 WARN Thread_1 - the frobnication of v0 is late, v1") == ()
