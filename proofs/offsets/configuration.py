"""Settings for the state machine of offsets: bad states, exploration bounds, ignored fields."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.happens import Happens, Schedule
from rebalance_proofs.model.machine.values import And, Bool, Not, Or, number
from rebalance_proofs.model.offsets.clients import MACHINES
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant, Way, done
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.offsets.brokers import Brokers

Bad = Callable[[Offsets, Limits], Bool]
Configured = Configuration[Offsets, Choices, Limits, Variant]


def _skipped(s: Offsets, lim: Limits) -> Bool:
    return And(s.committed > lim.message, Not(done(s)))


def _overtime(s: Offsets, lim: Limits) -> Bool:
    since = And(s.present, lim.message >= s.known, Not(s.uncommitted))
    return And(since, s.again)


def _noted_again(s: Offsets, lim: Limits) -> Bool:
    early = And(s.owed, s.present, Not(s.dropped), Not(s.noting))
    return Or(And(s.runs, s.kept), early)


def _since(flag: str) -> Bad:
    return lambda s, lim: And(getattr(s, flag), _skipped(s, lim))


BAD: Mapping[str, Bad] = {
    "not-skipped": _skipped,
    "only-uncommitted": lambda s, lim: And(s.runs, lim.message < s.known),
    "back-at-most": lambda s, lim: And(s.sending, s.sent < s.origin),
    "once": lambda s, lim: s.again,
    "never-back": lambda s, lim: s.back,
    "stops": lambda s, lim: And(s.late, s.begun_late),
    "one-batch": _noted_again,
    "from-an-offset": lambda s, lim: And(s.present, s.fixed, s.next < 0),
    "hand-over": lambda s, lim: s.excess,
    "but-overtime": _overtime,
    "finished": lambda s, lim: And(s.committed > lim.message, Not(Or(s.finished, s.given))),
    "since-asked": _since("awaited"),
    "since-added": _since("had"),
    "since-pulled": _since("begun"),
    "reset-sent": lambda s, lim: s.missed,
    "reset-heard": lambda s, lim: s.ignored,
}
"""Name of a guarantee -> its bad states, as conditions on one consumer and the shared state."""
HANDED, FINISHING, RESETS = ("hand-over", "but-overtime"), ("finished",), ("reset-sent", "reset-heard")
LATER, REPLICATED = ("since-asked", "since-added", "since-pulled"), ("not-skipped", "only-uncommitted")
ANYWHERE = ("not-skipped", "only-uncommitted", "back-at-most", "once", "never-back", "stops")
IN_ORDER = (*ANYWHERE, "one-batch", "from-an-offset")


def _sought(world: Brokers) -> Sequence[str]:
    """Return the names of the guarantees that one search looks for together.

    Empty if ``world`` drops an assumption: then each claim has its own search.
    """
    if world.dropped:
        return ()
    if world.finishing:
        return FINISHING
    if world.replica:
        return REPLICATED
    if world.later:
        return LATER
    if world.resets:
        return RESETS
    return IN_ORDER if world.orderly else HANDED if world.handed else ANYWHERE


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


def _tried(claim: Claim, moves: Sequence[Happens]) -> Sequence[Happens]:
    """Return the actions that a search tries.

    They involve no other messages, and first pulls get their answers immediately. A pull loop can be busy with
    another message, whose state is not modelled.
    """
    world = claim.world
    absent = [name for name in NOT_ALONE if name != "held" or world.way is not Way.BY_LOOP]
    return [
        move
        for move in moves
        if not any(dict(move.said).get(name) for name in absent)
        and world.leaves_open(move.action, dict(move.said))
        and one_answer(move)
        and not (world.lonely and move.who)
    ]


def _best(claim: Claim) -> Callable[[Schedule], int | tuple[int, int]] | None:
    """Return a function that rates runs of equal length; None if the choice does not matter.

    Where a queue is handed over or replicated, runs in which two consumers act are preferred.
    """
    if claim.world.in_turn or claim.world.replica:
        return _taking_part
    return _shut_down if claim.world.stopping else None


def _shut_down(schedule: Schedule) -> int:
    """Return how many times a consumer is shut down, which sends its offset."""
    return sum(happens.action == "shuts" for happens in schedule)


def _taking_part(schedule: Schedule) -> tuple[int, int]:
    """Return the number of consumers that act, and of rebalances that remove the queue."""
    taking_away = sum(happens.action in ("marks", "revokes") for happens in schedule)
    return len({happens.who for happens in schedule}), taking_away


OF_ORDER = ("fixed", "stands", "noting", "noted", "kept")
OF_A_LOOP = ("lingers", "left_next", "left_cached", "left_owed")
OF_PERSIST_ALL = ("listed", "unlisted")
OF_A_HANDOVER = ("uncommitted", "taken", "overtime", "excess")
NOT_OF_A_HANDOVER = ("origin", "back")
OF_FINISHING = ("interrupted", "cut", "finished", "remains")
NOT_OF_FINISHING = (*OF_A_HANDOVER, *NOT_OF_A_HANDOVER, "again", "kept", "known", "owed")
NOT_OF_A_REPLICA = ("origin", "back", "again", "begun_late")
OF_AN_ARRIVAL = ("owned", "awaited", "had", "begun")
OF_A_RESET = ("resetting", "rewound", "aim", "aimed", "missed", "ignored")
OF_NO_RESET = (
    *("again", "back", "consumed", "excess", "given", "kept", "known", "origin", "overtime", "taken", "uncommitted"),
    *("owed", "stands"),
)
OF_NO_ARRIVAL = ("origin", "back", "again", "kept", "known", "uncommitted", "overtime", "excess")
NEVER: Mapping[Way, tuple[str, ...]] = {
    Way.CONCURRENTLY: ("end", "begun_late", "owed", "remains", *OF_ORDER, *OF_A_LOOP),
    Way.ORDERLY: ("end", "given", *OF_A_LOOP, "begun_late", "uncommitted", "overtime", "excess"),
    Way.BY_LOOP: ("end", "given", "dropped", "recording", "recorded", *OF_ORDER, *OF_PERSIST_ALL),
}
"""For each way of processing messages, fields of the state that never change."""


def unseen(world: Brokers) -> Collection[str]:
    """Return the fields that explorations ignore, because they are constant or irrelevant."""
    left_out = (*NEVER[world.way], *(() if world.finishing else OF_FINISHING))
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


def configuration(world: Brokers) -> Configured:
    """Return the machine's settings for one set of assumptions.

    The message has the smallest offset. If any setting for the start offset is allowed, examples use the last offset.
    """
    where = world.where or ConsumeFromWhere.LAST_OFFSET
    return _configuration(world.way, Limits(message=world.least, from_where=WHERES.index(where)), within(world))


@cache
def _configuration(way: Way, limits: Limits, limit: int) -> Configured:
    return Configuration(
        MACHINES[way],
        lambda claim: BAD.get(claim.guarantee.name),
        limits,
        limits,
        most=number(limits.message) + MORE[way],
        limit=limit,
        gives_up=True,
        numbers=lambda lim: {"offset": lim.message + 1},
        aside=lambda claim: OF_OTHERS,
        tried=_tried,
        copies=2,
        unseen=lambda claim: unseen(claim.world),
        beside=lambda claim: {name: BAD[name] for name in _sought(claim.world)},
        best=_best,
    )
