"""Conformance marks: whether recorded results of real clients stand behind a claim's subjects, or the model alone."""

from enum import StrEnum

__all__ = ["BRIEFLY", "EXPLAINED", "GROUPS", "Mark"]

EXPLAINED = (
    "seen: results that real clients were recorded to compute were compared with the code that the claim is about. "
    "in part: with that of some of its clients or strategies. model only: with none of it; that code was written from "
    "sources and documentation. Recorded were single cases: whether a claim holds, or fails, is what the proofs say of "
    "the model."
)
BRIEFLY = (
    "seen, in part, model only: whether recorded results of real clients were compared with the code that it is about; "
    "`rebalance show CLAIM` says of which clients."
)
"""The same in short, for a terminal."""


class Mark(StrEnum):
    """The mark's words."""

    SEEN = "seen"
    PART = "in part"
    MODEL = "model only"


GROUPS = Mark.MODEL
"""Mark of explored whole groups: only strategies and single rebalances of one client were recorded."""
