"""Certificates: accepted only if they end in false, by known rules, from assertions of the text alone."""

import re
from itertools import pairwise
from random import Random

import pytest

from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.certificates import checking, terms
from rebalance_proofs.proofs.certificates.checking import Script, check
from rebalance_proofs.proofs.certificates.terms import Refused
from rebalance_proofs.proofs.certified.found import wanted
from rebalance_proofs.proofs.certified.produce import proof
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.smt.linear import MONOTONE
from tests.each import each

TEXT = """; x lies on both sides of 0
(set-logic QF_LIA)
(declare-const p Bool)
(declare-const x Int)
(define-fun low () Bool (< x 0))
(assert (=> p low))
(assert p)
(assert (>= x 0))
(check-sat)
"""
CERTIFICATE = """(
(define @t1 () (>= x 0))
(assume @p1 (=> p (< x 0)))
(assume @p2 p)
(assume @p3 @t1)
(step @p4 low :rule modus_ponens :premises (@p2 @p1))
(assume-push @p5 p)
(step @p6 :rule arith-elim-lt :args (x 0))
(step @p7 :rule eq_resolve :premises (@p4 @p6))
(step-pop @p8 :rule scope :premises (@p7))
(step @p9 :rule modus_ponens :premises (@p2 @p8))
(step @p10 false :rule contra :premises (@p3 @p9))
)
"""


def refusal(text, certificate):
    """Return the sentence by which a certificate is refused."""
    with pytest.raises(Refused) as refused:
        check(text, certificate)
    said = str(refused.value)
    assert said
    assert "\n" not in said
    return said


def replaced(text, old, new):
    """Return a text with a part replaced that is there once."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_certificate_of_a_text_is_accepted():
    assert check(TEXT, CERTIFICATE) == 6


@each(
    "old, new, said",
    [
        (CERTIFICATE, "", "the text ends too early"),
        (CERTIFICATE, "()", "does not end in false"),
        ("(step @p10 false :rule contra :premises (@p3 @p9))\n", "", "does not end in false"),
        (":rule contra :premises (@p3 @p9)", ":rule trust :args (false)", "unknown rule trust"),
        (":rule contra :premises (@p3 @p9)", ":rule scope :premises (@p3 @p9)", "unknown rule scope"),
        ("(assume @p2 p)", "(assume @p2 (not p))", "@p2 assumes what the text does not assert"),
        ("(assume @p2 p)", "(assume @p2 false)", "@p2 assumes what the text does not assert"),
        ("(assume @p2 p)", "(assume @p2 x)", "a term is no formula"),
        ("(assume @p2 p)", "(assume @p2 q)", "unknown symbol q"),
        ("(assume @p2 p)", "(declare-const @c Bool)\n(assume @p2 p)", "unknown command declare-const"),
        ("(step @p4 low", "(step @p4 p", "states another conclusion"),
        ("(define @t1 () (>= x 0))", "(define @t1 () (not @t1))", "unknown symbol @t1"),
        ("(define @t1 () (>= x 0))", "(define @t1 ((y Int)) (>= x 0))", "( instead of )"),
        ("(define @t1 () (>= x 0))", "(define p () (>= x 0))", "the name p is used twice, or reserved"),
        ("(define @t1 () (>= x 0))", "(define @t1 () p)\n(define @t1 () (>= x 0))", "the name @t1 is used twice"),
        ("(define @t1 () (>= x 0))", "(define @t1 () (>= x 0/1))", ">= has wrong arguments"),
        ("(define @t1 () (>= x 0))", "(define @t1 () (@list p))", "a term is no formula"),
        ("(assume @p3 @t1)", "(assume @p2 @t1)", "the name @p2 is used twice"),
        ("(step @p9 :rule modus_ponens :premises (@p2 @p8))", "(step @p9 :rule refl :args (p))", "does not fit"),
        (":premises (@p3 @p9)", ":premises (@p3 @p7)", "the premise @p7 is not proved"),
        (":premises (@p3 @p9)", ":premises (@p3 @p5)", "the premise @p5 is not proved"),
        ("(step-pop @p8 :rule scope :premises (@p7))\n", "", "the premise @p8 is not proved"),
        ("(assume-push @p5 p)", "(assume-push @p5 false)", "does not fit"),
        ("(assume-push @p5 p)\n", "", "@p8: no end of an assumption"),
        ("(step-pop @p8 :rule scope", "(step-pop @p8 :rule contra", "@p8: no end of an assumption"),
        ("(step @p10 false :rule contra :premises (@p3 @p9))", "(assume-push @p10 false)", "does not end in false"),
        ("\n)\n", "\n)\n()", "goes on after its end"),
    ],
)
def test_wrong_certificate_is_refused(old, new, said):
    assert said in refusal(TEXT, replaced(CERTIFICATE, old, new))


def test_false_within_an_assumption_proves_nothing():
    inner = "(\n(assume-push @p1 false)\n(step @p2 false :rule not_not_elim :premises (@p3))\n)"
    assert "the premise @p3 is not proved" in refusal(TEXT, inner)
    open_ = "(\n(assume-push @p1 false)\n(step @p2 :rule true_intro :premises (@p1))\n(step @p3 :rule true_elim "
    assert "does not end in false" in refusal(TEXT, open_ + ":premises (@p2))\n)")


def test_assertion_within_an_assumption_is_refused():
    assert "an assertion within an assumption" in refusal(TEXT, "(\n(assume-push @p1 p)\n(assume @p2 p)\n)")


@each(
    "old, new, said",
    [
        ("(assert p)\n", "", "@p2 assumes what the text does not assert"),
        ("(assert p)", "(assert (not p))", "@p2 assumes what the text does not assert"),
        ("(assert p)", "(assert (let ((q p)) q))", "instead of a symbol"),
        ("(assert p)", "(assert (! p :named a))", "unknown symbol"),
        ("(assert p)", "(assert (forall ((y Int)) p))", "instead of a symbol"),
        ("(assert p)", "(assert (>= x -1))", "unknown symbol -1"),
        ("(assert p)", "(assert (and))", "and in parentheses has no arguments"),
        ("(assert p)", "(assert p) ; p\r(assert x)", "a carriage return"),
        ("(assert p)", "(assert (@purify p))", "unknown symbol @purify"),
        ("(assert p)", "(assert (|@purify| p))", "unknown symbol @purify"),
        ("(assert p)", "(assert (= 5 |5|))", "unknown symbol |5|"),
        ("(assert p)", "(assert (=> p p p))", "=> has wrong arguments"),
        ("(assert p)", "(assert (= x p))", "= has wrong arguments"),
        ("(assert p)", "(push 1)\n(assert p)", "unknown command push"),
        ("(assert p)", "(assert x)", "an assertion is no formula"),
        ("(define-fun low () Bool (< x 0))", "(define-fun low () Int (< x 0))", "has another sort"),
        ("(define-fun low () Bool (< x 0))", "(define-fun low () Bool (not low))", "unknown symbol low"),
        ("(define-fun low () Bool (< x 0))", "(define-fun p () Bool (< x 0))", "p is declared twice"),
        ("(define-fun low () Bool (< x 0))", "(define-fun and () Bool (< x 0))", "and is declared twice, or reserved"),
        ("(define-fun low () Bool (< x 0))", "(define-fun |0| () Bool (< x 0))", "0 is declared twice, or reserved"),
        ("(define-fun low () Bool (< x 0))", "(define-fun @t1 () Bool (< x 0))", "@t1 is declared twice, or reserved"),
        ("(declare-const x Int)", "(declare-const x Real)", "unknown sort Real"),
        ("QF_LIA", "QF_LRA", "unknown logic QF_LRA"),
        ("(check-sat)\n", "", "the text ends too early"),
        ("(check-sat)", "(check-sat)\n(assert false)", "goes on after check-sat"),
    ],
)
def test_certificate_of_another_text_is_refused(old, new, said):
    assert said in refusal(replaced(TEXT, old, new), CERTIFICATE)


def test_text_without_assertions_is_refused():
    with pytest.raises(Refused, match="no assertion"):
        Script(re.sub(r"\(assert.*\n", "", TEXT))


def test_very_deep_terms_are_refused():
    deep = f"(step @p1 :rule evaluate :args ({'(- ' * 9000}1{')' * 9000}))"
    assert "nested too deeply" in refusal(TEXT, f"(\n{deep}\n)")


def doubled(operator, first):
    """Return the definition of a term that is short as a text, and has 2 ** 70 parts."""
    names = [first, *(f"@t{number}" for number in range(70))]
    pairs = pairwise(names)
    return "\n".join(f"(define {name} () ({operator} {before} {before}))" for before, name in pairs)


@each(
    "definitions, step, said",
    [
        (doubled("*", "3"), ":rule evaluate :args (@t20)", "a number is too large"),
        (doubled("*", "3"), ":rule arith_poly_norm :args ((= @t20 0))", "a number is too large"),
        (doubled("+", "3"), ":rule evaluate :args (@t69)", "the check takes too long"),
        (doubled("*", "x"), ":rule arith_poly_norm :args ((= @t69 0))", "the check takes too long"),
        (doubled("and", "p"), ":rule aci_norm :args ((= @t69 p))", "the check takes too long"),
        (doubled("or", "p"), ":rule absorb :args ((= @t69 true))", "the check takes too long"),
    ],
)
def test_terms_that_are_too_large_to_compute_are_refused(definitions, step, said, monkeypatch):
    monkeypatch.setattr(terms, "MOST_WORK", 20_000)
    assert said in refusal(TEXT, f"(\n{definitions}\n(step @p1 {step})\n)")


def test_certificates_that_are_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(checking, "LARGEST", len(CERTIFICATE) - 1)
    assert refusal(TEXT, CERTIFICATE) == f"it is longer than {len(CERTIFICATE) - 1} characters"


def test_lack_of_memory_is_a_refusal(monkeypatch):
    def lacking(*_):
        raise MemoryError

    monkeypatch.setattr(terms.Terms, "make", lacking)
    assert refusal(TEXT, CERTIFICATE) == "the check needs too much memory"


def test_very_long_numbers_are_refused():
    assert "unknown symbol 999" in refusal(TEXT, f"(\n(step @p1 :rule evaluate :args ({'9' * 5000}))\n)")


@each(
    "premises, step, said",
    [
        (
            "(step @p1 :rule arith_poly_norm :args ((= (* -1 (- x 0)) (* 1 (- 0 x)))))",
            ":rule arith_poly_norm_rel :premises (@p1) :args ((= (>= x 0) (>= 0 x)))",
            "the factors have different signs",
        ),
        (
            "(step @p1 :rule arith_poly_norm :args ((= (* 0 (- x 0)) (* 0 (- 0 x)))))",
            ":rule arith_poly_norm_rel :premises (@p1) :args ((= (>= x 0) (>= 0 x)))",
            "the sides are no such relations",
        ),
        (
            "(assume-push @p1 (> (abs x) (abs 1)))\n(assume-push @p2 (and (= (abs x) (abs 1)) (not (= 1 0))))",
            ":rule arith_mult_abs_comparison :premises (@p1 @p2)",
            "a premise does not exclude 0",
        ),
        ("", "(= (to_int -3/2) -1) :rule evaluate :args ((to_int -3/2))", "states another conclusion"),
        (
            "(assume-push @p1 (or p low))\n(assume-push @p2 (or (not p) p (= x 0)))",
            "(or low (= x 0)) :rule chain_resolution :premises (@p1 @p2) :args ((@list true) (@list p))",
            "states another conclusion",
        ),
    ],
)
def test_step_that_does_not_follow_is_refused(premises, step, said):
    """Steps that random instances of the rules meet too rarely."""
    assert said in refusal(TEXT, f"(\n{premises}\n(step @p9 {step})\n)")


OBLIGATIONS = (
    ("allocation.room.listed", "kept-only"),
    ("registry.java_v5_3_2_to_v5_3_3.not-started", "initiation"),
    ("ordered.java_v4_9.exclusive.renewed", "others-give-back"),
    ("pulls.java_v5_2_0.repairs-while-held", "breaks"),
    ("growth.avg.appended", "steps"),
)
"""Obligations of different kinds, with short certificates."""


@pytest.fixture(scope="module")
def several():
    """Texts with certificates."""
    found = [wanted(LEDGER.named(claim))[obligation] for claim, obligation in OBLIGATIONS]
    return [(text, proof(text, {})) for text in found]


def test_certificates_of_claims_are_accepted_for_their_text_alone(several):
    for place, (text, certificate) in enumerate(several):
        assert check(text, certificate) > 10
        other = several[place - 1][0]
        if other != text:
            refusal(other, certificate)


def test_mutated_certificates_are_refused(several):
    assert refused_mutants(several, Random(1), 30) == 30


def test_no_mutant_proves_a_text_that_can_hold():
    """The certificate of a text without one of its assertions would be a false proof."""
    random = Random(3)
    for lacking in ("(assert p)\n", "(assert (>= x 0))\n", "(assert (=> p low))\n"):
        text = replaced(TEXT, lacking, "(assert true)\n")
        for _ in range(300):
            mutant = CERTIFICATE
            for _ in range(random.randint(1, 3)):
                mutant = mutated(random, mutant)
            refusal(text, mutant)


@pytest.mark.slow
def test_lemma_of_products_is_certified():
    text = texts.proof("lemma", MONOTONE, None)
    assert check(text, proof(text, {})) > 1000


@pytest.mark.slow
def test_many_mutated_certificates_are_refused(several):
    assert refused_mutants(several, Random(2), 1000) == 1000


def refused_mutants(several, random, wanted_):
    """Return how many of the mutated certificates are refused; the others have to be proofs, too."""
    refused = tried = 0
    while refused < wanted_:
        tried += 1
        assert tried < 2 * wanted_, "mutants are accepted too often"
        text, certificate = random.choice(several)
        mutant = mutated(random, certificate)
        try:
            check(text, mutant)
        except Refused:
            refused += 1
    return refused


def mutated(random, certificate):
    """Return a certificate with a change in one line: another premise, rule, number, operator, or no line."""
    lines = certificate.splitlines()
    place = random.randrange(1, max(2, len(lines) - 1)) if len(lines) > 1 else 0
    line = lines[place]
    kind = random.choice(["drop", "premise", "operator", "rule", "swap", "false"])
    if kind == "drop":
        del lines[place]
    elif kind == "premise":
        lines[place] = re.sub(r"@p\d+\)", f"@p{random.randint(1, 9)})", line, count=1)
    elif kind == "operator":
        lines[place] = line.replace(*random.choice([("and", "or"), (">=", "<="), ("not", "and"), ("1", "2")]))
    elif kind == "rule":
        lines[place] = re.sub(r":rule \S+", ":rule " + random.choice(["refl", "and_intro", "symm", "contra"]), line)
    elif kind == "swap":
        lines[place], lines[place - 1] = lines[place - 1], line
    else:
        lines[place:] = [f"(step @p999999 false :rule contra :premises (@p1 @p{random.randint(1, 9)}))", ")"]
    return "\n".join(lines)
