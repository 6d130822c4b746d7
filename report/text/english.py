"""Format numbers, times, sizes and lists, the same way in every report.

Those that ``rebalance why`` prints have a Chinese form as well.
"""

from collections.abc import Iterable, Sequence

from rebalance_proofs.language import language


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 claim``, ``1,200 claims``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def hold(number: int, noun: str = "") -> str:
    """Return how many hold: ``1 claim holds``, ``2 claims hold``.

    Without a noun ``1 holds``, ``2 hold``.
    """
    return f"{count(number, noun) if noun else f'{number:,}'} {'holds' if number == 1 else 'hold'}"


def do_not_hold(number: int) -> str:
    """Return how many do not hold: ``1 does not hold``, ``2 do not hold``."""
    return f"{number:,} {'does' if number == 1 else 'do'} not hold"


def duration(seconds: float) -> str:
    """Return a rounded time: ``12 ms``, ``3.4 s``, ``2 min 5 s``."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def seconds(milliseconds: int) -> str:
    """Return the exact time of a trace or limit in seconds, from ms: ``20.001 s``, ``20.001 秒``."""
    return f"{milliseconds / 1000:.10g} {'秒' if language() == 'zh' else 's'}"


def group_size(size: tuple[int, int] | None) -> str:
    """Return the size of a group from (consumers, queues): ``2 consumers, 1 queue``.

    ``none found`` for None.
    """
    return "none found" if size is None else f"{count(size[0], 'consumer')}, {count(size[1], 'queue')}"


def case_size(queues: int, departures: int) -> str:
    """Return the size of a case of a rebalance: ``1 queue, 3 values out of the ordinary``.

    ``departures`` is the number of values that differ from their defaults.
    """
    unusual = count(departures, "value") if departures else "nothing"
    return f"{count(queues, 'queue')}, {unusual} out of the ordinary"


def listing(items: Iterable[str | int]) -> str:
    """Join short items: ``a``, ``a and b``, ``a, b and c``."""
    words = [str(item) for item in items]
    if language() == "zh":
        return "、".join(words)
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def clauses(items: Iterable[str]) -> str:
    """Join long items, or items that contain "and": ``a``, ``a, and b``, ``a, b, and c``."""
    words = list(items)
    if language() == "zh":
        return "；".join(words)
    return ", and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def queues(numbers: Sequence[int | str], topic: str = "") -> str:
    """Return queues by number: ``queue 0``, ``queues 0 and 1 of T``."""
    of = f" of {topic}" if topic else ""
    return f"{'queue' if len(numbers) == 1 else 'queues'} {listing(numbers)}{of}"


def capitalized(text: str) -> str:
    """Return the text with a capital first letter; all other letters stay. A Chinese text stays as it is."""
    return text if language() == "zh" else text[:1].upper() + text[1:]


def bracketed(items: Iterable[str | int]) -> str:
    """Return a list as clients log it: ``[c0, c1]``."""
    return f"[{', '.join(str(item) for item in items)}]"


def shorten(text: str, letters: int) -> str:
    """Cut the text to at most this many letters, with an ellipsis at the cut."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def shortened(texts: Sequence[str], letters: int) -> list[str]:
    """Cut the texts to at most this many letters; those with the same beginning keep their ends."""
    starts = [shorten(text, letters) for text in texts]
    return [
        f"…{text[1 - letters :]}" if starts.count(start) > 1 and start != text else start
        for text, start in zip(texts, starts, strict=True)
    ]
