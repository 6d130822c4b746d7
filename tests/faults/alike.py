"""Faults in which code and terms are wrong in the same way, so that they agree."""

from tests.faults.fault import CONFORM, Change, Fault, proving

AVG, CIRCLE = "model/allocation/averagely.py", "model/allocation/averagely_by_circle.py"

FAULTS = (
    Fault(
        "avg-le-for-lt-alike",
        (
            Change(AVG, "elif mod > 0 and index < mod:", "elif mod > 0 and index <= mod:"),
            Change(
                AVG,
                '''before it is cut at the end of mqAll."""
    return smt.If(q <= c, 1, smt.If(index < q % c, q / c + 1, q / c))''',
                '''before it is cut at the end of mqAll."""
    return smt.If(q <= c, 1, smt.If(smt.And(q % c > 0, index <= q % c), q / c + 1, q / c))''',
            ),
        ),
        proving("allocation.avg.disjoint"),
        "allocation.avg.disjoint: expected PROVED, is REFUTED. queue 3 is consumed by both c1 and c2.",
    ),
    Fault(
        "circle-from-the-end-alike",
        (
            Change(
                CIRCLE,
                "        if i % len(cid_all) == index:",
                "        if (len(mq_all) - 1 - i) % len(cid_all) == index:",
            ),
            Change(CIRCLE, "    for i in range(index, len(mq_all)):", "    for i in range(0, len(mq_all)):"),
            Change(
                CIRCLE,
                "    return smt.And(index <= position, position < q, position % c == index)",
                "    return smt.And(0 <= position, position < q, (q - 1 - position) % c == index)",
            ),
        ),
        CONFORM,
        "AVG_BY_CIRCLE of layout 1b, q=2, c=2: recorded 0|1, computed 1|0",
    ),
    Fault(
        "first-on-collision-alike",
        (
            Change(
                "model/allocation/consistent_hash.py",
                "on_ring[hash_function(node.key)] = node",
                "on_ring.setdefault(hash_function(node.key), node)",
            ),
            Change(
                "model/allocation/ring.py",
                '''is left on the ring."""
    return smt.If(behind_new == behind_old, new <= old,''',
                '''is left on the ring."""
    return smt.If(behind_new == behind_old, new < old,''',
            ),
        ),
        CONFORM,
        "vnode collision, sorted cid order (c601 added last): recorded",
    ),
    Fault(
        "pull-limit-alike",
        (
            Change("model/client/process_queue.py", "PULL_MAX_IDLE_TIME = 120_000", "PULL_MAX_IDLE_TIME = 240_000"),
            Change("model/transition/step.py", "PULL_IDLE_LIMIT = 120_000", "PULL_IDLE_LIMIT = 240_000"),
        ),
        CONFORM,
        "mem -, rpc 100, max -, upd -, race 0: recorded N:d0l0:n100, computed S:d0l0:n5",
    ),
    Fault(
        "patience-alike",
        (
            Change("model/client/java_v5_2.py", "TRY_LOCK_MS = 500", "TRY_LOCK_MS = 1_000"),
            Change("model/transition/generations.py", "try_lock=500, file_persists", "try_lock=1000, file_persists"),
        ),
        CONFORM,
        "java 5.3.3, effects for id 24",
    ),
)
