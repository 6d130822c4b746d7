"""Numbers are written so that no JSON reader rounds them: those of more than 53 bits have another form."""

import pytest

from rebalance_proofs.report import json_claim
from rebalance_proofs.report.allocation import document

EXACT = 2**53 - 1
"""The largest number up to which every double is a number of its own, and no other is read as one."""


@pytest.mark.parametrize("number", [0, 1, -1, EXACT, -EXACT])
def test_exact_number_is_written_as_a_number(number):
    assert json_claim._number(number) == number
    assert document._number(number) == number


@pytest.mark.parametrize("number", [EXACT + 1, -EXACT - 1, 2**60])
def test_larger_number_is_written_as_its_digits(number):
    assert json_claim._number(number) == str(number)
    assert document._number(number) == {"#bigint": str(number)}
