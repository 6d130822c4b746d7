"""Faults about premises on actions and time: they say more than their sentences."""

from tests.faults.fault import failing, fault

CIRCUMSTANCES, NARROWED = "model/machines/ordered/assumptions.py", "tests/machines/test_narrowed.py"
PINNED = failing(f"{NARROWED}::test_assumptions_exclude_exactly_the_pinned_flags[java_v5_2-of-ordered]")

FAULTS = (
    fault(
        "no-time-under-a-return",
        CIRCUMSTANCES,
        "            Implies(s.runs, until <= s.since + limits.listener),\n",
        "            Implies(s.runs, until <= s.since + limits.listener),\n"
        "            Implies(s.unlocking, until == s.now),\n",
        *PINNED,
    ),
    fault(
        "no-renewals-under-a-listener",
        CIRCUMSTANCES,
        '    allows={"locks": lambda s, c, lim: Not(s.unlocking)},\n',
        '    allows={"locks": lambda s, c, lim: Not(s.unlocking), "renews": lambda s, c, lim: Not(s.runs)},\n',
        *PINNED,
    ),
    fault(
        "only-entries-that-are-not-dropped",
        "model/machines/pulls.py",
        '"the process queue can be removed": Not(c.stays)',
        '"the process queue can be removed": And(Not(c.stays), Not(s.dropped))',
        f"pytest {NARROWED}::test_assumptions_of_single_obligations_exclude_the_pinned_flags",
        "FAILED",
    ),
)
