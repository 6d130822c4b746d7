"""Help texts: summaries, the same words for the same option, examples and exit statuses."""

from collections import defaultdict

import click
import pytest

from rebalance_proofs.cli.commands import COMMANDS, TOPICS

WORDS = {
    "as_json": "Print JSON instead of text.",
    "client": "Java client version such as 5.2 or 4.9.8",
    "report": "write an html page to file",
    "master": "Spark master URL",
    "seed": "Random seed for",
    "jobs": "number of",
}
"""Parameter -> words that its help has on every command."""
SAME = ("as_json", "verbose", "quick", "baseline", "timeout", "vectors", "mode", "debug")
"""Parameters whose help is the same on every command, or on those commands that share the values."""
SUMMARY = 64
"""Characters of a summary that an 80-column terminal shows on one line."""


def command(name):
    return COMMANDS[name].command()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_begins_with_the_summary_of_the_list(name):
    assert command(name).help.partition("\n\n")[0] == COMMANDS[name].line


@pytest.mark.parametrize("name", COMMANDS)
def test_summary_fits_on_one_line(call, name):
    line = COMMANDS[name].line
    assert len(line) <= SUMMARY
    assert line.endswith(".")
    assert line in call("--help").out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_and_exit_statuses(call, name):
    out = call(name, "--help").out
    assert f"rebalance {name}" in out.split("Examples:")[1]
    assert "  2    the call or its input is wrong" in out.split("Exit status:")[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_sentence(name):
    for param in command(name).params:
        if isinstance(param, click.Option):
            assert param.help, param.opts
            assert param.help.endswith("."), param.opts


def helps():
    """Parameter -> its help texts, each with its commands."""
    found = defaultdict(lambda: defaultdict(set))
    for name in COMMANDS:
        for param in command(name).params:
            if isinstance(param, click.Option):
                found[param.name][param.help].add(name)
    return found


@pytest.mark.parametrize("name", WORDS)
def test_option_has_the_same_words_on_every_command(name):
    assert [text for text in helps()[name] if WORDS[name].casefold() not in text.casefold()] == []


@pytest.mark.parametrize("name", SAME)
def test_option_has_one_help_text(name):
    texts = [text for text, commands in helps()[name].items() if commands != {"settle"}]
    assert len(texts) == 1


def test_every_topic_is_listed_once(call):
    out = call("--help").out
    assert all(out.count(f"{topic}:\n") == 1 for topic in TOPICS)
    assert {place.topic for place in COMMANDS.values()} == set(TOPICS)
