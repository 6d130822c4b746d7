"""Changes of pinned files are reported by claim, call, sentence and number, and written only without ``--check``."""

from dataclasses import replace
from functools import partial

import pytest

from tests.each import each
from tests.pins.__main__ import main
from tests.pins.changes import Changes, told
from tests.pins.parts import CALL, headed, of_json
from tests.pins.pin import FOLDER, Pin
from tests.pins.table import OWN, PINS, SHIPPED
from tests.weakened.page import JUDGED

BEFORE = """$ rebalance safe
Not exclusive: 2 consumers.
exit status 1
$ rebalance list
# 807 claims
"""
NOW = """$ rebalance safe
Exclusive: 2 consumers.
exit status 0
$ rebalance moves
nothing
"""
CHANGED = """\
text: 1 added, 1 removed, 1 changed (2 calls)
  added    rebalance moves
    + nothing
  removed  rebalance list
    - # 807 claims
  changed  rebalance safe
    - Not exclusive: 2 consumers.
    + Exclusive: 2 consumers.
    ~ exit status [1 -> 0]
"""


@pytest.fixture
def pins(tmp_path):
    """A pinned text that was computed differently before, and one that fails."""
    (tmp_path / "text.txt").write_text(BEFORE, encoding="utf-8")
    text = Pin("text", tmp_path / "text.txt", partial(str.encode, NOW), headed(CALL), "calls")
    return {"text": text, "wrong": replace(text, name="wrong", computed=partial(bytes, "no encoding"))}


def test_changed_sentence_is_printed_with_its_call_and_written(pins, capsys):
    assert main(["text", "--jobs", "1"], pins) == 0
    assert capsys.readouterr().out == f"{CHANGED}1 files computed, written: text.\n"
    assert pins["text"].pinned() == NOW.encode()


def test_check_fails_and_writes_nothing(pins, capsys):
    assert main(["--check"], pins) == 1
    said = capsys.readouterr()
    assert said.out.startswith(CHANGED)
    assert "wrong: could not be computed: TypeError" in said.out
    assert said.err == "Could not be computed: wrong.\n"
    assert pins["text"].pinned() == BEFORE.encode()


def test_unknown_name_is_a_wrong_call(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["explor"])
    assert "no pinned file is called 'explor'; names are explore" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("worlds", "offset persistence never fails", "it always fails", "+   when: it always fails"),
        ("explore", "1,699 states", "1,700 states", "~ Explored: [1,699 -> 1,700] states (all states)"),
        ("index", '"expected": "PROVED"', '"expected": "REFUTED"', "+ expected: REFUTED"),
        ("obligations", '"exclusive": [', '"exclusive, other": [', "+ other"),
    ],
)
def test_change_of_a_pinned_file_names_its_part(name, old, new, expected):
    """Seeded faults in real files."""
    content = PINS[name].pinned().decode()
    assert old in content
    assert expected in told(PINS[name], content.replace(old, new, 1).encode())


def test_renamed_claim_is_no_new_claim():
    found = Changes("claims", {"a.old": ["is so"], "b": ["x"]}, {"b": ["x"], "a.new": ["is so"]})
    assert found.summary() == "1 renamed (2 claims)"
    assert [*found.lines()] == ["renamed  a.old -> a.new"]


def test_long_line_is_cut_around_its_difference():
    _, line = Changes("x", {"a": ["y " * 200 + "1"]}, {"a": ["y " * 200 + "2"]}).lines()
    assert line.endswith("[1 -> 2]")
    assert len(line) < 60


def test_other_order_is_a_change():
    assert Changes("claims", {"a": ["1"], "b": ["2"]}, {"b": ["2"], "a": ["1"]}).summary() == "other order (2 claims)"


def test_json_is_read_by_named_objects():
    parts = of_json(2)(b'{"claims": [{"id": "a", "is": {"n": 1}, "of": ["x", "y"]}], "none": []}')
    assert parts == {"claims / a": ["id: a", "is.n: 1", 'of: ["x", "y"]'], "none": ["[]"]}


@each("pin", [*PINS.values()], ids=lambda pin: pin.name)
def test_pinned_file_has_parts(pin):
    parts = pin.parts(pin.pinned())
    assert len(parts) >= 2
    assert "(beginning)" not in parts


def test_every_file_in_the_folder_is_pinned():
    assert {path for path in FOLDER.iterdir() if path.suffix not in (".py", "")} == {
        *(pin.file for pin in OWN),
        JUDGED,  # written by a slow job
    }
    assert all(pin.stays for pin in SHIPPED)
