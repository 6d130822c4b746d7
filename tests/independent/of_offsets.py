"""Questions about offsets: what each claim's words mean in the model."""

from collections.abc import Callable

from tests.independent.comparing import Said
from tests.independent.exploring import shortest
from tests.independent.offsets import MESSAGE, Offsets, State

TIMED: set[str] = set()
SLOW = {
    "offsets.java_v4_9.only-uncommitted",
    "offsets.java_v4_9.hand-over",
    "offsets.java_v5.only-uncommitted",
}
"""Claims whose explorations have many states."""
BAD: dict[str, Callable[[State], bool]] = {
    "not-skipped": lambda s: s.committed > MESSAGE and not s.done,
    "only-uncommitted": lambda s: s.seen == "committed",
    "once": lambda s: s.seen.startswith("again"),
    "never-back": lambda s: s.seen == "back",
    "hand-over": lambda s: s.seen == "again, new",
    "but-overtime": lambda s: s.seen in ("again, new", "again, was in a call"),
}
TRACKED = {
    "not-skipped": {"first-time"},
    "only-uncommitted": {"told"},
    "hand-over": {"held"},
    "but-overtime": {"held"},
}
"""What matters for a guarantee, of what has happened before."""
KNOWN = {
    "no offset query for the queue before the old owner's process queue is removed": "in-turn",
    "an offset that the group has already committed for the queue": "committed",
    "no error answers to offset queries: the broker sends the offset or does not answer": "answers",
    "no loss of committed offsets at the broker, and no replica that answers for the broker or takes over": "master",
    "`CONSUME_FROM_FIRST_OFFSET`": "first",
}


class _Sentences(dict[str, str]):
    """Assumptions by name; the model has none of the events that the others exclude."""

    def __contains__(self, sentence: object) -> bool:
        return True

    def __missing__(self, sentence: str) -> str:
        return ""


SENTENCES = _Sentences(KNOWN)
COVERED = ("java_v4_9", "java_v5")
"""Clients with concurrent listeners; ordered ones, Node's loop and other generations differ in what is not modelled."""


def covered(said: Said) -> bool:
    """Whether the model answers a question about the claim: not about copies and shutdowns."""
    variant = said.claim.variant
    return said.client in COVERED and said.guarantee in BAD and "copy" not in variant and "open" not in variant


def asked(said: Said, *, one_commit: bool | None = None) -> tuple[str, ...] | None:
    """Return a shortest run that breaks the claim.

    ``one_commit``: whether a consumer has at most one commit on its way, as on the page; by default only for the claim
    whose shortest run depends on it.
    """
    if one_commit is None:
        one_commit = said.guarantee == "never-back"
    first, tracked = "first" in said.assumed, TRACKED.get(said.guarantee, ())
    model = Offsets(
        said.assumed, tracked, errors_as_none=said.client == "java_v4_9", first=first, one_commit=one_commit
    )
    return shortest(model.first(), model.after, BAD[said.guarantee])
