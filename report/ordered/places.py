"""Table layout of claims about ordered consumption: assumptions in rows, clients in columns."""

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
    IN_TIME.name: "if all assumptions hold",
    RENEWED.name: "if all assumptions hold and renewals are in time",
    ALIKE.name: "if all assumptions hold, renewals are in time, and all consumers are 5.x",
    OUT_OF_TIME.name: "if all other assumptions hold",
    RENEWED_OUT_OF_TIME.name: "if all other assumptions hold and renewals are in time",
    SOON_OUT_OF_TIME.name: "if all other assumptions hold, renewals are in time, and all consumers are 5.x",
    SHUT_TOO_SOON.name: "if all other assumptions hold and a shutdown is too short",
    PROMPT.name: "if requests are answered at once and nothing is lost",
    RENEWED_AS_SHIPPED.name: "if renewals are in time, with default settings",
    ANYHOW.name: "in any case except `consumeMessageDirectly`",
    ONE_GROUP.name: "if client ids are unique and clocks agree",
    NOT_LATER.name: "if no lock request is later than maxLateRequest",
}


PLACES = Places(ORDERED, circumstances(WHEN))
