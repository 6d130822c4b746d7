"""Mutants of pull requests, each with one error.

Claims must reject those in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof fails.
"""

from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.machine.values import And, Bool, Not, Or
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Choices, Pulls, Variant

__all__ = ["SLIPS", "WRONG"]

Mistake = Wrong[Pulls, Choices, Limits, Variant]


def _goes_on(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    after = turn.after
    return turn.but(unmarked=Or(after.unmarked, And(Not(after.present), Not(s.dropped))))


def _stays_as_it_is(s: Pulls, turn: Turn[Pulls], condition: Bool) -> Turn[Pulls]:
    return turn.but(**vars(turn.after.where(condition, **vars(s))))


def _never_expires(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    expired = And(c.in_set, s.age > lim.limit)
    kept = _stays_as_it_is(s, turn, expired)
    return kept.but(**vars(kept.after.where(expired, kept=s.age)))


def _keeps_all(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    others = And(Not(c.in_set), Not(s.dropped), Not(s.suspended))
    return _stays_as_it_is(s, turn, others).but(stale=Or(turn.after.stale, others))


def _pulls_suspended(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    sent = turn.after.pulling + turn.after.old_pulling > s.pulling + s.old_pulling
    return turn.but(suspended=s.suspended, begun=Or(s.begun, And(s.suspended, sent)))


def _stamps_sent(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    put_off = And(Not(c.old), Not(s.dropped), Or(c.later, s.suspended))
    return turn.but(**vars(turn.after.where(put_off, age=s.age)))


def _never_own(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    """Return the wrong result in which a new repair task is that of a removed process queue."""
    return turn.but(repairing=0, old_repairing=turn.after.old_repairing + turn.after.repairing, dropped=True)


WRONG = (
    Mistake(
        "pulls-suspended",
        "A suspended consumer pulls.",
        _pulls_suspended,
        "takes",
        "rests",
        takes_for=lambda s: s.but(suspended=False),
    ),
    Mistake(
        "keeps-all", ("A rebalance leaves queues of other consumers in the table."), _keeps_all, "revokes", "lets-go"
    ),
    Mistake("goes-on", "A rebalance removes a process queue and does not drop it.", _goes_on, "revokes", "dies"),
    Mistake(
        "never-expires", ("A rebalance leaves an idle process queue as it is."), _never_expires, "revokes", "healed"
    ),
    Mistake("stamps-sent", "A delayed pull does not count as a pull.", _stamps_sent, "takes", "healed"),
    Mistake(
        "keeps-sent",
        "A request that is sent stays in the waiting queue, too.",
        lambda s, c, lim, turn: turn.but(waiting=s.waiting),
        "takes",
        "one-request",
    ),
    Mistake(
        "forgets",
        "The request of an answered pull is not put back.",
        lambda s, c, lim, turn: turn.but(waiting=s.waiting),
        "answers",
        "has-request",
    ),
    *(
        Mistake(
            f"repairs-others-{name}",
            "A repair task is not about the process queue of its pull.",
            _never_own,
            "illegal",
            name,
            of=lambda client: client.rules.repairs_at_once,
        )
        for name in ("hits-own-entry", "repairs-while-held")
    ),
)
SLIPS = (
    Mistake(
        "has-two-more",
        "After any action, the process queue has two more requests.",
        lambda s, c, lim, turn: turn.but(present=True, waiting=turn.after.waiting + 2),
    ),
    Mistake(
        "has-none",
        "After any action, the process queue is live and has no request.",
        lambda s, c, lim, turn: turn.but(
            present=True, dropped=False, waiting=turn.after.waiting * 0, pulling=turn.after.pulling * 0
        ),
    ),
    Mistake(
        "goes-wrong",
        "After any action, every forbidden event has happened.",
        lambda s, c, lim, turn: turn.but(
            ended=True, late=True, hit=True, wrote=True, begun=True, stale=True, hasty=True
        ),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""
