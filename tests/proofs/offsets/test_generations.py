"""Merged generations have equal offsets in every state, and a difference would be detected."""

import pytest

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT, ORDERLY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.proofs.machine.declared import of_client


def differ(one, other, of) -> list[str]:
    """The actions in which they do, of a push consumer with the store that is shipped."""
    v = of.unknowns()
    given, found = of.given(v), []
    for name in of.machine.actions:
        turns = [act_of(encoding, name)(*given) for encoding in (one, other)]
        solver = Solver()
        solver.add(*of.truths(v).values())
        mine, theirs = ([turn.guard, *vars(turn.after).values()] for turn in turns)
        solver.add(smt.Or([left != right for left, right in zip(mine, theirs, strict=True)]))
        found += [name] if solver.check() != unsat else []
    return found


@pytest.mark.parametrize(
    ("client", "older"),
    [(client, older) for client in (*CONCURRENT, *ORDERLY) for older in client.generations[:-1]],
    ids=lambda one: getattr(one, "name", None) or one.releases[0],
)
def test_merged_generations_treat_offsets_alike(client, older):
    assert differ(client.encoding_of(older), client.encoding, of_client("offsets", client)) == []


def test_difference_between_generations_is_detected():
    v4_9, v5 = (client.encoding for client in CONCURRENT)
    assert differ(v4_9, v5, of_client("offsets", CONCURRENT[0])) == ["adds"]
    v4_9, v5_0, v5_2 = (client.encoding for client in ORDERLY)
    ordered = of_client("offsets", ORDERLY[0])
    assert differ(v4_9, v5_0, ordered) == ["adds", "fixes"]
    assert differ(v5_0, v5_2, ordered) == ["revokes", "retires"]


@pytest.mark.parametrize("clients", [CONCURRENT, ORDERLY], ids=["concurrent", "ordered"])
def test_every_modelled_release_belongs_to_one_offset_client(clients):
    releases = [release for client in clients for one in client.generations for release in one.releases]
    assert sorted(releases) == sorted(release for one in GENERATIONS for release in one.releases)
