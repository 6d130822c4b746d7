"""How reports present enumerated groups, the cost of joins, and comparisons of solver and enumerator.

The enumerator runs a strategy on every group up to a size. q is the number of queues, c that of consumers.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rebalance_proofs.report.claims.enumeration import Cells, Enumeration, Row, Table, Words, cells, failing
from rebalance_proofs.report.text.english import count, group_size
from rebalance_proofs.spark_enum.allocation.space import (
    BEYOND,
    ENUMERATOR,
    GROUPS,
    JOINS,
    POSITIONS,
    SIZES,
    SMALLEST,
    SOLVER,
    SOLVER_TIME,
    UNATTAINED,
)
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong


def size_of(group: Wrong | None) -> str:
    """Return the size of a counterexample group: ``2 consumers, 1 queue``."""
    if group is None:
        return group_size(None)
    consumers, queues = group.size
    return group_size((consumers, queues))


def _both(found: Finding) -> Mapping[str, str]:
    return {who: size_of(found.smallest.get(who)) for who in (SOLVER, ENUMERATOR)}


WORDS = {
    GROUPS: Words(
        missing="{counted} enumerated, the closed form says {found.expected:,}",
        differing="concrete result and compiled term differ in {differing}, first: {found.first}",
        noun="group",
        line="swept {found.name}: q <= {found.bounds[queues]}, c <= {found.bounds[consumers]}{together}, {met}",
        place="enumeration",
    ),
    JOINS: Words(
        missing="{found.counted:,} were counted, the closed form says {found.expected:,}",
        differing="in {found.differing:,} of them not as many queues change hands as is proved",
        broken={
            BEYOND: "in {number} of them more queues change hands than the proved bound",
            UNATTAINED: "at {sizes} the proved bound is not reached",
        },
        noun="join",
        line="joins {found.subject}: q <= {found.bounds[queues]}, c <= {found.bounds[consumers]} before the join, "
        "{counted}",
        place="movement",
        by_subject=True,
        beside=BEYOND,
    ),
    SIZES: Words(
        missing="solver and enumerator were compared at {found.counted} of {expected}",
        differing="solver and enumerator differ at {differing}, first: {found.first}",
        noun="size",
        suite="comparison",
        place="comparison.at-size",
    ),
    SMALLEST: Words(
        differing=f"the smallest counterexample of the solver is {{{SOLVER}}}, of the enumerator {{{ENUMERATOR}}}",
        suite="comparison",
        place="comparison.smallest",
        more=_both,
    ),
}


def bounds(found: Finding) -> str:
    """Return the bounds of an enumeration: ``q ≤ 8, c ≤ 5``; ``q ≤ 6, c ≤ 5, q + c ≤ 9``."""
    most = found.bounds.get("together")
    together = "" if most is None else f", q + c ≤ {most}"
    return f"q ≤ {found.bounds['queues']}, c ≤ {found.bounds['consumers']}{together}"


def sizes_compared(found: Sequence[Finding]) -> str:
    """Return a sentence about whether solver and enumerator agree for each size of the group."""
    return f"Solver and enumerator agree for {_agreeing(found)}, asked at {Row(found, WORDS[SIZES]).counted}"


def smallest_compared(found: Sequence[Finding]) -> str:
    """Return a sentence about whether both found counterexamples of the same smallest size.

    It counts only claims that were enumerated up to that size.
    """
    compared = [one for one in found if one.counted or WORDS[SMALLEST].failures(one)]
    return f"Solver and enumerator find smallest counterexamples of the same size for {_agreeing(compared)}"


def _agreeing(found: Sequence[Finding]) -> str:
    agreeing = sum(not WORDS[one.kind].failures(one) for one in found)
    return f"{agreeing:,} of {count(len(found), 'claim')}"


def _facts(found: Enumerated) -> Iterator[str]:
    groups = found.of(GROUPS)
    if groups:
        positions = sum(sweep.numbers[POSITIONS] for sweep in groups)
        yield f"{Row(groups, WORDS[GROUPS]).counted} enumerated"
        yield f"{count(positions, 'position')} compared with the SMT terms"


def _lines(found: Sequence[Finding], verbose: bool) -> Iterator[str]:
    groups = [one for one in found if one.kind == GROUPS]
    yield from map(WORDS[GROUPS].told, groups) if verbose else ()
    if groups and not verbose:
        row = Row(groups, WORDS[GROUPS])
        said = f"swept {count(len(groups), 'space')}: {row.counted}"
        yield f"{said}; BAD: {row.bad:,}" if row.bad else said
    yield from (WORDS[JOINS].told(one) for one in found if one.kind == JOINS)


def _closing(found: Enumerated) -> Iterator[str]:
    for kind, compared in ((SIZES, sizes_compared), (SMALLEST, smallest_compared)):
        if found.of(kind):
            yield compared(found.of(kind))


def _tables(found: Enumerated) -> Iterator[Table | str]:
    groups, joins, sizes, smallest = (GROUPS_TOLD.rows(found.of(kind)) for kind in WORDS)
    head = ("", "Space", "Bounds", "Groups", "Closed form", "Positions compared", "Differing groups", "Time")
    swept = [cells(row, row.first.name, bounds(row.first), f"{row.first.numbers[POSITIONS]:,}") for row in groups]
    yield Table("Enumerated groups", head, swept)
    head_of_joins = ("", "Joins", "Bounds", "Counted", "Closed form", "Not as proved", "Time")
    counted = [cells(row, row.first.subject, f"{bounds(row.first)} before") for row in joins]
    yield Table("What a join costs", head_of_joins, counted)
    if sizes:
        yield f"{sizes_compared(found.of(SIZES))}."
    yield failing(sizes, ("Claim", "Bounds", "Sizes", "Differences"), _differences)
    if smallest:
        yield f"{smallest_compared(found.of(SMALLEST))}."
    yield failing(smallest, ("Claim", "Solver", "Enumerator"), lambda row: tuple(_both(row.first).values()))


def _differences(row: Row) -> Cells:
    return bounds(row.first), row.cases, row.differing


def _given(found: Enumerated) -> Mapping[str, Any]:
    return {kind: GROUPS_TOLD.rows(found.of(kind)) for kind in WORDS}


def _solver_time(found: Finding) -> float:
    return found.numbers[SOLVER_TIME] / 1_000_000


GROUPS_TOLD = Enumeration(
    WORDS,
    _facts,
    _lines,
    _closing,
    _tables,
    "groups.html",
    _given,
    {
        "bounds": bounds,
        "size_of": size_of,
        "sizes_compared": sizes_compared,
        "smallest_compared": smallest_compared,
        "solver_time": _solver_time,
    },
)
