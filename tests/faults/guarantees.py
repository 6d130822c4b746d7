"""Faults in guarantees: one demands nothing, or finds nothing wrong."""

from tests.faults.fault import failing, fault, proving

NOTHING = "no encoding was found that breaks it"

FAULTS = (
    fault(
        "owner-exists-true",
        "_owner_exists",
        "return Statement(sizes(v) | position(v, 'p'), smt.And(0 <= owner, owner < v.c))",
        "return Statement(sizes(v) | position(v, 'p'), smt.BoolVal(True))",
        proving("allocation.avg.covers"),
        f"owner-exists: {NOTHING}",
    ),
    fault(
        "list-ascending-true",
        "_ascending",
        ")}, e.element(v.q, v.c, v.i, v.k) < e.element(v.q, v.c, v.i, v.l))",
        ")}, smt.BoolVal(True))",
        proving("allocation.avg.sublist"),
        f"list.ascending: {NOTHING}",
    ),
    fault(
        "difference-true",
        "_difference",
        "return Statement(sizes(v) | consumer(v, 'i') | consumer(v, 'j'), smt.And(i - j <= 1, j - i <= 1))",
        "return Statement(sizes(v) | consumer(v, 'i') | consumer(v, 'j'), smt.BoolVal(True))",
        proving("allocation.avg.balanced"),
        f"difference: {NOTHING}",
    ),
    fault(
        "loop-true",
        "_loop",
        "return Statement(given, _invariant(any_queue, taken, smt.Store(visited, turn, smt.BoolVal(True))))",
        "return Statement(given, smt.BoolVal(True))",
        proving("transition.node.exact"),
        f"lemma.loop: {NOTHING}",
    ),
    fault(
        "quiet-true",
        "quiet",
        "return Statement(scenario.given(v, 1) | possible, smt.Not(smt.Or(throws)))",
        "return Statement(scenario.given(v, 1) | possible, smt.BoolVal(True))",
        proving("transition.node.exact"),
        f"quiet: {NOTHING}",
    ),
    fault(
        "moved-finds-nothing",
        "violation",
        "return None if found == expected else f'{found} queues change hands, not {expected}.'",
        "return None",
        proving("movement.avg.moved"),
        "'violation of movement.avg.moved: remainder-to-last-ones' failed: it reported nothing",
    ),
    fault(
        "bound-finds-nothing",
        "violation_bound",
        "if not c:",
        "if c or not c:",
        proving("movement.avg.bound"),
        "'violation of movement.avg.bound: mirrored' failed: it reported nothing",
    ),
    fault(
        "exact-finds-nothing",
        "_inexact",
        "if not last.mine:",
        "if last:",
        proving("transition.node.exact"),
        "'violation of transition.node.exact: left-in-table' failed: it reported nothing",
    ),
    fault(
        "changed-finds-nothing",
        "_violation",
        "if last.changed == has_moved:",
        "if last.changed is not None:",
        proving("transition.node.changed"),
        "'violation of transition.node.changed: silent-about-new' failed: it reported nothing",
    ),
    fault(
        "disjoint-never-violated",
        "DISJOINT",
        ") >= 2, violation",
        ") >= 9, violation",
        proving("allocation.avg.disjoint"),
        "allocation.avg.disjoint: expected PROVED, is VACUOUS. the mutant le-for-lt survives",
    ),
    fault(
        "an-obligation-left-out",
        "Client.survives",
        "): (*self.nearest, EXCLUSIVE),",
        "): (EXCLUSIVE,),",
        *failing("tests/proofs/test_listed_obligations.py::test_every_claim_has_its_pinned_obligations"),
    ),
)
