"""Modes of a consumer, by the names that users know."""

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
"""Modes that divide the queues among consumers. Claims that name no mode are about these."""
