"""Targets, and whether they are met."""


def at_least(value: float, target: float, said: str) -> str:
    """The text of a least value, and whether it is met; ``said`` is the target in words."""
    return f"at least {said}: {'met' if value >= target else 'not met'}"


def at_most(value: float, target: float, said: str) -> str:
    """The text of a greatest value, and whether it is met; ``said`` is the target in words."""
    return f"at most {said}: {'met' if value <= target else 'not met'}"


def row(*cells: object) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def heads(*titles: str) -> tuple[str, str]:
    """The first two lines of a Markdown table."""
    return row(*titles), f"|{'---|' * len(titles)}"
