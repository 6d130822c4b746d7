"""The text of docs/reference/guarantees.md."""

from collections import Counter
from collections.abc import Iterator

from rebalance_proofs.model.machines import receiving
from rebalance_proofs.model.machines.offsets import actions as offsets
from rebalance_proofs.model.machines.registry import actions as registry
from rebalance_proofs.model.machines.settling import actions as settling
from rebalance_proofs.model.machines.subscriptions import actions as subscriptions
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.guarantees.queues import CALM, ORDERED, PULLS, TABLE, Row, Section, Table, cell
from rebalance_proofs.report.markdown_tables import table
from rebalance_proofs.report.text.english import listing

# Sections of guarantees.md on rebalances, on the members that brokers list, and on subscriptions.

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


RECEIVING_ROWS = (
    Row("A queue never has two receive loops", "one-loop"),
    Row("After an answer with a queue, the queue has a receive loop", "received"),
    Row("… even if its loop was stuck", "received.without-progress"),
    Row("After an answer with other queues only, it has none", "let-go"),
    Row("After an empty answer, it has none", "emptied"),
    Row("A failed query ends no receive loop", "unharmed"),
    Row("An answer for one topic leaves other topics alone", "apart"),
    Row("After `unsubscribe`, the topic's queues have none", "unsubscribed"),
    Row("… even if an answer comes later", "{}.unsubscribed.without-in-time {}.unsubscribed"),
    Row("After `shutdown`, no queue has one", "stopped"),
    Row("… even if an answer comes later", "{}.stopped.without-in-time {}.stopped"),
)
RECEIVING = Section(
    "Receive loops of gRPC clients",
    "Which queues a push consumer of RocketMQ's gRPC clients receives after the broker's assignments.",
    (
        "A queue's receive loop polls the broker for its messages. Loops of a dropped process queue, or of a consumer "
        "that is shut down, end at once. In Go, a dropped one's loops end with messages.",
        "At most one query for an assignment of the topic is in flight.",
        "Java, C# and Go replace a stuck loop only if the process queue's cache was full before.",
        "C#, C++ and Rust were only read.",
        "Rust has four loops a queue by default; they count as one.",
    ),
    (
        Table("receiving", receiving.CLIENTS[:6], RECEIVING_ROWS),
        Table("receiving", receiving.CLIENTS[6:], RECEIVING_ROWS),
    ),
    about=lambda claim: claim.kind == "receiving",
)


# Section of guarantees.md on offsets: for concurrent listeners, for Node, for ordered listeners.

FIRST, LAST = "CONSUME_FROM_FIRST_OFFSET", "CONSUME_FROM_LAST_OFFSET"
NEVER_BACK = Row("The committed offset never rolls back", "never-back", issue=1732)
UNCOMMITTED = Row("A new owner gets no message committed before its offset query", "only-uncommitted")
KEEPING = "… even if the queue changes owner before the first commit"
RESET = (
    Row("A reset in the owner commits its offset", "reset-sent"),
    Row("… even if something comes between", "reset-sent.without-quiet"),
    Row("The rebalance after a reset gets the new offset", "reset-heard"),
)

CONCURRENT = (
    Row("No message is skipped", "not-skipped"),
    Row("… even if a broker answers the query with an error", "not-skipped.without-answers", issue=2944),
    Row(f"… even if nothing is committed, with {LAST}", "not-skipped.without-offset", issue=9307),
    Row(f"… with {FIRST}, whatever is committed, even after errors", "not-skipped.first"),
    Row("… even if a replica with an old offset is master", "not-skipped.without-master", issue=1440),
    Row(f"… even if a replica without an offset is, with {LAST}", "not-skipped.without-copy"),
    Row(f"… even if any replica is, with {FIRST}", "not-skipped.first-copy"),
    Row("New queue: no message is skipped that arrives while an entry exists", "since-added"),
    Row("… or while its consumer queries the offset", "since-asked"),
    Row(KEEPING, "since-added.without-keeping"),
    Row("No message is consumed twice", "once"),
    UNCOMMITTED,
    Row("… even if a replica answers for the master", "only-uncommitted.without-master"),
    NEVER_BACK,
    Row("… below the committing entry's start", "back-at-most"),
    Row("… even if a table changes", "back-at-most.without-steady"),
    Row("A hand-over redelivers only uncommitted and running messages", "hand-over"),
    Row("… even if owners do not take turns", "hand-over.without-turn"),
    Row("… only uncommitted messages", "but-overtime"),
    Row("No unfinished message is committed, with honest listeners", "finished.heeded"),
    Row("… even with other listeners", "finished.without-heeding"),
    Row("… if `shutdown()` waits for running and pending listener calls", "finished.awaited"),
    *RESET,
)
BY_LOOP = (
    Row("No message is skipped", "not-skipped"),
    Row("… even if a query fails or times out", "not-skipped.without-answers"),
    Row(f"… even if nothing is committed, with {LAST}", "not-skipped.without-offset"),
    Row("… even if offset 0 is committed: it is sent as -1", "not-skipped.without-above"),
    Row("… even if a consumer shuts down with messages", "not-skipped.without-open"),
    Row(f"… with {FIRST}, if no consumer shuts down with messages", "not-skipped.first"),
    Row("No message is consumed twice", "once"),
    UNCOMMITTED,
    NEVER_BACK,
    Row("… below the committing entry's start", "back-at-most"),
    Row("… even if the committed offset is 0", "back-at-most.without-above"),
    Row("No listener call begins for an entry that has left", "stops"),
    Row("A hand-over redelivers only uncommitted and running messages", "hand-over"),
    Row("… only uncommitted messages", "but-overtime"),
)
IN_ORDER = (
    Row("No message is skipped", "not-skipped"),
    Row("… even if a broker answers the query with an error", "not-skipped.without-answers"),
    Row(f"… even if nothing is committed, with {LAST}", "not-skipped.without-offset"),
    Row(f"… with {FIRST}", "not-skipped.first"),
    Row("New queue: no message is skipped that arrives after the first pull", "since-pulled"),
    Row("… that arrives while an entry exists", "since-added", issue=10955),
    Row(KEEPING, "since-pulled.without-keeping"),
    Row("No message is consumed twice", "once", issue=4086),
    Row("… except for one unrecorded batch", "one-batch"),
    Row("… even if owners do not take turns", "one-batch.without-turn"),
    Row("… even if a consumer's process ends, or it unsubscribes", "one-batch.without-staying"),
    Row("… even if a table changes", "one-batch.without-steady"),
    UNCOMMITTED,
    NEVER_BACK,
    Row("… below the committing entry's start", "back-at-most"),
    Row("The first pull starts at an offset from the broker", "from-an-offset"),
    Row("No unfinished message is committed, with honest listeners", "finished.heeded"),
    Row("… even with other listeners", "finished.without-heeding"),
    *RESET,
)


def _mixed() -> Iterator[str]:
    yield "Rows that are proved for mixed groups, pair by pair (`rebalance list 'offsets.*+*.mixed'`):"
    yield ""
    yield "- Java versions with one sort of listener, all of whose assumptions hold: skipped messages (without broker"
    yield "  errors), committed messages, rollback"
    yield "- Also the hand-over's bound (concurrent), and the one batch (ordered)"
    yield "- With Node, under its assumptions: the first item, but not the hand-over's bound"
    yield "- Go: not claimed"


OFFSETS = Section(
    "Offsets",
    "What happens to messages and committed offsets, with the default offset store.",
    (
        "All consumers subscribe to the same. The broker keeps committed offsets and deletes no unconsumed message.",
        "An offset is committed and its query succeeds, except as a row says. No rebalancing consumer is resumed. "
        "Only rows about resets allow resets.",
        f"New queue: nothing is committed, no query fails, the group uses `{LAST}`, and the first owner keeps the "
        "queue until it commits.",
        "Rollback, redelivery: no queue enters or leaves a consumer's table during `persistAll`.",
        "Turns: a new owner asks for the offset after the old entry has left. *Running* messages were given, or were "
        "about to be given, to the old owner's listener.",
        "Honest listeners, if interrupted, return success only for finished work; concurrent ones may also stay "
        "interrupted.",
        "Resets: before the commit no pull is answered. No consumed offset is about to be stored when the reset "
        "begins.",
    ),
    (
        Table("offsets", offsets.CONCURRENT, CONCURRENT, "Concurrent listeners:"),
        Table(
            "offsets",
            offsets.BY_LOOP,
            BY_LOOP,
            "Node, with clustering and one rebalance at a time. An offset above 0 is committed, queries succeed, "
            "failed messages can be sent back, and no consumer shuts down with messages:",
        ),
        Table(
            "offsets",
            offsets.ORDERLY,
            IN_ORDER,
            "Ordered listeners, where the client decides when to commit. Turns: no lock is released under a running "
            "listener (in 5.2 a setting), commits arrive in order, and no consumer ends or unsubscribes. In 4.9, "
            "redelivery and rollback also need an answer to each first pull's query:",
        ),
    ),
    about=lambda claim: claim.kind == "offsets",
    more=_mixed,
)


SECTIONS = (TABLE, ORDERED, OFFSETS, PULLS, SETTLING, REGISTRY, SUBSCRIPTIONS, RECEIVING)
HEAD = """# Guarantees by client

What clients and brokers guarantee besides the [assignment](ledger.md#at-a-glance). `make docs`
generates this page.

- **always**: proved for all numbers, states and time limits, under the section's assumptions and the row's condition
- **no**: refuted by a smallest counterexample
- **–**: not claimed

Words link to the ledger. A row with "…" continues the rows above. *Real clients* counts
[marks](ledger.md) of the section's claims. [Findings](findings.md) explain failures.
"""


def page() -> str:
    """Return docs/reference/guarantees.md as text."""
    return "\n".join([HEAD, *(line for one in SECTIONS for line in _section(one))]).rstrip() + "\n"


def _section(one: Section) -> Iterator[str]:
    yield f"## {one.title}\n"
    yield f"{_real(one)}\n"
    yield f"{one.scope}{' Assumptions:' if one.assumptions else ''}\n"
    if one.assumptions:
        yield "\n".join(f"- {words}" for words in one.assumptions) + "\n"
    for each in one.tables:
        if each.head:
            yield f"{each.head}\n"
        yield f"{_table(each)}\n"
    if more := "\n".join(one.more()):
        yield f"{more}\n"


def _table(one: Table) -> str:
    names = [client.name for client in one.clients]
    rows = [(row.words, *(cell(row, one.kind, name) for name in names)) for row in one.rows]
    return table(("", *(client.rocketmq_name for client in one.clients)), rows)


def _real(section: Section) -> str:
    """Return how many of the section's claims have each conformance mark.

    If all have the same mark, return the recorded clients.
    """
    found = [seen(claim) for claim in LEDGER if section.about(claim)]
    marks = Counter(one.mark for one in found)
    if len(marks) > 1:
        counted = ", ".join(f"{marks[mark]} {mark}" for mark in Mark if marks[mark])
        return f"Real clients: {counted}."
    clients = sorted({client for one in found for client in one.results}, key=lambda name: (name[0] == "a", name))
    return f"Real clients: {next(iter(marks))}{', of ' if clients else ''}{listing(clients)}."
