"""How far searches go, in which states the code of consumers and the terms are compared, and words about runs."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.page import Compared, Search
from rebalance_proofs.model.machine.run import NAMES, Happens, Run, Schedule
from rebalance_proofs.model.machine.values import Int, number
from rebalance_proofs.model.machines.offsets.assumptions import Brokers
from rebalance_proofs.model.machines.offsets.state import (
    NOWHERE,
    UNKNOWN,
    Limits,
    Offsets,
    OffsetsClient,
    Way,
    offset_in_words,
)
from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED, WHERES

# ---- How far searches for counterexamples go under these assumptions

ANYWHERE = ("not-skipped", "only-uncommitted", "back-at-most", "once", "never-back", "stops")


def sought(world: Brokers) -> Sequence[str]:
    """Return the names of the guarantees that one search looks for together.

    Empty if ``world`` drops an assumption: then each claim has its own search.
    """
    if world.dropped:
        return ()
    if world.finishing:
        return ("finished",)
    if world.replica:
        return ("not-skipped", "only-uncommitted")
    if world.later:
        return ("since-asked", "since-added", "since-pulled")
    if world.resets:
        return ("reset-sent", "reset-heard")
    if world.orderly:
        return (*ANYWHERE, "one-batch", "from-an-offset")
    return ("hand-over", "but-overtime") if world.handed else ANYWHERE


LIMIT = 13
"""Largest number of actions in an explored run.

With fifty actions, all two million states of two consumers are reached.
"""
LIMIT_IN_ORDER = 14
"""Largest number of actions in an explored run of ordered consumers.

Their first pull takes one more action.
"""
LIMIT_IN_TURN = 17
"""Largest number of actions for ordered consumers that own the queue one after another."""
LIMIT_ALONE = 20
"""Largest number of actions in an explored run with one acting consumer."""


def within(world: Brokers) -> int:
    """Return the number of actions up to which all runs are explored."""
    if world.orderly:
        return LIMIT_IN_TURN if world.in_turn else LIMIT_IN_ORDER
    return LIMIT_ALONE if world.lonely else LIMIT


OF_OTHERS = ("passes", "others", "others_fail", "overtaken", "pulls_late", "passes_late", "others_late")
NOT_ALONE = ("more", "older", "held")
"""Choices that mean the presence of other messages, and are not made without them.

There, the newest of equal events comes first.
"""


def one_answer(move: Happens) -> bool:
    """Return whether the action has at most one kind of answer from the broker.

    A broker gives only one answer to a query.
    """
    return move.action not in ("asks", "fixes") or sum(value for _, value in move.said) <= 1


def tried(guarantee: str, world: Brokers, moves: Sequence[Happens]) -> Sequence[Happens]:
    """Return the actions that a search tries.

    They involve no other messages, and first pulls get their answers immediately. A pull loop can be busy with
    another message, whose state is not modelled.
    """
    absent = [name for name in NOT_ALONE if name != "held" or world.way is not Way.BY_LOOP]
    absent += world.never
    return [
        move
        for move in moves
        if not any(dict(move.said).get(name) for name in absent)
        and one_answer(move)
        and not (world.lonely and move.who)
    ]


def best(world: Brokers) -> Callable[[Schedule], int | tuple[int, int]] | None:
    """Return a function that rates runs of equal length; None if the choice does not matter.

    Where a queue is handed over or replicated, runs in which two consumers act are preferred.
    """
    if world.in_turn or world.replica:
        return _taking_part
    return _shut_down if world.stopping else None


def _shut_down(schedule: Schedule) -> int:
    """Return how many times a consumer is shut down, which sends its offset."""
    return sum(happens.action == "shuts" for happens in schedule)


def _taking_part(schedule: Schedule) -> tuple[int, int]:
    """Return the number of consumers that act, and of rebalances that remove the queue."""
    taking_away = sum(happens.action in ("marks", "revokes") for happens in schedule)
    return len({happens.who for happens in schedule}), taking_away


OF_ORDER = ("fixed", "stands", "noting", "noted", "kept")
OF_A_LOOP = ("lingers", "left_next", "left_cached", "left_owed", "begun_late")
OF_PERSIST_ALL = ("listed", "unlisted")
OF_A_HANDOVER = ("uncommitted", "taken", "overtime", "excess")
NOT_OF_A_HANDOVER = ("origin", "back")
OF_FINISHING = ("interrupted", "cut", "finished", "remains")
NOT_OF_FINISHING = (*OF_A_HANDOVER, *NOT_OF_A_HANDOVER, "again", "kept", "known", "owed")
NOT_OF_A_REPLICA = ("origin", "back", "again")
OF_AN_ARRIVAL = ("owned", "awaited", "had", "begun")
OF_A_RESET = ("resetting", "rewound", "aim", "aimed", "missed", "ignored")
OF_NO_RESET = (
    *("again", "back", "consumed", "excess", "given", "kept", "known", "origin", "overtime", "taken", "uncommitted"),
    *("owed", "stands"),
)
OF_NO_ARRIVAL = ("origin", "back", "again", "kept", "known", "uncommitted", "overtime", "excess")
ABSENT: Mapping[Way, tuple[str, ...]] = {
    Way.CONCURRENTLY: ("owed", "remains", *OF_ORDER, *OF_A_LOOP),
    Way.ORDERLY: ("uncommitted", "overtime", "excess", "copied", *OF_A_LOOP),
    Way.BY_LOOP: ("remains", "recording", "recorded", *OF_ORDER, *OF_PERSIST_ALL),
}
"""For each way of processing messages, fields of the state that its machine does not use."""
CONSTANT: Mapping[Way, tuple[str, ...]] = {
    Way.CONCURRENTLY: ("end",),
    Way.ORDERLY: ("end", "given"),
    Way.BY_LOOP: ("end", "given", "dropped"),
}
"""For each way of processing messages, further fields that never change in an exploration."""


def unseen(world: Brokers) -> Collection[str]:
    """Return the fields that explorations ignore, because they are constant or irrelevant."""
    left_out = (*ABSENT[world.way], *CONSTANT[world.way], *(() if world.finishing else OF_FINISHING))
    left_out = (*left_out, *(NOT_OF_A_REPLICA if world.replica else ("copied",)))
    if world.resets:
        return {*left_out, *OF_AN_ARRIVAL, *OF_NO_RESET}
    left_out = (*left_out, *OF_A_RESET)
    if world.later:
        return {*left_out, *OF_NO_ARRIVAL} - {"end"}
    left_out = (*left_out, *OF_AN_ARRIVAL)
    if world.finishing:
        return {*left_out, *NOT_OF_FINISHING}
    if world.orderly:
        return {*left_out}
    return {*left_out, *(NOT_OF_A_HANDOVER if world.handed else OF_A_HANDOVER)}


MORE = {Way.CONCURRENTLY: 2, Way.ORDERLY: 1, Way.BY_LOOP: 1}
"""For each way of processing, how far an explored number can exceed the message's offset.

A margin beyond the position after the message detects wrong terms; it is larger only if there are few other numbers.
"""


def _offsets_tried(limits: Limits) -> Mapping[str, Int]:
    """Return the only offset that searches try as a choice: the one after the message."""
    return {"offset": limits.message + 1}


def search(world: Brokers) -> Search[Limits]:
    """Return the settings of searches under these assumptions.

    The message has the smallest offset. If any setting for the start offset is allowed, examples use the last offset.
    """
    where = world.where or ConsumeFromWhere.LAST_OFFSET
    return Search(
        Limits(message=world.least, from_where=WHERES.index(where)),
        limit=within(world),
        gives_up=True,
        numbers=_offsets_tried,
        most=world.least + MORE[world.way],
        copies=2,
        aside=OF_OTHERS,
        tried=tried,
        unseen=unseen,
        beside=sought,
        best=best,
    )


# ---- States in which the code of consumers and the terms are compared
#
# They have one queue, offsets 0 to 2, and one message at offset 1. The three offsets represent those below the message,
# at it, and after it.

FLAGS, OFFSETS, MESSAGE = (0, 1), (0, 1, 2), 1
NO_ENTRY = {"present": 0, "dropped": 0, "began": 0, "next": 0, "cached": 0, "runs": 0, "from_where": 0}
NO_ENTRY |= {"asking": 0, "answer": 0, "known": 0, "closed": 0}
NO_ENTRY |= {"resetting": 0, "rewound": 0, "aim": 0, "aimed": 0}
NOT_PERSISTING = {"listed": 0, "unlisted": 0}
ENTRIES = (
    NO_ENTRY,
    NO_ENTRY | {"closed": 1},
    *(
        NO_ENTRY | {"asking": 1, "answer": answer, "from_where": where}
        for answer in (*OFFSETS, NOT_FOUND, UNANSWERED, BROKER_ERROR)
        for where in range(len(WHERES))
        if answer < 0 or where == 0
    ),
    *(
        NO_ENTRY | {"present": 1, "dropped": dropped, "began": began, "next": next_, "cached": cached, "runs": runs}
        for dropped, began, next_, cached, runs in product(FLAGS, OFFSETS, OFFSETS, FLAGS, FLAGS)
        if began <= next_ and cached <= (began <= MESSAGE < next_) and runs <= (began <= MESSAGE < next_)
    ),
)
"""States of the process queue for concurrent listeners.

No process queue, also of a closed consumer, or with each pending answer about the offset. Otherwise every combination
of start offset, next offset, cached message and running listener.
"""
RESET = tuple(
    {
        "present": 1,
        "dropped": 1,
        "next": 2,
        "cached": cached,
        "runs": runs,
        "resetting": 1,
        "rewound": rewound,
        "aim": 1,
    }
    for cached, runs, rewound in product(FLAGS, repeat=3)
)
"""States of process queues whose offset is being reset."""
RESETTING = (NO_ENTRY | {"aim": 1, "aimed": 1}, *(NO_ENTRY | one for one in RESET))
LATE = ({"late": 0}, {"late": 1})
MEMORY = tuple({"memory": memory} for memory in (NO_OFFSET, 1))
PERSISTING = tuple(NOT_PERSISTING | {flag: 1} for flag in NOT_PERSISTING)
NOTED = ({"recording": 0, "recorded": 0}, *({"recording": 1, "recorded": offset} for offset in (0, 2)))
SENT = ({"sending": 0, "sent": 0, "origin": 0}, {"sending": 1, "sent": 1, "origin": 0})
AT_ONCE = (
    *(LATE[0] | NOT_PERSISTING | memory | noted | sent for memory, noted, sent in product(MEMORY, NOTED, SENT)),
    LATE[1] | NOT_PERSISTING | MEMORY[0] | NOTED[0] | SENT[0],
    *(late | one | MEMORY[1] | NOTED[2] | SENT[1] for late in LATE for one in PERSISTING),
)
"""Combinations of offsets in memory, being recorded, and in flight to the broker.

They are combined because an offset passes from one to the next. A late listener call and ``persistAll`` depend on none
of these offsets, so they appear with none of them and with all.
"""
GHOSTS = ("consumed", "given", "uncommitted", "taken", "overtime", "excess", "owned", "finished", "interrupted", "cut")
ARRIVED, COMES = {"end": MESSAGE + 1}, {"end": MESSAGE}
SHARED = tuple(
    {"committed": committed, "copied": copied, "again": 0}
    | dict(zip(GHOSTS, ghosts, strict=True))
    | (ARRIVED if there else COMES)
    for committed, copied, there, *ghosts in (
        (NONE, NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (0, 2, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1),
        (0, NONE, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0),
        (1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0),
        (2, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1),
    )
)
"""Fields of the queue, and fields of the consumer that are independent of its other fields."""
NOT_IN_ORDER = {"fixed": 0, "stands": 0, "owed": 0, "remains": 0}
ENTRY_IN_ORDER = NO_ENTRY | NOT_IN_ORDER | {"present": 1}
IN_ORDER = (
    *(one | NOT_IN_ORDER for one in (*ENTRIES, *RESETTING) if not one["present"]),
    *(ENTRY_IN_ORDER | one | {"fixed": 1, "owed": owed} for one in RESET for owed in FLAGS),
    *(
        ENTRY_IN_ORDER | {"dropped": dropped} | one
        for dropped in FLAGS
        for one in (
            *({"began": began, "stands": began, "next": began} for began in OFFSETS),
            *({"began": began, "stands": began, "next": NOWHERE, "fixed": 1} for began in OFFSETS),
            *(
                {
                    "began": began,
                    "stands": stands,
                    "next": next_,
                    "fixed": 1,
                    "cached": cached,
                    "runs": runs,
                    "owed": owed,
                    "remains": remains,
                }
                for began, stands, next_ in combinations_with_replacement(OFFSETS, 3)
                for cached, runs, owed, remains in (
                    *((0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0)),
                    (1, 0, 0, 1),
                )
                if cached <= (stands <= MESSAGE < next_) and owed <= (MESSAGE < stands)
            ),
        )
    ),
)
"""States of process queues with ordered listeners.

The first pull has no answer yet, an empty answer, or an answer with the message.
"""
NOTHING = LATE[0] | MEMORY[0] | NOT_PERSISTING | NOTED[0] | SENT[0] | {"noting": 0, "noted": 0}
EACH = (LATE[1], MEMORY[1], NOTED[1], NOTED[2], SENT[1], {"noting": 1, "noted": 1}, {"noting": 1, "noted": 2})
ALL = NOT_PERSISTING | {name: value for one in EACH for name, value in one.items()}
UNDER_WAY = (
    NOTHING,
    *(NOTHING | one for one in (*EACH, *(MEMORY[1] | one for one in PERSISTING))),
    ALL,
    ALL | PERSISTING[0],
)
"""Activities in progress: none, each alone, and all together, because they are independent."""
GHOSTS_IN_ORDER = ("consumed", "kept", "taken", "finished", "interrupted", "cut")
SHARED_IN_ORDER = tuple(
    {"committed": committed, "given": 0, "again": 0}
    | dict(zip(GHOSTS_IN_ORDER, ghosts, strict=True))
    | {"owned": ghosts[1]}
    | (ARRIVED if ghosts[0] else COMES)
    for committed, *ghosts in (
        (NONE, 0, 0, 0, 0, 0, 0),
        (0, 1, 0, 1, 0, 1, 1),
        (1, 1, 1, 1, 1, 0, 0),
        (2, 1, 1, 0, 1, 1, 1),
    )
)
BATCHES = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1))
"""States of process queues in Node's consume loop, as flags (cached, runs, owed).

A process queue has no message; it has the message; its listener runs, or has returned.
"""
BY_LOOP = (
    *(one | {"owed": 0} for one in ENTRIES if not one["present"]),
    *(
        NO_ENTRY
        | {"present": 1, "began": began, "next": next_, "cached": cached, "runs": runs, "owed": owed, "closed": closed}
        for began, next_ in combinations_with_replacement(OFFSETS, 2)
        for cached, runs, owed in BATCHES
        for closed in FLAGS
        if cached <= (began <= MESSAGE < next_)
    ),
)
NOT_LEFT = {"lingers": 0, "left_next": 0, "left_cached": 0, "late": 0, "left_owed": 0, "begun_late": 0}
LEFT = (
    NOT_LEFT,
    *(NOT_LEFT | {"lingers": 1, "left_next": next_} for next_ in (0, 1, 2)),
    *(
        {"lingers": 1, "left_next": 2, "left_cached": 1, "late": late, "left_owed": owed, "begun_late": begun_late}
        for late, owed, begun_late in ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 1, 0))
    ),
)
"""States of a process queue that a Node consumer has removed from its table; none at first."""
REMEMBERED = tuple({"memory": memory} for memory in (NO_OFFSET, UNKNOWN, 0, 1))
BESIDE = NOT_LEFT | REMEMBERED[0] | SENT[0]
BESIDES = (
    *(BESIDE | one for one in (*LEFT, *REMEMBERED[1:], SENT[1])),
    *(BESIDE | left | memory | SENT[1] for left, memory in zip(LEFT[-4:], REMEMBERED, strict=True)),
)
"""States outside the process queue: no field set, each alone, and several together.

The fields are independent of each other.
"""
ALIKE = {"back": 0, "awaited": 0, "had": 0, "begun": 0, "missed": 0, "ignored": 0}
"""Fields with the same value in every state."""
PARTS = {
    Way.CONCURRENTLY: ((*ENTRIES, *RESETTING), AT_ONCE, SHARED),
    Way.ORDERLY: (IN_ORDER, UNDER_WAY, SHARED_IN_ORDER),
    Way.BY_LOOP: (BY_LOOP, BESIDES, SHARED),
}
SPACES = {
    way: Compared(
        "steps",
        "offsets",
        Limits(message=MESSAGE, from_where=0),
        (*parts, (dict.fromkeys(ABSENT[way], 0) | ALIKE,)),
        numbers={"offset": OFFSETS},
        tries=one_answer,
    )
    for way, parts in PARTS.items()
}
"""The states to try, for each way of consuming: concurrent, ordered, Node's loop."""

# ---- Words about runs

LISTENERS = {Way.CONCURRENTLY: "concurrent", Way.ORDERLY: "ordered"}


def told_about(client: OffsetsClient) -> str:
    """Return a sentence about the group of a claim: the client whose code runs, and its members."""
    listeners = f" with {LISTENERS[client.way]} listeners" if client.way in LISTENERS else ""
    name = client.rocketmq_name
    return f"One queue and one message, any number of consumers of {name}{listeners}, and the broker."


def told_given(run: Run[Offsets, Limits]) -> str:
    """Return a sentence about the initial state of a counterexample's run."""
    words = f"Consumers {' and '.join(NAMES)}; one queue with one message, at offset {run.limits.message}"
    if run.first.committed != NONE:
        return f"{words}; committed: {offset_in_words(number(run.first.committed))}."
    if run.world.later:
        words = f"Consumers {' and '.join(NAMES)}; one queue, whose next message gets offset {run.limits.message}"
    first = WHERES[number(run.limits.from_where)] is ConsumeFromWhere.FIRST_OFFSET
    return f"{words}; nothing is committed; the group starts at the {'first' if first else 'last'} offset."


def told_change(before: Offsets, after: Offsets) -> str:
    """Return what an action changes, in words: the committed offset, and the acting consumer's memory."""
    told = []
    if after.committed != before.committed:
        # A replica that never received an offset has none; Node, however, can commit -1.
        none = after.committed == NONE == before.copied
        told.append(f"committed: {'none' if none else offset_in_words(number(after.committed))}")
    if after.memory not in (before.memory, NO_OFFSET):
        told.append(f"in memory: {after.memory}")
    return ", ".join(told)


def told_limits(run: Run[Offsets, Limits]) -> dict[str, Any]:
    """Return the constants of a run and the offset committed before it."""
    committed = None if run.first.committed == NONE else run.first.committed
    return {"message": run.limits.message, "where": WHERES[number(run.limits.from_where)].value, "committed": committed}
