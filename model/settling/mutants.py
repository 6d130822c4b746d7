"""Mutants of the rebalance thread: ``WRONG`` for claims to notice, ``SLIPS`` for proof obligations alone."""

from dataclasses import replace

from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.machine.values import If
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Choices, Service
from rebalance_proofs.model.settling.service_thread import LOOKS, RUNS, WOKEN
from rebalance_proofs.model.settling.spans import Variant

__all__ = ["SLIPS", "WRONG"]

Mistake = Wrong[Service, Choices, Limits, Variant]
WRONG = (
    Mistake(
        "forgets",
        "a thread that was woken waits all the same",
        lambda s, c, lim, turn: turn.but(at=If(s.at == LOOKS, s.at + 1, s.at)),
        "looks",
        "woken",
    ),
    Mistake(
        "stays-woken",
        "a thread that was woken stays so until it has waited",
        lambda s, c, lim, turn: turn.but(flag=s.flag),
        "looks",
        "waits",
        # Where two rebalances have to be apart it does so between two looks, in no time, and so is not seen to hurry.
        of=lambda client: not client.least,
    ),
    Mistake(
        "waits-less",
        "after a rebalance it waits the least interval, whatever that has done",
        lambda s, c, lim, turn: turn.but(interval=lim.least),
        "ends",
        "waits",
    ),
    Mistake(
        "opens-nothing",
        "a latch that is counted down stays closed",
        lambda s, c, lim, turn: turn.but(open=s.open),
        "counts",
        "woken",
    ),
    Mistake(
        "waits-longer",
        "after a rebalance it waits three times as long",
        lambda s, c, lim, turn: turn.but(interval=3 * lim.wait + 3 * lim.least),
        "ends",
        "settles",
    ),
    Mistake(
        "sees-nothing",
        "no rebalance sees the change",
        lambda s, c, lim, turn: turn.but(right=s.right),
        "ends",
        "settles",
    ),
    Mistake(
        "hurries",
        "a rebalance begins whenever a wait ends",
        lambda s, c, lim, turn: replace(turn, guard=s.at == WOKEN),
        "begins",
        "apart",
        of=lambda client: client.least,
    ),
    Mistake(
        "rebalances-itself",
        "whoever wakes the thread rebalances in its place",
        lambda s, c, lim, turn: turn.but(called=True, called_at=s.now),
        "stirs",
        "alone",
    ),
)
SLIPS = (
    Mistake(
        "owes-more",
        "Whatever happens, the change has to have been seen before.",
        lambda s, c, lim, turn: turn.but(changed=True, right=False, due=turn.after.last - 1),
    ),
    Mistake(
        "is-late",
        "Whatever happens, the last rebalance has not ended yet.",
        lambda s, c, lim, turn: turn.but(last=turn.after.last + turn.after.began + turn.after.since + 99),
    ),
    Mistake(
        "is-nowhere",
        "Whatever happens, the thread is nowhere then.",
        lambda s, c, lim, turn: turn.but(at=-1),
    ),
    Mistake(
        "began-later",
        "Whatever happens, a rebalance runs that begins before the last one ended.",
        lambda s, c, lim, turn: turn.but(at=RUNS, began=turn.after.last - 1),
    ),
    Mistake(
        "calls",
        "Whatever happens, another thread rebalances then.",
        lambda s, c, lim, turn: turn.but(called=True, follows=True),
    ),
)
"""Mutants whose every action leaves wrong values in the successor state (``proofs.mutation.slips``)."""
