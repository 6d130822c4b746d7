"""Every claim in a case of its own: in small groups the formula is satisfiable iff the code violates the guarantee.

The enumeration judges formulas without unknowns of their own; here all are put to a solver, group by group.
"""

from itertools import product

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unknown
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.allocation.search import violated
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER

SIZED = [claim for claim in LEDGER if isinstance(claim.world, Groups) and claim.world.sized]
SIZES = list(product((1, 2, 3), (1, 2, 3)))
FEW, MANY = 5, 15
"""So many groups of each size are looked at, evenly spread; by the slow tests. None of a size with more than
``LARGEST``.
"""
LARGEST = 5_000


def spread(claim: Claim, count: int) -> list[tuple[int, int, tuple[int, ...]]]:
    found = []
    for n, q in SIZES:
        inside = n <= claim.world.bound[0] and q <= claim.world.bound[1]
        if inside and claim.world.groups(n, q) <= LARGEST:
            values = list(claim.world.all_values(n, q))
            found += [(n, q, digits) for digits in values[:: len(values) // count + 1]]
    return found


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("claim", SIZED, ids=lambda claim: claim.id)
def test_formula_and_code_agree_in_small_groups(claim: Claim, count: int) -> None:
    solvers, verdicts = {}, []
    for n, q, values in spread(claim, count):
        if (n, q) not in solvers:
            group = claim.world.symbolic(claim.encodings, n, q)
            solvers[n, q] = Solver()
            solvers[n, q].add(*group.constraints, claim.guarantee.violated(group))
        known = claim.world.assignment(n, q, values, 0)
        answer = solvers[n, q].check(*(smt.Int(name) == value for name, value in known.items() if name != "p"))
        assert answer != unknown
        said = violated(claim.guarantee, claim.world.group(claim.subjects, n, q, values))
        assert (answer == sat) == (said is not None), (n, q, values, said)
        verdicts.append(said is None)
    assert verdicts
    assert claim.expected is Verdict.REFUTED or all(verdicts)
