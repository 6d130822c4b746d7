"""Find the known RocketMQ log lines that match a user's text, and the causes that these lines indicate."""

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.fits import once

__all__ = ["LINES", "pointed_to"]

LINES: dict[str, Line] = {
    name.casefold().replace("_", "-"): one for name, one in vars(lines).items() if isinstance(one, Line)
}
"""Known log lines of clients and brokers, by short name."""
ANSWERED = {
    "the consumer's subscription not latest": lines.NOT_LATEST,
    "the consumer's subscription not exist": lines.NOT_SUBSCRIBED,
    "the consumer's group info not exist": lines.NO_GROUP,
}
"""The log lines of a refused pull.

Clients log the broker's response in an exception, and the broker logs its own line. Read in ``PullMessageProcessor`` of
4.9.8, 5.1.4 and 5.3.3.
"""


def pointed_to(text: str, question: Asked, lasted: int | None) -> list[tuple[Line, tuple[Found, ...]]]:
    """Return the log lines that match the text, each with its possible causes."""
    every = [one for symptom in Symptom for one in found(symptom, question, lasted) if one.possible]
    plain = " ".join(text.casefold().split())
    answered = [line for remark, line in ANSWERED.items() if remark in plain]
    matched = dict.fromkeys((*lines.among(text, LINES.values()), *answered))
    return [(line, once([one for one in every if line in one.cause.lines])) for line in matched]
