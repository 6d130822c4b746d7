"""Every message of the code has a Chinese translation with the same placeholders, and the compiled file is current."""

import gettext as translations
from pathlib import Path

import pytest

from rebalance_proofs.language import gettext, later, ngettext, use
from rebalance_proofs.recorded.knowledge.messages import (
    CATALOGUE,
    compiled,
    messages,
    paragraphs,
    parsed,
    problems,
    written,
)

CODE = '''
from rebalance_proofs.language import gettext, later, ngettext

HEAD = later("Exit status:")


@click.command(cls=Translated)
@click.option("--all", help="List all.")
def why() -> None:
    """List causes.

    One line
    and another.
    """
    print(gettext("{number} causes").format(number=2), ngettext("one {thing}", "many {thing}", 2))
    print(gettext(HEAD))
'''
IN_CODE = {
    ("Exit status:",),
    ("List all.",),
    ("List causes.",),
    ("One line and another.",),
    ("{number} causes",),
    ("one {thing}", "many {thing}"),
}


@pytest.fixture(autouse=True)
def _english_again():
    yield
    use("en")


@pytest.fixture
def found():
    return messages()


@pytest.fixture
def translated():
    return parsed(CATALOGUE.read_text(encoding="utf-8"))


def test_every_message_is_translated_with_its_placeholders(found, translated):
    assert problems(found, translated) == []


def test_catalogue_is_the_one_that_the_command_writes(found, translated):
    assert CATALOGUE.read_text(encoding="utf-8") == written(found, translated)


def test_compiled_file_is_current(translated):
    assert CATALOGUE.with_suffix(".mo").read_bytes() == compiled(translated)


def test_message_that_is_missing_in_the_catalogue_is_found(found, translated):
    first = next(iter(found))
    assert problems(found, {one: text for one, text in translated.items() if one != first}) == [
        f"not translated: {first[0]!r}"
    ]


def test_message_without_a_translation_is_found(found, translated):
    first = next(iter(found))
    assert problems(found, {**translated, first: ""}) == [f"not translated: {first[0]!r}"]


def test_translation_with_another_placeholder_is_found(found, translated):
    message = next(one for one in found if "{name}" in one[-1])
    chinese = translated[message].replace("{name}", "{nome}")
    assert problems(found, {**translated, message: chinese}) == [f"other placeholders: {message[0]!r}: {chinese!r}"]


def test_translation_of_no_message_is_found(found, translated):
    assert problems(found, {**translated, ("Gone.",): "没有了。"}) == ["no message of the code: 'Gone.'"]


def test_messages_of_calls_constants_and_help_texts_are_collected(tmp_path: Path):
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "why.py").write_text(CODE, encoding="utf-8")
    assert set(messages(tmp_path)) == IN_CODE


def test_message_that_is_new_in_the_code_is_not_translated(tmp_path: Path, translated):
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "why.py").write_text('gettext("A new sentence.")', encoding="utf-8")
    assert "not translated: 'A new sentence.'" in problems(messages(tmp_path), translated)


def test_catalogue_keeps_quotes_lines_and_forms():
    told = {
        ('a "quoted" \\ text\nof two lines',): '两行"文本"\\\n',
        ("\b\n  raw",): "\b\n  原样",
        ("{n} a", "{n} b"): "{n} 个",
    }
    assert parsed(written(dict.fromkeys(told, "cli/why.py"), told)) == told


def test_compiled_messages_are_read_by_gettext(tmp_path: Path):
    folder = tmp_path / "zh" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "rebalance.mo").write_bytes(compiled({("yes",): "是", ("{n} day", "{n} days"): "{n} 天", ("no",): ""}))
    read = translations.translation("rebalance", tmp_path, ["zh"])
    assert [read.gettext("yes"), read.ngettext("{n} day", "{n} days", 1), read.gettext("no")] == ["是", "{n} 天", "no"]


def test_language_in_use_decides_what_gettext_returns():
    assert gettext(later("Options")) == "Options"
    use("zh")
    assert gettext("Options") == "选项"
    assert ngettext("an hour", "{number} hours", 1) == "{number} 小时"


def test_paragraphs_keep_the_lines_of_raw_ones():
    assert paragraphs("One\ntwo.\n\n\b\nA:\n  b  c") == ["One two.", "\b\nA:\n  b  c"]
