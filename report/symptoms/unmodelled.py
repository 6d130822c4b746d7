"""Subjects that the model does not cover, such as pop consumption, and the words by which users name them.

Each subject has an anchor in docs/explanation/scope.md.
"""

import re
from typing import NamedTuple

from rebalance_proofs.language import Text, gettext
from rebalance_proofs.recorded.knowledge.data import entries, text
from rebalance_proofs.report.symptoms.lexicon import Words
from rebalance_proofs.report.symptoms.meaning import WORD


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
