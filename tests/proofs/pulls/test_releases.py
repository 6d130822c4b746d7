"""Merged releases have equal pull requests in every state."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.machines.pulls.actions import CLIENTS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.machine.declared import configuration

CONFIGURATION = configuration("pulls")


def differ(one, other) -> list[str]:
    """The actions that are not possible at once, or come to something else."""
    v = CONFIGURATION.unknowns()
    given = CONFIGURATION.given(v)
    asked = (*CONFIGURATION.truths(v).values(), *CONFIGURATION.form(given[0], given[2]).values())
    return [
        name for name in CONFIGURATION.machine.actions if _differ(act_of(one, name), act_of(other, name), given, asked)
    ]


def _differ(one, other, given, asked) -> bool:
    mine, theirs = one(*given), other(*given)
    can, pairs = term(mine.guard), zip(vars(mine.after).values(), vars(theirs.after).values(), strict=True)
    solver = Solver()
    solver.add(*asked, smt.Or(can != term(theirs.guard), smt.And(can, smt.Or([a != b for a, b in pairs]))))
    return solver.check() != unsat


@pytest.mark.parametrize(
    ("client", "older"),
    [(client, older) for client in CLIENTS for older in client.generations[:-1]],
    ids=lambda one: getattr(one, "name", None) or one.releases[0],
)
def test_merged_pull_generations_are_equal(client, older):
    assert differ(replace(client, generations=(older,)).encoding, client.encoding) == []


@pytest.mark.parametrize(
    ("older", "newer", "actions"),
    [(0, 1, ["breaks"]), (1, 2, ["hooks", "overtime"]), (2, 3, ["errs"]), (3, 4, ["overtime"])],
)
def test_pull_releases_differ_as_their_rules_state(older, newer, actions):
    assert differ(CLIENTS[older].encoding, CLIENTS[newer].encoding) == actions
