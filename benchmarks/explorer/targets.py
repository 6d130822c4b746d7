"""What is wanted, and whether it is so."""

__all__ = ["at_least", "at_most", "heads", "row"]


def at_least(value: float, target: float, said: str) -> str:
    """``said`` is the target for people."""
    return f"at least {said}: {'met' if value >= target else 'not met'}"


def at_most(value: float, target: float, said: str) -> str:
    """The same of a cost."""
    return f"at most {said}: {'met' if value <= target else 'not met'}"


def row(*cells: object) -> str:
    """Of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def heads(*titles: str) -> tuple[str, str]:
    """Of a table."""
    return row(*titles), f"|{'---|' * len(titles)}"
