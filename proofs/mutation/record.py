"""Find and record runs of mutants: ``python -m rebalance_proofs.proofs.mutation.record``."""

from collections.abc import Iterable

from rebalance_proofs.model.machine.run import Schedule
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.recorded_runs import RECORDED, written
from rebalance_proofs.proofs.solvers.pool import Pool


def shortest(claims: Iterable[Claim], pool: Pool) -> dict[str, dict[str, Schedule]]:
    """Find the shortest run in which each mutant breaks each claim that holds.

    The result maps claim ids to mutants' names to schedules. It covers only kinds of claims whose runs are explored.
    """
    found: dict[str, dict[str, Schedule]] = {}
    for claim in claims:
        for mutant in claim.mutants if claim.expected is Verdict.PROVED else ():
            run = KINDS[claim.kind].looking(claim, pool, mutant).explored()
            if run:
                found.setdefault(claim.id, {})[mutant.name] = run
    return found


if __name__ == "__main__":
    RECORDED.write_text(written(shortest(LEDGER, Pool((), jobs=1))), encoding="utf-8")
