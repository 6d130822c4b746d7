"""The answer of ``rebalance record`` as JSON: problems in recorded runs, with their causes."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.recorded.groups.driver import Artifact
from rebalance_proofs.recorded.groups.run import DRIVER
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.explain import Explained, remarks
from rebalance_proofs.report.live.told import example, kind_of
from rebalance_proofs.report.marks import marks
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.symptoms.bugs import ROCKETMQ

FORMAT = 1
"""Version of the JSON; it increases when a reader of the old form would misread the new one."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("record")


def document(runs: Sequence[dict[str, Any]], failed: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """Return the answer of ``rebalance record``; times are in ms.

    ``failed``: scenarios that could not be performed, with reasons.
    """
    return {
        "format": FORMAT,
        "runs": list(runs),
        "failed": [{"scenario": name, "why": why} for name, why in failed],
        "unexplained": sum(run["unexplained"] for run in runs),
    }


def of_run(name: str, history: History, every: Sequence[Explained]) -> dict[str, Any]:
    """Return the JSON of one recorded run: ``name``, its recording, and its explained problems."""
    return {
        "scenario": name,
        "releases": {who: history.version(who) for who in [*history.started, *history.run.brokers]},
        "jars": [{"name": one.jar, "sha256": one.sha256, "of": one.of} for one in history.of(Artifact, DRIVER)],
        "remark": " ".join(remarks(history)) or None,
        "messages": len(history.sent),
        "calls": sum(map(len, history.calls.values())),
        "ms": history.end,
        "calm": history.calm,
        "not_recorded": [{"who": who, "what": list(what), "why": why} for who, what, why in history.cannot],
        "seen": [_of(one) for one in every],
        "unexplained": sum(one.unexplained for one in every),
    }


def _of(one: Explained) -> dict[str, Any]:
    fact, found = one.fact, one.found
    return {
        "kind": kind_of(fact),
        "group": fact.group,
        "queue": fact.q,
        "at": fact.at,
        "lasted": getattr(fact, "ms", None),
        "words": example(fact),
        "cause": found.cause.name if found else None,
        "then": [each.cause.name for each in one.then],
        "claims": {claim: mark for each in (found, *one.then) if each for claim, mark in marks(each.shown).items()},
        "bugs": [bug.called for bug in found.bugs if bug.issue and bug.repository == ROCKETMQ] if found else [],
        "not_rocketmq": one.words or None,
        "rejected": one.rejected or None,
    }
