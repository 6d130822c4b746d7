"""Faults that leave every command green, and so are not noticed."""

from tests.faults.fault import Fault, fault, proving

UNNOTICED: tuple[Fault, ...] = (
    # the sum's last value at c is not said any more, so that base and step do not give the closed form
    fault(
        "base-says-less",
        "_base",
        "== 0, starts(s, v.c) == v.q))",
        "== 0))",
        proving("movement.avg.moved"),
        "moved.base",
    ),
)
"""``says`` is what a command would have to print."""
