"""The ledger page is generated from the claims, and up to date."""

from pathlib import Path

from proofs.ledger import LEDGER
from report.ledger import page

LEDGER_PAGE = Path(__file__).parent.parent.parent / "docs" / "ledger.md"


def test_the_page_is_what_make_docs_writes():
    assert LEDGER_PAGE.read_text(encoding="utf-8") == page()


def test_every_claim_stands_on_it_once():
    text = page()
    assert [text.count(f"`{claim.id}`") for claim in LEDGER] == [1] * len(LEDGER)
