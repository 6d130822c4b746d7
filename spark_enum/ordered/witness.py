"""Enumerated states of one consumer of an ordered queue, in ticks of ten seconds."""

from dataclasses import replace
from itertools import product

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.ordered.clients import CLIENTS
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, TICKS
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.explorer.groups import and_groups, checks_of
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name
from rebalance_proofs.spark_enum.ordered.kinds import ACTIONS
from rebalance_proofs.spark_enum.runs import explored_against, mistaken_in

LIMITS = replace(TICKS, first_pull=1, wait=2, loop=1)
"""Time limits in ticks.

The enumerated ages include each limit and one tick more, on which a comparison with the limit gives different results.
"""
FLAGS = (0, 1)
NO_ENTRY = {"present": 0, "dropped": 0, "locked": 0, "stamp": 0, "pulls_from": 0, "cached": 0}
NOT_ADDING, ADDING = {"adding": 0, "adding_at": 0}, {"adding": 1, "adding_at": 0}
IDLE, CALLED, ORPHAN = {"runs": 0, "orphan": 0}, {"runs": 1, "orphan": 0}, {"runs": 1, "orphan": 1}
ENTRIES = (
    *(NO_ENTRY | why | listener for why in (NOT_ADDING, ADDING) for listener in (IDLE, ORPHAN)),
    *(
        NO_ENTRY
        | {"present": 1, "dropped": dropped, "locked": locked, "stamp": -age, "cached": cached}
        | NOT_ADDING
        | listener
        for dropped, locked, age, cached in product(FLAGS, FLAGS, (0, 2, 3, 4), FLAGS)
        for listener in (IDLE, CALLED, ORPHAN)
    ),
    *(
        NO_ENTRY | {"present": 1, "dropped": dropped, "locked": 1, "pulls_from": 1} | NOT_ADDING | listener
        for dropped in FLAGS
        for listener in (IDLE, ORPHAN)
    ),
)
"""States of the process queue and of the listener.

No process queue, or one that is being added; every combination of flags and age of the time stamp; a new process queue
without a pull yet. The listener does not run, or runs for this process queue or for one that was removed from the
table.
"""
NOT_SHUT = {"stopping": 0, "waits_since": 0, "cut": 0, "yielded": 0, "closed": 0}
SHUT = (
    *(NOT_SHUT | {"stopping": 1, "cut": cut, "waits_since": -age} for cut in FLAGS for age in (1, 2)),
    NOT_SHUT | {"stopping": 1, "yielded": 1},
    NOT_SHUT | {"stopping": 1, "cut": 1, "yielded": 1},
    NOT_SHUT | {"stopping": 1, "yielded": 1, "closed": 1},
)
"""States of the consumer in each step of a shutdown, with the time it has waited."""
REPLIES = ({"answered": 0}, {"answered": 1})
UNLOCKS = ({"unlocking": 0}, {"unlocking": 1})
NOT_PUT_OFF = {"later": 0, "due": 0}
PUT_OFF = (NOT_PUT_OFF, {"later": 1, "due": 0}, {"later": 1, "due": 1})
LOCKS = (
    {"holder": NOBODY, "updated": 0},
    *({"holder": holder, "updated": -age} for holder in (ME, OTHER) for age in (0, 6, 7)),
)
"""States of the broker's lock: free, or held by the consumer or another, with its age."""
FRESH = tuple(lock for lock in LOCKS if lock["updated"] == 0)
ALIKE = (
    {
        "since": -1,
        "answered_at": -1,
        "granted_at": -1,
        "left": -1,
        "released": 0,
        "twice": 0,
        "owned_from": -3,
        "lost": 1,
        "lost_at": -2,
        "call_from": -4,
        "call_lost": 0,
        "call_lost_at": -4,
    },
)
"""Fields with the same value in every state."""
NOT_IN_SHUTDOWN = (ENTRIES, (NOT_SHUT,), REPLIES, UNLOCKS, PUT_OFF, LOCKS, ALIKE)
IN_SHUTDOWN = (ENTRIES, SHUT, REPLIES, UNLOCKS, (NOT_PUT_OFF,), FRESH, ALIKE)


class OrderedSteps(Steps):
    """Comparison of all actions of one consumer, in all states."""

    kind, title, known = ACTIONS, "actions", by_name(CLIENTS)
    space = Space(CONFIGURATION, LIMITS, NOT_IN_SHUTDOWN, besides=(IN_SHUTDOWN,))


RUNS = timed_runs(CONFIGURATION)
AGAINST = explored_against(
    ACTIONS,
    lambda claim: RUNS.explored(claim.subjects[0].encoding, claim),
    "two consumers reach a state with two running listeners, or one leaves a lock behind,",
    lambda claim: (
        f"two consumers never {'leave a lock behind' if claim.world.prompt else 'run two listeners'}, in ticks"
    ),
    lambda claim: CONFIGURATION.bad(claim) is not None,
)
ORDERED = Kind(
    jobs=lambda claims, bounds: 1,
    found=compared(OrderedSteps, checks_of),
    against=and_groups(AGAINST),
    mistaken=mistaken_in(RUNS),
)
