"""States in which the code of consumers and the terms are compared.

They have one queue, offsets 0 to 2, and one message at offset 1. The three offsets represent those below the message,
at it, and after it.
"""

from itertools import combinations_with_replacement, product

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.page import Compared
from rebalance_proofs.model.machines.offsets.assumptions import ABSENT, one_answer
from rebalance_proofs.model.machines.offsets.state import NOWHERE, UNKNOWN, Limits, Way
from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED, WHERES

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
