"""Goals of the vacuity check that obligations exclude on purpose, each with the reason.

The list may only become shorter. An assumption that excludes any other goal makes a claim VACUOUS. Keys are names of
obligations, and goals of ``proofs.vacuity.goals``; the reasons follow from the obligations' sentences.
"""

from collections.abc import Mapping

THROWN = ("thrown_removing = 1", "thrown_adding = 1", "thrown_ever = 1")
SHIPPED = ", with the client's own stores"
LOGGED = "the client's own stores log what fails, and throw nothing"


def _all(why: str, *excluded: str) -> dict[str, str]:
    return dict.fromkeys(excluded, why)


EMPTY = _all("the ring is empty", "found = 1")
BOTH_EMPTY = _all("both rings are empty", "found = 1", "found2 = 1")
NOT_EMPTY = _all("the ring has at least one node", "found = 0")
BOTH_FULL = _all("both rings name a node", "found = 0", "found2 = 0")
SAME_NODE = _all("both rings name the same node", "x and x2 apart", "o and o2 apart")
NO_STRAYS = "the inner strategy returns only queues of its list"
IN_FRONT = _all("i comes before j", "i far above j")
ALIVE = _all("a consumer of the queue's room takes it", "own and room apart", "alive = 0", "near = 0")

NARROW: Mapping[str, Mapping[str, str]] = {
    "attained.step": _all("each topic has one queue", "t and s apart")
    | _all("the first has all of them", "t and x apart", "s and x apart")
    | _all("the last has none", "y beyond the bound"),
    "changed": _all("the method throws nothing", *THROWN, *(goal + SHIPPED for goal in THROWN)),
    "exclusive": _all(NO_STRAYS, "stray_i = 1", "stray_j = 1"),
    "exclusive-unlisted": _all("i is listed", "listed_i = 0"),
    "exclusive-unsubscribed": _all("i subscribes", "reads_i = 0"),
    "unread": _all("i does not subscribe", "reads_i = 1"),
    "unlisted": _all("it is about consumers that have an id and are not in cidAll", "named = 0", "listed = 1"),
    "far-owner": _all("the queue's room has no consumer", "alive = 1")
    | _all("the inner strategy gives the queue to i", "everywhere = 0"),
    "near-owner": ALIVE,
    "home": ALIVE | _all(NO_STRAYS, "stray = 1"),
    "filter.base": _all(
        "it is the start of the induction", "last beyond the bound", "p beyond the bound", "last and p apart"
    ),
    "held": _all("the queue is this consumer's", "in_set = 0"),
    "kept-all": _all("p is selected", "kept = 0"),
    "kept-only": _all("in the encoding, a consumer takes only selected queues", "kept = 0"),
    "rank.base": _all("next is at most one greater", "r and next apart"),
    "rank.step": _all("next is at most one greater", "s and next apart"),
    "level.step": _all("so far they differ by at most one", "x and y apart"),
    "lower": _all("this order is the conclusion", "j far above i"),
    "higher": _all("this order is the conclusion", "i far above j"),
    "lowest-first.base": IN_FRONT,
    "lowest-first.step": IN_FRONT,
    "owner.base": EMPTY,
    "owner.step": NOT_EMPTY,
    "nearest.base": EMPTY,
    "nearest.step": NOT_EMPTY,
    "nearest.unique": SAME_NODE,
    "successor.base": EMPTY,
    "successor.step": NOT_EMPTY,
    "same.base": BOTH_EMPTY,
    "part.base": BOTH_EMPTY,
    "part.takes": BOTH_FULL | SAME_NODE | _all("i is the owner", "i and o apart", "i and o2 apart"),
    "join.base": BOTH_EMPTY,
    "join.step-joiner": _all("the node belongs to the joining consumer", "j and k apart"),
    "join.only-takes": BOTH_FULL | SAME_NODE | _all("i is the owner", "o and i apart", "o2 and i apart"),
    "joins.base": BOTH_EMPTY,
    "joins.only-takes": BOTH_FULL
    | SAME_NODE
    | _all("i is the owner", "o and i apart", "o2 and i apart")
    | _all("i did not join, and j is the first joining consumer", "i far above j"),
}


def narrow(subject: str, name: str) -> Mapping[str, str]:
    """Return the goals that an obligation may exclude, with the reasons.

    ``subject`` is the strategy or client, ``name`` the obligation's name.
    """
    told = NARROW.get(name, {})
    if not subject.startswith("java"):
        return told
    rounds = (*THROWN, *(goal.replace(" = ", "_again = ") for goal in THROWN))
    return {**dict.fromkeys((goal + SHIPPED for goal in rounds), LOGGED), **told}
