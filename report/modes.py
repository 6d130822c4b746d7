"""Modes of use of a client, as users call them."""

__all__ = ["DIVIDING", "MODES", "ORDERLY"]

ORDERLY = "push orderly"
MODES = (
    "push",
    ORDERLY,
    "push broadcasting",
    "push orderly broadcasting",
    "pull",
    "pull broadcasting",
    "lite pull",
    "lite pull broadcasting",
)
DIVIDING = tuple(mode for mode in MODES if "broadcasting" not in mode)
"""Modes in which consumers divide the queues. Claims in worlds without modes are about these."""
