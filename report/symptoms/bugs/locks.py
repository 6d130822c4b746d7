"""Known bugs in ordered consumption and its queue locks."""

from rebalance_proofs.model.releases import java_from
from rebalance_proofs.report.symptoms.bug import GO, Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import each, of
from rebalance_proofs.report.symptoms.causes.of_clients import UNSUBSCRIBING, in_order, ordered, transition

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "A new ProcessQueue is not marked as locked although its lock was granted.",
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
        absent=of(transition("renewed.push-orderly", "5_5")),
    ),
    Bug(
        "A client releases a lock under a running listener, 20 s after the last renewal, and two listeners run on one "
        "queue.",
        present=of(ordered("exclusive.without-time", "java_v5_2")),
        absent=(
            *of(transition("listener.push-orderly", "4_9", "5_0")),
            Said("ordered.java_v5_2.exclusive", f"{java_from('5.2')}, if the timeouts meet the claim's condition"),
        ),
    ),
    Bug(
        "A delayed unlock frees the lock of a queue that has come back.",
        present=of(transition("late-unlock.push-orderly-as-shipped", "4_9", "5_0")),
        absent=of(transition("late-unlock.push-orderly-as-shipped", "5_2")),
    ),
    Bug(
        "The client keeps a lock when the offset query fails.",
        present=of(transition("no-stray-lock.push-orderly.when-unlocks-arrive")),
    ),
    Bug(
        "A consumer that shuts down takes its locks again, because a second renewal task still runs.",
        present=of(ordered("given-back", "java_v5_0", "java_v5_2")),
        absent=of(ordered("given-back", "java_v4_9")),
    ),
    Bug(
        "Unsubscribing does not release the lock.",
        present=of(transition("unsubscribed-lock.push-orderly", *UNSUBSCRIBING)),
    ),
    Bug(
        "A consumer that shuts down releases its locks under its running listener.",
        present=of(ordered("exclusive.without-shutdown")),
    ),
    Bug(
        "A batch is redelivered when an ordered queue changes owner.",
        4086,
        present=of(in_order("once")),
        absent=each("one-batch", "Java {}, for messages whose offset was recorded"),
    ),
    Bug(
        "The Go client does not release the lock of a queue that is taken away, so the lock stays until it expires.",
        1220,
        GO,
        not_modelled="no failing guarantee covers it; `ordered.go.kept-so-long` states how long the lock can stay",
    ),
)
