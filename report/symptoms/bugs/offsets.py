"""Known bugs that lose, skip or roll back consumer offsets."""

from rebalance_proofs.model.releases import java_from
from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import each, of
from rebalance_proofs.report.symptoms.causes.of_clients import UNSUBSCRIBING, in_order, of_node, offsets, transition

__all__ = ["BUGS"]

BUGS = (
    Bug(
        'The client takes a broker\'s error for "no offset is stored", and messages are skipped.',
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
        'The Node client takes a failed offset query for "no offset is stored", and messages are skipped.',
        present=of(of_node("not-skipped.without-answers")),
        absent=(Said("offsets.node.not-skipped.first", "Node with CONSUME_FROM_FIRST_OFFSET"),),
    ),
    Bug(
        "The Node client commits -1 for an offset of 0, the broker takes -1 for no offset, and messages are skipped.",
        present=(
            *of(of_node("not-skipped.without-above")),
            *of(of_node("back-at-most.without-above")),
        ),
    ),
    Bug(
        "A Node consumer that shuts down records messages as consumed without calling the listener.",
        present=of(of_node("not-skipped.without-open")),
    ),
    Bug(
        "A Node consumer still consumes the messages of a queue that was taken away.",
        present=of(of_node("stops")),
    ),
    Bug(
        "If the offset query for an ordered queue's first pull fails, the client asks for messages from offset -1 on.",
        1825,
        present=of(in_order("from-an-offset", "4_9")),
        absent=of(in_order("from-an-offset", "5_0", "5_2")),
    ),
    Bug(
        "Messages sent before the first commit are skipped, for example on a new broker.",
        9307,
        present=(
            *of(offsets("not-skipped.without-offset")),
            *of(in_order("not-skipped.without-offset")),
            *of(of_node("not-skipped.without-offset")),
        ),
        absent=tuple(
            Said(f"offsets.{one}.not-skipped.first", f"{words}, with CONSUME_FROM_FIRST_OFFSET")
            for one, words in (
                ("java_v5", java_from("5.0")),
                ("java_v5_0-orderly", "Java 5.0 to 5.1.4, ordered"),
                ("java_v5_2-orderly", f"{java_from('5.2')}, ordered"),
            )
        ),
    ),
    Bug(
        "Messages that arrive before the first pull of a new ordered queue are skipped.",
        10955,
        present=of(in_order("since-added")),
        absent=(
            *of(offsets("since-added")),
            *each("since-pulled", "Java {}, for messages that arrive after that pull"),
        ),
    ),
    Bug(
        "If a queue changes owner before its first commit, messages that arrived at its first owner are skipped.",
        present=(
            *of(offsets("since-added.without-keeping")),
            *of(in_order("since-pulled.without-keeping")),
        ),
    ),
    Bug(
        "The committed offset rolls back.",
        1732,
        present=(
            *of(offsets("never-back")),
            *of(in_order("never-back")),
            *of(of_node("never-back")),
        ),
    ),
    Bug(
        "The client forgets the offset recorded for an ordered queue that arrives during a commit of all offsets.",
        present=of(in_order("one-batch.without-steady")),
        absent=each("one-batch", "Java {}, if no table changes meanwhile"),
    ),
    Bug(
        "shutdown() interrupts running listeners, by default at once, and commits the half-done message of one that "
        "returns success.",
        present=(
            *of(offsets("finished.without-heeding")),
            *of(in_order("finished.without-heeding")),
        ),
    ),
    Bug(
        "A replica that replaces its master continues with older offsets.",
        1440,
        present=of(offsets("only-uncommitted.without-master")),
    ),
    Bug(
        "A master that returns overwrites the offsets that its replica accepted meanwhile.",
        1094,
        present=of(offsets("only-uncommitted.without-master")),
    ),
    Bug(
        "A replica that has no offset for a queue replaces its master, and earlier messages are skipped.",
        present=of(offsets("not-skipped.without-copy")),
    ),
    Bug(
        "A broker whose host does not answer delays the commits of all groups of a process.",
        3143,
        not_modelled="the duration of a client's timer tasks",
    ),
    Bug(
        "The rebalance that ends an offset reset asks for the start offset before the reset's commit arrives.",
        present=(
            *of(offsets("reset-heard")),
            *of(in_order("reset-heard")),
        ),
    ),
    Bug(
        "A pull that is answered during an offset reset makes the client commit the pull's next offset instead of the "
        "reset's.",
        present=(
            *of(offsets("reset-sent.without-quiet")),
            *of(in_order("reset-sent.without-quiet")),
        ),
        absent=(
            *(
                Said(f"offsets.{one}.reset-sent", f"{words}, if no pull is answered during the reset")
                for one, words in (("java_v4_9", "Java 4.9"), ("java_v5", java_from("5.0")))
            ),
            *each("reset-sent", "Java {}, ordered, if no pull is answered during the reset"),
        ),
    ),
    Bug(
        "If a pull's messages are not in the order of their offsets, the client commits an offset that is too low.",
        10870,
        not_modelled="pulled messages in another order; claims assume the order of offsets",
    ),
    Bug(
        "Unsubscribing does not save the offset.",
        present=(
            *of(transition("unsubscribed-offset", *UNSUBSCRIBING)),
            Said("transition.node.unsubscribed-offset"),
        ),
    ),
    Bug(
        "An old pull task of a lite pull consumer continues with the queue's next ProcessQueue, and messages are lost.",
        2732,
        not_modelled="pull tasks of lite pull consumers",
    ),
    Bug(
        "A broadcasting consumer forgets its offsets of a broker that was gone for a while.",
        4016,
        not_modelled="offsets of broadcasting consumers",
        unseen="it was not checked in the source",
    ),
)
