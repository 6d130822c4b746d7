"""How reports present enumerated cases of transitions: comparisons of code and formulas, and claims."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rebalance_proofs.report.claims.enumeration import Enumeration, Row, Table, Words, cells, failing
from rebalance_proofs.report.text.english import case_size, count
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.space import (
    ADMITTED,
    CALLS,
    LETTERS,
    MODELS,
    PROMISES,
    SINGLES,
    TABLES,
)

COMPARED = (SINGLES, CALLS, TABLES, MODELS)
"""Kinds of comparisons with too many findings to list each; reports show their totals."""
SUITE = "transitions"
CLAIMS = "some case with few deviations was missed or counted twice"
WORDS = {
    LETTERS: Words(suite=""),
    SINGLES: Words(suite=SUITE, meant="the client's code with the compiled terms, in every state of one queue"),
    CALLS: Words(suite=SUITE, meant="the client's code on several queues with the same code on each alone"),
    TABLES: Words(suite=SUITE, meant="the compiled terms of several queues with the client's code on each alone"),
    MODELS: Words(suite=SUITE, meant="every model of the solver with the client's code"),
    PROMISES: Words(
        missing=CLAIMS,
        differing=CLAIMS,
        suite=SUITE,
        place="transitions.claims",
        size=("queues", "departures"),
        cases=ADMITTED,
    ),
}


def together(findings: Iterable[Finding]) -> list[Row]:
    """Return one row for each kind of comparison and number of queues, over all clients and modes."""
    kinds: dict[tuple[str, int], list[Finding]] = {}
    for found in findings:
        kinds.setdefault((found.kind, found.bounds["queues"]), []).append(found)
    return [Row(found, WORDS[kind]) for (kind, _), found in kinds.items()]


def found_smallest(found: Finding) -> str:
    """Return the size of the smallest case that breaks a guarantee: ``1 queue, 2 values out of the ordinary``."""
    return case_size(*found.least.size) if found.least else "none"


def depths(found: Finding) -> str:
    """Return how many inputs could differ from their defaults: ``up to 3 values, 2 with 2 queues``."""
    first, *more = found.bounds.values()
    further = "".join(f", {depth} with {count(queues, 'queue')}" for queues, depth in enumerate(more, 2))
    return f"up to {count(first, 'value')}{further}"


def _facts(found: Enumerated) -> Iterator[str]:
    compared, promised = together(found.of(*COMPARED)), found.of(PROMISES)
    if compared:
        yield f"{count(sum(row.cases for row in compared), 'transition')} compared case by case"
    if promised:
        yield f"{Row(promised, WORDS[PROMISES]).counted} of claims about transitions run"


def _lines(found: Sequence[Finding], verbose: bool) -> Iterator[str]:
    for row in together(one for one in found if one.kind in COMPARED):
        outcome = "BAD" if row.wrong else "all agree"
        queues = count(row.first.bounds["queues"], "queue")
        yield f"compared transitions, {row.first.kind}, {queues}: {row.counted}, {outcome}"
    promised = Row([one for one in found if one.kind == PROMISES], WORDS[PROMISES])
    if promised.findings:
        broken = count(sum(bool(one.least) for one in promised.findings), "claim")
        yield f"ran transitions, {count(len(promised.findings), 'claim')}: {promised.counted}; broken: {broken}"


def _tables(found: Enumerated) -> Iterator[Table | str]:
    head = ("", "Transitions: comparisons", "Queues", "Cases", "Closed form", "Differing cases", "Time")
    rows = [cells(row, row.meant, row.first.bounds["queues"]) for row in together(found.of(*COMPARED))]
    yield Table("Transitions, case by case", head, rows)
    promised = found.of(PROMISES)
    if promised:
        told = Row(promised, WORDS[PROMISES]).counted
        yield f"{count(len(promised), 'claim')} about transitions run in {told}."
    claims = TRANSITIONS_TOLD.rows(promised)
    yield failing(claims, ("Claim", "Cases", "Smallest"), lambda row: (row.cases, found_smallest(row.first)))


def _given(found: Enumerated) -> Mapping[str, Any]:
    compared = found.of(*COMPARED)
    return {
        "together": together(compared),
        "compared": TRANSITIONS_TOLD.rows(compared),
        "promised": TRANSITIONS_TOLD.rows(found.of(PROMISES)),
    }


TRANSITIONS_TOLD = Enumeration(
    WORDS,
    _facts,
    _lines,
    tables=_tables,
    template="transitions.html",
    given=_given,
    filters={"depths": depths, "found_smallest": found_smallest},
)
