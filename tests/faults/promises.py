"""Faults in promises about transitions: one says less than its sentence."""

from tests.faults.fault import fault, proving

NO_COUNTEREXAMPLE = "expected REFUTED, is UNKNOWN. no proof, and no counterexample"

FAULTS = (
    fault(
        "exact-without-marks",
        "_exact",
        "table = smt.And(after.present == asked.in_set, smt.Implies(after.present, smt.Not(after.dropped)))",
        "table = after.present == asked.in_set",
        proving("transition.node.exact"),
        "transition.node.exact: expected PROVED, is VACUOUS. the mutant new-marked survives",
    ),
    fault(
        "stored-by-any-store",
        "_handed_on",
        "return smt.If(own_store, smt.Or(taken), smt.Or(view.before.memory == NO_OFFSET, *stored))",
        "return smt.If(own_store, smt.BoolVal(True), smt.Or(view.before.memory == NO_OFFSET, *stored))",
        proving("transition.java_v5_2.persisted.own-store"),
        "persisted: no mutant breaks it, and it is not listed as exempt (STRUCTURAL)",
    ),
    fault(
        "locked-first-of-removals",
        "_locked_first",
        "for place, slot in enumerate(view.steps[-1].addition):",
        "for place, slot in enumerate(view.steps[-1].removal):",
        proving("transition.java_v5_2.locked-first.push-orderly"),
        "locked-first: no encoding was found that breaks it",
    ),
    fault(
        "moved-without-new-entries",
        "moved",
        ", smt.Or(smt.Not(after.present), after.fresh))",
        ", smt.Not(after.present))",
        proving("transition.node.changed"),
        "transition.node.changed: expected PROVED, is DISAGREE. a counterexample does not replay",
    ),
    fault(
        "alone-true",
        "_alone",
        "return Statement(given, smt.Not(smt.And(one.after.present, other.after.present)))",
        "return Statement(given, smt.Not(smt.And(one.after.present, smt.Not(one.after.present))))",
        proving("transition.node.partition"),
        "alone: no encoding was found that breaks it",
    ),
    fault(
        "same-table-without-locks",
        "TABLE",
        "TABLE = (*ENTRIES, 'locked')",
        "TABLE = ENTRIES",
        proving("transition.java_v4_9_1+java_v4_9_5.same"),
        f"transition.java_v4_9_1+java_v4_9_5.same: {NO_COUNTEREXAMPLE}",
    ),
    fault(
        "unlocked-one-way",
        "_unlocked",
        "return step.out == gives_back(step)",
        "return smt.Implies(gives_back(step), step.out)",
        proving("transition.java_v5_0.unlocked.push-orderly.when-unlocks-arrive"),
        f"transition.java_v5_0.unlocked.push-orderly.when-unlocks-arrive: {NO_COUNTEREXAMPLE}",
    ),
    fault(
        "kept-in-another-entry",
        "_not_replaced",
        "return smt.Implies(stays, smt.And(view.after.present, smt.Not(view.after.fresh)))",
        "return smt.Implies(stays, view.after.present)",
        proving("transition.java_v5_2.kept.push"),
        "transition.java_v5_2.kept.push: expected REFUTED, is DISAGREE. a counterexample does not replay",
    ),
)
