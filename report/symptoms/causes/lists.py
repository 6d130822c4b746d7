"""Consumers that divide different lists, or divide them in different ways."""

from collections.abc import Iterable
from dataclasses import replace

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import ordered, registry, settling
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

BLOCKS = ("avg", "circle", "room")
RINGS = ("hash", "hash-go")
AS_LONG = Lasts("as long as that is so")
COMPARED = "Compare mqAllSize, cidAllSize and the strategy's name in the last such line of each member."


def _of(strategies: Iterable[str], guarantee: str, variant: str) -> tuple[str, ...]:
    return tuple(f"allocation.{strategy}.{guarantee}.{variant}" for strategy in strategies)


def _dropped(premise: str, rings_twice: bool, rings_nobody: bool) -> tuple[Effect, Effect]:
    """Effects of a dropped premise: queues read twice, and queues read by nobody.

    ``rings_twice``, ``rings_nobody``: whether consistent hashing has the effect as well.
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
"""Claims that show how a broker comes not to list a live member."""
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
        "A member of the group does not subscribe to the topic, but is counted as one that does: its share of the "
        "queues is read by nobody.",
        Needs.SETTING,
        (_nobody("same-subscription", _of(BLOCKS, "unread", "without-same-subscription")),),
        (lines.TOPICS_CHANGED, lines.NOT_SUBSCRIBED, lines.PULL_FAILED),
        (
            'mqadmin consumerStatus: "WARN: Different subscription in the same group of consumer!!!".',
            "mqadmin consumerProgress -s true: the queues of its share have the client N/A.",
        ),
        (Sign.UNOWNED, Sign.SUBSCRIPTIONS, Sign.NO_SUBSCRIPTION),
        (Help("One group for each set of topics: every member subscribes to the same."),),
    ),
    Cause(
        "same-client-id",
        "Two processes have one client id: both take the share of that id, and what would be the other's is read by "
        "nobody.",
        Needs.SETTING,
        (*_dropped("distinct-ids", rings_twice=True, rings_nobody=False),),
        (lines.SHARE_CHANGED,),
        (
            "mqadmin consumerConnection: one ClientId with two ClientAddr.",
            "Two members log the same clientId with the same rebalanceResultSet.",
        ),
        (Sign.SAME_ID, Sign.SHARED, Sign.UNOWNED),
        (
            Help(
                "A client id is address, instance name and unit name: give each process its own instanceName, or none, "
                "so that the client makes one of its process id and a time."
            ),
        ),
    ),
    Cause(
        "same-client-id-ordered",
        "Two processes have one client id: the broker takes their requests for a lock as one client's, and two "
        "ordered listeners run on one queue.",
        Needs.SETTING,
        (Effect(Symptom.TWICE, AS_LONG, ordered("exclusive.without-twin")),),
        (lines.SHARE_CHANGED,),
        ("mqadmin consumerConnection: one ClientId with two ClientAddr.",),
        (Sign.SAME_ID, Sign.SHARED),
        (Help("An instanceName of its own for each process, or none."),),
    ),
    Cause(
        "registries-differ",
        "Members see different members: each asks one broker who is in the group, and brokers do not agree, or one of "
        "them still lists somebody who is gone.",
        Needs.FAILURE,
        _dropped("same-cid-all", rings_twice=True, rings_nobody=False),
        (lines.SHARE_CHANGED, lines.NO_IDS, lines.EXPIRED_CHANNEL, lines.CONNECTED),
        (
            COMPARED,
            "mqadmin consumerStatus -b BROKER, for each broker: the lists of client ids differ.",
        ),
        (Sign.SHARED, Sign.UNOWNED, Sign.UNEVEN_TOPIC),
        (
            Help(
                "Let every consumer reach every broker; a heartbeat reaches each of them every 30 s.", registry("agree")
            ),
        ),
    ),
    Cause(
        "routes-differ",
        "Members see different queues of the topic: each polls the route for itself, every 30 s.",
        Needs.NOTHING,
        tuple(
            Effect(
                one.symptom,
                Lasts(
                    "where the name servers agree, until the next poll of the route (30 s) and the rebalance after it "
                    "(20 s, and twice one of all groups: 26 s where that takes 3 s)",
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
            "mqadmin topicRoute, asked of each name server: the queues differ. Then it lasts as long as they do.",
        ),
        (Sign.SHARED, Sign.UNOWNED, Sign.UNEVEN_TOPIC),
        (Help("The same name servers for all members; brokers of one topic with the same numbers of queues."),),
    ),
    Cause(
        "sorted-differently",
        "Members sort the queues differently, as clients of different languages can: they cut other blocks.",
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
        ("The numbers of queues are right, and which they are is not: compare rebalanceResultSet of all members.",),
        (Sign.SHARED, Sign.UNOWNED, Sign.VERSIONS),
        (Help("One client, and one version, in a group; or broker names of which no letters sort differently."),),
    ),
    Cause(
        "ids-sorted-differently",
        "Members sort the client ids differently: two take one block, and one block is nobody's.",
        Needs.SETTING,
        _dropped("same-id-order", rings_twice=True, rings_nobody=True),
        (lines.SHARE_CHANGED,),
        ("Two members log the same rebalanceResultSet.",),
        (Sign.SHARED, Sign.UNOWNED, Sign.VERSIONS),
        (Help("One client in a group; ids of plain letters and digits."),),
    ),
    Cause(
        "strategies-differ",
        "Members run different strategies.",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, _of(PAIRS, "disjoint", "without-same-strategy")),
            Effect(Symptom.STUCK, AS_LONG, _of(PAIRS, "covers", "without-same-strategy")),
        ),
        (lines.SHARE_CHANGED,),
        (COMPARED, "mqadmin consumerStatus -i ID: allocateMessageQueueStrategy among the properties."),
        (Sign.STRATEGIES, Sign.SHARED, Sign.UNOWNED),
        (Help("The same strategy, configured in the same way, in every member; a change of it takes a new group."),),
    ),
    Cause(
        "strategy-throws",
        "A strategy throws in one member, which keeps the queues that it had while the others divide them anew.",
        Needs.SETTING,
        (Effect(Symptom.TWICE, AS_LONG), Effect(Symptom.STUCK, AS_LONG)),
        (lines.STRATEGY_THROWS,),
        ("The line comes with each rebalance of that member: every 20 s, from 5.2 on every second.",),
        (Sign.SHARED, Sign.UNOWNED),
        (Help("What its exception says: a room that is null, an id that is empty, a strategy of one's own."),),
        read=("4.9.8", "5.3.3"),
        modes=("push", "push orderly", "lite pull"),
        source="RebalanceImpl.rebalanceByTopic",
    ),
    Cause(
        "mixed-clients",
        "Clients of different languages are in the group, whose functions of one name differ (CONSISTENT_HASH, "
        "MACHINE_ROOM, MACHINE_ROOM_NEARBY).",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, _mixed("disjoint", "disjoint")),
            Effect(Symptom.STUCK, AS_LONG, _mixed("covers", "covers-listed")),
        ),
        (lines.SHARE_CHANGED,),
        ("mqadmin consumerConnection: members of more than one Language.",),
        (Sign.SHARED, Sign.UNOWNED, Sign.VERSIONS),
        (Help("AVG or AVG_BY_CIRCLE, which are one function in all clients; or one client a group."),),
    ),
    Cause(
        "not-listed",
        "A consumer's own id is missing from the list that it was given, so that it takes nothing, and its share is "
        "nobody's where others count it.",
        Needs.FAILURE,
        (replace(_nobody("own-id-listed"), refuted=(*_of((*BLOCKS, *RINGS), "covers", UNLISTED), *NOT_LISTED)),),
        (lines.NOT_LISTED, lines.SHARE_CHANGED),
        ("mqadmin consumerConnection does not list it, or a broker does not: -b BROKER.",),
        (Sign.UNOWNED, Sign.IDLE),
        (Help("It is over when its heartbeat, every 30 s, reaches the broker that is asked.", registry("again")),),
    ),
    Cause(
        "rooms-not-listed",
        "MACHINE_ROOM gives out only queues of the rooms in consumeridcs, so that those of another room are nobody's.",
        Needs.SETTING,
        (Effect(Symptom.STUCK, AS_LONG, shown=("allocation.room.listed",)),),
        (lines.SHARE_CHANGED,),
        ("The queues without a client are exactly those of brokers of one room, or of none (no room@ in the name).",),
        (Sign.UNOWNED,),
        (Help("Every room in consumeridcs of some group, and every broker's name with its room before the @."),),
    ),
    Cause(
        "room-twice",
        "A room stands twice in consumeridcs of Go's MACHINE_ROOM: its queues are there twice.",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, ("allocation.room-go.disjoint.with-a-room-twice",)),
            Effect(Symptom.STUCK, AS_LONG, ("allocation.room-go.covers-listed.with-a-room-twice",)),
        ),
        signs=(Sign.SHARED, Sign.UNOWNED),
        helps=(Help("Each room once.", ("allocation.room-go.disjoint",)),),
    ),
    Cause(
        "no-virtual-nodes",
        "CONSISTENT_HASH without virtual nodes gives nothing to anybody.",
        Needs.SETTING,
        (Effect(Symptom.STUCK, AS_LONG, _of(RINGS, "covers", "without-virtual-nodes")),),
        (lines.SHARE_CHANGED,),
        signs=(Sign.UNOWNED, Sign.IDLE),
        helps=(Help("At least one virtual node.", ("allocation.hash.covers", "allocation.hash-go.covers")),),
    ),
    Cause(
        "configured-by-hand",
        "With CONFIG a consumer takes the queues that it is configured with, whatever the others take.",
        Needs.SETTING,
        (
            Effect(Symptom.TWICE, AS_LONG, ("allocation.config.disjoint",)),
            Effect(Symptom.STUCK, AS_LONG, ("allocation.config.covers",)),
            Effect(Symptom.TILTED, AS_LONG, ("allocation.config.balanced",)),
        ),
        (lines.SHARE_CHANGED,),
        signs=(Sign.SHARED, Sign.UNOWNED, Sign.UNEVEN_TOPIC),
        helps=(Help("Lists that divide the queues, or another strategy."),),
    ),
    Cause(
        "topic-by-topic",
        "Each topic is divided on its own, and the first consumers get every topic's remainder: over t topics numbers "
        "of queues differ by up to t.",
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
        ("The client that sorts first has most; within one topic numbers differ by at most one.",),
        (Sign.UNEVEN,),
        (
            Help("Numbers of queues that the number of consumers divides; fewer topics with more queues."),
            Help(
                "A strategy that divides all topics' queues as one list, which no client ships.",
                ("topics.avg-one-list.level", "topics.circle-one-list.level"),
            ),
        ),
    ),
    Cause(
        "several-on-a-host",
        "Several members run on one host, and consumerProgress names hosts: each of them has its share, and nothing is "
        "uneven.",
        Needs.NOTHING,
        (Effect(Symptom.TILTED, Lasts("as long as several members run on that host")),),
        looks=(
            "mqadmin consumerConnection: several ClientId with the address of that host, one for each process; or all "
            "addresses are that of a gateway (NAT, Docker's bridge).",
        ),
        signs=(Sign.ONE_ADDRESS,),
        helps=(
            Help(
                "mqadmin consumerStatus -g GROUP: it counts by client id, in a file for each member; give those files."
            ),
        ),
        read=("4.9.8", "5.3.3"),
        source="ConsumerProgressSubCommand.getMessageQueueAllocationResult",
    ),
    Cause(
        "more-consumers-than-queues",
        "There are more consumers than queues: exactly as many consumers as are too many have none.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TILTED,
                Lasts("as long as the topic has fewer queues than the group has consumers"),
                shown=tuple(f"allocation.{one}.idle" for one in ("avg", "circle", "room")),
            ),
        ),
        (lines.SHARE_CHANGED,),
        ("cidAllSize is more than mqAllSize, and rebalanceResultSize is 0.",),
        (Sign.IDLE,),
        (Help("More queues (mqadmin updateTopic -r -w), or fewer consumers."),),
    ),
    Cause(
        "one-topic",
        "The queues of one topic do not divide evenly: some consumers have one more than others.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TILTED,
                Lasts("as long as the number of consumers does not divide that of queues"),
                shown=tuple(f"allocation.{one}.shares" for one in ("avg", "circle", "room")),
                bounds=tuple(f"allocation.{one}.balanced" for one in ("avg", "circle", "room")),
            ),
        ),
        (lines.SHARE_CHANGED,),
        ("rebalanceResultSize of the members differs by one.",),
        (Sign.UNEVEN_TOPIC,),
        (Help("A number of queues that the number of consumers divides."),),
    ),
    Cause(
        "uneven-hash",
        "CONSISTENT_HASH goes by hash values and promises no even shares: one consumer may have all queues.",
        Needs.SETTING,
        (Effect(Symptom.TILTED, AS_LONG, tuple(f"allocation.{one}.balanced" for one in RINGS)),),
        (lines.SHARE_CHANGED,),
        ("allocateMessageQueueStrategyName=CONSISTENT_HASH in the line.",),
        (Sign.UNEVEN_TOPIC, Sign.IDLE),
        (
            Help("More virtual nodes make shares more even, most often; that is not claimed."),
            Help("AVG: numbers differ by at most one.", ("allocation.avg.balanced",)),
        ),
    ),
    Cause(
        "rooms-of-other-sizes",
        "MACHINE_ROOM_NEARBY divides each room's queues among that room's consumers: rooms with more queues for each "
        "consumer give more.",
        Needs.SETTING,
        (Effect(Symptom.TILTED, AS_LONG, ("allocation.nearby.balanced",)),),
        (lines.SHARE_CHANGED,),
        signs=(Sign.UNEVEN_TOPIC, Sign.IDLE),
        helps=(Help("As many consumers in each room as its queues ask for."),),
    ),
)
