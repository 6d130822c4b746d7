"""Certificates are produced in several ways, and each is checked before it counts."""

import asyncio
import os

import pytest

from rebalance_proofs.proofs.certificates.terms import Refused
from rebalance_proofs.proofs.certified import produce
from rebalance_proofs.proofs.certified.found import Certificate
from rebalance_proofs.proofs.certified.produce import WAYS, certificate, work_certificate
from rebalance_proofs.proofs.solvers import Answer, Outcome

TEXT = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< x 0))\n(assert (> x LEAST))\n(check-sat)\n"


class Workers:
    """A pool of workers that fail in the first ways."""

    def __init__(self, failing):
        self.asked, self._failing = [], failing

    async def run(self, work, solver, text, way):
        self.asked.append((work, solver, text, way))
        if way < self._failing:
            return Answer(solver, Outcome.CRASH, 0.0, reason=f"{solver} crashed in way {way}")
        return Certificate(f"proof in way {way}")


@pytest.mark.parametrize("failing", range(len(WAYS)))
def test_another_way_is_tried_after_a_failure(failing):
    workers = Workers(failing)
    assert asyncio.run(certificate("text", workers)) == Certificate(f"proof in way {failing}")
    assert workers.asked == [(work_certificate, "cvc5", "text", way) for way in range(failing + 1)]


def test_text_without_a_certificate_has_the_first_reason():
    found = asyncio.run(certificate("text", Workers(len(WAYS))))
    assert found == Certificate("", reason="cvc5 crashed in way 0")


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_certificate_of_a_false_text_is_found_in_each_way(way):
    found = work_certificate("cvc5", TEXT.replace("LEAST", "0"), way)
    assert found.steps > 0
    assert found.text.endswith(")\n)\n")


def test_text_that_can_hold_has_no_certificate():
    with pytest.raises(ValueError, match="cvc5 finds no proof"):
        work_certificate("cvc5", TEXT.replace("LEAST", "(- 5)"), 0)


def test_messages_of_cvc5_are_discarded(monkeypatch, capfd):
    def said(text, options):
        os.write(2, b"Fatal failure")
        return "(\n)\n"

    monkeypatch.setattr(produce, "proof", said)
    with pytest.raises(Refused):
        work_certificate("cvc5", TEXT.replace("LEAST", "0"), 0)
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"


def test_wrong_proof_is_no_certificate(monkeypatch):
    monkeypatch.setattr(produce, "proof", lambda text, options: "(\n(step @p1 false :rule trust)\n)\n")
    with pytest.raises(Refused, match="unknown rule trust"):
        work_certificate("cvc5", TEXT.replace("LEAST", "0"), 0)
