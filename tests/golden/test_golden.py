"""Output equals the golden texts exactly."""

import pytest

from tests.golden.kept import TEXTS
from tests.pins.changes import told
from tests.pins.table import GOLDEN, PINS


@pytest.mark.parametrize("name", TEXTS)
def test_golden_output_is_unchanged(name):
    """If you changed it on purpose, run ``make pins``."""
    changes = told(PINS[name], PINS[name].computed())
    assert not changes, changes


def test_every_golden_text_is_pinned():
    assert {*GOLDEN} == {*TEXTS}
