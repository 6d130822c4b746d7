"""Obligations that no mutant breaks, and that are exempted for a reason.

The lists may only become shorter. Keys are names of obligations, or a subject and a name if mutants do break other
obligations of that name.
"""

import re
from collections.abc import Mapping

from rebalance_proofs.proofs.mutation.result import Bite

ANY_RING = "rings with the same nodes choose the same node, for any rule of choice"
ONE_NODE_MORE = "after a node is added, it takes the queue or the queue's owner stays, for any rule of choice"
NUMBERS = "about the closed form, which is not part of the encoding"
BOTH = "about the nodes that both rings choose, for any rule of choice"
BEGINNING = "about rings that have no nodes yet"
KEPT = "about the number of selected queues before another one, for any rule of selection"
CODE = "about the client's code alone; tests apply mutants to the code"
SHARED = "about one consumer's state and shared state, for any behaviour of the client"
LOOP = "about any loop that visits mqAll once, for any rule of selection"

WEAK: Mapping[str, str] = {}
"""Obligation -> reason, if it fails for some encodings, although no known mutant breaks it."""

STRUCTURAL: Mapping[str, str] = {
    f"{ring} {name}": why
    for ring in ("hash", "hash-go")
    for name, why in (
        ("same.base", ANY_RING),
        ("same.step", ANY_RING),
        ("exclusive", "a ring chooses one node for a queue, for any rule of choice"),
        ("owner.step", ONE_NODE_MORE),
    )
}
"""Obligation -> reason, if it holds for any functions as the encoding's parts."""

LEMMA: Mapping[str, str] = {
    "lemma.monotone": "about products of integers",
    "lemma.loop": "about any iteration of any loop over any table",
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
    "nearest.unique": "about the order of hash values, not about the chosen consumer",
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
    "avg path-2.element": "this path appends nothing",
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
    "at-most-one": SHARED,
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
    "quiet-java_v5_0": "about the other client; its own claims apply mutants to this obligation",
}
"""Obligation -> reason, if it uses no part of the encoding."""

PATH = re.compile(r"^path-\d+")
"""Pattern of a path's number in an obligation's name.

An exempted obligation is exempted for all paths.
"""
PINNED = {Bite.WEAK: WEAK, Bite.STRUCTURAL: STRUCTURAL, Bite.LEMMA: LEMMA}


def pinned(bite: Bite, subject: str, name: str) -> str:
    """Return why an obligation is exempted from mutation tests; empty if it is not.

    ``subject`` is the strategy or client, ``name`` the obligation's name.
    """
    known = PINNED[bite]
    return next((known[key] for key in (f"{subject} {name}", name, PATH.sub("path", name)) if key in known), "")
