"""Faults are found in the source whatever its formatting and its modules are."""

import pytest

from tests.faults.anchors import Missing, index, located, replaced

CODE = "if a and b:"
FORMATTED = """class Thing:
    def does(self, a, b):
        if (
            a  # at first
            and b
        ):
            return 'x'
        return "y"
"""


@pytest.fixture
def tree(tmp_path):
    """A tree with one class, written in several lines."""
    (tmp_path / "model" / "some").mkdir(parents=True)
    (tmp_path / "model" / "some" / "place.py").write_text(FORMATTED, encoding="utf-8")
    yield tmp_path
    index.cache_clear()


def test_code_is_found_in_several_lines_with_a_comment(tree):
    assert located("Thing.does", CODE, tree).file == "model/some/place.py"
    changed = replaced(FORMATTED, "Thing.does", "model/some/place.py", CODE, "if a or b:")
    assert "if a or b:" in changed
    assert "return 'y'" in changed


def test_code_is_found_in_a_moved_module(tree):
    (tree / "proofs").mkdir()
    (tree / "model" / "some" / "place.py").rename(tree / "proofs" / "other.py")
    assert located("Thing.does", CODE, tree).file == "proofs/other.py"
    assert located("other.Thing.does", CODE, tree).line == 2


@pytest.mark.parametrize(("symbol", "code"), [("Thing.did", CODE), ("Thing.does", "if a or b:"), ("place.does", CODE)])
def test_absent_code_is_missing(tree, symbol, code):
    with pytest.raises(Missing, match=r"not in exactly one symbol"):
        located(symbol, code, tree)


def test_code_in_two_modules_is_ambiguous_without_a_module(tree):
    (tree / "model" / "copy.py").write_text(FORMATTED, encoding="utf-8")
    with pytest.raises(Missing, match=r"copy\.py:2, model/some/place\.py:2"):
        located("Thing.does", CODE, tree)
    assert located("copy.Thing.does", CODE, tree).file == "model/copy.py"
