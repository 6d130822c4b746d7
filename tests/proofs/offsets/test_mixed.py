"""Groups of two clients: each does what the other relies on, and this can fail."""

from dataclasses import replace

from rebalance_proofs.model.offsets.clients import BY_LOOP, CLIENTS, CONCURRENT
from rebalance_proofs.model.offsets.state import Way
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.machine.rely import rely
from rebalance_proofs.proofs.offsets import brokers, mixed
from rebalance_proofs.proofs.offsets.claims import claims
from rebalance_proofs.proofs.offsets.invariant import back_at_most, not_skipped, only_uncommitted
from rebalance_proofs.proofs.offsets.special_invariants import handed_over

NODE, V5 = BY_LOOP[0], CONCURRENT[-1]
PAIRS = {claim.subjects for claim in claims() if len(claim.subjects) > 1}


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = Solver()
    solver.add(*statement.given.values(), smt.Not(statement.then))
    return solver.check() != unsat


def test_every_mixed_pair_of_clients_is_listed_in_both_directions():
    sorts = [Way.ORDERLY], [Way.CONCURRENTLY, Way.BY_LOOP]
    together = [[client for client in CLIENTS if client.way in sort] for sort in sorts]
    assert {(one, two) for clients in together for one in clients for two in clients if one is not two} == PAIRS


def test_each_proof_has_one_mixed_obligation():
    for first, second in PAIRS:
        named = [one.name for one in mixed.obligations(first, second) if one.name.startswith("relied-on")]
        assert len(named) == (2 if Way.BY_LOOP in (first.way, second.way) else 3)


def test_java_rely_condition_excludes_nodes_offset_zero():
    at_zero = replace(brokers.BY_LOOP, least=0)
    node = mixed._together(at_zero, not_skipped, only_uncommitted, back_at_most)
    java = mixed._together(brokers.COMMITTED, not_skipped, only_uncommitted, back_at_most)
    assert fails(rely(node, java.others), NODE.encoding)


def test_node_rely_condition_excludes_javas_offset_zero():
    node = mixed._together(brokers.BY_LOOP, not_skipped)
    for world, wanted in ((brokers.COMMITTED, True), (mixed.ABOVE, False)):
        java = mixed._together(world, not_skipped)
        assert fails(rely(java, node.others), V5.encoding) is wanted


def test_node_violates_javas_hand_over_bound():
    world = replace(brokers.HANDED_OVER, least=1)
    node = mixed._together(brokers.HANDED_OVER_BY_LOOP, not_skipped, only_uncommitted, back_at_most)
    assert fails(rely(node, mixed._together(world, handed_over).others), NODE.encoding)
