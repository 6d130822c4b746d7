"""Conformance marks, such as "observed": what recordings of real clients show about a claim."""

from collections.abc import Iterable, Mapping
from enum import Enum

from rebalance_proofs.language import gettext, language, later
from rebalance_proofs.report.text.english import count

MOST_FEW = 9
"""Largest number of chances to break a proved claim that is too small for the plain mark ``observed``."""


class Mark(Enum):
    """A conformance mark. ``value`` is its name in JSON.

    ``str()`` and f-strings give the printed word. A mark is not a ``str``, so ``json.dumps`` rejects it, and the
    printed word cannot get into JSON by mistake.
    """

    SEEN = "seen"
    FEW = "few"
    PART = "in part"
    TESTED = "package only"
    ACCEPTED = "accepted"
    ALIKE = "same code"
    MODEL = "model only"

    @property
    def word(self) -> str:
        """The printed word of the mark: ``observed``, ``not recorded``."""
        return WORDS[self]

    def __str__(self) -> str:
        return self.word


WORDS: Mapping[Mark, str] = {
    Mark.SEEN: "observed",
    Mark.FEW: "observed in few cases",
    Mark.PART: "partly observed",
    Mark.TESTED: "tested",
    Mark.ACCEPTED: "consistent",
    Mark.ALIKE: "inherited",
    Mark.MODEL: "not recorded",
}
MESSAGES: Mapping[Mark, str] = {
    Mark.SEEN: later("recorded clients computed the same results, or recorded groups behaved as the verdict says"),
    Mark.FEW: later("recorded groups never broke the proved claim, but had at most {most} chances to"),
    Mark.PART: later("observed for only some of the clients, strategies or claims"),
    Mark.TESTED: later(
        "released packages with a stubbed network behaved as the verdict says; no recorded group shows it"
    ),
    Mark.ACCEPTED: later("the model explains recorded groups, but they do not show the claim itself"),
    Mark.ALIKE: later(
        "under the claim's assumptions, the model equals one of an observed, tested or consistent client"
    ),
    Mark.MODEL: later("the claim rests on the model alone"),
}
MEANINGS: Mapping[Mark, str] = {mark: message.format(most=MOST_FEW) for mark, message in MESSAGES.items()}
"""Mark -> its meaning, in English."""


def worded(mark: Mark, cases: int) -> str:
    """Return the printed mark of one claim: ``observed``, ``observed in 4 cases``.

    ``cases``: how often recordings could have contradicted the claim, if it is expected to hold.
    """
    return f"observed in {count(cases, 'case')}" if mark is Mark.FEW else str(mark)


EXPLAINED = " ".join(f"{mark.word.capitalize()}: {meaning}." for mark, meaning in MEANINGS.items())
"""Legend on pages: every mark with its meaning."""
BRIEFLY = f"Real clients. {EXPLAINED} `rebalance show CLAIM --all` lists the recordings."
"""Legend below output in a terminal."""


def explained() -> str:
    """Return ``EXPLAINED`` in the language in use. The marks themselves are the same in all languages."""
    return (" " if language() == "en" else "").join(
        gettext("{mark}: {meaning}.").format(
            mark=mark.word.capitalize() if language() == "en" else mark.word,
            meaning=gettext(message).format(most=MOST_FEW),
        )
        for mark, message in MESSAGES.items()
    )


def briefly() -> str:
    """Return ``BRIEFLY`` in the language in use."""
    return gettext("Real clients. {marks} `rebalance show CLAIM --all` lists the recordings.").format(marks=explained())


GROUPS = Mark.MODEL
"""Mark of explored groups.

Recordings exist only of strategies, single rebalances of one client, and single groups.
"""


# Legend of the conformance marks that one answer shows.


def legend(marks: Iterable[Mark]) -> str:
    """Return the meanings of the given conformance marks in one line."""
    found = {*marks}
    return " ".join(f"{mark.word.capitalize()}: {MEANINGS[mark]}." for mark in Mark if mark in found)


# Links to claims in the docs.
# Each kind of claims has a page, named by the first part of the claims' ids.

FOLDER = "ledger"
"""Folder of the claims' pages, relative to docs/reference/."""


def name_of(claim_id: str) -> str:
    """Return the name of the claim's page: ``ordered`` for ``ordered.java_v5_2.exclusive``."""
    return claim_id.partition(".")[0]


def beside(claim_id: str) -> str:
    """Return the link to a claim's row from a page in the same folder."""
    return f"{name_of(claim_id)}.md#{claim_id}"


def from_docs(claim_id: str) -> str:
    """Return the link to a claim's row from a page one folder above."""
    return f"{FOLDER}/{beside(claim_id)}"
