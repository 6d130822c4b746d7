"""The cost of the proofs."""

import asyncio

from benchmarks.history import Table
from benchmarks.timing import seconds
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.smt.linear import MONOTONE
from rebalance_proofs.proofs.solvers import SOLVERS
from rebalance_proofs.proofs.solvers.pool import Pool

TRANSITIONS = "transition."
"""The beginning of the ids of claims about transitions."""


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
    """Render every obligation and have both solvers prove it, in fresh worker processes; return their number."""

    async def run() -> int:
        async with Pool(tuple(SOLVERS), jobs) as pool:
            asked = [pool.ask_all(text) for text in all_obligations(prefix)]
            answers = await asyncio.gather(*asked)
        if not all(answer.outcome == "unsat" for both in answers for answer in both):
            raise RuntimeError("an obligation was not proved")
        return len(answers)

    return asyncio.run(run())


def answers(*prefixes: str) -> list[tuple[float, str, str]]:
    """The times of each solver for the text of each obligation, alone, slowest first.

    Each is (seconds, claim / obligation, solver). ``prefixes`` choose claims by the beginnings of their ids. A text
    that several claims have is asked once, for the first of them.
    """
    asked: dict[str, str] = {}
    for claim in LEDGER:
        if claim.expected is Verdict.PROVED and claim.id.startswith(prefixes or ""):
            subject, encoding = claim.subjects[0].rocketmq_name, claim.subjects[0].encoding
            for step in (*claim.obligations, *claim.lemmas):
                asked.setdefault(texts.proof(subject, step, encoding), f"{claim.id} / {step.name}")

    async def run() -> list[tuple[float, str, str]]:
        async with Pool(tuple(SOLVERS), 1) as pool:
            taken = [
                (answer.seconds, name, answer.solver)
                for text, name in asked.items()
                for answer in await pool.ask_all(text)
            ]
        return sorted(taken, reverse=True)

    return asyncio.run(run())


RUNS = ("offsets.", "pulls.", "settling.", "ordered.")
"""The beginnings of the ids of claims about runs of consumers."""


def slowest(most: int = 10) -> Table:
    """The slowest answers about runs of consumers, with the median of all of them."""
    taken = answers(*RUNS)
    of_each = {name: sorted(time for time, _, solver in taken if solver == name) for name in SOLVERS}
    middles = ", ".join(f"{name} {seconds(times[len(times) // 2])}" for name, times in of_each.items())
    prefixes = ", ".join(f"`{prefix}*`" for prefix in RUNS)
    return Table(
        "The slowest obligations about runs of consumers",
        f"{len(taken) // len(SOLVERS):,} texts of {prefixes}, each given once to each solver; median {middles}.",
        ("claim / obligation", "solver", "time"),
        [(f"`{name}`", solver, seconds(time)) for time, name, solver in taken[:most]],
    )


def judge_ledger(jobs: int = 2) -> int:
    """Judge the whole ledger as ``rebalance prove`` does, with premises, mutants and smallest counterexamples."""
    texts.proof.cache_clear()
    texts.premises.cache_clear()
    return len(asyncio.run(prove(LEDGER, Options(jobs=jobs))))
