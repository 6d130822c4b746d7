"""Known bugs in the division of queues among consumers."""

from rebalance_proofs.model.releases import java_from
from rebalance_proofs.report.symptoms.bug import GO, Bug, Said

__all__ = ["BUGS"]

ALL = "AVG in all clients"
BUGS = (
    Bug(
        "Two processes with one client id read the same queues, and no consumer reads others.",
        1547,
        present=(Said("allocation.avg.disjoint.without-distinct-ids", ALL),),
    ),
    Bug(
        "Brokers disagree on the group's members.",
        1095,
        other_group=True,
        present=(
            Said("allocation.avg.disjoint.without-same-cid-all", ALL),
            Said(
                "registry.java_v4_9_to_v5_3.agree.without-heartbeats",
                f"brokers of {java_from('4.9')}, if heartbeats reach one broker and not the other",
            ),
        ),
    ),
    Bug(
        "Consumers have different routes.",
        1467,
        present=(Said("allocation.avg.disjoint.without-same-mq-all", ALL),),
    ),
    Bug(
        "A group member does not subscribe to the topic, and no consumer reads its share.",
        351,
        present=(Said("allocation.avg.covers.without-same-subscription", ALL),),
    ),
    Bug(
        "Clients of two languages sort the queues differently.",
        419,
        GO,
        present=(Said("allocation.avg.disjoint.without-same-order", ALL),),
    ),
    Bug(
        "The first consumers get the extra queues of every topic.",
        1945,
        present=(Said("topics.avg-per-topic.level", ALL),),
        absent=(Said("topics.avg-one-list.level", "if all topics' queues were divided as one list"),),
    ),
    Bug(
        "MACHINE_ROOM assigns queues of other rooms.",
        2477,
        present=(Said("allocation.room-go.listed"),),
        absent=(Said("allocation.room.listed", "MACHINE_ROOM (Java)"), Said("allocation.room-rust.listed")),
        unseen="reading a queue of another room is not a symptom",
    ),
)
