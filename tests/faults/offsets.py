"""Offsets: their code, their terms, their proofs."""

from tests.faults.fault import fault, proving

ENUMERATED = "enumerate offsets.java_v5.not-skipped --quick"

FAULTS = (
    fault(
        "offset-noted-when-dropped",
        "model/offsets/consumer.py",
        "        if not call.held.entry.dropped:\n            offset",
        "        if call.held.entry:\n            offset",
        ENUMERATED,
        "java_v5 offsets: both sides differ in",
    ),
    fault(
        "terms-begin-too-late",
        "model/offsets/actions.py",
        "next=z3.If(entered, done.begin, me.next)",
        "next=z3.If(entered, done.begin + 1, me.next)",
        proving("offsets.java_v5.not-skipped"),
        "offsets.java_v5.not-skipped: expected PROVED, is",
    ),
    fault(
        "commits-only-increase",
        "model/offsets/broker.py",
        "        self.committed = offset\n",
        "        self.committed = max(offset, self.committed or 0)\n        self.went_back = False\n",
        proving("offsets.java_v5.never-back"),
        "a counterexample does not replay on the concrete implementation",
    ),
    fault(
        "others-commit-anything",
        "proofs/offsets/inductive.py",
        "if COMMITTED.name in conjuncts else YES",
        "if COMMITTED.name not in conjuncts else YES",
        proving("offsets.java_v5.not-skipped"),
        "offsets.java_v5.not-skipped: expected PROVED, is",
    ),
)
