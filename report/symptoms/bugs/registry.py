"""Bugs in a broker's registry of consumers."""

from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import of
from rebalance_proofs.report.symptoms.causes.of_clients import registry

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "A broker that is slow with a heartbeat registers it when its connection has ended: an id is listed twice.",
        7870,
        present=of(registry("once.without-order")),
    ),
    Bug(
        "A consumer reconnects before the broker has heard of the end of the old connection: its id is listed twice.",
        present=of(registry("once.without-close")),
    ),
    Bug(
        "After a broker's restart its lists of ids lack members that live, until their next heartbeats.",
        9830,
        present=of(registry("listed.without-restart")),
    ),
    Bug(
        "A group whose good-bye is lost is not scanned away: another group, or a producer, of its process shares its "
        "record.",
        10435,
        present=of(registry("gone.without-other-group")),
    ),
    Bug(
        "The scan removes a consumer that is gone before the broker hears that it has closed the connection: nobody is "
        "notified.",
        present=of(registry("told.without-close")),
    ),
    Bug(
        "A consumer whose `start()` threw lives on: it is listed, and takes its share.",
        8725,
        present=(Said("registry.java_v4_9_to_v5_3_1.not-started"),),
        absent=(Said("registry.java_v5_3_2_to_v5_3_3.not-started"),),
    ),
    Bug(
        "A first heartbeat is put into a record that the scan has just removed: it is lost until the next one.",
        present=of(registry("again.without-alone")),
    ),
    Bug(
        "Where a broker collects notifications, one that comes while they are sent is lost.",
        present=(
            Said(
                "registry.java_v4_9_to_v5_3.told-late.without-whole",
                "Java 5.0 to 5.3.3, with `realTimeNotifyConsumerChange=false`",
            ),
        ),
    ),
    Bug(
        "After a reconnect a consumer is not listed until its next heartbeat.",
        present=(Said("registry.java_v4_9_to_v5_1.anew"),),
        absent=(Said("registry.java_v5_2_to_v5_3.anew"),),
    ),
    Bug(
        "With heartbeat V2 and fast channel events a connection that has ended stays listed until the scan.",
        11039,
        not_modelled="`useHeartbeatV2` and `enableFastChannelEventProcess` are off as shipped, and not in `registry.*`",
        unseen="it was not read in the source",
    ),
    Bug(
        "Storms of notifications.",
        9115,
        not_modelled="how many notifications a broker sends at a time, and which of them fail for that",
    ),
)
