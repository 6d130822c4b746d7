"""Faults in promises about transitions: one says less than its sentence."""

from tests.faults.fault import fault, proving

NO_COUNTEREXAMPLE = "expected REFUTED, is UNKNOWN. no proof, and no counterexample"

FAULTS = (
    fault(
        "exact-without-marks",
        "proofs/transition/entries.py",
        "    table = z3.And(after.present == asked.in_set, z3.Implies(after.present, z3.Not(after.dropped)))",
        "    table = after.present == asked.in_set",
        proving("transition.node.exact"),
        "transition.node.exact: expected PROVED, is VACUOUS. the mutant new-marked survives",
    ),
    fault(
        "stored-by-any-store",
        "proofs/transition/offsets.py",
        "    return z3.If(own_store, z3.Or(taken),",
        "    return z3.If(own_store, z3.BoolVal(True),",
        proving("transition.java_v5_2.persisted.own-store"),
        "persisted: no wrong encoding breaks it, and it is not among those of which that is known (STRUCTURAL)",
    ),
    fault(
        "locked-first-of-removals",
        "proofs/transition/locks.py",
        """    for place, slot in enumerate(view.steps[-1].addition):
        if slot.name == IN:""",
        """    for place, slot in enumerate(view.steps[-1].removal):
        if slot.name == IN:""",
        proving("transition.java_v5_2.locked-first.push-orderly"),
        "locked-first: it could not be shown that it notices anything",
    ),
    fault(
        "moved-without-new-entries",
        "proofs/transition/changed.py",
        "z3.Or(z3.Not(after.present), after.fresh))",
        "z3.Not(after.present))",
        proving("transition.node.changed"),
        "transition.node.changed: expected PROVED, is DISAGREE. a counterexample does not replay",
    ),
    fault(
        "alone-true",
        "proofs/transition/partition.py",
        "z3.Not(z3.And(one.after.present, other.after.present)))",
        "z3.Not(z3.And(one.after.present, z3.Not(one.after.present))))",
        proving("transition.node.partition"),
        "alone: it could not be shown that it notices anything",
    ),
    fault(
        "same-table-without-locks",
        "proofs/transition/same.py",
        'TABLE = (*ENTRIES, "locked")',
        "TABLE = ENTRIES",
        proving("transition.java_v4_9_1+java_v4_9_5.same"),
        f"transition.java_v4_9_1+java_v4_9_5.same: {NO_COUNTEREXAMPLE}",
    ),
    fault(
        "unlocked-one-way",
        "proofs/transition/locks.py",
        "    return step.out == gives_back(step)",
        "    return z3.Implies(gives_back(step), step.out)",
        proving("transition.java_v5_0.unlocked.push-orderly.when-unlocks-arrive"),
        f"transition.java_v5_0.unlocked.push-orderly.when-unlocks-arrive: {NO_COUNTEREXAMPLE}",
    ),
    fault(
        "kept-in-another-entry",
        "proofs/transition/entries.py",
        "    return z3.Implies(stays, z3.And(view.after.present, z3.Not(view.after.fresh)))",
        "    return z3.Implies(stays, view.after.present)",
        proving("transition.java_v5_2.kept.push"),
        "transition.java_v5_2.kept.push: expected REFUTED, is DISAGREE. a counterexample does not replay",
    ),
)
