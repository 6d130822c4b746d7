"""Causes in the division of queues: consumers with different lists of members or queues, or different strategies."""

from collections.abc import Iterable
from dataclasses import replace

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import TIMER, Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import ordered, registry, settling
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

BLOCKS = ("avg", "circle", "room")
RINGS = ("hash", "hash-go")
AS_LONG = Lasts("as long as the cause persists")
COMPARED = (
    "Compare mqAllSize, cidAllSize and allocateMessageQueueStrategyName in each member's last \"rebalanced result "
    'changed" line.'
)


def _of(strategies: Iterable[str], guarantee: str, variant: str) -> tuple[str, ...]:
    return tuple(f"allocation.{strategy}.{guarantee}.{variant}" for strategy in strategies)


def _dropped(premise: str, rings_twice: bool, rings_nobody: bool) -> tuple[Effect, Effect]:
    """Return the two effects of a failed assumption of allocation: queues with two owners, and queues without an owner.

    ``premise`` is the assumption's name in claim ids. ``rings_twice`` is true if consistent hashing can give a queue
    two owners as well, ``rings_nobody`` if it can leave a queue without an owner.
    """
    variant = f"without-{premise}"
    told = []
    for symptom, guarantee, rings in (
        (Symptom.TWICE, "disjoint", rings_twice),
        (Symptom.STUCK, "covers", rings_nobody),
    ):
        of_rings = _of(RINGS, guarantee, variant)
        of_blocks = _of(BLOCKS, guarantee, variant)
        refuted, proved = ((*of_blocks, *of_rings), ()) if rings else (of_blocks, of_rings)
        told.append(Effect(symptom, AS_LONG, refuted, proved))
    return told[0], told[1]


def _nobody(premise: str, shown: tuple[str, ...] = ()) -> Effect:
    variant = f"without-{premise}"
    return Effect(Symptom.STUCK, AS_LONG, _of((*BLOCKS, *RINGS), "covers", variant), shown=shown)


UNLISTED = "without-own-id-listed"
NOT_LISTED = (
    *registry(
        "listed.without-connection", "listed.without-heartbeats", "again.without-heartbeats", "again.without-alone"
    ),
    "registry.java_v4_9_to_v5_1.anew",
)
"""Claims that show why a broker does not list a live member."""
PAIRS = ("avg+circle", "avg+room", "circle+room")
MIXED = ("hash+hash-go", "nearby+nearby-go")
ROOMS_MIXED = ("room+room-go", "room+room-rust", "room-go+room-rust")


def _mixed(guarantee: str, rooms: str) -> tuple[str, ...]:
    return tuple(
        f"clients.{pair}.{what}.without-same-client"
        for pairs, what in ((MIXED, guarantee), (ROOMS_MIXED, rooms))
        for pair in pairs
    )


CAUSES = (
    Cause(
        "not-subscribed",
        "A group member does not subscribe to the topic but still gets a share of its queues, and no consumer reads "
        "that share.",
        Needs.SETTING,
        (_nobody("same-subscription", _of(BLOCKS, "unread", "without-same-subscription")),),
        (lines.TOPICS_CHANGED, lines.NOT_SUBSCRIBED, lines.PULL_FAILED),
        (
            'mqadmin consumerStatus prints "WARN: Different subscription in the same group of consumer!!!".',
            "mqadmin consumerProgress -s true shows the client N/A for the queues of that share.",
        ),
        (Sign.UNOWNED, Sign.SUBSCRIPTIONS, Sign.NO_SUBSCRIPTION),
        (Help("Use one group for each set of topics, so that all members have the same subscription."),),
    ),
    Cause(
        "same-client-id",
        "Two processes have the same client id, so both read one share of the queues, and no consumer reads the other "
        "share.",
        Needs.SETTING,
        (*_dropped("distinct-ids", rings_twice=True, rings_nobody=False),),
        (lines.SHARE_CHANGED,),
        (
            "mqadmin consumerConnection lists one ClientId with two ClientAddr.",
            "Two members log the same clientId with the same rebalanceResultSet.",
        ),
        (Sign.SAME_ID, Sign.SHARED, Sign.UNOWNED),
        (
            Help(
                "Give each process its own instanceName, or set none: the client then builds one from its process id "
                "and a time. A client id consists of IP address, instance name and unit name.",
                short="Give each process its own instanceName, or set none.",
            ),
        ),
    ),
    Cause(
        "same-client-id-ordered",
        "Two processes have the same client id, so the broker grants both of them one lock, and two ordered listeners "
        "run on one queue.",
        Needs.SETTING,
        (Effect(Symptom.TWICE, AS_LONG, ordered("exclusive.without-twin")),),
        (lines.SHARE_CHANGED,),
        ("mqadmin consumerConnection lists one ClientId with two ClientAddr.",),
        (Sign.SAME_ID, Sign.SHARED),
        (Help("Give each process its own instanceName, or set none."),),
    ),
    Cause(
        "registries-differ",
        "Members get different member lists, because each asks one broker, and brokers disagree or still list a member "
        "that has left.",
        Needs.FAILURE,
        _dropped("same-cid-all", rings_twice=True, rings_nobody=False),
        (lines.SHARE_CHANGED, lines.NO_IDS, lines.EXPIRED_CHANNEL, lines.CONNECTED),
        (
            COMPARED,
            "mqadmin consumerStatus -b BROKER, run for each broker, prints different lists of client ids.",
        ),
        (Sign.SHARED, Sign.UNOWNED, Sign.UNEVEN_TOPIC),
        (
            Help(
                "Make sure that every consumer reaches every broker. It sends each of them a heartbeat every 30 s.",
                registry("agree"),
                short="Make sure that every consumer reaches every broker.",
            ),
        ),
    ),
    Cause(
        "routes-differ",
        "Members see different queues of the topic, because each polls the route on its own schedule (every 30 s).",
        Needs.NOTHING,
        tuple(
            Effect(
                one.symptom,
                Lasts(
                    "until the next route poll (30 s) and the rebalance after it (26 s). The name servers must agree. "
                    f"{TIMER}",
                    56_000,
                    (*registry("routed"), *settling("settles")),
                ),
                one.refuted,
                one.proved,
                registry("route-as-long"),
            )
            for one in (
                Effect(
                    Symptom.TWICE,
                    AS_LONG,
                    _of(BLOCKS, "disjoint", "without-same-mq-all"),
                    _of(RINGS, "disjoint", "without-same-mq-all"),
                ),
                Effect(Symptom.STUCK, AS_LONG, _of((*BLOCKS, *RINGS), "covers", "without-same-mq-all")),
            )
        ),
        (lines.SHARE_CHANGED, lines.NO_ROUTE),
        (
            COMPARED,
            "mqadmin topicRoute, run against each name server, shows different queues. Then the symptom lasts until "
            "the name servers agree.",
        ),
        (Sign.SHARED, Sign.UNOWNED, Sign.UNEVEN_TOPIC),
        (
            Help(
                "Use the same name servers for all members, and the same number of queues on all brokers of a topic.",
                short="Set the same name servers (namesrvAddr) for all members, and the same number of queues on all "
                "brokers of a topic.",
            ),
        ),
    ),
    Cause(
        "sorted-differently",
        "Members sort the queues differently, so their blocks of queues overlap or leave gaps. Clients of different "
        "languages can sort differently.",
        Needs.SETTING,
        (
            Effect(
                Symptom.TWICE,
                AS_LONG,
                _of(BLOCKS, "disjoint", "without-same-order"),
                _of(RINGS, "disjoint", "without-same-order"),
            ),
            Effect(
                Symptom.STUCK,
                AS_LONG,
                _of(BLOCKS, "covers", "without-same-order"),
                _of(RINGS, "covers", "without-same-order"),
            ),
        ),
        (lines.SHARE_CHANGED,),
        (
            "Each member has the right number of queues, but not the right ones: compare rebalanceResultSet of all "
            "members.",
        ),
        (Sign.SHARED, Sign.UNOWNED, Sign.VERSIONS),
        (
            Help(
                "Use one client, in one version, in a group. Or use broker names whose letters sort the same in all "
                "clients.",
                short="Use one client version in a group, or broker names whose letters sort the same in all clients.",
            ),
        ),
    ),
    Cause(
        "ids-sorted-differently",
        "Members sort the client ids differently, so two members take the same block of queues and no member takes "
        "another block.",
        Needs.SETTING,
        _dropped("same-id-order", rings_twice=True, rings_nobody=True),
        (lines.SHARE_CHANGED,),
        ("Two members log the same rebalanceResultSet.",),
        (Sign.SHARED, Sign.UNOWNED, Sign.VERSIONS),
        (Help("Use one client in a group, and client ids of plain letters and digits."),),
    ),
    Cause(
        "strategies-differ",
        "Members use different allocation strategies, so their shares overlap or leave gaps.",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, _of(PAIRS, "disjoint", "without-same-strategy")),
            Effect(Symptom.STUCK, AS_LONG, _of(PAIRS, "covers", "without-same-strategy")),
        ),
        (lines.SHARE_CHANGED,),
        (COMPARED, "mqadmin consumerStatus -i ID lists allocateMessageQueueStrategy among the properties."),
        (Sign.STRATEGIES, Sign.SHARED, Sign.UNOWNED),
        (
            Help(
                "Configure the same strategy in the same way in every member. To change the strategy, use a new group.",
                short="Configure the same strategy in the same way in every member.",
            ),
        ),
    ),
    Cause(
        "strategy-throws",
        "One member's allocation strategy throws, so that member keeps its old queues while the others divide them "
        "again.",
        Needs.SETTING,
        (Effect(Symptom.TWICE, AS_LONG), Effect(Symptom.STUCK, AS_LONG)),
        (lines.STRATEGY_THROWS,),
        ("The member logs the error in each rebalance: every 20 s, from 5.2 on every second.",),
        (Sign.SHARED, Sign.UNOWNED),
        (Help("Fix the problem that the exception names: a null room, an empty id, or a user-defined strategy."),),
        read=("4.9.8", "5.3.3", "5.5.0"),
        modes=("push", "push orderly", "lite pull"),
        source="RebalanceImpl.rebalanceByTopic",
    ),
    Cause(
        "mixed-clients",
        "Clients of different languages in the group implement a strategy of the same name differently. This concerns "
        "CONSISTENT_HASH, MACHINE_ROOM and MACHINE_ROOM_NEARBY.",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, _mixed("disjoint", "disjoint")),
            Effect(Symptom.STUCK, AS_LONG, _mixed("covers", "covers-listed")),
        ),
        (lines.SHARE_CHANGED,),
        ("mqadmin consumerConnection lists members with more than one Language.",),
        (Sign.SHARED, Sign.UNOWNED, Sign.VERSIONS),
        (Help("Use AVG, or AVG_BY_CIRCLE where every client has it, or use one client per group."),),
    ),
    Cause(
        "not-listed",
        "The member list that a consumer gets lacks its own id, so it takes no queues; its share has no owner if "
        "others count it.",
        Needs.FAILURE,
        (replace(_nobody("own-id-listed"), refuted=(*_of((*BLOCKS, *RINGS), "covers", UNLISTED), *NOT_LISTED)),),
        (lines.NOT_LISTED, lines.SHARE_CHANGED),
        ("mqadmin consumerConnection does not list the consumer, at least at one broker (-b BROKER).",),
        (Sign.UNOWNED, Sign.IDLE),
        (
            Help(
                "Wait: it ends when the consumer's next heartbeat (every 30 s) reaches the broker that answered with "
                "the list.",
                registry("again"),
            ),
        ),
    ),
    Cause(
        "rooms-not-listed",
        "MACHINE_ROOM assigns only queues of the rooms in consumeridcs, so queues of other rooms have no owner.",
        Needs.SETTING,
        (Effect(Symptom.STUCK, AS_LONG, shown=("allocation.room.listed",)),),
        (lines.SHARE_CHANGED,),
        (
            "The queues without a client are exactly those of one room's brokers, or of brokers without room@ in the "
            "name.",
        ),
        (Sign.UNOWNED,),
        (Help("List every room in consumeridcs of some group, and begin every broker name with its room and @."),),
    ),
    Cause(
        "room-twice",
        "A room appears twice in consumeridcs of Go's MACHINE_ROOM, so its queues appear twice in the list that is "
        "divided.",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, ("allocation.room-go.disjoint.with-a-room-twice",)),
            Effect(Symptom.STUCK, AS_LONG, ("allocation.room-go.covers-listed.with-a-room-twice",)),
        ),
        signs=(Sign.SHARED, Sign.UNOWNED),
        helps=(Help("List each room once.", ("allocation.room-go.disjoint",)),),
    ),
    Cause(
        "no-virtual-nodes",
        "CONSISTENT_HASH without virtual nodes assigns no queue to any consumer.",
        Needs.SETTING,
        (Effect(Symptom.STUCK, AS_LONG, _of(RINGS, "covers", "without-virtual-nodes")),),
        (lines.SHARE_CHANGED,),
        signs=(Sign.UNOWNED, Sign.IDLE),
        helps=(Help("Configure at least one virtual node.", ("allocation.hash.covers", "allocation.hash-go.covers")),),
    ),
    Cause(
        "configured-by-hand",
        "With CONFIG, each consumer takes its configured queues, whatever the other consumers take.",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, ("allocation.config.disjoint",)),
            Effect(Symptom.STUCK, AS_LONG, ("allocation.config.covers",)),
            Effect(Symptom.TILTED, AS_LONG, ("allocation.config.balanced",)),
        ),
        (lines.SHARE_CHANGED,),
        signs=(Sign.SHARED, Sign.UNOWNED, Sign.UNEVEN_TOPIC),
        helps=(Help("Configure lists that divide the queues, or use another strategy."),),
    ),
    Cause(
        "topic-by-topic",
        "Each topic is divided on its own, and the first consumers get the extra queues of every topic. Over t topics, "
        "queue counts differ by up to t.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TILTED,
                Lasts("as long as the group has several topics whose queues do not divide evenly"),
                ("topics.avg-per-topic.level", "topics.circle-per-topic.level"),
                bounds=("topics.avg-per-topic.tilt", "topics.circle-per-topic.tilt"),
            ),
        ),
        (lines.SHARE_CHANGED,),
        ("The client id that sorts first has the most queues. Within one topic, members differ by at most one queue.",),
        (Sign.UNEVEN,),
        (
            Help(
                "Use numbers of queues that are multiples of the number of consumers, or fewer topics with more "
                "queues.",
                short="Set each topic's queue count (mqadmin updateTopic -r -w) to a multiple of the number of "
                "consumers.",
            ),
            Help(
                "Use a strategy that divides the queues of all topics as one list. No client ships one.",
                ("topics.avg-one-list.level", "topics.circle-one-list.level"),
                short="Use your own strategy that divides the queues of all topics as one list.",
            ),
        ),
    ),
    Cause(
        "several-on-a-host",
        "Several members run on one host, and consumerProgress names only the host. Each member has its share, and "
        "nothing is skewed.",
        Needs.NOTHING,
        (Effect(Symptom.TILTED, Lasts("as long as several members run on that host")),),
        looks=(
            "mqadmin consumerConnection lists several ClientId with that host's address, one for each process. Or all "
            "addresses are those of a gateway (NAT, Docker bridge).",
        ),
        signs=(Sign.ONE_ADDRESS,),
        helps=(
            Help(
                "Run mqadmin consumerStatus -g GROUP, which counts by client id and writes one file for each member. "
                "Pass those files with `rebalance why --file`.",
                short="Run mqadmin consumerStatus -g GROUP, and pass its files to `rebalance why --file`.",
            ),
        ),
        read=("4.9.8", "5.3.3", "5.5.0"),
        source="ConsumerProgressSubCommand.getMessageQueueAllocationResult",
    ),
    Cause(
        "more-consumers-than-queues",
        "The group has more consumers than the topic has queues, so exactly the surplus consumers have no queue.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TILTED,
                Lasts("as long as the topic has fewer queues than the group has consumers"),
                shown=tuple(f"allocation.{one}.idle" for one in ("avg", "circle", "room")),
            ),
        ),
        (lines.SHARE_CHANGED,),
        ("cidAllSize is larger than mqAllSize, and rebalanceResultSize is 0.",),
        (Sign.IDLE,),
        (Help("Add queues (mqadmin updateTopic -r -w), or remove consumers."),),
    ),
    Cause(
        "one-topic",
        "The queues of one topic do not divide evenly, so some consumers have one queue more than others.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TILTED,
                Lasts("as long as the number of queues is no multiple of the number of consumers"),
                shown=tuple(f"allocation.{one}.shares" for one in ("avg", "circle", "room")),
                bounds=tuple(f"allocation.{one}.balanced" for one in ("avg", "circle", "room")),
            ),
        ),
        (lines.SHARE_CHANGED,),
        ("rebalanceResultSize of the members differs by one.",),
        (Sign.UNEVEN_TOPIC,),
        (
            Help(
                "Use a number of queues that is a multiple of the number of consumers.",
                short="Set each topic's queue count (mqadmin updateTopic -r -w) to a multiple of the number of "
                "consumers.",
            ),
        ),
    ),
    Cause(
        "uneven-hash",
        "CONSISTENT_HASH assigns queues by hash values and guarantees no even shares: one consumer can own all queues.",
        Needs.SETTING,
        (Effect(Symptom.TILTED, AS_LONG, tuple(f"allocation.{one}.balanced" for one in RINGS)),),
        (lines.SHARE_CHANGED,),
        ("The members log allocateMessageQueueStrategyName=CONSISTENT_HASH.",),
        (Sign.UNEVEN_TOPIC, Sign.IDLE),
        (
            Help(
                "Use more virtual nodes, which usually makes shares more even. No claim covers this.",
                short="Use more virtual nodes, which usually makes shares more even.",
            ),
            Help("Use AVG: queue counts differ by at most one.", ("allocation.avg.balanced",)),
        ),
    ),
    Cause(
        "rooms-of-other-sizes",
        "MACHINE_ROOM_NEARBY divides each room's queues among that room's consumers, so rooms with more queues per "
        "consumer give more.",
        Needs.SETTING,
        (Effect(Symptom.TILTED, AS_LONG, ("allocation.nearby.balanced",)),),
        (lines.SHARE_CHANGED,),
        signs=(Sign.UNEVEN_TOPIC, Sign.IDLE),
        helps=(Help("Run as many consumers in each room as its queues need."),),
    ),
)
