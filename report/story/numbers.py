"""Numbers of a case in words."""


def seconds(milliseconds: int) -> str:
    """``20.001 s``: to the millisecond, because limits are."""
    return f"{milliseconds / 1000:.10g} s"
