"""Exempted obligations that no mutant breaks, each with the reason; these lists may only become shorter.

Keys are names of obligations, or a subject and a name if others of that name do notice mutants.
"""

import re
from collections.abc import Mapping

from rebalance_proofs.proofs.mutation.result import Bite

__all__ = ["LEMMA", "PATH", "STRUCTURAL", "WEAK", "pinned"]

ANY_RING = "whoever puts the same nodes names the same node, whatever decides between nodes"
ONE_NODE_MORE = "a node that is put takes the queue or leaves it where it is, whatever decides"
NUMBERS = "about the closed form, which is not part of the encoding"
BOTH = "about what both rings name, however they came to it"
BEGINNING = "about rings on which nothing is put yet"
KEPT = "about how many queues are kept in front of others, whoever takes them"
CODE = "about the client's code alone, of which tests try mutants"
SHARED = "about one consumer's state and what all share, whatever the client does"
LOOP = "about any loop that goes through mqAll once, whatever it keeps"

WEAK: Mapping[str, str] = {}
"""Obligations that fail for some encodings, although no mutant breaks them."""

STRUCTURAL: Mapping[str, str] = {
    f"{ring} {name}": why
    for ring in ("hash", "hash-go")
    for name, why in (
        ("same.base", ANY_RING),
        ("same.step", ANY_RING),
        ("exclusive", "a ring names one node for a queue, whatever decides between nodes"),
        ("owner.step", ONE_NODE_MORE),
    )
}
"""Obligations that hold for any functions in the place of the encoding's parts."""

LEMMA: Mapping[str, str] = {
    "lemma.monotone": "about products of integers",
    "lemma.loop": "about any turn of any loop over any table",
    "rank.base": KEPT,
    "rank.step": KEPT,
    "filter.base": LOOP,
    "filter.step": LOOP,
    "join.base": BEGINNING,
    "joins.base": BEGINNING,
    "part.base": BEGINNING,
    "join.only-takes": BOTH,
    "joins.only-takes": BOTH,
    "part.takes": BOTH,
    "nearest.unique": "about the order of hash values, not about who is named",
    "spread": "about products of integers",
    "moved.base": NUMBERS,
    "ends": NUMBERS,
    "next": NUMBERS,
    "steps": NUMBERS,
    "same": NUMBERS,
    "kept.none": NUMBERS,
    "kept.next": NUMBERS,
    "kept.fewest": NUMBERS,
    "refuses": CODE,
    "unlisted": CODE,
    "paths": CODE,
    "path.inside": CODE,
    "avg path-2.element": "nothing is appended on this path",
    "initiation": SHARED,
    "time-passes": SHARED,
    "others-take": SHARED,
    "others-give-back": SHARED,
    "own-lock": SHARED,
    "let-go": SHARED,
    "two-initiation": SHARED,
    "two-lose": SHARED,
    "one-runs": SHARED,
    "given-back": SHARED,
    "others-act": SHARED,
    "back-initiation": SHARED,
    "back-others-act": SHARED,
    "not-skipped": SHARED,
    "finished": SHARED,
    "only-uncommitted": SHARED,
    "back-at-most": SHARED,
    "one-batch": SHARED,
    "from-an-offset": SHARED,
    "hand-over": SHARED,
    "reset-sent": SHARED,
    "since-added": SHARED,
    "since-pulled": SHARED,
    "settles": SHARED,
    "woken": SHARED,
    "no-sooner": SHARED,
    "one-at-a-time": SHARED,
    "unwoken": SHARED,
    "still-calm": SHARED,
    "changes-exactly": SHARED,
    "not-at-rest": SHARED,
    "refused-no-longer": SHARED,
    "refused-no-more": SHARED,
    "answered-soon": SHARED,
    "answered-at-last": SHARED,
    "first-let-through": SHARED,
    "own-found": SHARED,
    "posted-found": SHARED,
    "all-found": SHARED,
    "scan-at-last": SHARED,
    "quiet-java_v5_0": "about the other client, whose own claims have this obligation with teeth",
}
"""Obligations that use no part of the encoding."""

PATH = re.compile(r"^path-\d+")
"""Paths are numbered in the order in which they are found; a step is exempted for all paths."""
PINNED = {Bite.WEAK: WEAK, Bite.STRUCTURAL: STRUCTURAL, Bite.LEMMA: LEMMA}


def pinned(bite: Bite, subject: str, name: str) -> str:
    """Why the obligation of that name about that strategy or client is exempted; empty if it is not."""
    known = PINNED[bite]
    return next((known[key] for key in (f"{subject} {name}", name, PATH.sub("path", name)) if key in known), "")
