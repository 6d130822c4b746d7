"""Terminals of any width: text that a user copies from an answer is never wrapped."""

import re
import shutil
from textwrap import TextWrapper

import pytest

from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.report.text import wrapping
from tests.cli.terminal import at_terminal
from tests.faults.anchors import PARTS, ROOT
from tests.recorded.audit.audited import LOGS

WIDTHS = (40, 80, 200)
COMMAND = re.compile(
    rf"rebalance (?:{'|'.join(COMMANDS)})\b"
    r"(?: --?[a-z][a-z-]*(?: (?:'[^']*'|[A-Z0-9][^\s`]*[^\s`.,;:]|[a-z0-9_]*[./:][^\s`]*[^\s`.,;:]))?"
    r"| '[^']*'| [a-z0-9_]*[._*/][^\s`]*[^\s`.,;:])*"
)
"""A command as an answer has it: its options and their values, and claims, files or patterns."""
CODE = re.compile(r"`[^`\n]+`")
TIME = re.compile(r"\d+(?:\.\d+)?\s+(?:ms|s)\b")
ANSWERS = (
    "audit {logs}",
    "audit {logs} --never none --group G",
    "check {own}",
    "explore lock-lite --queues 1 --messages 2 --no-settle",
    "list allocation.avg.disjoint transition.java_v5_2.kept.push",
    "list --client 5.2 --mode push",
    "moves --strategy avg,circle --consumers 3 --grow 4:8 --brokers 2",
    "prove allocation.avg.disjoint --jobs 1 --solver z3 --no-width",
    "replay allocation.avg.covers.without-same-cid-all",
    "replay transition.java_v5_2.kept.push",
    "safe --client 5.2",
    "settle --client 5.2 --event crash",
    "show allocation.avg.covers.without-same-cid-all",
    "why",
    "why twice --client 5.2 --mode push",
    "why hand-over",
    "help",
    *(f"{name} --help" for name in COMMANDS),
)
"""Calls of every command."""
WRONG = ("replay {own}", "audit {logs}/none.log", "why --file {own}", "replay 'settling.**'", "lst")
PLACES = {"short": "a", "with spaces": "my logs of c 0", "long": "/".join(("very-long_name.of-a.folder",) * 6)}
OWN = "def allocate(queues, consumers, me):\n    return [q for i, q in enumerate(queues) if i % 2 == 0]\n"
BROKEN = {"words": {"break_long_words": True}, "hyphens": {"break_on_hyphens": True}}


CASES = [(place, line) for line in ANSWERS for place in PLACES if "{logs}" in line or place == "with spaces"]


@pytest.fixture
def names(request, tmp_path):
    """Files of a user: logs of two members, a strategy, and what mqadmin printed."""
    place = tmp_path / PLACES[getattr(request, "param", "short")]
    logs = place / "logs"
    shutil.copytree(LOGS / "java-4.9.8" / "g_mixed", logs)
    (logs / "what mqadmin printed.txt").write_text(
        "#Topic #Broker Name #QID #Broker Offset #Other\nT b 0 1 2\n", encoding="utf-8"
    )
    (place / "own.py").write_text(OWN, encoding="utf-8")
    return {"logs": str(logs), "own": str(place / "own.py")}


def words_of(line, names):
    """The words of a call, of which a name is one even if it has spaces."""
    return [word.strip("'").format(**names) for word in re.findall(r"'[^']*'|\S+", line)]


def require_unbroken(wide, narrow, names):
    """What is copied from the wide answer is in the narrow one, and so is every word, in its order."""
    wide, narrow = (TIME.sub("TIME", text) for text in (wide, narrow))
    copied = {*COMMAND.findall(wide), *CODE.findall(wide), *(name for name in names.values() if name in wide)}
    assert [one for one in sorted(copied) if one not in narrow] == []
    assert narrow.split() == wide.split()


@pytest.mark.parametrize(("names", "line"), CASES, indirect=["names"])
def test_copied_text_is_never_broken(call, names, line):
    words = words_of(line, names)
    wide = call(*words)
    for columns in WIDTHS:
        narrow = call(*words, columns=columns)
        assert narrow.status == wide.status
        require_unbroken(wide.out, narrow.out, names)


@pytest.mark.parametrize("line", WRONG)
def test_complaint_is_one_line_at_any_width(call, names, line):
    words = words_of(line, names)
    wide = call(*words)
    assert all(call(*words, columns=columns).complaint == wide.complaint for columns in WIDTHS)


@pytest.mark.parametrize("names", PLACES, indirect=True)
def test_narrow_answer_is_broken_between_words(call, names):
    """Only file names and figures, which cannot be wrapped, are wider than the terminal."""
    said = call("audit", names["logs"], columns=40).out
    wide = [line for line in said.splitlines() if len(line) > 40 and len(line.split()) > 1]
    assert [line for line in wide if not re.search(r"\S{40}| {20}|mqadmin printed", line)] == []
    assert max(map(len, call("audit", names["logs"], columns=200).out.splitlines())) > 100


@pytest.mark.parametrize("options", BROKEN.values(), ids=BROKEN)
def test_break_inside_a_word_is_noticed(call, tmp_path, monkeypatch, options):
    class Breaking(TextWrapper):
        def __init__(self, width, **more):
            super().__init__(width, **more | options)

    log = tmp_path / ("a-long-name-of-a-log" * 4)
    log.write_text("#Topic #Broker Name #QID #Broker Offset #Other\nT b 0 1 2\n", encoding="utf-8")
    wide = call("audit", str(tmp_path)).out
    monkeypatch.setattr(wrapping, "TextWrapper", Breaking)
    with pytest.raises(AssertionError):
        require_unbroken(wide, call("audit", str(tmp_path), columns=40).out, {})


@pytest.mark.parametrize(
    ("names", "line"), [("with spaces", "audit {logs}"), ("short", "why --help")], indirect=["names"]
)
def test_break_at_a_space_of_a_path_or_command_is_noticed(call, names, monkeypatch, line):
    words = words_of(line, names)
    wide = call(*words).out
    monkeypatch.setattr(wrapping, "KEPT", " ")
    narrow = [call(*words, columns=columns).out for columns in range(30, 50)]
    with pytest.raises(AssertionError):
        _ = [require_unbroken(wide, said, names) for said in narrow]


@pytest.mark.parametrize(("names", "columns"), [("with spaces", 40), ("long", 200)], indirect=["names"])
def test_answer_fits_a_real_terminal(call, names, columns):
    wide = call("audit", names["logs"]).out
    with at_terminal("audit", names["logs"], columns=columns) as terminal:
        assert terminal.ended() == 1
    said = re.sub(r"\x1b\[[\d;]*m", "", terminal.drawn)
    require_unbroken(wide, said, names)
    assert len(said.splitlines()) > len(wide.splitlines()) or columns > 40


def test_moving_lines_break_no_name(call, tmp_path):
    """Lines above a progress line are neither wrapped nor changed: ``:key:`` is not replaced by an emoji."""
    place = tmp_path / ("a:key:b" * 12)
    with at_terminal("prove", "allocation.avg.idle", "--jobs", "1", "--output", str(place), columns=40) as terminal:
        assert terminal.ended() == 0
    assert f"report: {place / 'report.html'}" in terminal.drawn


def test_lines_are_broken_in_one_place():
    broken = re.compile(r"textwrap import .*\b(?:wrap|fill|shorten|TextWrapper)\b|textwrap\.(?:wrap|fill)|wrap_text")
    sized = re.compile(r"get_terminal_size")
    files = [path for part in PARTS for path in (ROOT / part).rglob("*.py")]
    found = {
        what: {str(path.relative_to(ROOT)) for path in files if sought.search(path.read_text(encoding="utf-8"))}
        for what, sought in (("broken", broken), ("sized", sized))
    }
    assert found == {"broken": {"report/text/wrapping.py"}, "sized": {"cli/width.py", "cli/player.py", "cli/paged.py"}}
