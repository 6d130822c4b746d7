"""Production of certificates with cvc5, in processes of their own."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import process_time

import cvc5

from rebalance_proofs.proofs.certificates.checking import check
from rebalance_proofs.proofs.certified.found import Certificate
from rebalance_proofs.proofs.prove import Options
from rebalance_proofs.proofs.solvers.pool import Pool

PROOFS = {
    "produce-proofs": "true",
    "proof-granularity": "dsl-rewrite",
    "proof-print-reference": "true",
    "dag-thresh": "0",
}
"""Options of cvc5 for proofs without trusted steps, in the symbols of the text."""
WAYS: tuple[Mapping[str, str], ...] = ({}, {"simplification": "none"})
"""Further options, tried in this order: cvc5 1.4.2 aborts while it writes some proofs of simplified formulas."""


def proof(text: str, options: Mapping[str, str]) -> str:
    """Return cvc5's proof that a text is unsatisfiable. Raises ``ValueError`` if cvc5 does not find one."""
    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in {**PROOFS, **options}.items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    while not (command := parser.nextCommand()).isNull():
        if command.getCommandName() != "check-sat":
            command.invoke(solver, parser.getSymbolManager())
    if not solver.checkSat().isUnsat():
        raise ValueError("cvc5 finds no proof")
    (found,) = solver.getProof(cvc5.ProofComponent.FULL)
    written = solver.proofToString(found, cvc5.ProofFormat.CPC)
    return written.decode() if isinstance(written, bytes) else str(written)


def work_certificate(solver: str, text: str, way: int) -> Certificate:
    """Return a checked certificate, in a worker process. Raises ``Refused`` if the checker does not accept it."""
    start = process_time()
    with _silent():
        written = proof(text, WAYS[way])
    steps = check(text, written)
    return Certificate(written, steps, process_time() - start)


@contextmanager
def _silent() -> Iterator[None]:
    """Discard what this process writes to stderr: cvc5 prints all formulas before it aborts."""
    sys.stderr.flush()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    os.close(nothing)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


async def certificate(text: str, pool: Pool) -> Certificate:
    """Return a certificate of one text; if no way of production gives one, the reason of the first."""
    reasons = []
    for way in range(len(WAYS)):
        found = await pool.run(work_certificate, "cvc5", text, way)
        if isinstance(found, Certificate):
            return found
        reasons.append(found.reason)
    return Certificate("", reason=reasons[0])


async def certificates(
    texts: Iterable[tuple[str, str]], options: Options, told: Callable[[str, Certificate], None]
) -> None:
    """Produce certificates of texts; ``told`` gets the name of a text and its certificate as soon as it is complete."""

    async def one(name: str, text: str, pool: Pool) -> None:
        told(name, await certificate(text, pool))

    try:
        async with Pool(("cvc5",), options.jobs, options.timeout) as pool, asyncio.TaskGroup() as group:
            for name, text in texts:
                group.create_task(one(name, text, pool))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
