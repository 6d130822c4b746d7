"""Bugs in a broker's registry of consumers."""

from rebalance_proofs.model.releases import java_from
from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import of
from rebalance_proofs.report.symptoms.causes.of_clients import registry

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "A slow broker registers a heartbeat after its connection has ended, and an id is listed twice.",
        7870,
        present=of(registry("once.without-order")),
    ),
    Bug(
        "A consumer reconnects before the broker notices the end of the old connection, and its id is listed twice.",
        present=of(registry("once.without-close")),
    ),
    Bug(
        "A restarted broker's member lists lack live members until their next heartbeats.",
        9830,
        present=of(registry("listed.without-restart")),
    ),
    Bug(
        "The scan does not remove a group whose unregister request was lost, if another group or a producer of its "
        "process shares its record.",
        10435,
        present=(
            *of(registry("gone.without-other-group")),
            Said("registry.java_v5_5_1_heartbeat_v2.gone.without-other-group"),
        ),
        absent=(Said("registry.java_v5_5_1.gone", "fixed in brokers 5.5.1, without heartbeat V2"),),
    ),
    Bug(
        "The scan removes a dead consumer before the broker learns that its connection was closed, and no member is "
        "notified.",
        present=of(registry("told.without-close")),
    ),
    Bug(
        "A consumer whose `start()` threw still runs, is listed, and takes its share.",
        8725,
        present=(Said("registry.java_v4_9_to_v5_3_1.not-started"),),
        absent=(Said("registry.java_v5_3_2_to_v5_3_3.not-started"),),
    ),
    Bug(
        "A first heartbeat goes into a record that the scan has just removed, and is lost until the next one.",
        present=of(registry("again.without-alone")),
    ),
    Bug(
        "A broker that collects notifications loses one that comes while it sends them.",
        present=(
            Said(
                "registry.java_v4_9_to_v5_3.told-late.without-whole",
                f"{java_from('5.0')}, with `realTimeNotifyConsumerChange=false`",
            ),
        ),
    ),
    Bug(
        "After a reconnect a consumer is not listed until its next heartbeat.",
        present=(Said("registry.java_v4_9_to_v5_1.anew"),),
        absent=(Said("registry.java_v5_2_to_v5_3.anew"),),
    ),
    Bug(
        "With heartbeat V2 and fast channel events, a closed connection stays listed until the scan, and the other "
        "members are not notified.",
        11039,
        not_modelled="`useHeartbeatV2` and `enableFastChannelEventProcess`, which are off by default and not part of "
        "`registry.*`",
        unseen="both settings are off by default; the sources of 5.3.3 and 5.5.1 have the bug",
    ),
    Bug(
        "Rebalance storms: brokers send too many notifications.",
        9115,
        not_modelled="the number of simultaneous notifications, and the failures that this causes",
    ),
)
