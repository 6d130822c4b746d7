"""Conformance marks: whether recordings of real clients stand behind a claim's subjects, or the model alone."""

from enum import StrEnum

__all__ = ["BRIEFLY", "EXPLAINED", "GROUPS", "Mark"]

EXPLAINED = (
    "seen: of strategies and transitions, results that real clients were recorded to compute were compared with the "
    "code that the claim is about; of what consumers and brokers do over time, recorded groups of a release that it is "
    "about did what it denies, or had chances to, and never did. in part: with the code of some of its clients or "
    "strategies. accepted: behaviours of exactly its machine explain what such groups did, and of the claim itself "
    "nothing was seen. same code: no such release was recorded, and under the claim's premises its machine is, term by "
    "term, that of a client that is seen or accepted. model only: none of this; that code was written from sources and "
    "documentation. Recorded were single cases: whether a claim holds, or fails, is what the proofs say of the model."
)
BRIEFLY = (
    "seen, in part, accepted, same code, model only: whether, and how, recordings of real clients stand behind it; "
    "`rebalance show CLAIM` says of which clients."
)
"""The same in short, for a terminal."""


class Mark(StrEnum):
    """The mark's words."""

    SEEN = "seen"
    PART = "in part"
    ACCEPTED = "accepted"
    ALIKE = "same code"
    MODEL = "model only"


GROUPS = Mark.MODEL
"""Mark of explored whole groups: only strategies, single rebalances of one client, and single groups were recorded."""
