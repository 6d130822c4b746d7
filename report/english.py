"""Numbers, times, sizes and lists in English, the same in every report."""

from collections.abc import Iterable, Sequence


def count(number: int, noun: str) -> str:
    """``1 claim``, ``1,200 claims``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: float) -> str:
    """``12 ms``, ``3.4 s``, ``2 min 5 s``: three digits tell enough."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def seconds(milliseconds: int) -> str:
    """``20.001 s``: of a case, to the millisecond, because limits are."""
    return f"{milliseconds / 1000:.10g} s"


def group_size(size: tuple[int, int] | None) -> str:
    """``2 consumers, 1 queue``; the size is (consumers, queues), None when no group was found."""
    return "none found" if size is None else f"{count(size[0], 'consumer')}, {count(size[1], 'queue')}"


def case_size(queues: int, departures: int) -> str:
    """How large a case of a transition is: ``1 queue, 3 values out of the ordinary``."""
    unusual = count(departures, "value") if departures else "nothing"
    return f"{count(queues, 'queue')}, {unusual} out of the ordinary"


def listing(items: Iterable[str | int]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    words = [str(item) for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def clauses(items: Iterable[str]) -> str:
    """``a``, ``a, and b``, ``a, b, and c``: for parts that are long, or have an "and" of their own."""
    words = list(items)
    return ", and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def queues(numbers: Sequence[int | str], topic: str = "") -> str:
    """``queue 0``, ``queues 0 and 1 of T``."""
    of = f" of {topic}" if topic else ""
    return f"{'queue' if len(numbers) == 1 else 'queues'} {listing(numbers)}{of}"


def capitalized(text: str) -> str:
    """With a capital letter at its beginning; all others stay as they are."""
    return text[:1].upper() + text[1:]


def bracketed(items: Iterable[str | int]) -> str:
    """``[c0, c1]``, as a client logs its lists."""
    return f"[{', '.join(str(item) for item in items)}]"


def shorten(text: str, letters: int) -> str:
    """``text`` in that many letters at most, an ellipsis standing for the rest."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
