"""The answer of ``rebalance check`` as a self-contained HTML page, with a figure of each smallest group."""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from rebalance_proofs.documents import Check, Guaranteed
from rebalance_proofs.documents import Smallest as SmallestJson
from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.figure import figure
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.told import (
    extents,
    heading,
    history,
    mark,
    moved,
    notes,
    once,
    other_names,
    sections,
    sentence,
    tried,
    verdict,
)
from rebalance_proofs.report.own.told_parts import depends, proved
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import group_size
from rebalance_proofs.spark_enum.own.history import HISTORY, HistorySpace
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.rows import Found, Holds, Row, Smallest, needed

# The answer of ``rebalance check`` as JSON.

FORMAT = 1
"""Version of the JSON; increases when a reader of a released version would misread the new one."""

STANDING = {Holds.YES: "holds", Holds.NO: "broken", Holds.UNTOLD: "not-told", Holds.UNTRIED: "not-tried"}


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("check")


def document(answer: Answer) -> Check:
    """Return the whole answer as JSON."""
    checked, printed, moved = answer.checked, answer.checked.printed, answer.checked.movement
    return {
        "format": FORMAT,
        "strategy": {
            "name": answer.strategy.name,
            "language": answer.strategy.language,
            "sha256": answer.strategy.hash or None,
        },
        "ok": not answer.status,
        "required": list(answer.required),
        "rows": [_row(answer, row) for row in checked.rows],
        "movement": {
            "queues": moved.queues,
            "changed": moved.changed,
            "needed": moved.needed,
            "by_avg": moved.by_avg,
        },
        "printed": list(printed.lines) if printed else [],
        "returns_null": checked.null is not None,
        "changes_arguments": checked.changed.what if checked.changed else None,
        "gave_up": checked.gave_up,
        "depends_on": {"what": checked.why.value, "sentence": depends(answer)} if checked.why else None,
        "names_that_differ": None if checked.by_names is None else list(checked.by_names),
        "names_tried": [
            {
                "names": one.space.naming.name,
                "ids": len(one.space.names.ids),
                "sets": one.space.space.sets,
                "sets_tried": one.space.done(one.tried.groups, one.expected),
                "lists": len(one.space.names.parts),
            }
            for one in checked.named
            if isinstance(one.space, NamedSpace)
        ],
        "complete": not checked.incomplete,
        "calls": checked.calls,
        "seconds": round(checked.seconds, 3),
        "spark": checked.spark or None,
        "proofs": [
            {
                "name": proof.name,
                "proved": proof.proved,
                "reason": proof.reason,
                "code": proof.code,
                "constants": dict(proof.constants),
                "steps": [question.name for question in proof.questions],
            }
            for proof in answer.proofs
        ],
    }


def _row(answer: Answer, row: Row) -> Guaranteed:
    return {
        "name": row.name,
        "sentence": sentence(row),
        "holds": STANDING[row.holds],
        "required": needed(row, answer.required),
        "tried": [_found(one) for one in row.found],
        "smallest": _smallest(answer, row, row.smallest) if row.smallest else None,
        "with_other_names": _smallest(answer, row, row.elsewhere) if row.elsewhere else None,
    }


def _found(one: Found) -> dict[str, Any]:
    consumers, queues = one.space.bound
    return {
        "world": one.space.world.name,
        "names": one.space.naming.name,
        "names_are": one.space.naming.sentence,
        "consumers": consumers,
        "queues": queues,
        "groups": one.tried.groups,
        "unjudged": one.tried.unjudged,
        "groups_there_are": one.expected,
        "time_was_up": one.cut,
    }


def _smallest(answer: Answer, row: Row, smallest: Smallest) -> SmallestJson:
    example = answer.checked.examples.get(row.name)
    return {
        "consumers": smallest.wrong.size[0],
        "queues": smallest.wrong.size[1],
        "sentence": smallest.wrong.sentence,
        "group": smallest.key,
        "reproduce": answer.reproduce(row) if example else None,
        "stages": [_stage(one) for one in _shown(smallest, example)] if example else [],
    }


def _shown(smallest: Smallest, example: Counterexample) -> Sequence[Group]:
    if isinstance(smallest.space, HistorySpace) and smallest.space.history:
        return smallest.space.history.groups
    return stages(example.group)


def stages(group: Group) -> list[Group]:
    """Return the group's states in order of time: the first one, and the one after each change."""
    found = [group]
    while found[0].reference:
        found.insert(0, found[0].reference)
    return found


def _stage(group: Group) -> dict[str, Any]:
    return {
        "queues": [queue._asdict() for queue in group.queues],
        "consumers": [dict(_consumer(consumer)) for consumer in group.consumers],
    }


def _consumer(consumer: Consumer) -> Iterator[tuple[str, Any]]:
    yield "client_id", consumer.client_id
    yield "strategy", consumer.strategy.name
    yield "subscribes", consumer.subscribes
    yield "mq_all", [queue._asdict() for queue in consumer.mq_all]
    yield "cid_all", list(consumer.cid_all)
    try:
        taken, instead = [queue._asdict() for queue in consumer.share], ""
    except AllocationError as error:
        taken, instead = None, error.instead
    yield "returns", taken
    yield "instead", instead


FIRST = "<!doctype html><!-- written by: rebalance check -->"
"""First line of the file, which identifies files that this command wrote."""
MOST = 64 * 8
"""Largest group with a figure, in queues times consumers."""


def page(answer: Answer) -> str:
    """Return the HTML page."""
    findings = []
    for row in sorted(answer.checked.rows, key=lambda row: row not in answer.failing):
        example = answer.checked.examples.get(row.name)
        if example and row.smallest and example.consumers * example.queues <= MOST:
            drawn = Markup(figure(example, f"figure-{row.name}"))  # the figure's text is already escaped
            findings.append((row, example, drawn))
    return (
        environment(escapes=True)
        .get_template("own.html")
        .render(
            first=Markup(FIRST),
            answer=answer,
            heading=heading(answer),
            extents=list(extents(answer)),
            verdict=verdict(answer),
            notes=list(notes(answer)),
            sections=list(sections(answer)),
            tried=list(tried(answer.checked.rows)),
            mark=mark,
            moved=list(moved(answer)),
            findings=findings,
            more={
                name: Markup(figure(example, f"larger-{name}"))
                for name, (_, example) in answer.checked.larger.items()
                if example.consumers * example.queues <= MOST
            },
            shown={row.name for row, _, _ in findings},
            failing={row.name for row in answer.failing},
            sentence=sentence,
            proved=list(proved(answer)),
            once=once,
            other_names=other_names,
            history=lambda row: list(history(row.smallest.space)) if row.world is HISTORY else [],
            size=_size,
            light=variables(LIGHT),
            dark=variables(DARK),
        )
    )


def _size(row: Row) -> str:
    if not row.smallest:
        return ""
    n, q = row.smallest.wrong.size
    return group_size((n, q))
