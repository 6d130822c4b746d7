"""Faults in premises: they are narrower than their sentences."""

from tests.faults.fault import fault, proving

STATES = """        for queue in range(queues):
            state = values_of(v, QUEUE, queue)
"""

FAULTS = (
    fault(
        "a-hundred-queues",
        "proofs/obligation.py",
        '"at least one queue": v.q >= 1',
        '"at least one queue": smt.And(v.q >= 1, v.q <= 100)',
        proving("allocation.avg.idle"),
        "one-each: its assumptions exclude the case: q beyond the bound",
    ),
    fault(
        "neighbours-only",
        "proofs/allocation/disjoint.py",
        '        | {"i and j differ": v.i != v.j, "i owns p": e.owns(v.q, v.c, v.i, v.p)},',
        '        | {"i and j differ": v.j == v.i + 1, "i owns p": e.owns(v.q, v.c, v.i, v.p)},',
        proving("allocation.avg.disjoint"),
        "exclusive: its assumptions exclude the case: i far above j",
    ),
    fault(
        "young-pulls",
        "proofs/transition/scenario.py",
        STATES,
        f"{STATES}            found.append(state.pull_age <= 500_000)\n",
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: pull_age beyond the bound",
    ),
    fault(
        "young-pulls-by-range",
        "model/transition/variables.py",
        '"time since the last pull, in ms", 0, limit=',
        '"time since the last pull, in ms", 0, 500_000, limit=',
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: pull_age beyond the bound",
    ),
    fault(
        "young-pulls-unsaid",
        "proofs/transition/circumstances.py",
        "    return Scenario(client.modes)",
        '    return Scenario(client.modes, limits=(Limit("pull_age", highest=500_000),))',
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: pull_age beyond the bound",
    ),
    fault(
        "held-queues-only",
        "proofs/transition/scenario.py",
        STATES,
        f"{STATES}            found.append(state.present == 1)\n",
        proving("transition.node.exact"),
        "exact: its assumptions exclude the case: present = 0",
    ),
    fault(
        "a-mode-without-formula",
        "proofs/transition/scenario.py",
        "getattr(mode, known.name) for known in MODE]) for mode in self.modes]",
        "getattr(mode, known.name) for known in MODE]) for mode in self.modes[1:]]",
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: used as push",
    ),
    fault(
        "a-mode-dropped",
        "proofs/transition/circumstances.py",
        "    return Scenario(client.modes)",
        "    return Scenario(client.modes[1:])",
        "enumerate transition.node.changed --quick",
        "digest of transition.node.changed at the quick bounds",
    ),
    fault(
        "others-never-throw",
        "proofs/transition/scenario.py",
        "            found += [smt.And(0 <= term, term <= 1) for term in terms]",
        "            found += [term == 0 for term in terms]",
        proving("transition.java_v5_2.marked"),
        "marked: its assumptions exclude the case: thrown_removing = 1",
    ),
)
