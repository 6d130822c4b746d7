"""Numbers, times, sizes and lists in English, the same in every report."""

from collections.abc import Iterable, Sequence


def count(number: int, noun: str) -> str:
    """Number with its noun: ``1 claim``, ``1,200 claims``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: float) -> str:
    """Rounded time: ``12 ms``, ``3.4 s``, ``2 min 5 s``."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def seconds(milliseconds: int) -> str:
    """Exact time of a trace, to the millisecond as its limits: ``20.001 s``."""
    return f"{milliseconds / 1000:.10g} s"


def group_size(size: tuple[int, int] | None) -> str:
    """Size of a group, given as (consumers, queues): ``2 consumers, 1 queue``; None when no group was found."""
    return "none found" if size is None else f"{count(size[0], 'consumer')}, {count(size[1], 'queue')}"


def case_size(queues: int, departures: int) -> str:
    """Size of a case of a transition: ``1 queue, 3 values out of the ordinary``."""
    unusual = count(departures, "value") if departures else "nothing"
    return f"{count(queues, 'queue')}, {unusual} out of the ordinary"


def listing(items: Iterable[str | int]) -> str:
    """Short items as a list: ``a``, ``a and b``, ``a, b and c``."""
    words = [str(item) for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def clauses(items: Iterable[str]) -> str:
    """Long items, or items that contain an "and", as a list: ``a``, ``a, and b``, ``a, b, and c``."""
    words = list(items)
    return ", and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def queues(numbers: Sequence[int | str], topic: str = "") -> str:
    """Queues by number: ``queue 0``, ``queues 0 and 1 of T``."""
    of = f" of {topic}" if topic else ""
    return f"{'queue' if len(numbers) == 1 else 'queues'} {listing(numbers)}{of}"


def capitalized(text: str) -> str:
    """The text with a capital first letter; all other letters stay."""
    return text[:1].upper() + text[1:]


def bracketed(items: Iterable[str | int]) -> str:
    """A list as clients log it: ``[c0, c1]``."""
    return f"[{', '.join(str(item) for item in items)}]"


def shorten(text: str, letters: int) -> str:
    """``text`` cut to that many letters at most, with an ellipsis at the cut."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
