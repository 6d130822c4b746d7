"""How the actions show in a recording: one queue of a Java consumer, each followed message of it, and the broker."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.copies import OTHER
from rebalance_proofs.model.machine.recorded import (
    Cause,
    Condition,
    History,
    Recorded,
    Row,
    another,
    does,
    environment,
    nothing,
    outside,
    shows,
)
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or
from rebalance_proofs.model.machines.offsets.state import Limits, Offsets
from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET

UPDATE, QUERY, PULL = "UPDATE_CONSUMER_OFFSET", "QUERY_CONSUMER_OFFSET", "PULL_MESSAGE"
ENDS, SEARCHES = "GET_MAX_OFFSET", "SEARCH_OFFSET_BY_TIMESTAMP"
UNHEARD = -2
"""Result of ``OffsetStore.readOffset`` if its query fails or gets no answer."""
ILLEGAL = "OFFSET_ILLEGAL"
QUEUE, MESSAGE = "queue", "message"


class AtQueue(History, Protocol):
    """What a recording shows of one queue's offsets at a process; and of one of its messages."""

    @property
    def known(self) -> Any:
        """What is known of the queue before the event."""

    @property
    def base(self) -> bool:
        """Whether the machine is the one without any message."""

    @property
    def message(self) -> int | None:
        """Offset of the machine's message, or None."""

    @property
    def ordered(self) -> bool:
        """Whether the listener is ordered."""

    @property
    def fresh(self) -> bool:
        """Whether the event's pull brings the message."""

    @property
    def returned(self) -> Any:
        """The return of the message's last listener call, or None."""

    @property
    def after(self) -> int:
        """Offset after the messages of that listener call."""

    @property
    def half(self) -> bool:
        """Whether the listener was interrupted before its work was done."""

    @property
    def overdue(self) -> bool:
        """Whether nothing was stored since the return that the derived event is about."""

    @property
    def early_call(self) -> bool:
        """Whether the listener call that returns began before the machine."""

    @property
    def former_call(self) -> bool:
        """Whether the listener call that returns is one of a former process queue."""

    @property
    def hesitates(self) -> int:
        """Milliseconds for which the process queue is being removed while the listener is called."""

    @property
    def crosses(self) -> int:
        """Milliseconds for which the process queue has been removed while an offset is stored."""

    @property
    def ahead(self) -> int:
        """Milliseconds for which a commit has shown the offset before the event of its update."""

    @property
    def reads(self) -> int:
        """Milliseconds for which the offset in memory may have changed between its reading and the commit."""

    @property
    def polls_late(self) -> int:
        """Milliseconds for which the committed offset may have changed between its reading and the event."""

    @property
    def value(self) -> int:
        """Offset in the event: the committed one in a poll or an answer, or one that is committed; -1 for none."""

    @property
    def answers_zero(self) -> bool:
        """Whether the broker answers 0, as it may if it has no offset."""

    @property
    def commits(self) -> bool:
        """Whether the request commits an offset."""

    @property
    def polled(self) -> bool:
        """Whether the event is a poll of the broker's table."""

    @property
    def sent(self) -> bool:
        """Whether a commit of the event's offset was sent and may not have arrived before the event."""

    @property
    def resets(self) -> bool:
        """Whether the broker has reset the offset, and no pull has used that."""

    @property
    def reset_answer(self) -> bool:
        """Whether the broker answers with the offset of such a reset."""

    @property
    def loads(self) -> bool:
        """Whether the broker may have loaded the offset at its restart."""

    @property
    def answers(self) -> bool:
        """Whether the broker answers the query with an offset, or that it has none."""

    @property
    def rebalances(self) -> bool:
        """Whether a rebalance has sent the query and reads its answer."""

    @property
    def twice(self) -> bool:
        """Whether another thread's rebalance queries the offset of the queue at the same time."""

    @property
    def unpulled(self) -> bool:
        """Whether the queue was not pulled for so long that a rebalance removes its process queue."""

    @property
    def revoked(self) -> bool:
        """Whether the queue is not assigned to the process, or the process is shutting down."""

    @property
    def again(self) -> bool:
        """Whether the offset of the process queue was persisted once before."""

    @property
    def late_pull(self) -> bool:
        """Whether a pull of a former process queue may have no answer yet."""

    @property
    def just_gone(self) -> bool:
        """Whether the process queue was removed so short ago that a pull of it may be sent."""

    @property
    def due(self) -> bool:
        """Whether a ``persistAll`` or a removal may send the commit."""

    @property
    def moved(self) -> bool:
        """Whether a reset by the broker moves the pull."""

    @property
    def unmoved(self) -> bool:
        """Whether a reset by the broker should have moved the pull."""

    @property
    def aim(self) -> int | None:
        """Offset to which a reset of the process sets the queue, or None."""

    @property
    def persisted(self) -> Sequence[int]:
        """Offsets that the process commits after the event, before the process queue leaves the table."""

    @property
    def only_removes(self) -> bool:
        """Whether no ``persistAll`` can commit the offset during the removal."""

    @property
    def shut(self) -> int | None:
        """Offset that the shutdown has committed, or None."""

    @property
    def overtaken(self) -> bool:
        """Whether an offset was stored in memory between a commit by the removal and the event, or soon after it."""


Way = Cause[Offsets]


def _at_queue(s: Offsets, h: AtQueue) -> bool:
    return h.base


def _of_message(s: Offsets, h: AtQueue) -> bool:
    return not h.base


def _increases(s: Offsets, h: AtQueue) -> bool:
    return bool(h.event.increase_only)


def _replaces(s: Offsets, h: AtQueue) -> bool:
    return not h.event.increase_only


def _all(*conditions: Condition[Offsets] | None) -> Condition[Offsets]:
    """Return the conjunction of conditions, in this order; None holds always."""
    return lambda s, h: all(one(s, h) for one in conditions if one)


# ---- The broker's committed offset


def _is_committed(s: Offsets, h: AtQueue) -> Bool:
    """Check that the committed offset is the one in the event. A broker can answer 0 if it has none."""
    return Or(s.committed == h.value, And(s.committed < 0, h.value == 0, h.answers_zero))


ARRIVES: Way = replace(
    another(
        "commits",
        lambda h: OTHER,
        given={"sending": 1, "sent": lambda h: h.value},
        only=lambda s, h: h.sent,
        more=0,
        replica=0,
    ),
    sees=lambda s, h: s.committed == h.value,
)
"""A consumer's commit of the offset arrives."""
COMMITTED: tuple[Way, ...] = (
    nothing(_is_committed),
    replace(ARRIVES, only=lambda s, h: And(h.sent, s.committed != h.value)),
    replace(
        outside(lambda s, h: s.but(committed=h.value)),
        only=lambda s, h: And(Not(h.sent), h.loads, s.committed != h.value),
    ),
    nothing(lambda s, h: h.reset_answer),
)
"""Explanations of a committed offset that a poll or an answer shows: it is so, its commit arrives, or it is loaded."""


def _uncommitted(h: AtQueue) -> str:
    if h.known.loaded:
        return f"{h.value} was never committed before the broker's restart"
    said = f"{h.event.of} is {h.event.is_}" if h.polled else f"the broker answers {h.event.said.offset}"
    return f"{said}, but no consumer has committed it"


def _heard(s: Offsets, h: AtQueue) -> Bool:
    """Check that the rebalance has received the answer of the event."""
    code = h.event.said.code
    heard: int = h.value if code == 0 else NOT_FOUND if h.answers else BROKER_ERROR
    return And(s.asking, s.answer == heard)


def _query() -> tuple[Way, ...]:
    asks: Way = does("asks", silent=0, error=lambda s, h: not h.answers, replica=0, sees=_heard)
    after: Way = does("adds", offset=0)
    again = replace(after.then("asks", **dict(asks.moves[0][1])), sees=_heard)
    return asks, again


# ---- Offsets in memory


def _late_pull(s: Offsets, h: AtQueue) -> bool:
    return h.late_pull


def _others(value: Callable[[Offsets, AtQueue], Int]) -> Way:
    """Explain an offset by a listener's return from another message."""
    return does("others", more=0, offset=value)


def _value(s: Offsets, h: AtQueue) -> Int:
    stored: int = h.event.offset
    return stored


def _may_return(s: Offsets, h: AtQueue) -> bool:
    return h.returned is not None and (not h.ordered or h.event.offset == h.after)


def _has_returned(s: Offsets, h: AtQueue) -> bool:
    return h.returned is not None


def _cut(s: Offsets, h: AtQueue) -> bool:
    return h.returned is not None and h.known.closing


def _half(s: Offsets, h: AtQueue) -> bool:
    return h.half


def _pends(s: Offsets, h: AtQueue) -> Bool:
    """Check that a thread is about to store the offset in memory."""
    if h.event.increase_only:
        return And(s.recording, s.recorded == h.event.offset)
    return And(s.noting, s.noted == h.event.offset)


CUT: tuple[Way, ...] = (
    does("returns_interrupted", only=_cut, half=_half),
    does("interrupts", only=_cut).then("returns_interrupted", half=_half),
)
"""Returns of an interrupted listener from the message, which store no offset."""
BEFORE: tuple[Way, ...] = (
    _others(_value),
    does("ends", only=_may_return, none=0, more=0, half=_half, offset=_value),
    does("empty", only=lambda s, h: h.event.increase_only and s.next == h.event.offset, more=0),
    environment(lambda s, h: s.but(end=If(s.end < h.event.offset, h.event.offset, s.end)), only=lambda s, h: h.crosses)
    .then("passes", offset=_value)
    .then("empty", more=0),
)
"""What a thread does before it stores the offset: a listener returns, or a pull finds no message.

At a removal, other messages may have been passed over.
"""


def _stores() -> Iterator[Way]:
    """Yield explanations of an update of the offset in memory."""
    pending: Way = Cause(only=_pends)
    cut = (replace(way, only=_all(_cut, _pends)) for way in CUT)
    for way in (pending, *BEFORE, *cut):
        for puts, so in (("records", _increases), ("notes", _replaces)):
            yield replace(way.then(puts, more=0), only=_all(so, way.only), sees=_is_stored)


def _is_stored(s: Offsets, h: AtQueue) -> Bool:
    offset: int = h.event.offset
    return s.memory >= offset if h.event.increase_only else s.memory == offset


def _stored(h: AtQueue) -> bool:
    return h.known.how == "stored" and (h.event.increase_only or h.ordered)


PUT: tuple[Way, ...] = (
    environment(lambda s, h: s.but(recording=True, recorded=h.event.offset), only=_increases).then("records", more=0),
    environment(lambda s, h: s.but(noting=True, noted=h.event.offset), only=_replaces).then("notes"),
)
"""The offset is stored, after the listener's return before the removal of its process queue."""


def _not_stored(h: AtQueue) -> str:
    return f"offset {h.event.offset} is stored in memory, but no offset was to be stored"


def _sends(s: Offsets, h: AtQueue) -> Bool:
    return s.sent == h.value


def _none(s: Offsets, h: AtQueue) -> Bool:
    return Or(s.memory == NO_OFFSET, s.memory <= 0)


def raced(
    event: str,
    *ways: Way,
    early: Callable[[Any], int],
    only: Callable[[Any], bool] = lambda h: True,
    looks: bool = True,
    **more: Any,
) -> tuple[Row[Offsets], ...]:
    """Return the rows of an event whose action may come ``early``, in ms; usually it does not.

    ``looks``: an early action changes nothing that matters later.
    """
    return (
        shows(event, *ways, only=lambda h: only(h) and not early(h), **more),
        shows(event, *ways, only=lambda h: only(h) and early(h) > 0, early=early, looks=looks, **more),
    )


# ---- Pulls


def _raised(s: Offsets, h: AtQueue) -> Offsets:
    """Return the state with the queue's end in the event: producers send messages at any time."""
    event = h.event
    end = max(event.max, event.next)
    return s.but(end=If(s.end < end, end, s.end))


def _is_next(s: Offsets, h: AtQueue) -> Bool:
    return Or(h.late_pull, Not(s.present), s.next == h.event.next)


def _continues(s: Offsets, h: AtQueue) -> Bool:
    """Check that a pull continues at the offset of the process queue."""
    fixed = s.fixed if h.ordered else True
    return Or(Not(s.present), And(s.next == h.event.said.queue_offset, fixed), h.just_gone)


def _next(s: Offsets, h: AtQueue) -> Int:
    following: int = h.event.next
    return following


def _not_fresh(s: Offsets, h: AtQueue) -> bool:
    return not h.fresh


# ---- Removals of the process queue


def _revokes(s: Offsets, h: AtQueue) -> bool:
    return h.revoked


def _expires(s: Offsets, h: AtQueue) -> bool:
    return not h.revoked and h.unpulled


def _commits_memory(s: Offsets, h: AtQueue) -> Bool:
    """Check that the removal commits the offset in memory."""
    values = h.persisted
    if not h.base or not values or h.overtaken:
        return True
    same = [s.sent == value for value in values]
    return And(s.sending, And(*same) if h.only_removes else Or(*same))


def _not_removed(h: AtQueue) -> str:
    values = ", ".join(map(str, h.persisted)) or "nothing"
    return f"it commits {values}, but no rebalance removes the entry with this offset in memory"


REVOKES: tuple[Way, ...] = (
    does("revokes", only=_revokes, more=0, in_set=0),
    does("revokes", only=_expires, more=0, in_set=1),
)


def _after_return(ways: tuple[Way, ...]) -> Iterator[Way]:
    """Yield removals after the listener's return, which stores no offset any more."""
    ends: Way = does("ends", none=0, more=0, half=_half, offset=lambda s, h: h.after)
    for first, so in ((ends, _has_returned), *((one, _cut) for one in CUT)):
        for way in ways:
            action, choices = way.moves[0]
            yield replace(first.then(action, **choices), only=_all(so, way.only), sees=lambda s, h: Not(s.present))


def _shut(s: Offsets, h: AtQueue) -> Bool:
    """Check that the shutdown has committed the offset in memory."""
    if not h.base or h.overtaken:
        return True
    return Implies(s.sending, False if h.shut is None else s.sent == h.shut)


def _is_marked(s: Offsets, h: AtQueue) -> Bool:
    return Or(s.dropped, Not(s.present))


def _unstored(h: AtQueue) -> str:
    return f"the listener returned from {h.message} at {h.event.end.at} ms, but no offset was stored"


def _unreturned(s: Offsets, h: AtQueue) -> Bool:
    return Or(Not(s.late), h.returned is None)


def _late_return(event: str, **fields: Any) -> Row[Offsets]:
    """Return the row of a removal after which the listener, which has returned, stores no offset."""
    return shows(
        event,
        nothing(_unreturned),
        does("ends_late", only=lambda s, h: And(s.late, h.returned is not None), more=0, half=_half),
        about=MESSAGE,
        **fields,
    )


def _is_dropped(s: Offsets, h: AtQueue) -> Bool:
    return s.memory == NO_OFFSET


FIRST_PULL: tuple[Way, ...] = tuple(
    does("fixes", silent=0, error=0, zero=zero, older=0, offset=lambda s, h: h.known.searched) for zero in (0, 1)
)


def _answers_first(s: Offsets, h: AtQueue) -> Bool:
    """Check that a first pull can receive the committed offset as the answer that the store uses."""
    none = And(s.committed == NONE, h.event.offset <= 0)
    return And(s.present, Not(s.fixed), Or(not h.base, s.committed == h.event.offset, none))


def _follows(s: Offsets) -> bool:
    """Return whether the client still has the message: pulled, in a listener, or not yet stored."""
    return bool(s.cached or s.runs or s.late or s.recording or s.noting)


NOTHING = "it commits nothing, but there is an offset in memory"
OF_CLAIMS = (
    *("known", "missed", "ignored", "owed", "uncommitted", "consumed", "given", "again", "back", "kept", "taken"),
    *("overtime", "excess", "finished", "owned", "awaited", "had", "begun"),
)
"""Fields that only claims use."""
TABLE: Recorded[Offsets, Limits] = Recorded(
    each="message",
    begins="",
    ends=(),
    rows=(
        # The broker: commits of any consumer arrive, polls show the table, and it answers queries.
        shows(
            "answered",
            ARRIVES,
            nothing(lambda s, h: h.sent and h.resets),
            code=UPDATE,
            about=QUEUE,
            why=lambda h: f"{h.value} is committed, but no consumer has sent it",
        ),
        *raced(
            "table",
            *COMMITTED,
            early=lambda h: h.polls_late,
            about=QUEUE,
            why=_uncommitted,
        ),
        *raced(
            "answered",
            *COMMITTED,
            early=lambda h: h.polls_late,
            only=lambda h: h.answers,
            code=QUERY,
            about=QUEUE,
            why=_uncommitted,
        ),
        # The answer may be older than the last commits.
        shows(
            "answered",
            environment(lambda s, h: s.but(copied=s.committed, committed=h.value if h.answers else s.committed)),
            code=QUERY,
            only=lambda h: h.rebalances,
        ),
        shows(
            "answered",
            *_query(),
            code=QUERY,
            only=lambda h: h.rebalances and not h.twice,
            why="no rebalance reads an offset now",
        ),
        shows("answered", *_query(), code=QUERY, only=lambda h: h.rebalances and h.twice, may=True),
        shows(
            "answered",
            environment(lambda s, h: s.but(committed=s.copied, copied=0)),
            code=QUERY,
            only=lambda h: h.rebalances,
        ),
        *(
            shows(
                "answer",
                environment(lambda s, h: s.but(end=If(s.end < h.event.said.offset, h.event.said.offset, s.end))),
                code=code,
                only=lambda h: h.event.said.offset is not None,
                about=QUEUE,
            )
            for code in (ENDS, SEARCHES)
        ),
        # A rebalance adds the queue.
        shows(
            "offset-read",
            nothing(lambda s, h: s.asking),
            *(does("asks", silent=1 - error, error=error, zero=0, replica=0) for error in (0, 1)),
            *(
                does("adds", offset=0).then("asks", silent=1 - error, error=error, zero=0, replica=0)
                for error in (0, 1)
            ),
            result=UNHEARD,
            only=lambda h: not h.known.fixing and not h.known.entry,
            why="no rebalance reads an offset now",
        ),
        shows(
            "entry-new",
            does("adds", offset=lambda s, h: h.known.searched, sees=lambda s, h: s.present),
            why="no rebalance has received a start offset",
        ),
        # Pulls. A first pull of an ordered consumer queries the offset again.
        shows(
            "ask",
            *(
                does("fixes", silent=silent, error=error, zero=0, older=0, offset=lambda s, h: h.known.searched)
                for silent, error in ((1, 0), (0, 0), (0, 1))
            ),
            code=PULL,
            only=lambda h: h.known.fixing,
            may=True,
            about=QUEUE,
        ),
        shows(
            "ask",
            nothing(_continues),
            code=PULL,
            about=QUEUE,
            why=lambda h: f"it is pulled from {h.event.said.queue_offset}",
        ),
        shows(
            "pulled",
            nothing(lambda s, h: Or(Not(s.present), s.next < h.event.min, s.next > h.event.max, h.moved)),
            status=ILLEGAL,
            about=QUEUE,
            why=lambda h: f"the pull is moved to {h.event.next}, but no reset has asked for it",
        ),
        shows(
            "pulled",
            nothing(lambda s, h: False),
            only=lambda h: h.event.status != ILLEGAL and h.unmoved,
            about=QUEUE,
            why="the queue's offset was reset, but the next pull was not moved there",
        ),
        shows(
            "pulled",
            nothing(_not_fresh),
            environment(
                lambda s, h: s.but(end=h.message),
                only=lambda s, h: And(h.fresh, Or(Not(s.present), s.next <= h.message)),
            ).then("arrives"),
            only=lambda h: h.event.status != ILLEGAL,
            about=MESSAGE,
            why="the message has not arrived",
        ),
        shows(
            "pulled",
            environment(_raised, only=lambda s, h: Not(h.fresh), sees=_is_next),
            environment(_raised, only=lambda s, h: And(h.fresh, Or(h.late_pull, Not(s.present)))),
            environment(_raised, only=lambda s, h: Not(h.fresh), sees=_is_next).then("passes", offset=_next),
            environment(_raised, only=_of_message, sees=_is_next).then("pulls", offset=_next),
            only=lambda h: h.event.status != ILLEGAL,
            why=lambda h: f"the next pull is from {h.event.next}",
        ),
        # The listener.
        *raced(
            "begin",
            does("starts"),
            early=lambda h: h.hesitates,
            looks=False,
            about=MESSAGE,
            why=lambda h: f"the listener is called with {h.message}",
        ),
        shows(
            "end",
            does("ends_late", more=0, half=_half),
            only=lambda h: not h.early_call and h.former_call,
            about=MESSAGE,
            why=lambda h: f"no listener is called with {h.message}",
        ),
        shows(
            "end",
            nothing(lambda s, h: And(s.runs, Implies(h.half, s.cut))),
            does("interrupts", only=lambda s, h: And(h.half, s.runs), sees=lambda s, h: s.cut),
            does("ends_late", only=lambda s, h: s.late, more=0, half=_half),
            does("interrupts", only=lambda s, h: And(h.half, s.late)).then("ends_late", more=0, half=_half),
            only=lambda h: not h.early_call and not h.former_call,
            about=MESSAGE,
            why=lambda h: f"no listener is called with {h.message}",
        ),
        shows(
            "returned",
            nothing(lambda s, h: Or(not h.overdue, Not(s.runs), s.dropped, not h.known.mine)),
            only=lambda h: not h.known.closing,
            about=MESSAGE,
            why=_unstored,
        ),
        shows(
            "returned",
            nothing(lambda s, h: Or(not h.overdue, Not(And(s.runs, s.cut)))),
            does("returns_interrupted", only=lambda s, h: h.overdue, half=_half),
            only=lambda h: h.known.closing and bool(h.known.entry),
            about=MESSAGE,
            why="its listener has returned",
        ),
        # Updates of the offset in memory: by an answer, a reset, a listener, or a pull that finds nothing.
        shows(
            "offset-update",
            *(replace(way, only=_at_queue, sees=lambda s, h: s.memory == h.event.offset) for way in FIRST_PULL),
            *(
                environment(
                    lambda s, h: s.but(committed=h.event.offset),
                    only=_of_message,
                    sees=lambda s, h: s.memory == h.event.offset,
                ).then("fixes", **dict(way.moves[0][1]))
                for way in FIRST_PULL
            ),
            does(
                "fixes",
                only=lambda s, h: And(h.base, Not(_answers_first(s, h))),
                silent=0,
                error=0,
                zero=0,
                older=1,
                offset=_value,
            ),
            does("overtaken", only=lambda s, h: Not(_answers_first(s, h)), offset=_value),
            only=lambda h: h.known.how == "fixed",
            why="no first pull has received that answer",
        ),
        shows(
            "offset-update",
            nothing(lambda s, h: And(s.asking, s.answer == h.event.offset)),
            # Another thread's rebalance has added the queue meanwhile.
            replace(
                outside(lambda s, h: s.but(memory=h.event.offset)),
                only=lambda s, h: And(s.present, bool(h.known.entry)),
            ),
            only=lambda h: h.known.how == "read",
            about=QUEUE,
            why="no rebalance has received that answer",
        ),
        shows(
            "offset-update",
            does("rewinds", sees=lambda s, h: s.memory == h.event.offset),
            replace(
                does("suspends", zero=lambda s, h: h.event.offset == 0, offset=_value).then("rewinds"),
                sees=lambda s, h: s.memory == h.event.offset,
            ),
            only=lambda h: h.known.how == "reset",
            why="a reset stores its offset in memory",
        ),
        shows(
            "offset-update",
            nothing(lambda s, h: False),
            only=lambda h: h.known.how == "stored" and not _stored(h),
            why=lambda h: f"offset {h.event.offset} replaces the one in memory, but no reset has asked for it",
        ),
        shows(
            "offset-update",
            *_stores(),
            only=lambda h: _stored(h) and not h.crosses and not h.ahead,
            about=QUEUE,
            why=_not_stored,
        ),
        shows(
            "offset-update",
            *_stores(),
            only=lambda h: _stored(h) and h.ahead > 0,
            early=lambda h: h.ahead,
            about=QUEUE,
            why=_not_stored,
        ),
        shows(
            "offset-update",
            *_stores(),
            only=lambda h: _stored(h) and not h.crosses,
            about=MESSAGE,
            why=_not_stored,
        ),
        shows(
            "offset-update",
            nothing(_pends),
            *(replace(way, sees=_pends) for way in BEFORE),
            only=lambda h: _stored(h) and h.crosses > 0,
            early=lambda h: h.crosses,
            about=QUEUE,
            looks=True,
            why=_not_stored,
        ),
        shows("offset-update", *PUT, only=lambda h: _stored(h) and h.crosses > 0, about=QUEUE),
        shows("offset-update", *_stores(), *PUT, only=lambda h: _stored(h) and h.crosses > 0, about=MESSAGE),
        # Commits: the offset in memory is read some time before the request.
        shows(
            "ask",
            nothing(lambda s, h: False),
            code=UPDATE,
            only=lambda h: h.commits and not h.due,
            about=QUEUE,
            why=lambda h: f"it commits {h.value}, but its offset was not to be persisted",
        ),
        *(
            row
            for code in (UPDATE, PULL)
            for row in raced(
                "ask",
                does("sends", more=0, sees=_sends),
                early=lambda h: h.reads,
                code=code,
                only=lambda h: h.commits and (h.event.code == PULL or h.due),
                about=QUEUE,
                why=lambda h: f"it commits {h.value}, but the offset in memory differs",
            )
        ),
        shows(
            "ask",
            nothing(_none),
            does("forgets", only=lambda s, h: Not(_none(s, h)), sees=_none),
            code=PULL,
            only=lambda h: not h.commits and not h.reads,
            about=QUEUE,
            why=NOTHING,
        ),
        shows(
            "ask",
            nothing(_none),
            code=PULL,
            only=lambda h: not h.commits and h.reads > 0,
            early=lambda h: h.reads,
            about=QUEUE,
            looks=True,
            why=NOTHING,
        ),
        shows(
            "persist-all",
            does("copies"),
            does("finishes").then("copies"),
            about=QUEUE,
            why="offsets are persisted",
        ),
        # A rebalance or a reset removes the process queue.
        shows(
            "persist",
            *(replace(one, sees=_commits_memory) for one in REVOKES),
            does("retires", more=0, sees=_commits_memory),
            nothing(lambda s, h: And(h.again, Not(s.present))),
            why=_not_removed,
        ),
        _late_return("persist"),
        shows(
            "offset-removed",
            nothing(lambda s, h: Or(_is_dropped(s, h), Not(And(h.base, bool(h.known.entry), h.known.persisted > 0)))),
            replace(
                outside(lambda s, h: s.but(memory=NO_OFFSET)),
                only=lambda s, h: And(h.known.lost, Not(_is_dropped(s, h))),
            ),
            why="its offset is dropped",
        ),
        shows(
            "entry",
            nothing(_is_marked),
            does("marks"),
            does(
                "suspends",
                only=lambda s, h: h.aim is not None,
                zero=lambda s, h: h.aim == 0,
                offset=lambda s, h: h.aim,
            ),
            dropped=True,
            only=lambda h: h.event.entry == h.known.entry,
            why="its entry is dropped",
        ),
        shows(
            "entry-gone",
            does("shuts", more=0, sees=_shut),
            how="clear",
            why=lambda h: f"its entry is removed, but its shutdown committed {h.shut}, and not the offset in memory",
        ),
        shows(
            "entry-gone",
            does("unsubscribes"),
            only=lambda h: h.event.how != "clear" and not h.known.persisted,
            why="its entry is removed from the table",
        ),
        shows(
            "entry-gone",
            nothing(lambda s, h: Not(s.present)),
            *(replace(one, sees=lambda s, h: Not(s.present)) for one in REVOKES),
            *_after_return(REVOKES),
            only=lambda h: h.event.how != "clear" and h.known.persisted,
            why="its entry is removed from the table",
        ),
        _late_return("entry-gone"),
        # The process ends.
        shows(
            "shutdown-end",
            nothing(lambda s, h: s.closed),
            does("shuts", more=0),
            does("adds", offset=0).then("shuts", more=0),
            about=QUEUE,
            why="it was shut down",
        ),
        shows(
            "killed",
            does("crashes", sees=lambda s, h: And(s.closed, Not(s.present))),
            about=QUEUE,
            why="its process has ended",
        ),
    ),
    hidden=(),
    urgent=(),
    kept=frozenset(),
    late="",
    first=lambda h: h.initially,
    passing=frozenset(("sending", "sent", "origin", *OF_CLAIMS)),
    follows=_follows,
)
