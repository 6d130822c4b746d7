"""The Chinese answers of ``rebalance why``: no English sentence, and JSON in English."""

import json
import re

import pytest

from rebalance_proofs import language
from rebalance_proofs.cli.main import main
from rebalance_proofs.cli.why import why
from rebalance_proofs.recorded.knowledge.messages import CATALOGUE, parsed
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.document import FORMAT
from rebalance_proofs.report.text.wrapping import cells_of
from tests.report.symptoms.printed import Row, progress

SENTENCE = re.compile(r"(?<![\w`'\"-])[A-Za-z][a-z]*(?:'s)?(?:,? [A-Za-z][a-z]+(?:'s)?){3,}")
"""Four English words in a row."""
LITERAL = re.compile(
    r'"[^"\n]*"|“[^”\n]*”|`[^`\n]*`|mqadmin [^，。；：、）\n]*|https?://\S+|（[A-Za-z0-9_.,;() ]*）'
    r"|observed in few cases|rebalance why [^，。；：）\n]*"
)
"""Log texts, commands, names of classes and methods, and marks."""
SYMPTOMS = [one.value for one in Symptom]


def english(text):
    """Return the English sentences in an answer."""
    return [found[0] for line in text.splitlines() for found in SENTENCE.finditer(LITERAL.sub("~", line))]


@pytest.fixture
def ask(capsys, monkeypatch):
    """Run ``rebalance why``, and return its output and its error message."""
    for name in language.VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def run(*arguments):
        with pytest.raises(SystemExit):
            main(["why", *arguments])
        assert language.language() == "en"
        told = capsys.readouterr()
        return told.out + told.err

    return run


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        *([one] for one in SYMPTOMS),
        *([one, "--all"] for one in SYMPTOMS),
        ["twice", "--client", "4.8.0", "--mode", "push", "--after", "deploy", "--queues", "one", "--over"],
        ["twice", "--client", "4.9.8,go"],
        ["stuck", "--all", "--for", "10m", "--client", "node"],
        ["hand-over"],
        ["waits-for-crashed", "--client", "5.2"],
        ["subscription not exist"],
        ["扩容后重复消费, 5.3.1"],
        ["spring 2.2.3 duplicates after deploy"],
        ["pop consumption"],
        ["zzz"],
    ],
    ids=" ".join,
)
def test_chinese_answer_has_no_english_sentence(ask, arguments):
    told = ask(*arguments, "--lang", "zh")
    assert re.search("[\u4e00-\u9fff]", told)
    assert english(told) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["twice", "--for", "0s"],
        ["twice", "--for", "5"],
        ["twice", "--for", "900h"],
        ["twice", "--client", "7.1"],
        ["twice", "--client", "x"],
        ["twice", "--client", "pop"],
        ["twice", "--mode", "x"],
        ["twice", "--strategy", " "],
        ["--client", "5.2"],
        ["zzz", "--file", "-"],
        ["--file", "/no/such/file"],
        ["twice", "--nope"],
        ["twice", "lost"],
        ["twice", "--over", "--over"],
        ["twice", "--after"],
        ["twice", "--client", "go,5.2", "--json"],
    ],
    ids=" ".join,
)
def test_chinese_error_has_no_english_sentence(ask, arguments):
    told = ask(*arguments, "--lang", "zh") if arguments[-1] != "--after" else ask("--lang", "zh", *arguments)
    assert told.startswith("rebalance: ")
    assert ("--json" in arguments) or english(told) == []


def test_chinese_answer_about_a_table_has_no_english_sentence(ask, tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(progress([Row(0), Row(1, 50_100, 100, "N/A")]), encoding="utf-8")
    told = ask("--file", str(path), "--lang", "zh")
    assert "已读取" in told
    assert english(told) == []


def test_english_sentence_is_found():
    assert english("如何确认：The owner of the queue changes。") == ["The owner of the queue changes"]
    assert english('如何确认：日志中有 "the message queue not be able to consume"。') == []


def test_message_that_is_not_translated_is_found_in_the_answer(ask, monkeypatch):
    translated = {one[0]: text for one, text in parsed(CATALOGUE.read_text(encoding="utf-8")).items()}
    del translated[
        "Unread messages are not lost; they are still on the broker. `rebalance why stuck` lists the causes."
    ]

    class Without(language.translations.NullTranslations):
        def gettext(self, message):
            return translated.get(message, message)

        def ngettext(self, one, many, number):
            return translated.get(one, many)

    monkeypatch.setattr(language, "_translations", lambda _: Without())
    assert english(ask("lost", "--lang", "zh"))


@pytest.mark.parametrize(
    "arguments",
    [["--help", "--lang", "zh"], ["--lang", "zh", "--help"], ["twice", "-h", "--lang=zh"], ["--lang=zh", "-h"]],
    ids=" ".join,
)
def test_help_is_in_chinese_in_any_order_of_options(ask, arguments):
    told = ask(*arguments)
    assert told.startswith("用法：rebalance why")
    assert "显示本帮助并退出。" in told
    assert english(told.replace("[OPTIONS] [ABOUT]", "")) == []


def test_help_options_do_not_depend_on_an_earlier_call_of_the_command_alone():
    assert [one.opts for one in why.get_params(why.make_context("why", ["twice"]))][-1] == ["-h", "--help"]


def test_help_fits_into_the_terminal_by_cells(ask, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = ask("--help", "--lang", "zh").splitlines()
    assert max(cells_of(line) for line in lines if not re.search(r"\[deploy|  rebalance why", line)) <= 80
    assert not [line for line in lines if line.lstrip()[:1] in "，。；：、）" and line.strip()]


def test_locale_decides_without_the_option(ask, monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "消息为什么" in ask("twice")
    assert "Why are messages" in ask("twice", "--lang", "en")
    monkeypatch.setenv("LC_ALL", "C")
    assert "Why are messages" in ask("twice")


@pytest.mark.parametrize(
    "arguments",
    [
        ["twice"],
        ["twice", "--client", "4.8.0"],
        ["pop consumption"],
        ["duplicates after a deploy"],
        ["zzz"],
        ["CODE: 24 DESC: the consumer's subscription not exist"],
    ],
    ids=" ".join,
)
def test_json_is_in_english_in_every_language(ask, arguments):
    told = ask(*arguments, "--json")
    assert ask(*arguments, "--json", "--lang", "zh") == told
    assert json.loads(told)["format"] == FORMAT


def test_json_of_a_symptom_lists_causes(ask):
    assert json.loads(ask("twice", "--json", "--lang", "zh"))["causes"]


def test_other_commands_stay_in_english(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    with pytest.raises(SystemExit):
        main(["list", "--help"])
    assert capsys.readouterr().out.startswith("Usage: rebalance list")
