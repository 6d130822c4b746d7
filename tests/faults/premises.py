"""Faults about premises on actions and time: they say more than their sentences."""

from tests.faults.fault import failing, fault

NARROWED = "tests/machines/test_narrowed.py"
PINNED = failing(f"{NARROWED}::test_assumptions_exclude_exactly_the_pinned_flags[java_v5_2-of-ordered]")

FAULTS = (
    fault(
        "no-time-under-a-return",
        "Circumstances.waits",
        "(s.answered,",
        "(s.unlocking, until == s.now), Implies(s.answered,",
        *PINNED,
    ),
    fault(
        "no-renewals-under-a-listener",
        "NOT_OVERTAKEN",
        ".unlocking)})",
        ".unlocking), 'renews': lambda s, c, lim: Not(s.runs)})",
        *PINNED,
    ),
    fault(
        "only-entries-that-are-not-dropped",
        "healed",
        "removed': Not(c.stays),",
        "removed': And(Not(c.stays), Not(s.dropped)),",
        f"pytest {NARROWED}::test_assumptions_of_single_obligations_exclude_the_pinned_flags",
        "FAILED",
    ),
)
