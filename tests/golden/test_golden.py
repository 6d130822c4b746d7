"""What commands say is what they said, down to the last digit."""

from difflib import unified_diff

import pytest

from tests.golden.kept import FOLDER, TEXTS, file, written


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_said_as_it_was(name):
    """Where it is meant to differ, ``python -m tests.golden`` writes it anew."""
    kept, now = file(name).read_text(encoding="utf-8"), written(name)
    differs = unified_diff(kept.splitlines(), now.splitlines(), "kept", "now", lineterm="", n=1)
    assert now == kept, "\n".join(differs)


def test_nothing_is_kept_that_nobody_compares():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*TEXTS}
