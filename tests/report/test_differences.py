"""The page of differences between releases."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.groups.names import numbers
from rebalance_proofs.report.differences import BROKER, CLIENT, ROWS, page, unknown_claims

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "differences.md"


def test_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_named_claim_is_in_the_ledger():
    known = {claim.id for claim in LEDGER}
    assert any(row.claims for row in ROWS)
    assert unknown_claims(ROWS, known) == ()


def test_claim_that_does_not_exist_is_found():
    wrong = replace(ROWS[0], claims=(*ROWS[0].claims, "pulls.java_v9.one-request"))
    assert unknown_claims((wrong,), {*ROWS[0].claims}) == ("pulls.java_v9.one-request",)


@pytest.mark.parametrize("part", [CLIENT, BROKER])
def test_rows_of_a_part_begin_with_the_oldest_release(part):
    releases = [numbers(row.release) for row in ROWS if row.part == part]
    assert releases == sorted(releases)
    assert all(len(release) == 3 for release in releases)


def test_cells_are_short_and_details_are_sentences():
    for row in ROWS:
        assert len(row.change.split()) <= 12, row
        assert not row.change.endswith(".")
        assert row.why.endswith(".")
        assert re.match(r"[A-Z]\w+", row.place)


def test_every_row_has_a_detail_with_its_claims():
    text = page()
    tables, _, details = text.partition("## Details")
    for number, row in enumerate(ROWS, 1):
        assert f"](#difference-{number})" in tables
        assert f'<a id="difference-{number}"></a>**{row.release}, {row.place}**' in details
        for claim in row.claims:
            assert f"[{claim}](ledger/{claim.partition('.')[0]}.md#{claim})" in details
