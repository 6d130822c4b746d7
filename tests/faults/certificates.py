"""Faults of the checker of certificates: unsound rules, and certificates of something else."""

from tests.faults.fault import Change, Fault, failing, fault

RULES = "tests/proofs/certificates/test_rules.py::test_rule_is_sound_in_many_instances"
CHECKING, CERTIFY = "tests/proofs/certificates/test_checking.py", "tests/cli/test_certify.py"


def _unsound(name: str, symbol: str, old: str, new: str) -> Fault:
    """Return a fault of one rule; its test draws instances of that rule alone."""
    return fault(f"certificate-rule-{name}", symbol, old, new, *failing(f"{RULES}[{name}]"))


FAULTS = (
    _unsound("and_elim", "and_elim", "args_of(given[0], 'and')", "given[0].args"),
    _unsound("not_or_elim", "not_or_elim", "args_of(inner, 'or')", "inner.args"),
    _unsound("resolution", "resolution", "_without(given[1], dropped, 1)", "_without(given[1], kept, 1)"),
    _unsound("reordering", "reordering", "_literals(given[0])", "_literals(given[0])[1:]"),
    _unsound("aci_norm", "aci_norm", "_parts(terms, op, left) ==", "_parts(terms, op, left) >="),
    _unsound("absorb", "absorb", "right not in _parts(terms, left.op, left)", "not left.args"),
    _unsound("trans", "trans", "left is not last", "left.sort != last.sort"),
    _unsound("cong", "cong", "left is not arg", "left.sort != arg.sort"),
    _unsound("distinct-true", "distinct_true", "len(set(values)) != len(values)", "False"),
    _unsound("arith_poly_norm", "arith_poly_norm", "polynomial(terms, left) != polynomial(terms, right)", "False"),
    _unsound("arith_trichotomy", "arith_trichotomy", "left[1] != right[1]", "False"),
    _unsound("int_tight_ub", "int_tight_ub", "// 1) - 1", "// 1) - 2"),
    _unsound("arith_mult_sign", "arith_mult_sign", "times % 2 == 1", "times % 2 == 0"),
    _unsound("modus_ponens", "STATEMENTS", "modus_ponens         a (=> a b)", "modus_ponens         a (=> b a)"),
    _unsound("cnf_implies_pos", "STATEMENTS", "(or (not (=> a b)) (not a) b)", "(or (not (=> a b)) a b)"),
    _unsound("arith-elim-lt", "STATEMENTS", "(< x y) (not (>= x y))", "(< x y) (not (> x y))"),
    fault(
        "certificate-of-another-text",
        "_Certificate.assume",
        "formula not in self.script.assertions",
        "formula.sort != BOOL",
        *failing(f"{CHECKING}::test_certificate_of_another_text_is_refused"),
    ),
    fault(
        "certificate-ends-anyhow",
        "_Certificate.check",
        "self.last is not self.terms.false",
        "self.last is None",
        *failing(f"{CHECKING}::test_wrong_certificate_is_refused"),
    ),
    fault(
        "certificate-ends-within-an-assumption",
        "_Certificate._conclude",
        "if not self.open:",
        "if True:",
        *failing(f"{CHECKING}::test_false_within_an_assumption_proves_nothing"),
    ),
    fault(
        "certificate-asserts-within-an-assumption",
        "_Certificate.assume",
        "if self.open:",
        "if False:",
        *failing(f"{CHECKING}::test_assertion_within_an_assumption_is_refused"),
    ),
    fault(
        "certificate-beside-any-text",
        "folder._problem",
        "formulas(kept) != formulas(text)",
        "False",
        *failing(f"{CERTIFY}::test_exchanged_files_are_refused[smt2]"),
    ),
    Fault(
        "certificate-of-a-trivial-text",
        (
            Change("folder._problem", "formulas(kept) != formulas(text)", "False"),
            Change("folder._problem", "check(text, certificate)", "check(kept, certificate)"),
        ),
        *failing(f"{CERTIFY}::test_trivial_text_with_its_proof_is_refused"),
    ),
    fault(
        "certificate-has-any-number",
        "bounded",
        "max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS",
        "False",
        *failing(f"{CHECKING}::test_terms_that_are_too_large_to_compute_are_refused"),
    ),
    fault(
        "lost-certificate-counts",
        "Certified.share",
        "if stem not in self.accepted",
        "if stem in self.reasons",
        *failing("tests/report/test_certified.py::test_claim_that_lost_a_certificate_is_listed_with_the_reason"),
    ),
)
