"""How the actions show in a recording of one queue of one process."""

from dataclasses import replace

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.recorded import Cause, History, Recorded, Unseen, Urgent, does, nothing, shows
from rebalance_proofs.model.machine.values import Bool, Int, Not
from rebalance_proofs.model.machines.pulls.actions import Limits, Pulls

PULL, QUERY = "PULL_MESSAGE", "QUERY_CONSUMER_OFFSET"
"""Requests of the pull thread: a pull, and the start offset of an ordered queue."""
LIST = "GET_CONSUMER_LIST_BY_GROUP"
THREAD, REBALANCING = "PullMessageService", "RebalanceService"
PUT_OFF = 3_000
"""Longest time in ms after which a postponed pull request returns to the pull thread."""
PULL_ENDS = 30_000 + PUT_OFF
"""Longest time in ms until a pull ends and its pull request can be used again."""
FLOW = 1_000
"""Number of unconsumed messages at which pulls are postponed (``pullThresholdForQueue``)."""
POLLED = 250
"""Longest time in ms from a poll of the process queue table to its event."""
CONNECTS = 3_000
"""Longest time in ms for which a request waits for its connection (``connectTimeoutMillis``)."""
SUSPENDING = 2_000
"""Longest time in ms from a call of ``suspend()`` until the consumer is suspended."""


def _is_assigned(s: Pulls, h: History) -> bool:
    """Return True if the last rebalance of the topic has assigned the queue to the consumer."""
    return not h.closing and h.queue in (h.assigned.get(h.topic) or ())


def _is_not_assigned(s: Pulls, h: History) -> bool:
    return not _is_assigned(s, h)


def _is_overdue(s: Pulls, h: History) -> bool:
    """Return True if the queue is the consumer's, but no pull of it has begun for too long."""
    return _is_assigned(s, h) and h.idle > PULL_MAX_IDLE_TIME


def _absent(s: Pulls, h: History) -> Bool:
    return Not(s.present)


def _dropped(s: Pulls, h: History) -> Bool:
    return s.dropped


def _was_removed(s: Pulls, h: History) -> bool:
    """Return True if the process queue was removed after the poll was made, and before it was written."""
    return bool(h.since("entry-gone", h.at - POLLED, entry=h.event.entry))


def _promptly(s: Pulls, h: History, since: int) -> int | None:
    """Return within how many ms the pull thread takes a waiting request and sends a pull.

    None if it may put it off, or if the recording has no pulls.
    """
    waits = h.ordered or h.unread >= FLOW or h.flow_limits or h.disturbed(since - PULL_ENDS)
    return PUT_OFF + h.unsubscribed(since, PUT_OFF) if h.pulls and not h.closing and not waits else None


def _answers(s: Pulls, h: History, since: int) -> int | None:
    """Return within how many ms a pull ends, and its request is taken again."""
    prompt = _promptly(s, h, since)
    return None if prompt is None else PULL_ENDS + prompt


def _sends(old: bool) -> tuple[Urgent[Pulls], Urgent[Pulls]]:
    """Return the urgent actions that send a pull: for a request that waits, and after the last pull has ended.

    ``old``: whether the request is of a process queue that has left the table.
    """
    takes: Cause[Pulls] = does("takes", later=False, old=old)
    again: Cause[Pulls] = does("answers", old=old).then("takes", later=False, old=old)

    def sent(before: Pulls, after: Pulls) -> Int:
        return after.pulling + after.old_pulling - before.pulling - before.old_pulling

    return (
        Urgent(takes, _promptly, lambda before, after: sent(before, after) > 0),
        Urgent(again, _answers, lambda before, after: sent(before, after) == 0),
    )


def _is_lost(s: Pulls, h: History) -> bool:
    """Return True if the process queue is later removed as no longer pulled, and no event shows why."""
    return h.loses_request


TAKES: tuple[Cause[Pulls], ...] = does("takes", later=False, old=False), does("takes", later=False, old=True)
SENDS: tuple[Cause[Pulls], ...] = does("sends", later=False, old=False), does("sends", later=False, old=True)
ENDS: tuple[Cause[Pulls], ...] = does("answers", old=False), does("answers", old=True)
"""A pull ends without an event: it was refused, or it timed out."""
_WAYS: tuple[Cause[Pulls], ...] = (
    *TAKES,
    *(replace(one, only=lambda s, h: h.ordered) for one in SENDS),
    *(failed.then("takes", later=False, old=old) for failed in ENDS for old in (False, True)),
)
PULLED = tuple(replace(one, sees=lambda s, h: s.pulling + s.old_pulling > 0) for one in _WAYS)
"""The pull thread sends a pull; it sends none for a dropped process queue."""
REMOVED = "its entry is removed from the table"
NO_PULL = "no pull of the queue is under way"
NO_REQUEST = "no request of the queue waits"


def _revokes(stays: bool) -> tuple[Cause[Pulls], ...]:
    """Return the causes of the queue's removal: it was assigned to another consumer, or its pull expired."""
    idle = does("waits", only=_is_overdue, span=lambda s, h: h.idle)
    return (
        does("revokes", only=_is_not_assigned, in_set=False, stays=stays),
        idle.then("revokes", in_set=True, stays=stays),
    )


def _resets(stays: bool) -> tuple[Cause[Pulls], ...]:
    """Return the removal by an offset reset. It ignores that the consumer is suspended, other than a rebalance."""
    own: Cause[Pulls] = does("revokes", only=lambda s, h: h.topic in h.resetting, in_set=False, stays=stays)
    suspended: Cause[Pulls] = does("resumes", only=lambda s, h: h.topic in h.resetting)
    return own, suspended.then("revokes", in_set=False, stays=stays).then("suspends")


def _takes_long(h: History) -> int:
    """Return how many ms after it has begun a pull is sent: it waited for a connection, or its entry was removed."""
    return max(min(h.waited, CONNECTS), h.overtaken)


def _raises(action: str) -> tuple[Cause[Pulls], ...]:
    """Return the ways in which the pull thread takes a request and loses it. A pull may have failed before."""
    return (does(action), *(failed.then(action) for failed in ENDS))


TABLE: Recorded[Pulls, Limits] = Recorded(
    each="queue",
    begins="",
    ends=(),
    rows=(
        # A rebalance adds and removes the queue's process queue. A poll sees it dropped.
        shows("entry-new", does("adds", silent=False), why="the queue already has an entry"),
        shows(
            "entry-gone",
            nothing(_absent),
            *(replace(one, sees=_absent) for one in (*_revokes(stays=False), does("repairs"))),
            only=lambda h: h.event.how != "reset",
            why=REMOVED,
        ),
        shows(
            "entry-gone",
            nothing(_absent),
            *(replace(one, sees=_absent) for one in _resets(stays=False)),
            how="reset",
            why=REMOVED,
        ),
        shows(
            "entry",
            nothing(_dropped),
            nothing(_was_removed),
            *(replace(one, sees=_dropped) for one in (*_revokes(stays=True), *_resets(stays=True))),
            does("illegal", only=lambda s, h: not h.results, old=False),
            dropped=True,
            in_table=True,
            why="its entry is dropped",
        ),
        # The pull thread sends a pull. The pull before it may have failed, which has no event.
        # A thread that has to connect first writes the request after others that were created later.
        shows("ask", *PULLED, code=PULL, only=lambda h: not _takes_long(h), why=NO_REQUEST),
        shows("ask", *PULLED, code=PULL, only=lambda h: _takes_long(h) > 0, early=_takes_long, why=NO_REQUEST),
        shows(
            "ask",
            does("asks", sees=lambda s, h: s.asking > 0),
            replace(does("sends", later=True, old=False).then("asks"), sees=lambda s, h: s.asking > 0),
            code=QUERY,
            thread=THREAD,
            why=NO_REQUEST,
        ),
        # The answer to a pull, unless the thread is interrupted before it can return the request.
        shows(
            "pulled",
            *ENDS,
            only=lambda h: h.event.status != "OFFSET_ILLEGAL" and not h.interrupted,
            why=NO_PULL,
        ),
        shows(
            "pulled",
            does("illegal"),
            only=lambda h: h.event.status == "OFFSET_ILLEGAL" and not h.interrupted,
            why=NO_PULL,
        ),
        shows("pulled", does("interrupts"), only=lambda h: h.interrupted, why=NO_PULL),
        # Code of the user throws: an offset store or an RPC hook in the pull thread, or a callback.
        shows("threw", *_raises("errs"), only=lambda h: h.event.where in ("hook", "store"), error=True, why=NO_REQUEST),
        shows("threw", *_raises("hooks"), where="hook", error=False, why=NO_REQUEST),
        shows("threw", *_raises("throws"), where="store", error=False, why=NO_REQUEST),
        shows("threw", does("breaks"), nothing(), where="callback", error=True, why=NO_PULL),
        shows("threw", does("answers", old=False), nothing(), where="callback", error=False, why=NO_PULL),
        # The user suspends the consumer, and resumes it.
        shows("suspending", does("suspends"), nothing(lambda s, h: s.suspended), late=SUSPENDING),
        shows("resuming", does("resumes"), nothing(lambda s, h: Not(s.suspended)), why="it is suspended"),
        # An offset reset suspends the consumer, too, and resumes it in another thread, which then rebalances.
        shows("reset-told", does("suspends"), nothing(lambda s, h: s.suspended), late=SUSPENDING),
        shows(
            "ask",
            does("resumes"),
            nothing(lambda s, h: Not(s.suspended)),
            code=LIST,
            only=lambda h: bool(h.resetting) and h.event.thread != REBALANCING,
        ),
        shows(
            "reset-done", does("resumes"), nothing(lambda s, h: Not(s.suspended)), only=lambda h: len(h.resetting) == 1
        ),
        shows(
            "reset-done",
            does("suspends"),
            nothing(lambda s, h: s.suspended),
            only=lambda h: len(h.resetting) > 1,
        ),
    ),
    hidden=(
        Unseen(does("throws", only=_is_lost), missing=True),
        Unseen(does("interrupts", only=_is_lost), missing=True),
    ),
    urgent=(
        *_sends(old=False),
        *_sends(old=True),
    ),
    shared=("ended",),
    kept=frozenset(),
    late="no pull of the queue was sent, although a request waits",
    first=lambda h: ({"suspended": h.suspended is not None},),
)
