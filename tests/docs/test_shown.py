"""README and tutorial: their commands run, and print what the pages show."""

import re
from collections import Counter

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from tests.docs.shown import ROOT, agrees, printed, renewed, shown

PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "README.zh-CN.md", "docs/tutorial/first-steps.md")
}
INLINE = sorted(
    {
        typed
        for page in PAGES.values()
        for typed in re.findall(r"`(rebalance (?:why|safe|moves|show|list) [^`]+)`", page)
    }
)
CODE = re.compile(r"```.*?```|^ {4}[^\n]*$", re.DOTALL | re.MULTILINE)
SHOWN = [(name, typed, output) for name, page in PAGES.items() for typed, output in shown(page)]


@pytest.mark.parametrize(("name", "typed", "output"), SHOWN, ids=[f"{name}-{typed[:40]}" for name, typed, _ in SHOWN])
def test_page_shows_the_output_of_its_command(name, typed, output):
    assert agrees(output, printed(typed, PAGES[name]))


@pytest.mark.parametrize("typed", INLINE)
def test_command_within_a_sentence_runs(typed):
    assert printed(typed, "")


@pytest.mark.parametrize("name", PAGES)
def test_output_that_differs_in_one_letter_is_detected(name):
    typed, output = shown(PAGES[name])[0]
    real = printed(typed, PAGES[name])
    assert agrees(output, real)
    assert not agrees(output.replace("c", "k", 1), real)
    assert not agrees("", real)


def test_only_an_ellipsis_line_stands_for_omitted_output():
    assert agrees("a\n...\n", "a\nb\n")
    assert not agrees("a...\n", "a\nb\n")
    assert not agrees("a\n...\n", "b\n")


def test_page_is_updated_with_the_output_of_its_commands():
    page = "```console\n$ rebalance --version\nold\n```\n\n```console\n$ rebalance list\n```\n"
    assert shown(renewed(page)) == [("rebalance --version", printed("rebalance --version", page))]
    assert renewed(page).endswith("$ rebalance list\n```\n")


def test_pipe_to_another_program_is_refused():
    with pytest.raises(ValueError, match="wc"):
        printed("rebalance --version | wc -l", "")


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_readme_has_three_outputs_of_at_most_six_lines(name):
    outputs = [output for _, output in shown(PAGES[name])]
    assert len(outputs) == 3
    assert all(len(output.splitlines()) <= 6 for output in outputs)


def test_chinese_readme_has_the_same_commands_and_links():
    def parts(name):
        text = PAGES[name]
        # A page that exists in Chinese is linked in Chinese.
        links = [link.replace(".zh-CN.md", ".md") for link in re.findall(r"\]\(([^)]+)\)", text)]
        commands = re.findall(r"`((?:rebalance|make) [^`]+)`", text)
        return [link for link in links if not link.startswith("README.")], commands, shown(text)

    assert parts("README.zh-CN.md") == parts("README.md")


def test_repaired_tutorial_strategy_assigns_every_queue(tmp_path, monkeypatch):
    page = PAGES["docs/tutorial/first-steps.md"]
    ends = "(index + 1) * share]"
    assert ends in page
    last = "len(mq_all) if index == len(cid_all) - 1 else (index + 1) * share]"
    out = printed("rebalance check mine.py:allocate --queues 8 --consumers 8", page.replace(ends, last))
    assert out.startswith("OK")


def test_readme_claim_counts_are_those_of_the_ledger():
    verdicts = Counter(claim.expected for claim in LEDGER)
    for name in ("README.md", "README.zh-CN.md"):
        numbers = [int(number) for number in re.findall(r"\b\d{3}\b", PAGES[name])]
        assert {len(LEDGER), *verdicts.values()} <= {*numbers}


def test_hand_written_pages_stay_short():
    """Counts words outside code blocks; generated pages are for reference."""
    generated = re.compile(
        r"reference/(ledger|findings|symptoms|reality|guarantees|releases|differences|faults|weakenings|benchmarks|schedules|upstream)"
    )
    words = {
        str(path.relative_to(ROOT / "docs")): len(CODE.sub("", path.read_text(encoding="utf-8")).split())
        for path in (ROOT / "docs").rglob("*.md")
    }
    own = {page: count for page, count in words.items() if not generated.match(page)}
    assert {page: count for page, count in own.items() if count > 2000} == {}
    assert sum(own.values()) <= 28_000
    assert 600 <= len(PAGES["README.md"].split()) <= 700
