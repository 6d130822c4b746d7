"""Format the times in traces for people."""


def clock(at: int) -> str:
    """Return a time since the trace's beginning, from ms: ``20.007 s``."""
    return f"{at / 1000:.3f} s"
