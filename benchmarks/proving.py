"""The cost of the proofs."""

import asyncio

from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.smt.lemmas import MONOTONE
from rebalance_proofs.proofs.solvers import SOLVERS
from rebalance_proofs.proofs.solvers.pool import Pool

TRANSITIONS = "transition."
"""With this begin the ids of claims about transitions."""


def all_obligations(prefix: str = "") -> list[str]:
    """The text of every obligation that has to hold, once, and of the lemmas; rendered afresh.

    ``prefix`` chooses claims by the beginning of their ids.
    """
    texts.proof.cache_clear()
    found = [] if prefix else [texts.proof("lemma", MONOTONE, LEDGER[0].subjects[0].encoding)]
    for claim in LEDGER:
        if claim.expected is Verdict.PROVED and claim.id.startswith(prefix):
            subject, encoding = claim.subjects[0].rocketmq_name, claim.subjects[0].encoding
            found += [texts.proof(subject, step, encoding) for step in claim.obligations]
            found += [texts.proof("lemma", lemma, encoding) for lemma in claim.lemmas]
    return list(dict.fromkeys(found))


def prove_obligations(prefix: str = "", jobs: int = 2) -> int:
    """Renders every obligation and has both solvers prove it, worker processes started afresh; how many there were."""

    async def run() -> int:
        async with Pool(tuple(SOLVERS), jobs) as pool:
            asked = [pool.ask_all(text) for text in all_obligations(prefix)]
            answers = await asyncio.gather(*asked)
        if not all(answer.outcome == "unsat" for both in answers for answer in both):
            raise RuntimeError("an obligation was not proved")
        return len(answers)

    return asyncio.run(run())


def slowest_answer() -> tuple[float, str]:
    """The longest that one solver took for one text of an obligation, and which it was."""

    async def run() -> tuple[float, str]:
        async with Pool(tuple(SOLVERS), 1) as pool:
            taken = []
            for text in all_obligations():
                for answer in await pool.ask_all(text):
                    taken.append((answer.seconds, f"{text.splitlines()[0].lstrip('; ')} in {answer.solver}"))
            return max(taken)

    return asyncio.run(run())


def judge_ledger(jobs: int = 2) -> int:
    """``rebalance prove``: also premises, mutants and smallest counterexamples."""
    texts.proof.cache_clear()
    texts.premises.cache_clear()
    return len(asyncio.run(prove(LEDGER, Options(jobs=jobs))))
