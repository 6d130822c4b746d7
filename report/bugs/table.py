"""The bugs that were reported, and some that were not, each with the claims that show it."""

from dataclasses import dataclass

from rebalance_proofs.model.pulls.clients import CLIENTS

__all__ = ["BUGS", "ROOMS", "Bug", "Shown"]

ROCKETMQ, GO, CPP = "apache/rocketmq", "apache/rocketmq-client-go", "apache/rocketmq-client-cpp"
ALL = "AVG, in all clients"


@dataclass(frozen=True)
class Shown:
    """A claim that says it of some versions."""

    claim: str
    """Refuted where the bug is there, proved where it is not."""
    versions: str = ""
    """Of which clients, or under what; empty where the name of the claim's subject says it."""


@dataclass(frozen=True)
class Bug:
    """One of them."""

    sentence: str
    room: str
    """What it is about."""
    issue: int = 0
    """Its number; 0 where none is known."""
    repository: str = ROCKETMQ
    present: tuple[Shown, ...] = ()
    absent: tuple[Shown, ...] = ()
    other_group: bool = False
    """The groups in which its claims are seen to fail are not those that it is about."""
    not_modelled: str = ""
    """Why, where no claim is about it."""

    @property
    def called(self) -> str:
        """``rocketmq#2944``."""
        return f"{self.repository.removeprefix('apache/')}#{self.issue}"

    @property
    def address(self) -> str:
        """Of the issue."""
        return f"https://github.com/{self.repository}/issues/{self.issue}"


def _java(pattern: str, *releases: str) -> tuple[Shown, ...]:
    return tuple(Shown(pattern.format(f"java_v{one}")) for one in releases)


LISTS, TABLE, ORDERED, OFFSETS, PULLS, SUBSCRIPTIONS, REGISTRY, THREAD = ROOMS = (
    "who takes which queues",
    "a client's table of queues",
    "ordered consumption",
    "offsets",
    "pull requests",
    "subscriptions of a group",
    "the registry of consumers",
    "the rebalance thread",
)
WORDS = (("4_9", "4.9"), ("5_0", "5.0 to 5.1.4"), ("5_2", "5.2 and later"))
JAVA = tuple(one for one, _ in WORDS)
PULLING = ("4_9_to_5_1", "5_2_0", "5_3_0", "5_3_3")
AT_ONCE = PULLING[1:]
LATE = "if an answer comes when the entry has left"
NOT_LATE = "if none does, pulls are sent in time, and the repair comes before the next rebalance"


def _pulls(claim: str, *releases: str, when: str = "") -> tuple[Shown, ...]:
    names = {client.name: client.rocketmq_name for client in CLIENTS}
    return tuple(
        Shown(f"pulls.java_v{one}.{claim}", f"{names[f'java_v{one}']}, {when}" if when else "") for one in releases
    )


def _registry(claim: str) -> tuple[Shown, ...]:
    return (Shown(f"registry.java_v4_9_to_v5_3.{claim}"),)


BUGS = (
    Bug(
        "Two processes have one client id: queues are read twice, and others by nobody.",
        LISTS,
        1547,
        present=(Shown("allocation.avg.disjoint.without-distinct-ids", ALL),),
    ),
    Bug(
        "Brokers disagree on who is in the group.",
        LISTS,
        1095,
        other_group=True,
        present=(
            Shown("allocation.avg.disjoint.without-same-cid-all", ALL),
            Shown(
                "registry.java_v4_9_to_v5_3.agree.without-heartbeats",
                "brokers of Java 4.9 to 5.3.3, where heartbeats arrive at one and not at the other",
            ),
        ),
    ),
    Bug(
        "Consumers have different routes.",
        LISTS,
        1467,
        present=(Shown("allocation.avg.disjoint.without-same-mq-all", ALL),),
    ),
    Bug(
        "A member of the group does not subscribe to the topic: its share is read by nobody.",
        LISTS,
        351,
        present=(Shown("allocation.avg.covers.without-same-subscription", ALL),),
    ),
    Bug(
        "Clients of two languages sort the queues differently.",
        LISTS,
        419,
        GO,
        present=(Shown("allocation.avg.disjoint.without-same-order", ALL),),
    ),
    Bug(
        "The first consumers get every topic's remainder.",
        LISTS,
        1945,
        present=(Shown("topics.avg-per-topic.level", ALL),),
        absent=(Shown("topics.avg-one-list.level", "if all topics' queues were divided as one list"),),
    ),
    Bug(
        "MACHINE_ROOM gives out queues of other rooms.",
        LISTS,
        2477,
        present=(Shown("allocation.room-go.listed"),),
        absent=(Shown("allocation.room.listed", "MACHINE_ROOM (Java)"), Shown("allocation.room-rust.listed")),
    ),
    Bug(
        "A queue that is taken away and given back has no live entry: a dropped one stays in its place.",
        TABLE,
        present=_java("transition.{}.returns.push-orderly-as-shipped", *JAVA),
        absent=(Shown("transition.node.returns"),),
    ),
    Bug(
        "An entry from which nothing was pulled for two minutes is taken away, although the queue is the client's own.",
        TABLE,
        1918,
        present=(*_java("transition.{}.kept.push", *JAVA), *_pulls("only-lost", *PULLING, when="as its request waits")),
    ),
    Bug(
        "A new entry does not know that its lock was granted: the listener waits for the next renewal.",
        ORDERED,
        2621,
        present=(
            Shown("transition.java_v4_9_0.knows-lock.push-orderly"),
            Shown("transition.java_v4_9_1.knows-lock.push-orderly"),
        ),
        absent=_java("transition.{}.knows-lock.push-orderly", *JAVA),
    ),
    Bug(
        "A broadcasting consumer with an ordered listener takes the group's lock.",
        ORDERED,
        8772,
        present=(
            *_java("transition.{}.no-group-lock.push-orderly-broadcasting", "4_9", "5_0"),
            Shown("transition.java_v5_2.no-group-lock.push-orderly-broadcasting-up-to-5-3-1", "Java 5.2 to 5.3.1"),
        ),
    ),
    Bug(
        "The locks of a static topic's queues are not renewed.",
        ORDERED,
        10183,
        present=_java("transition.{}.renewed.push-orderly", "5_0", "5_2"),
    ),
    Bug(
        "A lock is given back under a running listener, 20 s after its last renewal: two listeners run on one queue.",
        ORDERED,
        present=_java("ordered.{}.exclusive.without-time", "5_2"),
        absent=(
            *_java("transition.{}.listener.push-orderly", "4_9", "5_0"),
            Shown("ordered.java_v5_2.exclusive", "Java 5.2 and later, if the limits of time meet the condition"),
        ),
    ),
    Bug(
        "The return of a lock that was put off meets the queue's next entry.",
        ORDERED,
        present=_java("transition.{}.late-unlock.push-orderly-as-shipped", "4_9", "5_0"),
        absent=_java("transition.{}.late-unlock.push-orderly-as-shipped", "5_2"),
    ),
    Bug(
        "A lock stays behind when the query for the offset fails.",
        ORDERED,
        present=_java("transition.{}.no-stray-lock.push-orderly.when-unlocks-arrive", *JAVA),
    ),
    Bug(
        "A consumer that is shut down takes its locks again: a second renewer goes on while it ends.",
        ORDERED,
        present=_java("ordered.{}.given-back", "5_0", "5_2"),
        absent=_java("ordered.{}.given-back", "4_9"),
    ),
    Bug(
        "Unsubscribing leaves the lock behind.",
        ORDERED,
        present=_java("transition.{}.unsubscribed-lock.push-orderly", *JAVA),
    ),
    Bug(
        "A consumer that is shut down gives its locks back under its listener.",
        ORDERED,
        present=(
            *_java("ordered.{}.exclusive.without-shutdown", *JAVA),
            Shown("ordered.go.exclusive.without-shutdown"),
        ),
    ),
    Bug(
        "An ordered queue that changes hands repeats a batch.",
        ORDERED,
        4086,
        present=_java("offsets.{}-orderly.once", *JAVA),
        absent=(
            *(
                Shown(f"offsets.java_v{one}-orderly.one-batch", f"of what was noted, nothing: Java {words}")
                for one, words in WORDS
            ),
        ),
    ),
    Bug(
        'A broker\'s error is taken for "no offset is stored": messages are skipped.',
        OFFSETS,
        2944,
        present=(
            *_java("offsets.{}.not-skipped.without-answers", "4_9"),
            *_java("offsets.{}-orderly.not-skipped.without-answers", "4_9"),
        ),
        absent=(
            *_java("offsets.{}.not-skipped.without-answers", "5"),
            *_java("offsets.{}-orderly.not-skipped.without-answers", "5_0", "5_2"),
        ),
    ),
    Bug(
        'Node takes a failed query for the committed offset for "no offset is stored": messages are skipped.',
        OFFSETS,
        present=(Shown("offsets.node.not-skipped.without-answers"),),
        absent=(Shown("offsets.node.not-skipped.first", "where the group begins with the first offset"),),
    ),
    Bug(
        "Node sends -1 for an offset of 0, which a broker takes for none: messages are skipped.",
        OFFSETS,
        present=(
            Shown("offsets.node.not-skipped.without-above"),
            Shown("offsets.node.back-at-most.without-above"),
        ),
    ),
    Bug(
        "Node's consumer notes messages as consumed without a call when it is shut down.",
        OFFSETS,
        present=(Shown("offsets.node.not-skipped.without-open"),),
    ),
    Bug(
        "Node goes on to consume the messages of a queue that was taken away.",
        OFFSETS,
        present=(Shown("offsets.node.stops"),),
    ),
    Bug(
        "Where the query of an ordered queue's first pull fails, messages are asked for from offset -1 on.",
        OFFSETS,
        1825,
        present=_java("offsets.{}-orderly.from-an-offset", "4_9"),
        absent=_java("offsets.{}-orderly.from-an-offset", "5_0", "5_2"),
    ),
    Bug(
        "Where nothing is committed yet, as on a new broker, what was sent before is skipped.",
        OFFSETS,
        9307,
        present=(
            *_java("offsets.{}.not-skipped.without-offset", "4_9", "5"),
            *_java("offsets.{}-orderly.not-skipped.without-offset", *JAVA),
            Shown("offsets.node.not-skipped.without-offset"),
        ),
        absent=tuple(
            Shown(f"offsets.{one}.not-skipped.first", f"{words}, where the group begins with the first offset")
            for one, words in (
                ("java_v5", "Java 5.0 and later"),
                ("java_v5_0-orderly", "Java 5.0 to 5.1.4, ordered"),
                ("java_v5_2-orderly", "Java 5.2 and later, ordered"),
            )
        ),
    ),
    Bug(
        "Where nothing is committed yet, what arrives before the first pull of a new ordered queue is skipped.",
        OFFSETS,
        10955,
        present=_java("offsets.{}-orderly.since-added", *JAVA),
        absent=(
            *_java("offsets.{}.since-added", "4_9", "5"),
            *(
                Shown(f"offsets.java_v{one}-orderly.since-pulled", f"of what arrives after that pull: Java {words}")
                for one, words in WORDS
            ),
        ),
    ),
    Bug(
        "Where a queue changes hands before its first commit, what arrived since its first owner had it is skipped.",
        OFFSETS,
        present=(
            *_java("offsets.{}.since-added.without-keeping", "4_9", "5"),
            *_java("offsets.{}-orderly.since-pulled.without-keeping", *JAVA),
        ),
    ),
    Bug(
        "The committed offset goes back.",
        OFFSETS,
        1732,
        present=(
            *_java("offsets.{}.never-back", "4_9", "5"),
            *_java("offsets.{}-orderly.never-back", *JAVA),
            Shown("offsets.node.never-back"),
        ),
    ),
    Bug(
        "What was noted of an ordered queue that comes while all offsets are sent is forgotten.",
        OFFSETS,
        present=_java("offsets.{}-orderly.one-batch.without-steady", *JAVA),
        absent=tuple(
            Shown(f"offsets.java_v{one}-orderly.one-batch", f"where no table changes meanwhile: Java {words}")
            for one, words in WORDS
        ),
    ),
    Bug(
        "shutdown() interrupts running listeners, as shipped at once: what one had half done is committed, where it "
        "returns success all the same.",
        OFFSETS,
        present=(
            *_java("offsets.{}.finished.without-heeding", "4_9", "5"),
            *_java("offsets.{}-orderly.finished.without-heeding", *JAVA),
        ),
    ),
    Bug(
        "A replica that takes its master's place goes on with older offsets.",
        OFFSETS,
        1440,
        present=_java("offsets.{}.only-uncommitted.without-master", "4_9", "5"),
    ),
    Bug(
        "A master that comes back overwrites the offsets that its replica was sent meanwhile.",
        OFFSETS,
        1094,
        present=_java("offsets.{}.only-uncommitted.without-master", "4_9", "5"),
    ),
    Bug(
        "A replica that has no offset of a queue yet takes its master's place: what was sent before is skipped.",
        OFFSETS,
        present=_java("offsets.{}.not-skipped.without-copy", "4_9", "5"),
    ),
    Bug(
        "A broker whose host does not answer holds up the commits of all groups of a process.",
        OFFSETS,
        3143,
        not_modelled="how long one run of a client's timers takes is not modelled",
    ),
    Bug(
        "The rebalance with which a reset of offsets ends asks where to begin before the reset's commit has arrived.",
        OFFSETS,
        present=(
            *_java("offsets.{}.reset-heard", "4_9", "5"),
            *_java("offsets.{}-orderly.reset-heard", *JAVA),
        ),
    ),
    Bug(
        "A pull that is answered while offsets are reset has its own next offset sent in the place of the reset's.",
        OFFSETS,
        present=(
            *_java("offsets.{}.reset-sent.without-quiet", "4_9", "5"),
            *_java("offsets.{}-orderly.reset-sent.without-quiet", *JAVA),
        ),
        absent=(
            *(
                Shown(f"offsets.{one}.reset-sent", f"{words}, where none is: whatever the listener returns meanwhile")
                for one, words in (("java_v4_9", "Java 4.9"), ("java_v5", "Java 5.0 and later"))
            ),
            *(
                Shown(f"offsets.java_v{one}-orderly.reset-sent", f"Java {words}, ordered, where none is")
                for one, words in WORDS
            ),
        ),
    ),
    Bug(
        "Unsubscribing does not save the offset.",
        OFFSETS,
        present=(
            *_java("transition.{}.unsubscribed-offset", *JAVA),
            Shown("transition.node.unsubscribed-offset"),
        ),
    ),
    Bug(
        "An old pull task of a lite pull consumer goes on with the queue's next entry: messages are lost.",
        OFFSETS,
        2732,
        not_modelled="lite pull consumers' pull tasks are not modelled",
    ),
    Bug(
        "An old pull request goes on with the queue's next entry.",
        PULLS,
        362,
        CPP,
        absent=_pulls("dies", *PULLING),
        not_modelled="the C++ client's pull requests",
    ),
    Bug(
        "The first pull of an ordered queue is sent though its entry has gone while its offset was asked for.",
        PULLS,
        present=_pulls("dies.without-query", *PULLING),
    ),
    Bug(
        "The repair of an illegal offset takes the queue's next entry out.",
        PULLS,
        present=(
            *_pulls("hits-own-entry", "4_9_to_5_1"),
            *_pulls("hits-own-entry.without-late-answer", *AT_ONCE, when=LATE),
        ),
        absent=_pulls("hits-own-entry", *AT_ONCE, when=NOT_LATE),
    ),
    Bug(
        "The repair of an illegal offset is done when its entry has left: over the next owner's offset, if any.",
        PULLS,
        present=(
            *_pulls("repairs-while-held", "4_9_to_5_1"),
            *_pulls("repairs-while-held.without-late-answer", *AT_ONCE, when=LATE),
        ),
        absent=_pulls("repairs-while-held", *AT_ONCE, when=NOT_LATE),
    ),
    Bug(
        "A pull whose time is over before it is sent has its pull request doubled.",
        PULLS,
        present=_pulls("one-request.without-connection", "5_3_0", "5_3_3"),
        absent=_pulls("one-request.without-connection", "4_9_to_5_1", "5_2_0"),
    ),
    Bug(
        "An RPC hook that throws loses a pull request: the queue is not pulled for two minutes after each time.",
        PULLS,
        present=_pulls("has-request.without-hook", "5_3_0", "5_3_3"),
        absent=_pulls("has-request.without-hook", "4_9_to_5_1", "5_2_0"),
    ),
    Bug(
        "An `Error` in a pull's callback loses the pull request: the queue is not pulled for two minutes.",
        PULLS,
        present=_pulls("has-request.without-callback", "4_9_to_5_1"),
        absent=_pulls("has-request.without-callback", *AT_ONCE),
    ),
    Bug(
        "An `Error` as a pull request is taken ends all pulls of the client instance for good.",
        PULLS,
        present=_pulls("healed.without-error", "4_9_to_5_1", "5_2_0", "5_3_0"),
        absent=_pulls("healed.without-error", "5_3_3"),
    ),
    Bug(
        "A queue that is taken away keeps its lock until it runs out: the client of Go does not give it back.",
        ORDERED,
        1220,
        GO,
        not_modelled="not as a promise that fails; `ordered.go.kept-so-long` says for how long the lock can stay",
    ),
    Bug(
        "A broadcasting consumer forgets its offsets of a broker that was gone for a while.",
        OFFSETS,
        4016,
        not_modelled="offsets of broadcasting consumers are not modelled",
    ),
    Bug(
        "Members that subscribe to different topics overwrite each other's subscriptions at the broker.",
        SUBSCRIPTIONS,
        92,
        present=tuple(
            Shown(f"subscriptions.java_v4_9_to_v5_3.{one}")
            for one in ("calm.without-alike", "accepted.without-alike", "answered.without-room")
        ),
    ),
    Bug(
        "Members that subscribe to a topic with different tags skip each other's messages, and their own.",
        SUBSCRIPTIONS,
        present=tuple(
            Shown(f"subscriptions.java_v4_9_to_v5_3.{one}.without-same-tags") for one in ("own-tags", "all-tags")
        ),
    ),
    Bug(
        "A consumer whose share changes is refused for up to a period of heartbeats, because its own is skipped.",
        SUBSCRIPTIONS,
        3434,
        present=(Shown("subscriptions.java_v4_9_to_v5_3.accepted-soon.without-free"),),
    ),
    Bug(
        "With heartbeat V2 a broker is not told again of a change whose heartbeat was skipped.",
        SUBSCRIPTIONS,
        present=(Shown("subscriptions.java_v5_1_3_heartbeat_v2.accepted"),),
        absent=(Shown("subscriptions.java_v4_9_to_v5_3.accepted"),),
    ),
    Bug(
        "The first pull of a queue overtakes the heartbeat that tells a broker its owner's new version: it is refused.",
        SUBSCRIPTIONS,
        present=(
            Shown("subscriptions.java_v4_9.first-pull"),
            Shown("subscriptions.java_v5_0_to_v5_3.first-pull.without-soon"),
        ),
        absent=(
            Shown(
                "subscriptions.java_v5_0_to_v5_3.first-pull", "Java 5.0 to 5.3.3, where heartbeats take less than 0.5 s"
            ),
        ),
    ),
    Bug(
        "With heartbeat V2 a topic that a heartbeat without it took away does not come back with a member's next one.",
        SUBSCRIPTIONS,
        present=(Shown("subscriptions.java_v5_1_3_heartbeat_v2.answered"),),
        absent=(Shown("subscriptions.java_v4_9_to_v5_3.answered"),),
    ),
    Bug(
        "With heartbeat V2 a broker that has forgotten a group is not told its subscriptions again.",
        SUBSCRIPTIONS,
        present=(Shown("subscriptions.java_v5_1_3_heartbeat_v2.accepted.forgotten"),),
        absent=(Shown("subscriptions.java_v4_9_to_v5_3.accepted.forgotten"),),
    ),
    Bug(
        "The lock of heartbeats is not given back by a client that has neither consumers nor producers.",
        SUBSCRIPTIONS,
        10046,
        not_modelled="such a client has no pulls; one that is started has a producer of its own",
    ),
    Bug(
        "A broker that is slow with a heartbeat registers it when its connection has ended: an id is listed twice.",
        REGISTRY,
        7870,
        present=_registry("once.without-order"),
    ),
    Bug(
        "A consumer reconnects before the broker has heard of the end of the old connection: its id is listed twice.",
        REGISTRY,
        present=_registry("once.without-close"),
    ),
    Bug(
        "After a broker's restart its lists of ids lack members that live, until their next heartbeats.",
        REGISTRY,
        9830,
        present=_registry("listed.without-restart"),
    ),
    Bug(
        "A group whose good-bye is lost is not scanned away: another group, or a producer, of its process shares its "
        "record.",
        REGISTRY,
        10435,
        present=_registry("gone.without-other-group"),
    ),
    Bug(
        "The scan removes a consumer that is gone before the broker hears that it has closed the connection: nobody is "
        "notified.",
        REGISTRY,
        present=_registry("told.without-close"),
    ),
    Bug(
        "A consumer whose `start()` threw lives on: it is listed, and takes its share.",
        REGISTRY,
        8725,
        present=(Shown("registry.java_v4_9_to_v5_3_1.not-started"),),
        absent=(Shown("registry.java_v5_3_2_to_v5_3_3.not-started"),),
    ),
    Bug(
        "A first heartbeat is put into a record that the scan has just removed: it is lost until the next one.",
        REGISTRY,
        present=_registry("again.without-alone"),
    ),
    Bug(
        "Where a broker collects notifications, one that comes while they are sent is lost.",
        REGISTRY,
        present=(
            Shown(
                "registry.java_v4_9_to_v5_3.told-late.without-whole",
                "Java 5.0 to 5.3.3, with `realTimeNotifyConsumerChange=false`",
            ),
        ),
    ),
    Bug(
        "After a reconnect a consumer is not listed until its next heartbeat.",
        REGISTRY,
        present=(Shown("registry.java_v4_9_to_v5_1.anew"),),
        absent=(Shown("registry.java_v5_2_to_v5_3.anew"),),
    ),
    Bug(
        "With heartbeat V2 and fast channel events a connection that has ended stays listed until the scan.",
        REGISTRY,
        11039,
        not_modelled="`useHeartbeatV2` and `enableFastChannelEventProcess` are off as shipped, and not in `registry.*`",
    ),
    Bug(
        "Storms of notifications.",
        REGISTRY,
        9115,
        not_modelled="how many notifications a broker sends at a time, and which of them fail for that",
    ),
    Bug(
        "A wake-up is lost that comes just when the thread begins to wait, and all others during that wait.",
        THREAD,
        10543,
        present=(
            Shown("settling.java_v4_9_to_v5_1.woken.without-timely"),
            Shown("settling.java_v5_2_to_v5_3.woken.without-timely"),
        ),
    ),
    Bug(
        "Where notifications come one after the other, rebalances follow each other without a pause.",
        THREAD,
        present=(Shown("settling.java_v4_9_to_v5_1.apart"),),
        absent=(Shown("settling.java_v5_2_to_v5_3.apart", "Java 5.2 to 5.3.3, where nobody resumes a consumer"),),
    ),
    Bug(
        "A consumer that is resumed, by its user or by a reset of offsets, rebalances beside the rebalance thread.",
        THREAD,
        present=(
            *(Shown(f"settling.java_v{one}.alone.without-resume") for one in ("4_9_to_v5_1", "5_2_to_v5_3")),
            Shown("settling.java_v5_2_to_v5_3.apart.without-resume"),
        ),
    ),
    Bug(
        "While brokers do not answer, a client does not rebalance for minutes.",
        THREAD,
        3138,
        not_modelled="nothing bounds how long a rebalance of all groups takes: a limit of the claims `settling.*`",
    ),
)
"""By what they are about."""
