"""Faults about limits of time and conclusions: a formula says less than its sentence."""

from tests.faults.fault import failing, fault, proving

CLAIMS = "model/machines/ordered/claims.py"
ATTAINED = "tests/machines/test_bounds.py::test_guaranteed_limit_is_attained"

FAULTS = (
    fault(
        "twice-is-three-times",
        "model/machine/values.py",
        "2 * span.of(limits)",
        "3 * span.of(limits)",
        proving("settling.java_v5_2_to_v5_3.as-long"),
        "settling.java_v5_2_to_v5_3.as-long: expected PROVED, is",
    ),
    fault(
        "a-scan-more",
        "model/machines/registry/state.py",
        'limit(Limits, "expired") + limit(Limits, "scan")',
        'limit(Limits, "expired") + limit(Limits, "scan") + limit(Limits, "scan")',
        proving("registry.java_v4_9_to_v5_3.as-long"),
        "registry.java_v4_9_to_v5_3.as-long: expected PROVED, is",
    ),
    fault(
        "a-round-of-sending-more",
        "model/machines/registry/claims.py",
        "Bound[Member, Limits](COLLECT,",
        "Bound[Member, Limits](COLLECT + COLLECT,",
        *failing(f"{ATTAINED}[registry.java_v4_9_to_v5_3.told-late]"),
    ),
    fault(
        "apart-by-less",
        "model/machines/settling.py",
        "        Bound(LEAST, lambda s: And(s.ended, s.at == RUNS)",
        "        Bound(Span(LEAST.words, lambda lim: lim.least - 1), lambda s: And(s.ended, s.at == RUNS)",
        *failing(f"{ATTAINED}[settling.java_v5_2_to_v5_3.apart]"),
    ),
    fault(
        "exact-with-one-listener",
        CLAIMS,
        "limits: tuple(s.runs for s in states)",
        "limits: ()",
        *failing("tests/proofs/ordered/test_exact.py::test_run_counts_only_if_two_listeners_run_in_the_end"),
    ),
    fault(
        "own-lock-or-an-entry",
        CLAIMS,
        "return And(s.runs, s.holder != ME)",
        "return And(s.runs, s.holder != ME, Not(s.present))",
        proving("ordered.java_v5_2.exclusive"),
        "ordered.java_v5_2.exclusive: expected PROVED, is",
    ),
    fault(
        "others-take-at-any-time",
        CLAIMS,
        "    return step(free, holder=OTHER,",
        "    return step(Or(free, s.holder == ME), holder=OTHER,",
        proving("ordered.java_v5_2.exclusive"),
        "ordered.java_v5_2.exclusive: expected PROVED, is",
    ),
)
