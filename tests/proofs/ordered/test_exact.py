"""What the exact condition on time says about two listeners."""

from rebalance_proofs.model.machine.client import Wrong
from rebalance_proofs.model.machines.ordered.actions import V5_2
from rebalance_proofs.model.machines.ordered.assumptions import OUT_OF_TIME, SHUT_TOO_SOON
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.machine.declared import guarantee

OBLIGATIONS = (
    *guarantee("ordered", V5_2, "exact").obligations(OUT_OF_TIME),
    *guarantee("ordered", V5_2, "exact-wait").obligations(SHUT_TOO_SOON),
)
SILENT = Wrong("silent", "No listener is ever called.", lambda s, c, lim, turn: turn.but(runs=False)).mutant(
    V5_2.encoding
)


def proved(encoding):
    """The names of the obligations that hold for the encoding."""
    found = set()
    for obligation in OBLIGATIONS:
        statement, solver = obligation.statement(encoding), Solver()
        solver.add(*statement.given.values(), smt.Not(statement.then))
        if solver.check() == unsat:
            found.add(obligation.name)
    return found


def test_run_counts_only_if_two_listeners_run_in_the_end():
    """The same actions and times are no such run in a client that never calls its listener."""
    assert proved(V5_2.encoding) == {obligation.name for obligation in OBLIGATIONS} == {"runs-out", "forced", "waits"}
    assert proved(SILENT.encoding) == set()
