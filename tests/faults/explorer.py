"""Faults in the explorer: a group's moves, what is observed of them, and which groups there are."""

from tests.faults.fault import failing, fault

ORDERED = "enumerate ordered.java_v5_2.exclusive --quick"
OFFSETS = "enumerate offsets.java_v5.once --quick"

FAULTS = (
    fault(
        "shut-down-under-the-listener",
        "_Queue._no_listener",
        "return lambda rows: rows[:, place(who, 'runs')] == 0",
        "return lambda rows: rows[:, place(who, 'runs')] >= 0",
        ORDERED,
        "ordered.java_v5_2.exclusive: a violation occurs after",
    ),
    fault(
        "a-watch-never-fires",
        "_Queue.flags",
        "1) > 1, '",
        "1) > 2, '",
        OFFSETS,
        "differs from the pinned result, two is found: after 4 steps recorded, never now",
    ),
    fault(
        "settled-before-it-is-asked",
        "_quiet",
        "return not_right(states[since.members], queue) if since.gone == rounds else None",
        "return not_right(states[since.members], queue) if since.gone > rounds else None",
        OFFSETS,
        "differs from the pinned result, settled: within 1 rounds recorded, within 0 rounds now",
    ),
    fault(
        "a-state-is-not-expanded",
        "expanded",
        "store.follow(level, part, np.concatenate(product.successors(states, counts)))",
        "store.follow(level, part, np.concatenate(product.successors(states[1:], counts)))",
        OFFSETS,
        "36,374 are pinned",
    ),
    fault(
        "a-group-is-left-out",
        "QUICK",
        "=UNHEARD), _group(LOCK_LITE, beside=REBALANCE))",
        "=UNHEARD))",
        ORDERED,
        "explored groups: 2 required, 1 found",
    ),
    fault(
        "a-disagreement-is-status-0",
        "explore_",
        "return 1 if disagreeing(found) or any((one.watch.name in required for one in found.found)) else 0",
        "return 1 if any((one.watch.name in required for one in found.found)) else 0",
        *failing("tests/cli/test_explore.py::test_finding_that_a_claim_excludes_fails_the_run"),
    ),
    fault(
        "found-if-each-state-is-so",
        "Product.wrong",
        "if bad.any():",
        "if bad.all():",
        *failing("tests/cli/test_explore.py::test_never_option_fails_the_run"),
    ),
)
