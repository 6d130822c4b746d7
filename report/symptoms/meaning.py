"""Names near a user's text: strategies by their class names, and symptoms and causes by their spelling."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

WORD = re.compile(r"[\w+.#-]+")
SHIPPED = {
    "allocatemessagequeueaveragely": "avg",
    "allocatemessagequeueaveragelybycircle": "circle",
    "allocatemessagequeueconsistenthash": "hash",
    "allocatemessagequeuebymachineroom": "room",
    "allocatemachineroomnearby": "nearby",
    "allocatemessagequeuebyconfig": "config",
}
"""Short strategy name by Java class name in lower case."""


def strategy_named(words: str) -> str:
    """Return the strategy's short name for a Java class name, with or without package.

    Other words are unchanged.
    """
    return SHIPPED.get(words.strip().rpartition(".")[2].casefold(), words)


def near(text: str, names: Sequence[str]) -> str:
    """Return the one of ``names`` that shares most words with the text, or has a similar spelling; empty if none does.

    Words of up to three letters are not compared by spelling, which would match too much.
    """
    words = [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3]
    shared = {name: sum(any(part.startswith(word[:5]) for part in name.split("-")) for word in words) for name in names}
    best = max(shared, key=lambda name: shared[name], default="")
    if best and shared[best]:
        return best
    close = [found for word in (" ".join(words), *words) for found in get_close_matches(word, names, n=1, cutoff=0.75)]
    return close[0] if close else ""
