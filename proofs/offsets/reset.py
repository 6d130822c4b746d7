"""Invariant for offset resets in a consumer: the consumer then sends the reset offset."""

from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.offsets.state import Limits, Offsets
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import ALONE, HELD, STEADY, Part, offsets


def _marked(s: Offsets, lim: Limits) -> Bool:
    quiet = Not(Or(s.recording, s.noting))
    return Implies(s.resetting, And(s.present, s.dropped, quiet, s.aim >= 0))


OF_A_RESET = (
    Part(
        "marked",
        "A process queue whose offset is being reset is dropped, and no offset of it is about to be recorded.",
        _marked,
    ),
    Part(
        "rewound",
        "After the reset has set the offset in memory, that offset is the reset's.",
        lambda s, lim: Implies(s.rewound, And(s.resetting, s.memory == s.aim)),
    ),
    Part("unmissed", "No reset has sent an offset other than the requested one.", lambda s, lim: Not(s.missed)),
)


def reset_sent(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that the offset in memory stays the reset one until it is sent."""
    return (HELD, ALONE, offsets(world), STEADY, *OF_A_RESET)
