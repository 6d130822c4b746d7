"""Printed output equals the golden texts exactly."""

from difflib import unified_diff

import pytest

from tests.golden.kept import FOLDER, TEXTS, file, written


@pytest.mark.parametrize("name", TEXTS)
def test_golden_output_is_unchanged(name):
    """To change it on purpose, regenerate with ``python -m tests.golden``."""
    kept, now = file(name).read_text(encoding="utf-8"), written(name)
    differs = unified_diff(kept.splitlines(), now.splitlines(), "kept", "now", lineterm="", n=1)
    assert now == kept, "\n".join(differs)


def test_every_golden_file_is_compared():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*TEXTS}
