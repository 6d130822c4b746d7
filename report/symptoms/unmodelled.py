"""Subjects that the model does not cover, such as pop consumption, and the words by which users name them.

Each subject has an anchor in docs/explanation/scope.md.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from rebalance_proofs.language import Text, gettext
from rebalance_proofs.recorded.knowledge.schema import entries, text
from rebalance_proofs.report.symptoms.lexicon import Words

# Names near a user's text: strategies by their class names, and symptoms and causes by their spelling.

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


class Unmodelled(NamedTuple):
    """A subject that the model does not cover, such as pop consumption or the proxy."""

    words: str
    """A regular expression for the words by which users name the subject."""
    what: Text
    """The parts of RocketMQ that are not modelled, in words."""
    why: Text
    """Why these parts are not modelled."""
    anchor: str
    """Link anchor of the subject's line in docs/explanation/scope.md."""
    known: Text | None = None
    """What is known about the subject all the same, and what to look at."""


UNMODELLED = tuple(
    Unmodelled(
        one["words"], text(one["what"]), text(one["why"]), one["anchor"], text(one["known"]) if "known" in one else None
    )
    for one in entries("", "subject")
)


def unmodelled(asked: str) -> Unmodelled | None:
    """Return the first subject outside the model that the text names; None if it names none."""
    plain = f" {' '.join(WORD.findall(asked.casefold()))} "
    anchors = {one.meaning.means for one in Words(asked).matches("subject")}
    return next((one for one in UNMODELLED if one.anchor in anchors or re.search(rf" (?:{one.words}) ", plain)), None)


def outside(*words: str | None) -> str:
    """Return a sentence about the first of ``words`` that names a subject outside the model; empty if none does."""
    found = ((word, unmodelled(word)) for word in words if word)
    return next(
        (
            gettext("{word} is not modelled: {what} ({why})").format(word=repr(word), what=one.what, why=one.why)
            + (f". {one.known}" if one.known else "")
            for word, one in found
            if one
        ),
        "",
    )
