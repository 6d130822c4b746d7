"""Texts that need certificates: those of a run, made from the claim alone; their names depend on the formulas alone."""

import asyncio

from rebalance_proofs.proofs.certified.found import digest, formulas, wanted
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.prove import Options, prove_claim
from rebalance_proofs.proofs.solvers import Answer, Outcome
from tests.each import each


class Unsat:
    """A pool of one solver that answers unsat at once."""

    solvers = ("z3",)

    async def ask(self, solver, text, seed=0):
        return Answer(solver, Outcome.UNSAT, 0.0)

    async def ask_all(self, text, seed=0):
        return (await self.ask("z3", text),)


LEMMAS = {
    "allocation.avg.disjoint": ["lemma.monotone"],
    "transition.java_v4_9.changed": ["lemma.loop"],
    "registry.java_v4_9_to_v5_3.at-once": [],
}
"""Claim -> the lemmas that its proof needs."""


@each("name, lemmas", LEMMAS.items())
def test_each_obligation_and_lemma_of_a_run_is_wanted(name, lemmas):
    claim = LEDGER.named(name)
    result = asyncio.run(prove_claim(claim, Unsat(), Options(teeth=False, width=False)))
    found = {step.name: formulas(step.proof.text) for step in result.obligations}
    assert [*found] == [*(step.name for step in claim.obligations), *lemmas]
    assert {step: formulas(text) for step, text in wanted(claim).items()} == found


def test_digest_depends_on_the_formulas_alone():
    text = "; one claim\n(assert |; no comment|)\n; another\n(check-sat)\n"
    assert formulas(text) == "(assert |; no comment|)\n(check-sat)\n"
    assert digest(text) == digest(text.replace("one claim", "two claims"))
    assert digest(text) != digest(text.replace("no comment", "a comment"))
