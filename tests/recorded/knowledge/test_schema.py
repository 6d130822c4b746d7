"""The knowledge files follow their schema, and a file that does not is refused with its place and the remedy."""

import re
import shutil
import tomllib
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

from rebalance_proofs.model.releases import LANGUAGES
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.knowledge import schema
from rebalance_proofs.recorded.knowledge.schema import KnowledgeError, problems, untranslated
from rebalance_proofs.recorded.knowledge.sources import FOLDER, compiled, expanded, read
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.cause import After, Needs, Reach, Sign, Symptom, Unusual

everything_read = cache(read)
"""The content of all files; tests copy what they change."""
CODE = re.compile(r"`[^`]+`")
PHRASE = re.compile(r"\{[^{}]*\}")


def texts(value):
    """All tables with an English text in a parsed value."""
    if isinstance(value, dict):
        if isinstance(value.get("en"), str):
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from texts(one)


def claims(value):
    """All claim ids in a compiled value."""
    if isinstance(value, list):
        for one in value:
            yield from claims(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from one if key in schema.CLAIMS else claims(one)


def test_files_follow_the_schema():
    assert problems(everything_read()) == []


def test_every_text_has_its_chinese():
    assert untranslated(everything_read()) == []


def test_chinese_has_the_phrases_and_the_code_of_the_english():
    for one in texts(everything_read()):
        if one["zh"]:
            assert sorted(PHRASE.findall(one["zh"])) == sorted(PHRASE.findall(one["en"])), one
            assert {*CODE.findall(one["zh"])} == {*CODE.findall(one["en"])}, one


def test_every_claim_is_in_the_ledger():
    known = {*entries()}
    assert [name for name in claims(compiled()) if name not in known] == []


def test_names_of_the_schema_are_those_of_the_code():
    assert [one.value for one in After] == [*schema.AFTER]
    assert [one.value for one in Reach] == [*schema.REACH]
    assert [one.name.lower() for one in Unusual] == [*schema.UNUSUAL]
    assert [one.name.lower() for one in Way] == [*schema.WAYS]
    assert [*MODES] == [*schema.MODES]
    assert [*LANGUAGES] == [*schema.CLIENTS]
    of_files = everything_read()[""]
    assert [one["name"] for one in of_files["symptoms"]["symptom"]] == [one.value for one in Symptom]
    assert [one["name"] for one in of_files["symptoms"]["needs"]] == [one.value for one in Needs]
    assert [one["name"] for one in of_files["signs"]["sign"]] == [one.value for one in Sign]


def changed(path: str, change) -> list[str]:
    """The problems after a change of a file's parsed content."""
    folder, _, stem = path.rpartition("/")
    everything = deepcopy(everything_read())
    change(everything[folder][stem])
    return problems(everything)


def first(kind: str, key: str, value):
    """A change of the first entry of a file."""

    def change(file):
        file[kind][0][key] = value

    return change


def without(kind: str, key: str):
    def change(file):
        del file[kind][0][key]

    return change


EFFECT = {"symptoms": ["twice"], "lasts": {"en": "once", "zh": "一次"}}


@pytest.mark.parametrize(
    ("path", "change", "said"),
    [
        (
            "causes/handover",
            first("cause", "sings", ["shared"]),
            "causes/handover.toml: cause 'hand-over' has the unknown key `sings`: did you mean `signs`?",
        ),
        (
            "causes/handover",
            without("cause", "headline"),
            "causes/handover.toml: cause 'hand-over' lacks the key `headline`: add it",
        ),
        (
            "causes/handover",
            first("cause", "lines", ["lock-denid"]),
            "causes/handover.toml: cause 'hand-over' `lines` has the unknown line 'lock-denid': "
            "did you mean 'lock-denied'?",
        ),
        (
            "causes/handover",
            first("cause", "signs", ["shard"]),
            "causes/handover.toml: cause 'hand-over' `signs` has the unknown sign 'shard': did you mean 'shared'?",
        ),
        (
            "causes/handover",
            first("cause", "issues", ["rocketmq#2733"]),
            "causes/handover.toml: cause 'hand-over' `issues` has the unknown issue 'rocketmq#2733': "
            "did you mean 'rocketmq#2732'?",
        ),
        (
            "causes/handover",
            first("cause", "needs", "luck"),
            "causes/handover.toml: cause 'hand-over' `needs` has 'luck': write one of nothing, setting, failure",
        ),
        (
            "causes/handover",
            first("cause", "headline", "The new owner of a queue."),
            "causes/handover.toml: cause 'hand-over' `headline` needs a text in both languages: "
            "add the strings `en` and `zh`",
        ),
        (
            "causes/handover",
            first("cause", "headline", {"en": "It is {two-owner}.", "zh": ""}),
            "causes/handover.toml: cause 'hand-over' `headline` has the unknown phrase 'two-owner': "
            "did you mean 'two-owners'?",
        ),
        (
            "causes/handover",
            first("cause", "effect", [{**EFFECT, "refuted": ["offsets"]}]),
            "causes/handover.toml: cause 'hand-over' `effect` `refuted` has 'offsets', which is no claim id: "
            "write `kind.subject.guarantee`, perhaps with braces",
        ),
        (
            "causes/handover",
            first("cause", "effect", [{**EFFECT, "most": "20 s"}]),
            "causes/handover.toml: cause 'hand-over' `effect` `most` must be a whole number above 0",
        ),
        (
            "causes/handover",
            first("cause", "effect", [{**EFFECT, "event": False}]),
            "causes/handover.toml: cause 'hand-over' `effect` `event` must be `true`: leave the key out otherwise",
        ),
        (
            "causes/handover",
            first("cause", "signs", ["shared", "shared"]),
            "causes/handover.toml: cause 'hand-over' `signs` has an element twice: remove one",
        ),
        (
            "causes/handover",
            first("cause", "name", "same-client-id"),
            "causes: the cause 'same-client-id' is there twice: rename or remove one",
        ),
        (
            "lines/java",
            first("line", "log", "proxy"),
            "lines/java.toml: line 'share-changed' `log` has 'proxy': write one of client, broker",
        ),
        (
            "lines/java",
            first("line", "wording", []),
            "lines/java.toml: line 'share-changed' `wording` must be a list that is not empty",
        ),
        (
            "unmodelled",
            first("subject", "words", "pop("),
            "unmodelled.toml: subject 'pop' `words` must be a regular expression: "
            "missing ), unterminated subpattern at position 3",
        ),
        ("bugs/locks", lambda file: file.pop("title"), "bugs/locks.toml: the file lacks the key `title`: add it"),
        ("bugs/locks", lambda file: file.pop("bug"), "bugs/locks.toml: the file has no [[bug]]: add one"),
    ],
)
def test_fault_is_refused_with_its_place_and_the_remedy(path, change, said):
    assert said in changed(path, change)


def test_file_of_an_unknown_name_is_refused():
    (said,) = problems({**everything_read(), "": {**everything_read()[""], "symptom": {}}})
    assert said.startswith("symptom.toml: no file of this name is known")


@pytest.mark.parametrize("zh", ["", " ", None])
def test_text_without_chinese_is_found(zh):
    everything = deepcopy(everything_read())
    cause = everything["causes"]["handover"]["cause"][0]
    cause["fix"][1]["short"]["zh"] = zh
    if zh is None:
        del cause["fix"][1]["short"]["zh"]
    told = (
        "causes/handover.toml: cause 'hand-over', fix number 2, `short` lacks the Chinese text: write `zh` beside `en`"
    )
    assert told in untranslated(everything)


def test_text_without_english_is_refused():
    said = changed("causes/handover", first("cause", "headline", {"en": "", "zh": "新的消费者"}))
    assert said == [
        "causes/handover.toml: cause 'hand-over' `headline` has an empty `en`: write the English text",
    ]


def test_braces_are_expanded_in_order():
    assert [*expanded("a.{b,c}.d-{e,f}")] == ["a.b.d-e", "a.b.d-f", "a.c.d-e", "a.c.d-f"]
    assert [*expanded("a.b")] == ["a.b"]


def test_file_that_is_not_toml_is_refused(tmp_path):
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (tmp_path / "causes" / "handover.toml").write_text("[[cause]\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"^causes/handover\.toml: not valid TOML: "):
        read(tmp_path)


def test_all_problems_are_in_one_message(tmp_path: Path):
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    path = tmp_path / "causes" / "handover.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('needs = "nothing"', 'need = "nothing"', 1), encoding="utf-8")
    with pytest.raises(KnowledgeError) as refused:
        compiled(tmp_path)
    assert str(refused.value).splitlines() == [
        "causes/handover.toml: cause 'hand-over' has the unknown key `need`: did you mean `needs`?",
        "causes/handover.toml: cause 'hand-over' lacks the key `needs`: add it",
    ]


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.toml")), ids=lambda path: path.stem)
def test_file_says_first_what_it_is_about(path):
    assert re.match(r"# [A-Z].*\.\n", path.read_text(encoding="utf-8"))
    assert tomllib.loads(path.read_text(encoding="utf-8"))
