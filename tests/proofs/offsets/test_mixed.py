"""Groups of two clients: each does what the other relies on, and this can fail."""

from functools import partial

from rebalance_proofs.model.machine.page import Joint
from rebalance_proofs.model.machines.offsets import assumptions as world
from rebalance_proofs.model.machines.offsets.actions import BY_LOOP, CLIENTS, CONCURRENT
from rebalance_proofs.model.machines.offsets.claims import MIXED, PAGE
from rebalance_proofs.model.machines.offsets.state import Way
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.declared import joint
from rebalance_proofs.proofs.machine.rely import obligations, rely

NODE, V5 = BY_LOOP[0], CONCURRENT[-1]
PAIRS = {claim.subjects for claim in KINDS["offsets"].claims() if len(claim.subjects) > 1}


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = Solver()
    solver.add(*statement.given.values(), smt.Not(statement.then))
    return solver.check() != unsat


def test_every_mixed_pair_of_clients_is_listed_in_both_directions():
    sorts = [Way.ORDERLY], [Way.CONCURRENTLY, Way.BY_LOOP]
    together = [[client for client in CLIENTS if client.way in sort] for sort in sorts]
    assert {(one, two) for clients in together for one in clients for two in clients if one is not two} == PAIRS


def proof(client, assumptions, *guarantees):
    return joint(PAGE, client, Joint(assumptions, guarantees))


def test_each_proof_has_one_mixed_obligation():
    for first, second in PAIRS:
        made = obligations(MIXED, first, second, partial(joint, PAGE))
        named = [one.name for one in made if one.name.startswith("relied-on")]
        assert len(named) == (2 if Way.BY_LOOP in (first.way, second.way) else 3)


def test_java_rely_condition_excludes_nodes_offset_zero():
    at_zero = world.BY_LOOP.instead(world.ABOVE, world.SOMETHING)
    node = proof(NODE, at_zero, "not-skipped", "only-uncommitted", "back-at-most")
    java = proof(V5, world.COMMITTED, "not-skipped", "only-uncommitted", "back-at-most")
    assert fails(rely(node, java.others), NODE.encoding)


def test_node_rely_condition_excludes_javas_offset_zero():
    node = proof(NODE, world.BY_LOOP, "not-skipped")
    above = world.COMMITTED.instead(world.SOMETHING, world.ABOVE)
    for assumptions, wanted in ((world.COMMITTED, True), (above, False)):
        java = proof(V5, assumptions, "not-skipped")
        assert fails(rely(java, node.others), V5.encoding) is wanted


def test_node_violates_javas_hand_over_bound():
    above = world.HANDED_OVER.instead(world.SOMETHING, world.ABOVE)
    node = proof(NODE, world.HANDED_OVER_BY_LOOP, "not-skipped", "only-uncommitted", "back-at-most")
    assert fails(rely(node, proof(V5, above, "hand-over").others), NODE.encoding)
