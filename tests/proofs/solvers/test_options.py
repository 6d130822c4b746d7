"""Seed and time limit reach each solver as its own options, limits in milliseconds."""

import cvc5

from rebalance_proofs.proofs.solvers import SOLVERS, Outcome, cvc5_, z3_

TEXT = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< 1 x 3))\n(check-sat)\n"


def test_z3_gets_seed_and_limit(monkeypatch):
    told = []
    evaluate = z3_._evaluate
    monkeypatch.setattr(z3_, "_evaluate", lambda context, text: told.append(text) or evaluate(context, text))
    assert SOLVERS["z3"].solve(TEXT, seed=7, seconds=2.5) == (Outcome.SAT, {"x": 2}, "")
    seeds, limit, asked, unlimited, _ = told
    assert seeds == "(set-option :smt.random_seed 7)(set-option :sat.random_seed 7)"
    assert limit == "(set-option :timeout 2500)"
    assert asked == TEXT.replace("(check-sat)", "(check-sat-using smt)")
    assert unlimited == f"(set-option :timeout {z3_.NO_LIMIT})"


def test_cvc5_gets_seed_and_limit(monkeypatch):
    told = {}

    class Told(cvc5.Solver):
        def setOption(self, name, value):
            told[name] = value
            super().setOption(name, value)

    monkeypatch.setattr(cvc5_.cvc5, "Solver", Told)
    assert SOLVERS["cvc5"].solve(TEXT, seed=7, seconds=2.5) == (Outcome.SAT, {"x": 2}, "")
    assert told == {"produce-models": "true", "seed": "7", "sat-random-seed": "7", "tlimit-per": "2500"}
