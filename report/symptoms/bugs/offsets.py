"""Bugs in offsets."""

from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import each, of
from rebalance_proofs.report.symptoms.causes.of_clients import in_order, of_node, offsets, transition

__all__ = ["BUGS"]

BUGS = (
    Bug(
        'A broker\'s error is taken for "no offset is stored": messages are skipped.',
        2944,
        present=(
            *of(offsets("not-skipped.without-answers", "4_9")),
            *of(in_order("not-skipped.without-answers", "4_9")),
        ),
        absent=(
            *of(offsets("not-skipped.without-answers", "5")),
            *of(in_order("not-skipped.without-answers", "5_0", "5_2")),
        ),
    ),
    Bug(
        'Node takes a failed query for the committed offset for "no offset is stored": messages are skipped.',
        present=of(of_node("not-skipped.without-answers")),
        absent=(Said("offsets.node.not-skipped.first", "where the group begins with the first offset"),),
    ),
    Bug(
        "Node sends -1 for an offset of 0, which a broker takes for none: messages are skipped.",
        present=(
            *of(of_node("not-skipped.without-above")),
            *of(of_node("back-at-most.without-above")),
        ),
    ),
    Bug(
        "Node's consumer notes messages as consumed without a call when it is shut down.",
        present=of(of_node("not-skipped.without-open")),
    ),
    Bug(
        "Node goes on to consume the messages of a queue that was taken away.",
        present=of(of_node("stops")),
    ),
    Bug(
        "Where the query of an ordered queue's first pull fails, messages are asked for from offset -1 on.",
        1825,
        present=of(in_order("from-an-offset", "4_9")),
        absent=of(in_order("from-an-offset", "5_0", "5_2")),
    ),
    Bug(
        "Where nothing is committed yet, as on a new broker, what was sent before is skipped.",
        9307,
        present=(
            *of(offsets("not-skipped.without-offset")),
            *of(in_order("not-skipped.without-offset")),
            *of(of_node("not-skipped.without-offset")),
        ),
        absent=tuple(
            Said(f"offsets.{one}.not-skipped.first", f"{words}, where the group begins with the first offset")
            for one, words in (
                ("java_v5", "Java 5.0 and later"),
                ("java_v5_0-orderly", "Java 5.0 to 5.1.4, ordered"),
                ("java_v5_2-orderly", "Java 5.2 and later, ordered"),
            )
        ),
    ),
    Bug(
        "Where nothing is committed yet, what arrives before the first pull of a new ordered queue is skipped.",
        10955,
        present=of(in_order("since-added")),
        absent=(
            *of(offsets("since-added")),
            *each("since-pulled", "of what arrives after that pull: Java {}"),
        ),
    ),
    Bug(
        "Where a queue changes hands before its first commit, what arrived since its first owner had it is skipped.",
        present=(
            *of(offsets("since-added.without-keeping")),
            *of(in_order("since-pulled.without-keeping")),
        ),
    ),
    Bug(
        "The committed offset goes back.",
        1732,
        present=(
            *of(offsets("never-back")),
            *of(in_order("never-back")),
            *of(of_node("never-back")),
        ),
    ),
    Bug(
        "What was noted of an ordered queue that comes while all offsets are sent is forgotten.",
        present=of(in_order("one-batch.without-steady")),
        absent=each("one-batch", "where no table changes meanwhile: Java {}"),
    ),
    Bug(
        "shutdown() interrupts running listeners, as shipped at once: what one had half done is committed, where it "
        "returns success all the same.",
        present=(
            *of(offsets("finished.without-heeding")),
            *of(in_order("finished.without-heeding")),
        ),
    ),
    Bug(
        "A replica that takes its master's place goes on with older offsets.",
        1440,
        present=of(offsets("only-uncommitted.without-master")),
    ),
    Bug(
        "A master that comes back overwrites the offsets that its replica was sent meanwhile.",
        1094,
        present=of(offsets("only-uncommitted.without-master")),
    ),
    Bug(
        "A replica that has no offset of a queue yet takes its master's place: what was sent before is skipped.",
        present=of(offsets("not-skipped.without-copy")),
    ),
    Bug(
        "A broker whose host does not answer holds up the commits of all groups of a process.",
        3143,
        not_modelled="how long one run of a client's timers takes is not modelled",
    ),
    Bug(
        "The rebalance with which a reset of offsets ends asks where to begin before the reset's commit has arrived.",
        present=(
            *of(offsets("reset-heard")),
            *of(in_order("reset-heard")),
        ),
    ),
    Bug(
        "A pull that is answered while offsets are reset has its own next offset sent in the place of the reset's.",
        present=(
            *of(offsets("reset-sent.without-quiet")),
            *of(in_order("reset-sent.without-quiet")),
        ),
        absent=(
            *(
                Said(f"offsets.{one}.reset-sent", f"{words}, where none is: whatever the listener returns meanwhile")
                for one, words in (("java_v4_9", "Java 4.9"), ("java_v5", "Java 5.0 and later"))
            ),
            *each("reset-sent", "Java {}, ordered, where none is"),
        ),
    ),
    Bug(
        "Unsubscribing does not save the offset.",
        present=(
            *of(transition("unsubscribed-offset")),
            Said("transition.node.unsubscribed-offset"),
        ),
    ),
    Bug(
        "An old pull task of a lite pull consumer goes on with the queue's next entry: messages are lost.",
        2732,
        not_modelled="lite pull consumers' pull tasks are not modelled",
    ),
    Bug(
        "A broadcasting consumer forgets its offsets of a broker that was gone for a while.",
        4016,
        not_modelled="offsets of broadcasting consumers are not modelled",
        unseen="it was not read in the source",
    ),
)
