"""Ordered consumption: its limits, its code, its terms, its search."""

from tests.faults.fault import fault, proving

ENUMERATED = "enumerate ordered.java_v5_2.exclusive --quick"

FAULTS = (
    fault(
        "condition-a-millisecond-too-wide",
        "proofs/ordered/condition.py",
        "self.total(limits) <= getattr",
        "self.total(limits) <= 1 + getattr",
        proving("ordered.java_v5_2.exclusive"),
        "ordered.java_v5_2.exclusive: expected PROVED, is",
    ),
    fault(
        "condition-too-narrow",
        "proofs/ordered/condition.py",
        "self.total(limits) <= getattr",
        "self.total(limits) < getattr",
        proving("ordered.go.exact"),
        "ordered.go.exact: expected PROVED, is",
    ),
    fault(
        "terms-trust-longer",
        "model/ordered/actions.py",
        "state.now - me.stamp <= limits.client)",
        "state.now - me.stamp <= limits.client + 1)",
        ENUMERATED,
        "java_v5_2 actions: both sides differ in",
    ),
    fault(
        "broker-gives-too-early",
        "model/ordered/lock_manager.py",
        "now - self.entry.last_update_timestamp > self._lock_max_live_time",
        "now - self.entry.last_update_timestamp >= self._lock_max_live_time",
        ENUMERATED,
        "java_v5_2 actions: both sides differ in",
    ),
    fault(
        "client-forgets-the-force",
        "model/client/java_v5_2.py",
        "force = entry.dropped and environment.now",
        "force = not entry.dropped and environment.now",
        proving("ordered.java_v5_2.exclusive.without-time"),
        "a counterexample does not replay on the concrete implementation",
    ),
    fault(
        "explores-without-time",
        "proofs/timed_exploration.py",
        "            begin = len(rows)\n            rows, cause",
        "            begin = len(rows) + len(fresh)\n            rows, cause",
        proving("ordered.java_v4_9.exclusive.without-time"),
        "ordered.java_v4_9.exclusive.without-time: expected REFUTED, is",
    ),
    fault(
        "terms-call-twice",
        "model/ordered/actions.py",
        "believed, me.cached, z3.Not(me.runs))",
        "believed, me.cached)",
        proving("ordered.java_v5_2.local"),
        "ordered.java_v5_2.local: expected PROVED, is",
    ),
    fault(
        "an-object-for-each-call",
        "model/ordered/message_queue_lock.py",
        "self._table.setdefault(queue, LockObject())",
        "LockObject()",
        ENUMERATED,
        "java_v5_2 actions: both sides differ in",
    ),
    fault(
        "requests-a-millisecond-later",
        "proofs/ordered/circumstances.py",
        "state.now <= me.left + limits.late",
        "state.now <= 1 + me.left + limits.late",
        proving("ordered.go.let-go"),
        "ordered.go.let-go: expected PROVED, is",
    ),
    fault(
        "renewals-are-never-due",
        "proofs/ordered/circumstances.py",
        "until <= state.me.stamp + limits.renewal",
        "until <= until + limits.renewal",
        proving("ordered.java_v4_9.exclusive.renewed"),
        "ordered.java_v4_9.exclusive.renewed: expected PROVED, is",
    ),
    fault(
        "terms-renew-marked-entries",
        "model/ordered/actions.py",
        "me.present if rules.renews_marked else z3.And(me.present, z3.Not(me.dropped))",
        "me.present",
        proving("ordered.java_v5_2.exclusive.renewed-as-shipped"),
        "ordered.java_v5_2.exclusive.renewed-as-shipped: expected REFUTED, is",
    ),
    fault(
        "a-state-is-left-out",
        "spark_enum/ordered/space.py",
        "for age in (0, 6, 7)),",
        "for age in (0, 6)),",
        ENUMERATED,
        "digest of java_v5_2 actions at the quick bounds",
    ),
)
