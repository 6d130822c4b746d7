"""Mutants of heartbeats and brokers, each with one error.

Claims must reject those in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof fails.
"""

from dataclasses import replace

from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.machine.values import And, Bool, If, Not, Or
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Choices, Subscription, Variant

Mistake = Wrong[Subscription, Choices, Limits, Variant]
After = Turn[Subscription]


def _plain(client: Variant) -> bool:
    return not client.fingerprints


def _counts_versions(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    newer = And(c.topic, If(c.newer, s.now, c.version) > s.latest)
    return turn.but(stirred=Or(turn.after.stirred, newer))


def _adds_only(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    kept = Or(s.has, turn.after.has)
    changes = kept != s.has
    odd = Or(s.odd, changes != (s.had != turn.after.had))
    return turn.but(has=kept, changed=If(changes, s.now, s.changed), odd=odd)


def _takes_any(s: Subscription, c: Choices, lim: Limits, turn: After) -> After:
    return turn.but(matches=And(s.matches, Not(c.topic)))


def _filtered(s: Subscription) -> Bool:
    return Or(s.lost, And(s.has, Not(s.matches)))


WRONG = (
    Mistake(
        "counts-versions",
        ("a newer version triggers a notification like a change of topics"),
        _counts_versions,
        "others",
        "calm",
    ),
    Mistake(
        "sends-nothing",
        "a client that raises its version sends no heartbeat",
        lambda s, c, lim, turn: turn.but(at=s.at, began=s.began),
        "raises",
        "accepted-soon",
    ),
    Mistake(
        "first-stays",
        "the broker does not update the topic's version",
        lambda s, c, lim, turn: turn.but(latest=s.latest),
        "arrives",
        "accepted",
    ),
    Mistake(
        "adds-only", "no heartbeat removes a topic from the table", _adds_only, ("others", "arrives"), "exactly", _plain
    ),
    Mistake(
        "takes-any",
        ("the broker filters the member's pulls with a wrong expression"),
        _takes_any,
        "others",
        "own-tags",
        _plain,
    ),
    Mistake(
        "takes-none",
        ("the broker filters pulls of other members with a wrong expression"),
        _takes_any,
        "others",
        "all-tags",
        _plain,
    ),
    Mistake(
        "adds-nothing",
        "no heartbeat of the member adds a topic to the table",
        lambda s, c, lim, turn: turn.but(has=s.has),
        "arrives",
        "answered",
        _plain,
    ),
    Mistake(
        "filters-posted",
        "a pull that carries its expression is filtered by the broker's expression",
        lambda s, c, lim, turn: turn.but(lost=_filtered(s)),
        "posts",
        "posted",
        _plain,
    ),
    Mistake(
        "older-is-fine",
        "the broker filters with an expression older than the pull's",
        lambda s, c, lim, turn: turn.but(lost=_filtered(s)),
        "pulls",
        "own-tags.newest",
        _plain,
    ),
    Mistake(
        "stays-known",
        "a client that is notified of a group change still believes that the broker has its subscriptions",
        lambda s, c, lim, turn: turn.but(known=Or(s.known, turn.after.known)),
        "arrives",
        "answered-later",
        lambda client: client.fingerprints,
    ),
    Mistake(
        "at-once",
        "the first pull of a queue is not delayed",
        lambda s, c, lim, turn: replace(turn, guard=And(s.subscribes, s.fresh)),
        "firsts",
        "first-pull",
        lambda client: client.delays,
    ),
)
SLIPS = (
    Mistake(
        "goes-wrong",
        "After any action, every forbidden event has happened.",
        lambda s, c, lim, turn: turn.but(odd=True, stirred=True, lost=True, missed=True, barred=True),
    ),
    Mistake(
        "is-long-ago",
        "After any action, the last heartbeats and pulls were long ago.",
        lambda s, c, lim, turn: turn.but(
            changed=turn.after.heard - 1, left=turn.after.heard, moved=turn.after.moved - 1, refused=True
        ),
    ),
    Mistake(
        "lets-through",
        "After any action, the broker accepts the next pull.",
        lambda s, c, lim, turn: turn.but(has=True, latest=turn.after.mine, refused=False),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""
