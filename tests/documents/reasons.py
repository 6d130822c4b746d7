"""Fields without a pair of documents: they have the same value in every document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.sources import CHECKED, NEWEST
from rebalance_proofs.report.claims.mark import GROUPS
from rebalance_proofs.report.ordered.two_events import CONCURRENT, composed
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.settling import kubernetes
from rebalance_proofs.report.symptoms.cause import Symptom


@dataclass(frozen=True)
class Constant:
    """The values that a field has in each document, or in each list of records."""

    why: str
    values: tuple[Any, ...]


def _one(why: str, value: Any) -> Constant:
    return Constant(why, (value,))


def _format(schema: str) -> Constant:
    return _one("it is the version of the format", published(schema)["properties"]["format"]["const"])


UNPROVED = _one("bounds of Kubernetes are never proved", False)
ENDS = Constant("each client's pod ends in these ways", tuple(kubernetes.CASES))
PARTS = Constant(
    "each Java client's shutdown has these parts",
    (
        "(2 x awaitTerminationMillisWhenShutdown)",
        "for a running rebalance",
        "for the pull service",
        "allowed for one broker that does not answer",
    ),
)
QUESTIONS = [{"name": one.value, "question": one.question.en} for one in Symptom]
EVENTS = Constant("the same events are explored for each client", tuple(composed(CONCURRENT).single))
NEW = "the newest releases are part of this version"
LATEST = [{**vars(one), "checked": CHECKED} for one in NEWEST]
CONSTANT: Mapping[str, Mapping[str, Constant]] = {
    "safe": {
        "kubernetes.proved": UNPROVED,
        "kubernetes.cases.name": ENDS,
        "kubernetes.shutdown_takes.sentence": PARTS,
    },
    "settle": {
        "kubernetes.proved": UNPROVED,
        "two_events.event": EVENTS,
    },
    "explore": {"runs_seen": _one("the traces of whole groups have one mark", GROUPS.value)},
    "why": {
        "symptoms": _one("all symptoms are listed", QUESTIONS),
        **{
            f"symptoms.{name}": Constant("all symptoms are listed", tuple(one[name] for one in QUESTIONS))
            for name in ("name", "question")
        },
    },
    "releases": {
        "newest": _one(NEW, LATEST),
        **{
            f"newest.{name}": Constant(
                "the newest releases are part of this version", tuple(one[name] for one in LATEST)
            )
            for name in ("client", "version", "where", "checked")
        },
    },
    "results": {
        "ordered_counterexample.client_ids": _one("there are two consumers", [1, 2]),
        "run_counterexample.limits": _one("the model of `receiving` has no limits", {}),
    },
}
"""Document -> fields that are the same in every document."""


def constants(document: str, schema: str) -> Mapping[str, Constant]:
    """Return the constant fields of a kind of document."""
    return {"format": _format(schema), **CONSTANT.get(document, {})}
