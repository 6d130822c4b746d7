"""Mutants of the rebalance thread, each with one error.

Claims must reject those in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof fails.
"""

from dataclasses import replace

from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.machine.values import If
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Choices, Service
from rebalance_proofs.model.settling.service_thread import CHECKS, CLEARS, LOOKS, RUNS, WAITS, WOKEN
from rebalance_proofs.model.settling.spans import Variant

__all__ = ["SLIPS", "WRONG"]

Mistake = Wrong[Service, Choices, Limits, Variant]
WRONG = (
    Mistake(
        "forgets",
        "a thread that was woken waits nevertheless",
        lambda s, c, lim, turn: turn.but(at=If(s.at == LOOKS, s.at + 1, s.at)),
        "looks",
        "woken",
        of=lambda client: not client.parks,
    ),
    Mistake(
        "forgets-and-parks",
        "a thread that was woken waits nevertheless",
        lambda s, c, lim, turn: turn.but(at=If(s.at == LOOKS, CHECKS, s.at), since=s.now),
        "looks",
        "woken",
        of=lambda client: client.parks,
    ),
    Mistake(
        "parks-unchecked",
        "the thread parks again without a check of its flag",
        lambda s, c, lim, turn: turn.but(at=If(s.now >= s.since + s.interval, CLEARS, WAITS)),
        "checks",
        "woken",
        of=lambda client: client.parks,
    ),
    Mistake(
        "ends-unchecked",
        "the wait ends whenever `park` returns",
        lambda s, c, lim, turn: turn.but(at=CLEARS),
        "wakes",
        "waits",
        of=lambda client: client.parks,
    ),
    Mistake(
        "stays-interrupted",
        "an interrupt stays pending after it has ended a wait",
        lambda s, c, lim, turn: turn.but(interrupted=s.interrupted),
        "gives_up",
        "one-wait",
        of=lambda client: not client.parks,
    ),
    Mistake(
        "stays-woken",
        "the flag of a woken thread stays set until the thread has waited",
        lambda s, c, lim, turn: turn.but(flag=s.flag),
        "looks",
        "waits",
        # With a minimum time between rebalances, the mutant checks twice without time passing, so it does not rebalance
        # too early.
        of=lambda client: not client.least,
    ),
    Mistake(
        "waits-less",
        "after every rebalance, the thread waits only the minimum interval",
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
        "after a rebalance, the thread waits three times as long",
        lambda s, c, lim, turn: turn.but(interval=3 * lim.wait + 3 * lim.least),
        "ends",
        "settles",
    ),
    Mistake(
        "sees-nothing",
        "no rebalance uses the new member list",
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
        "the thread that calls `wakeup` rebalances itself",
        lambda s, c, lim, turn: turn.but(called=True, called_at=s.now),
        "stirs",
        "alone",
    ),
)
SLIPS = (
    Mistake(
        "owes-more",
        "After any action, the change must have been used before.",
        lambda s, c, lim, turn: turn.but(changed=True, right=False, due=turn.after.last - 1),
    ),
    Mistake(
        "is-late",
        "After any action, the last rebalance has not ended yet.",
        lambda s, c, lim, turn: turn.but(last=turn.after.last + turn.after.began + turn.after.since + 99),
    ),
    Mistake(
        "is-nowhere",
        "After any action, the thread is at no valid position.",
        lambda s, c, lim, turn: turn.but(at=-1),
    ),
    Mistake(
        "began-later",
        "After any action, a rebalance runs that began before the last one ended.",
        lambda s, c, lim, turn: turn.but(at=RUNS, began=turn.after.last - 1),
    ),
    Mistake(
        "calls",
        "After any action, another thread rebalances.",
        lambda s, c, lim, turn: turn.but(called=True, follows=True),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""
