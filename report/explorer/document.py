"""The JSON of an exploration; its schema is schema/explore.schema.json."""

from itertools import chain
from typing import Any

from rebalance_proofs.report.explorer.told import disagreeing, queues, said
from rebalance_proofs.report.mark import GROUPS
from rebalance_proofs.report.marks import marks
from rebalance_proofs.spark_enum.explorer.explore import Explored, Found
from rebalance_proofs.spark_enum.explorer.model import Watch

FORMAT = 1


def document(explored: Explored) -> dict[str, Any]:
    """Return the exploration as dicts and lists for JSON."""
    settled = explored.settled
    return {
        "format": FORMAT,
        "model": explored.subject.name,
        "settings": explored.subject.document(explored.settings),
        "remark": explored.subject.remark(explored.settings) or None,
        "whole": explored.whole,
        "states": explored.states,
        "transitions": explored.transitions,
        "levels": list(explored.levels),
        "digest": f"{explored.digest:016x}",
        "moves": dict(explored.counts),
        "found": [_found(explored, one) for one in explored.found],
        "never": [_watch(one) for one in explored.never],
        "settled": settled
        and {
            "within": settled.within,
            "counted": settled.counted,
            "states": settled.states,
            "stands_still": settled.most == 0,
        },
        "disagreeing": list(disagreeing(explored)),
        "runs_seen": GROUPS.value,
        "seen": marks(chain.from_iterable(watch.claims for watch in explored.model.watches)),
    }


def _watch(watch: Watch) -> dict[str, Any]:
    return {"name": watch.name, "sentence": watch.sentence, "claims": list(watch.claims)}


def _found(explored: Explored, found: Found) -> dict[str, Any]:
    product = explored.product
    story = said(product.model, (step.move for step in found.steps))
    steps = [
        {"move": str(step.move) if step.move else None, "words": words, "queues": queues(product, step)}
        for step, words in zip(found.steps, story, strict=True)
    ]
    needs = None if found.needs is None else [list(faults) for faults in found.needs.faults]
    return _watch(found.watch) | {"states": found.states, "steps": steps, "needs": needs}
