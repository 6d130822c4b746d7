"""Clock times of traces, for people."""

__all__ = ["clock"]


def clock(at: int) -> str:
    """Time since the beginning, from ms: ``20.007 s``."""
    return f"{at / 1000:.3f} s"
