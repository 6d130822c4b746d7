"""Names of texts: texts of different claims with the same formulas share a certificate."""

from rebalance_proofs.proofs.certified.wanted import digest, formulas


def test_digest_depends_on_the_formulas_alone():
    text = "; one claim\n(assert |; no comment|)\n; another\n(check-sat)\n"
    assert formulas(text) == "(assert |; no comment|)\n(check-sat)\n"
    assert digest(text) == digest(text.replace("one claim", "two claims"))
    assert digest(text) != digest(text.replace("no comment", "a comment"))
