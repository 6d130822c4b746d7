"""Questions, log lines and tables as users post them in public: the right cause first, and no misleading one."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

PUBLIC = Path(__file__).parent / "public"
FIRST = 3
"""Number of causes of an answer that a reader looks at."""
CAUSE = re.compile(r"^(?:\d+\. ([\w-]+):|\d+\. ([\w-]+) \(\w+\):|  - ([\w-]+) \()", re.M)
"""A cause in an answer, in its three forms."""


def cases(name: str) -> list[dict[str, Any]]:
    return tomllib.loads((PUBLIC / name).read_text(encoding="utf-8"))["case"]


def called(case: dict[str, Any]) -> str:
    asked = case.get("ask") or case["file"]
    return " ".join([*asked.split()[:9], *case.get("options", ())])


def problems(case: dict[str, Any], answer: str) -> list[str]:
    """What is wrong with an answer: a part that it lacks or must not have, or other causes than the right ones."""
    listed = ["".join(one) for one in CAUSE.findall(answer)][:FIRST]
    wrong = [f"lacks {part!r}" for part in case.get("says", ()) if part not in answer]
    wrong += [f"has {part!r}" for part in case.get("never", ()) if part in answer]
    if "first" in case and listed[:1] != [case["first"]]:
        wrong.append(f"{case['first']} is not the first cause of {listed}")
    if case.get("causes") == [] and listed:
        wrong.append(f"names causes: {listed}")
    if case.get("causes") and not set(case["causes"]) & set(listed):
        wrong.append(f"none of {case['causes']} is in {listed}")
    return wrong


@pytest.mark.parametrize("case", cases("cases.toml"), ids=called)
def test_public_case_gets_its_right_causes(call, case):
    words = ["--file", str(PUBLIC / case["file"])] if "file" in case else [case["ask"]]
    answer = call("why", *words, *case.get("options", ()))
    assert problems(case, answer.out + answer.err) == []


@pytest.mark.parametrize("case", cases("pastes.toml"), ids=lambda case: case["name"])
def test_paste_gets_the_same_right_answer_as_an_argument_and_from_a_file(call, tmp_path, case):
    file = tmp_path / "pasted.txt"
    file.write_text(case["paste"], encoding="utf-8")
    options = case.get("options", ())
    answers = [call("why", case["paste"], *options), call("why", "--file", str(file), *options)]
    assert [problems(case, one.out + one.err) for one in answers] == [[], []]
    assert {one.status for one in answers} == {case.get("status", 0)}


def test_wrong_answers_are_noticed():
    case = {"says": ["-s true"], "never": ["lost"], "first": "storm", "causes": ["storm"]}
    answer = "Messages are lost.\n\n1. listener-blocks: The listener does not return."
    assert problems(case, answer) == [
        "lacks '-s true'",
        "has 'lost'",
        "storm is not the first cause of ['listener-blocks']",
        "none of ['storm'] is in ['listener-blocks']",
    ]
    assert problems({"causes": []}, answer) == ["names causes: ['listener-blocks']"]
    assert problems({"causes": ["storm"]}, "  - storm (often; real clients: observed): Rebalances.") == []
