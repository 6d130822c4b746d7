"""Faults about limits of time and conclusions: a formula says less than its sentence."""

from tests.faults.fault import failing, fault, proving

ATTAINED = "tests/machines/test_bounds.py::test_guaranteed_limit_is_attained"

FAULTS = (
    fault(
        "twice-is-three-times",
        "twice",
        "return Span(f'2 x {span.words}', lambda limits: 2 * span.of(limits))",
        "return Span(f'2 x {span.words}', lambda limits: 3 * span.of(limits))",
        proving("settling.java_v5_2_to_v5_3.as-long"),
        "settling.java_v5_2_to_v5_3.as-long: expected PROVED, is",
    ),
    fault(
        "a-scan-more",
        "REMOVED",
        "REMOVED = limit(Limits, 'expired') + limit(Limits, 'scan')",
        "REMOVED = limit(Limits, 'expired') + limit(Limits, 'scan') + limit(Limits, 'scan')",
        proving("registry.java_v4_9_to_v5_3.as-long"),
        "registry.java_v4_9_to_v5_3.as-long: expected PROVED, is",
    ),
    fault(
        "a-round-of-sending-more",
        "told_late",
        "late = Bound[Member, Limits](COLLECT, _uninformed, lambda s: s.stale_at)",
        "late = Bound[Member, Limits](COLLECT + COLLECT, _uninformed, lambda s: s.stale_at)",
        *failing(f"{ATTAINED}[registry.java_v4_9_to_v5_3.told-late]"),
    ),
    fault(
        "apart-by-less",
        "apart",
        "(Bound(LEAST, lambda",
        "(Bound(Span(LEAST.words, lambda lim: lim.least - 1), lambda",
        *failing(f"{ATTAINED}[settling.java_v5_2_to_v5_3.apart]"),
    ),
    fault(
        "exact-with-one-listener",
        "_possible",
        ", limits: tuple((s.runs for s in states)),",
        ", limits: (),",
        *failing("tests/proofs/ordered/test_exact.py::test_run_counts_only_if_two_listeners_run_in_the_end"),
    ),
    fault(
        "own-lock-or-an-entry",
        "foreign",
        "return And(s.runs, s.holder != ME)",
        "return And(s.runs, s.holder != ME, Not(s.present))",
        proving("ordered.java_v5_2.exclusive"),
        "ordered.java_v5_2.exclusive: expected PROVED, is",
    ),
    fault(
        "others-take-at-any-time",
        "_take",
        "return step(free, holder=OTHER, updated=s.now, **passed_on(s))",
        "return step(Or(free, s.holder == ME), holder=OTHER, updated=s.now, **passed_on(s))",
        proving("ordered.java_v5_2.exclusive"),
        "ordered.java_v5_2.exclusive: expected PROVED, is",
    ),
)
