"""Sections of guarantees.md on rebalances, on the members that brokers list, and on subscriptions."""

from collections.abc import Iterator

from rebalance_proofs.model.machines import settling as settling
from rebalance_proofs.model.registry import clients as registry
from rebalance_proofs.model.subscriptions import clients as subscriptions
from rebalance_proofs.report.guarantees.queues import CALM
from rebalance_proofs.report.guarantees.row import Row, Section, Table

SETTLING_ROWS = (
    Row("Within wait + 2 × longest, a rebalance with the change ends", "settles"),
    Row("… even if rebalances fail: each adds one wait and one rebalance", "settles.fails"),
    Row("… and it can take that long", "as-long"),
    Row("… even without the timer", "settles.without-timer"),
    Row("A notified client does not wait for the timer", "{}.woken.without-timely {}.woken", issue=10543),
    Row("… unless the wake-up meets the beginning of a wait", "woken"),
    Row("The thread waits between rebalances, unless something wakes it", "waits"),
    Row("… even if another thread interrupts it", "waits.without-interrupt"),
    Row("An interrupt ends at most one of its waits early", "one-wait"),
    Row("A client never runs two rebalances at once", "alone"),
    Row("… even if a consumer is resumed, or offsets are reset", "alone.without-resume"),
    Row("Rebalances are at least a second apart (minimum interval)", "apart"),
    Row("… even if a consumer is resumed, or offsets are reset", "apart.without-resume"),
)


def _after_settling() -> Iterator[str]:
    yield f"{CALM} `rebalance settle --client 5.2 --event crash` adds such times up."


SETTLING = Section(
    "When a client rebalances",
    "How soon a client reacts when members join or leave.",
    (
        "The process is not paused, and its clock does not jump.",
        "Rebalances after the change succeed and get the new list.",
        "Wait: 20 s by default, but not below the minimum interval (from 5.2 on, 1 s). From 5.2 on, the thread waits "
        "only that interval while a group does not work on its share.",
        "Longest: the longest rebalance of all groups of the process.",
        "No consumer is resumed and no offset reset, except as a row says.",
    ),
    (Table("settling", settling.CLIENTS, SETTLING_ROWS),),
    about=lambda claim: claim.kind == "settling",
    more=_after_settling,
)

REGISTRY_ROWS = (
    Row("Each list has every live member that the broker registered", "listed"),
    Row("… even if the broker restarts", "listed.without-restart", issue=9830),
    Row("… even if the member's connection ends", "listed.without-connection"),
    Row("… but it is listed again within a heartbeat period", "again"),
    Row("A dead process is no longer listed by its last connection", "at-once"),
    Row("… even if its host or network vanishes", "at-once.without-close"),
    Row("A member that shut down is no longer listed", "good-bye"),
    Row("… even if a heartbeat is under way at its shutdown", "good-bye.without-in-flight"),
    Row("A member that is gone is listed at most 130 s longer", "gone"),
    Row("… even if its good-bye is lost and its process stays", "gone.without-other-group", issue=10435),
    Row("… and it can take that long", "as-long"),
    Row("No list has one process's id twice", "once"),
    Row("… even if a broker registers a heartbeat late", "once.without-order", issue=7870),
    Row("… for longer than these 130 s", "once-again"),
    Row("Two brokers list the same ids 130 s after the last change", "agree"),
    Row("… even if heartbeats reach only one of them", "agree.without-heartbeats", issue=1095),
    Row("After each change of the list, all others are sent notifications", "told"),
    Row("… even if a scan removes the member before its connection closes", "told.without-close"),
    Row("A client has a new route within one poll period (30 s)", "routed"),
)


RECONNECTS = (Row("A member that reconnects is listed at once", "anew"),)
FAILED_STARTS = (Row("A member whose `start()` threw is listed at most 130 s", "not-started"),)
SEPARATE_RECORDS = (
    Row(
        "Gone members are listed at most 130 s, even if processes stay",
        "{}.gone {}.gone.without-other-group",
        issue=10435,
    ),
    Row("Two brokers list the same ids 130 s after the last change", "agree"),
)

REGISTRY = Section(
    "Members and routes",
    "Which members brokers list and notify, and how old routes are.",
    (
        "Clocks do not jump. Heartbeats V2, proxies, and options that are off by default stay off, except as a column "
        "says.",
        "Brokers and connections stay, heartbeats and good-byes arrive, and the broker hears of each connection's "
        "end, except as a row says.",
        "No heartbeat is under way when its member or connection ends, except as a row says.",
        "A heartbeat period is 30 s plus sending to all brokers. 130 s are a limit of 120 s and 10 s between scans. "
        "Both are defaults.",
    ),
    (
        Table("registry", (registry.ALL,), REGISTRY_ROWS),
        Table("registry", (registry.SILENT, registry.GREETING), RECONNECTS),
        Table("registry", (registry.GOES_ON, registry.STOPS, registry.APART), FAILED_STARTS),
        Table("registry", (registry.APART, registry.APART_V2), SEPARATE_RECORDS),
    ),
    about=lambda claim: claim.kind == "registry",
)

SUBSCRIPTION_ROWS = (
    Row("Equal topics: no heartbeat changes the broker's table, or notifies members", "calm"),
    Row("Different topics: it changes, and notifies members, in every heartbeat interval", "restless", issue=92),
    Row("… and a refused pull is followed sooner by an accepted one", "answered.without-room"),
    Row("… if other heartbeats leave time for a pull after its own", "answered"),
    Row("… but within twice that, if no other member has the topic", "answered-later"),
    Row("Equal topics: pulls are refused no longer than one heartbeat takes", "accepted-soon"),
    Row("… even if a heartbeat was under way", "accepted-soon.without-free", issue=3434),
    Row("… but at most one period (30 s) and two heartbeats", "accepted"),
    Row("… also after the broker has forgotten the group", "accepted.forgotten"),
    Row("Equal tags: no pull skips a message that its tags accept", "own-tags"),
    Row("… even with different tags", "own-tags.without-same-tags"),
    Row("… of a member with the newest version", "own-tags.newest"),
    Row("Pulls with their own expression (`postSubscriptionWhenPull`) are neither refused nor misfiltered", "posted"),
)
FIRST_PULLS = (
    Row("A queue's first pull is accepted", "first-pull"),
    Row("… even if a heartbeat takes 0.5 s or longer", "first-pull.without-soon"),
    Row("… even if a heartbeat was under way", "first-pull.without-free"),
)
SUBSCRIPTIONS = Section(
    "Subscriptions",
    "How members overwrite each other's subscriptions at the broker.",
    (
        "Push consumers with tags; heartbeats are sent on time, one after the other, and all arrive.",
        "A heartbeat to all brokers takes less than its period, and none that follows a reconnect interferes.",
        "The broker does not forget the group, except as a row says. Refusals count from the last change of a "
        "client's queues, with no heartbeat under way.",
    ),
    (
        Table("subscriptions", (subscriptions.PLAIN, subscriptions.WITH_V2), SUBSCRIPTION_ROWS),
        Table(
            "subscriptions",
            (subscriptions.PULLS_AT_ONCE, subscriptions.PULLS_LATER),
            FIRST_PULLS,
            "First pulls, if a heartbeat takes less than 0.5 s and none was under way when the queue was added:",
        ),
    ),
    about=lambda claim: claim.kind == "subscriptions",
)
