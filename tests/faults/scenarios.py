"""Faults in premises: they are narrower than their sentences."""

from tests.faults.fault import fault, proving

FAULTS = (
    fault(
        "a-hundred-queues",
        "sizes",
        "return {'at least one queue': v.q >= 1, 'at least one consumer': v.c >= 1}",
        "return {'at least one queue': smt.And(v.q >= 1, v.q <= 100), 'at least one consumer': v.c >= 1}",
        proving("allocation.avg.idle"),
        "one-each: its assumptions exclude the case: q beyond the bound",
    ),
    fault(
        "neighbours-only",
        "_exclusive",
        "differ': v.i != v.j, 'i owns",
        "differ': v.j == v.i + 1, 'i owns",
        proving("allocation.avg.disjoint"),
        "exclusive: its assumptions exclude the case: i far above j",
    ),
    fault(
        "young-pulls",
        "Scenario._possible",
        "found += possible(QUEUE, state)",
        ("found.append(state.pull_age <= 500000)\n        found += possible(QUEUE, state)"),
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: pull_age beyond the bound",
    ),
    fault(
        "young-pulls-by-range",
        "QUEUE",
        ", 0, limit=PULL_MAX_IDLE_TIME",
        ", 0, 500000, limit=PULL_MAX_IDLE_TIME",
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: pull_age beyond the bound",
    ),
    fault(
        "young-pulls-unsaid",
        "everywhere",
        "return Scenario(client.modes)",
        "return Scenario(client.modes, limits=(Limit('pull_age', highest=500000),))",
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: pull_age beyond the bound",
    ),
    fault(
        "held-queues-only",
        "Scenario._possible",
        "found += possible(QUEUE, state)",
        ("found.append(state.present == 1)\n        found += possible(QUEUE, state)"),
        proving("transition.node.exact"),
        "exact: its assumptions exclude the case: present = 0",
    ),
    fault(
        "a-mode-without-formula",
        "Scenario.used_in",
        "self.modes])",
        "self.modes[1:]])",
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: used as push",
    ),
    fault(
        "a-mode-dropped",
        "everywhere",
        "return Scenario(client.modes)",
        "return Scenario(client.modes[1:])",
        "enumerate transition.node.changed --quick",
        "digest of transition.node.changed at the quick bounds",
    ),
    fault(
        "others-never-throw",
        "Scenario.thrown",
        "found += [smt.And(0 <= term, term <= 1) for term in terms]",
        "found += [term == 0 for term in terms]",
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: thrown_removing = 1",
    ),
)
