"""The bugs that were reported, and some that were not, each with the claims that show it."""

from dataclasses import dataclass

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


LISTS, TABLE, ORDERED, OFFSETS, REGISTRY = ROOMS = (
    "who takes which queues",
    "a client's table of queues",
    "ordered consumption",
    "offsets",
    "the registry of consumers",
)
REGISTRY_IS_MISSING = "the broker's registry of consumers and its notifications are not modelled"
PULLS_ARE_MISSING = "pull requests are not modelled: one is taken to circulate for an entry"
JAVA = ("4_9", "5_0", "5_2")

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
        present=(Shown("allocation.avg.disjoint.without-same-cid-all", ALL),),
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
        present=_java("transition.{}.kept.push", *JAVA),
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
                for one, words in (("4_9", "4.9"), ("5_0", "5.0 to 5.1.4"), ("5_2", "5.2 and later"))
            ),
        ),
    ),
    Bug(
        'A broker\'s error is taken for "no offset is stored": messages are skipped.',
        OFFSETS,
        2944,
        present=_java("offsets.{}.not-skipped.without-answers", "4_9"),
        absent=_java("offsets.{}.not-skipped.without-answers", "5"),
    ),
    Bug(
        "Where the query of an ordered queue's first pull fails, messages are asked for from offset -1 on; the broker "
        "answers with the queue's first offset, and all of it is consumed again.",
        OFFSETS,
        present=_java("offsets.{}-orderly.from-an-offset", "4_9"),
        absent=_java("offsets.{}-orderly.from-an-offset", "5_2"),
    ),
    Bug(
        "Where nothing is committed yet, as on a new broker, what was sent before is skipped.",
        OFFSETS,
        9307,
        present=_java("offsets.{}.not-skipped.without-offset", "4_9", "5"),
        absent=(Shown("offsets.java_v5.not-skipped.first", "where the group begins with the first offset"),),
    ),
    Bug(
        "The committed offset goes back.",
        OFFSETS,
        1732,
        present=_java("offsets.{}.never-back", "4_9", "5"),
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
    Bug("An old pull request goes on with the queue's next entry.", OFFSETS, 362, CPP, not_modelled=PULLS_ARE_MISSING),
    Bug("A reconnect is a second channel.", REGISTRY, 7870, not_modelled=REGISTRY_IS_MISSING),
    Bug("After a broker's restart its queues are given to nobody.", REGISTRY, 9830, not_modelled=REGISTRY_IS_MISSING),
    Bug("Storms of notifications.", REGISTRY, 9115, not_modelled=REGISTRY_IS_MISSING),
    Bug("A timer that is starved.", REGISTRY, 3138, not_modelled=REGISTRY_IS_MISSING),
)
"""By what they are about."""
