"""Faults in the explorer: a group's moves, what is observed of them, and which groups there are."""

from tests.faults.fault import failing, fault

ORDERED = "enumerate ordered.java_v5_2.exclusive --quick"
OFFSETS = "enumerate offsets.java_v5.once --quick"

FAULTS = (
    fault(
        "shut-down-under-the-listener",
        "spark_enum/explorer/models/ordered.py",
        'rows[:, place(who, "runs")] == 0',
        'rows[:, place(who, "runs")] >= 0',
        ORDERED,
        "ordered.java_v5_2.exclusive: a violation occurs after",
    ),
    fault(
        "a-watch-never-fires",
        "spark_enum/explorer/models/concurrent.py",
        '"two": lambda rows: entries(rows).sum(axis=1) > 1,',
        '"two": lambda rows: entries(rows).sum(axis=1) > 2,',
        OFFSETS,
        "differs from the pinned result, two is found: after 4 steps recorded, never now",
    ),
    fault(
        "settled-before-it-is-asked",
        "spark_enum/explorer/settled.py",
        "if since.gone == rounds else None",
        "if since.gone > rounds else None",
        OFFSETS,
        "differs from the pinned result, settled: within 1 rounds recorded, within 0 rounds now",
    ),
    fault(
        "a-state-is-not-expanded",
        "spark_enum/explorer/levels.py",
        "        store.follow(level, part, np.concatenate(product.successors(states, counts)))\n",
        "        store.follow(level, part, np.concatenate(product.successors(states[1:], counts)))\n",
        OFFSETS,
        "36,374 are pinned",
    ),
    fault(
        "a-group-is-left-out",
        "spark_enum/explorer/standard.py",
        "    _group(LOCK_LITE, beside=REBALANCE),\n",
        "",
        ORDERED,
        "explored groups: 2 required, 1 found",
    ),
    fault(
        "a-disagreement-is-status-0",
        "cli/explore.py",
        "    return 1 if disagreeing(found) or any(",
        "    return 1 if any(",
        *failing("tests/cli/test_explore.py::test_finding_that_a_claim_excludes_fails_the_run"),
    ),
    fault(
        "found-if-each-state-is-so",
        "spark_enum/explorer/product.py",
        "            if bad.any():\n",
        "            if bad.all():\n",
        *failing("tests/cli/test_explore.py::test_never_option_fails_the_run"),
    ),
)
