"""Bugs in ordered consumption."""

from rebalance_proofs.report.symptoms.bug import GO, Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import each, of
from rebalance_proofs.report.symptoms.causes.of_clients import in_order, ordered, transition

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "A new entry does not know that its lock was granted: the listener waits for the next renewal.",
        2621,
        present=(
            Said("transition.java_v4_9_0.knows-lock.push-orderly"),
            Said("transition.java_v4_9_1.knows-lock.push-orderly"),
        ),
        absent=of(transition("knows-lock.push-orderly")),
    ),
    Bug(
        "A broadcasting consumer with an ordered listener takes the group's lock.",
        8772,
        present=(
            *of(transition("no-group-lock.push-orderly-broadcasting", "4_9", "5_0")),
            Said("transition.java_v5_2.no-group-lock.push-orderly-broadcasting-up-to-5-3-1", "Java 5.2 to 5.3.1"),
        ),
    ),
    Bug(
        "The locks of a static topic's queues are not renewed.",
        10183,
        present=of(transition("renewed.push-orderly", "5_0", "5_2")),
    ),
    Bug(
        "A lock is given back under a running listener, 20 s after its last renewal: two listeners run on one queue.",
        present=of(ordered("exclusive.without-time", "java_v5_2")),
        absent=(
            *of(transition("listener.push-orderly", "4_9", "5_0")),
            Said("ordered.java_v5_2.exclusive", "Java 5.2 and later, if the limits of time meet the condition"),
        ),
    ),
    Bug(
        "The return of a lock that was put off meets the queue's next entry.",
        present=of(transition("late-unlock.push-orderly-as-shipped", "4_9", "5_0")),
        absent=of(transition("late-unlock.push-orderly-as-shipped", "5_2")),
    ),
    Bug(
        "A lock stays behind when the query for the offset fails.",
        present=of(transition("no-stray-lock.push-orderly.when-unlocks-arrive")),
    ),
    Bug(
        "A consumer that is shut down takes its locks again: a second renewer goes on while it ends.",
        present=of(ordered("given-back", "java_v5_0", "java_v5_2")),
        absent=of(ordered("given-back", "java_v4_9")),
    ),
    Bug(
        "Unsubscribing leaves the lock behind.",
        present=of(transition("unsubscribed-lock.push-orderly")),
    ),
    Bug(
        "A consumer that is shut down gives its locks back under its listener.",
        present=of(ordered("exclusive.without-shutdown")),
    ),
    Bug(
        "An ordered queue that changes hands repeats a batch.",
        4086,
        present=of(in_order("once")),
        absent=each("one-batch", "of what was noted, nothing: Java {}"),
    ),
    Bug(
        "A queue that is taken away keeps its lock until it runs out: the client of Go does not give it back.",
        1220,
        GO,
        not_modelled="not as a promise that fails; `ordered.go.kept-so-long` says for how long the lock can stay",
    ),
)
