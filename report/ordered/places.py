"""Places of claims about ordered consumption in tables: premises in rows, clients in columns."""

from rebalance_proofs.proofs.ordered.circumstances import (
    ALIKE,
    ANYHOW,
    IN_TIME,
    NOT_LATER,
    ONE_GROUP,
    OUT_OF_TIME,
    PROMPT,
    RENEWED,
    RENEWED_AS_SHIPPED,
    RENEWED_OUT_OF_TIME,
    SHUT_TOO_SOON,
    SOON_OUT_OF_TIME,
)
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.runs import Places, circumstances

ORDERED = Family(
    "ordered",
    "Ordered consumption",
    "A consumer calls its ordered listener only while it believes that it holds the broker's lock of the queue. The "
    "lock depends on time limits of both sides. Go's source was read; Go was not run.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)


WHEN = {
    IN_TIME.name: "when all premises hold",
    RENEWED.name: "when all premises hold, and every renewal is in time",
    ALIKE.name: "when all premises hold, every renewal is in time, and no older consumer is in the group",
    OUT_OF_TIME.name: "when all other premises hold",
    RENEWED_OUT_OF_TIME.name: "when all other premises hold, and every renewal is in time",
    SOON_OUT_OF_TIME.name: "when all other premises hold, every renewal is in time, and no older consumer is in the "
    "group",
    SHUT_TOO_SOON.name: "when all other premises hold, and a consumer is shut down too soon",
    PROMPT.name: "when every request is answered at once, and nothing is lost",
    RENEWED_AS_SHIPPED.name: "when every renewal is in time, with all settings as shipped",
    ANYHOW.name: "whatever happens, but for consumption by hand",
    ONE_GROUP.name: "when no two consumers have one client id, and all share one clock",
    NOT_LATER.name: "when no request is later than the limit for that",
}


PLACES = Places(ORDERED, circumstances(WHEN))
