"""Section of guarantees.md on offsets: for concurrent listeners, for Node, for ordered listeners."""

from collections.abc import Iterator

from rebalance_proofs.model.offsets import clients as offsets
from rebalance_proofs.report.guarantees.row import Row, Section, Table

FIRST, LAST = "CONSUME_FROM_FIRST_OFFSET", "CONSUME_FROM_LAST_OFFSET"
NEVER_BACK = Row("The committed offset never rolls back", "never-back", issue=1732)
UNCOMMITTED = Row("A new owner gets no message committed before its offset query", "only-uncommitted")
KEEPING = "… even if the queue changes owner before the first commit"
RESET = (
    Row("A reset in the owner commits its offset", "reset-sent"),
    Row("… even if something comes between", "reset-sent.without-quiet"),
    Row("The rebalance after a reset gets the new offset", "reset-heard"),
)

CONCURRENT = (
    Row("No message is skipped", "not-skipped"),
    Row("… even if a broker answers the query with an error", "not-skipped.without-answers", issue=2944),
    Row(f"… even if nothing is committed, with {LAST}", "not-skipped.without-offset", issue=9307),
    Row(f"… with {FIRST}, whatever is committed, even after errors", "not-skipped.first"),
    Row("… even if a replica with an old offset is master", "not-skipped.without-master", issue=1440),
    Row(f"… even if a replica without an offset is, with {LAST}", "not-skipped.without-copy"),
    Row(f"… even if any replica is, with {FIRST}", "not-skipped.first-copy"),
    Row("New queue: no message is skipped that arrives while an entry exists", "since-added"),
    Row("… or while its consumer queries the offset", "since-asked"),
    Row(KEEPING, "since-added.without-keeping"),
    Row("No message is consumed twice", "once"),
    UNCOMMITTED,
    Row("… even if a replica answers for the master", "only-uncommitted.without-master"),
    NEVER_BACK,
    Row("… below the committing entry's start", "back-at-most"),
    Row("… even if a table changes", "back-at-most.without-steady"),
    Row("A hand-over redelivers only uncommitted and running messages", "hand-over"),
    Row("… even if owners do not take turns", "hand-over.without-turn"),
    Row("… only uncommitted messages", "but-overtime"),
    Row("No unfinished message is committed, with honest listeners", "finished.heeded"),
    Row("… even with other listeners", "finished.without-heeding"),
    Row("… if `shutdown()` waits for running and pending listener calls", "finished.awaited"),
    *RESET,
)
BY_LOOP = (
    Row("No message is skipped", "not-skipped"),
    Row("… even if a query fails or times out", "not-skipped.without-answers"),
    Row(f"… even if nothing is committed, with {LAST}", "not-skipped.without-offset"),
    Row("… even if offset 0 is committed: it is sent as -1", "not-skipped.without-above"),
    Row("… even if a consumer shuts down with messages", "not-skipped.without-open"),
    Row(f"… with {FIRST}, if no consumer shuts down with messages", "not-skipped.first"),
    Row("No message is consumed twice", "once"),
    UNCOMMITTED,
    NEVER_BACK,
    Row("… below the committing entry's start", "back-at-most"),
    Row("… even if the committed offset is 0", "back-at-most.without-above"),
    Row("No listener call begins for an entry that has left", "stops"),
    Row("A hand-over redelivers only uncommitted and running messages", "hand-over"),
    Row("… only uncommitted messages", "but-overtime"),
)
IN_ORDER = (
    Row("No message is skipped", "not-skipped"),
    Row("… even if a broker answers the query with an error", "not-skipped.without-answers"),
    Row(f"… even if nothing is committed, with {LAST}", "not-skipped.without-offset"),
    Row(f"… with {FIRST}", "not-skipped.first"),
    Row("New queue: no message is skipped that arrives after the first pull", "since-pulled"),
    Row("… that arrives while an entry exists", "since-added", issue=10955),
    Row(KEEPING, "since-pulled.without-keeping"),
    Row("No message is consumed twice", "once", issue=4086),
    Row("… except for one unrecorded batch", "one-batch"),
    Row("… even if owners do not take turns", "one-batch.without-turn"),
    Row("… even if a consumer's process ends, or it unsubscribes", "one-batch.without-staying"),
    Row("… even if a table changes", "one-batch.without-steady"),
    UNCOMMITTED,
    NEVER_BACK,
    Row("… below the committing entry's start", "back-at-most"),
    Row("The first pull starts at an offset from the broker", "from-an-offset"),
    Row("No unfinished message is committed, with honest listeners", "finished.heeded"),
    Row("… even with other listeners", "finished.without-heeding"),
    *RESET,
)


def _mixed() -> Iterator[str]:
    yield "Rows that are proved for mixed groups, pair by pair (`rebalance list 'offsets.*+*.mixed'`):"
    yield ""
    yield "- Java versions with one sort of listener, all of whose assumptions hold: skipped messages (without broker"
    yield "  errors), committed messages, rollback"
    yield "- Also the hand-over's bound (concurrent), and the one batch (ordered)"
    yield "- With Node, under its assumptions: the first item, but not the hand-over's bound"
    yield "- Go: not claimed"


OFFSETS = Section(
    "Offsets",
    "What happens to messages and committed offsets, with the default offset store.",
    (
        "All consumers subscribe to the same. The broker keeps committed offsets and deletes no unconsumed message.",
        "An offset is committed and its query succeeds, except as a row says. No rebalancing consumer is resumed. "
        "Only rows about resets allow resets.",
        f"New queue: nothing is committed, no query fails, the group uses `{LAST}`, and the first owner keeps the "
        "queue until it commits.",
        "Rollback, redelivery: no queue enters or leaves a consumer's table during `persistAll`.",
        "Turns: a new owner asks for the offset after the old entry has left. *Running* messages were given, or were "
        "about to be given, to the old owner's listener.",
        "Honest listeners, if interrupted, return success only for finished work; concurrent ones may also stay "
        "interrupted.",
        "Resets: before the commit no pull is answered. No consumed offset is about to be stored when the reset "
        "begins.",
    ),
    (
        Table("offsets", offsets.CONCURRENT, CONCURRENT, "Concurrent listeners:"),
        Table(
            "offsets",
            offsets.BY_LOOP,
            BY_LOOP,
            "Node, with clustering and one rebalance at a time. An offset above 0 is committed, queries succeed, "
            "failed messages can be sent back, and no consumer shuts down with messages:",
        ),
        Table(
            "offsets",
            offsets.ORDERLY,
            IN_ORDER,
            "Ordered listeners, where the client decides when to commit. Turns: no lock is released under a running "
            "listener (in 5.2 a setting), commits arrive in order, and no consumer ends or unsubscribes. In 4.9, "
            "redelivery and rollback also need an answer to each first pull's query:",
        ),
    ),
    about=lambda claim: claim.kind == "offsets",
    more=_mixed,
)
