"""Faults in guarantees: one demands nothing, or finds nothing wrong."""

from tests.faults.fault import failing, fault, proving

NOTHING = "no encoding was found that breaks it"

FAULTS = (
    fault(
        "owner-exists-true",
        "proofs/allocation/covers.py",
        "smt.And(0 <= owner, owner < v.c)",
        "smt.BoolVal(True)",
        proving("allocation.avg.covers"),
        f"owner-exists: {NOTHING}",
    ),
    fault(
        "list-ascending-true",
        "proofs/allocation/lists.py",
        "e.element(v.q, v.c, v.i, v.k) < e.element(v.q, v.c, v.i, v.l)",
        "smt.BoolVal(True)",
        proving("allocation.avg.sublist"),
        f"list.ascending: {NOTHING}",
    ),
    fault(
        "difference-true",
        "proofs/allocation/amounts.py",
        "smt.And(i - j <= 1, j - i <= 1)",
        "smt.BoolVal(True)",
        proving("allocation.avg.balanced"),
        f"difference: {NOTHING}",
    ),
    fault(
        "loop-true",
        "proofs/transition/claims.py",
        "_invariant(any_queue, taken, smt.Store(visited, turn, smt.BoolVal(True)))",
        "smt.BoolVal(True)",
        proving("transition.node.exact"),
        f"lemma.loop: {NOTHING}",
    ),
    fault(
        "quiet-true",
        "proofs/transition/each_queue.py",
        "smt.Not(smt.Or(throws))",
        "smt.BoolVal(True)",
        proving("transition.node.exact"),
        f"quiet: {NOTHING}",
    ),
    fault(
        "moved-finds-nothing",
        "proofs/movement/avg.py",
        'return None if found == expected else f"{found} queues change hands, not {expected}."',
        "return None",
        proving("movement.avg.moved"),
        "'violation of movement.avg.moved: remainder-to-last-ones' failed: it reported nothing",
    ),
    fault(
        "bound-finds-nothing",
        "proofs/movement/avg.py",
        "    if not c:\n",
        "    if c or not c:\n",
        proving("movement.avg.bound"),
        "'violation of movement.avg.bound: mirrored' failed: it reported nothing",
    ),
    fault(
        "exact-finds-nothing",
        "proofs/transition/entries.py",
        """    last = seen[-1]
    if not last.mine:
""",
        """    last = seen[-1]
    if last:
""",
        proving("transition.node.exact"),
        "'violation of transition.node.exact: left-in-table' failed: it reported nothing",
    ),
    fault(
        "changed-finds-nothing",
        "proofs/transition/claims.py",
        "    if last.changed == has_moved:\n",
        "    if last.changed is not None:\n",
        proving("transition.node.changed"),
        "'violation of transition.node.changed: silent-about-new' failed: it reported nothing",
    ),
    fault(
        "disjoint-never-violated",
        "proofs/allocation/disjoint.py",
        "how_many([member.owns for member in group.members]) >= 2",
        "how_many([member.owns for member in group.members]) >= 9",
        proving("allocation.avg.disjoint"),
        "allocation.avg.disjoint: expected PROVED, is VACUOUS. the mutant le-for-lt survives",
    ),
    fault(
        "an-obligation-left-out",
        "proofs/hashing/claims.py",
        '("disjoint", RING_ORDERS_APART.name): (*self.nearest, EXCLUSIVE)',
        '("disjoint", RING_ORDERS_APART.name): (EXCLUSIVE,)',
        *failing("tests/proofs/test_listed_obligations.py::test_every_claim_has_its_pinned_obligations"),
    ),
)
