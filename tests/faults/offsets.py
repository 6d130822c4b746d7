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
    fault(
        "batch-noted-when-dropped",
        "model/offsets/orderly_consumer.py",
        "        if not held.entry.dropped:\n            self.noting",
        "        if held.entry:\n            self.noting",
        "enumerate offsets.java_v5_2-orderly.not-skipped --quick",
        "java_v5_2-orderly offsets: both sides differ in",
    ),
    fault(
        "first-pull-forgotten",
        "model/offsets/orderly.py",
        "done.begin, me.next if heeds else NOWHERE)",
        "me.next, me.next if heeds else NOWHERE)",
        proving("offsets.java_v5_2-orderly.only-uncommitted"),
        "offsets.java_v5_2-orderly.only-uncommitted: expected PROVED, is",
    ),
    fault(
        "asked-out-of-turn",
        "proofs/offsets/brokers.py",
        '"asks": [z3.Not(state.queue.taken)],',
        '"asks": [],',
        proving("offsets.java_v5_2-orderly.one-batch"),
        "offsets.java_v5_2-orderly.one-batch: expected PROVED, is",
    ),
    fault(
        "zero-is-known",
        "model/client/node_offset_store.py",
        "self.offset_table.get(queue) or -1",
        "self.offset_table.get(queue, -1)",
        "enumerate offsets.node.not-skipped --quick",
        "node offsets: both sides differ in",
    ),
    fault(
        "loop-looks-at-its-table",
        "model/offsets/by_loop.py",
        "    goes = z3.Or(me.runs, me.owed, said.held)\n",
        "    goes = NO\n",
        proving("offsets.node.stops"),
        "offsets.node.stops: expected REFUTED, is",
    ),
    fault(
        "asked-while-held",
        "proofs/offsets/brokers.py",
        "            given.append(z3.Not(state.queue.taken))\n",
        "            given.append(YES)\n",
        proving("offsets.java_v5.hand-over"),
        "offsets.java_v5.hand-over: expected PROVED, is",
    ),
    fault(
        "all-is-overtime",
        "model/offsets/watched.py",
        "overtime=z3.Or(before.overtime, z3.Not(me.begun_late))",
        "overtime=before.overtime",
        proving("offsets.java_v5.hand-over"),
        "offsets.java_v5.hand-over: expected PROVED, is",
    ),
)
