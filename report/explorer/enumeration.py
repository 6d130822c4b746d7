"""Texts about explored groups in reports of a run.

Exploring a group means computing all its states under a model, and searching them for bad states, such as two owners of
a queue (``two``) or a redelivered message (``twice``).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rebalance_proofs.report.claims.enumeration import Enumeration, Row, Table, Words, cells
from rebalance_proofs.report.text.english import count
from rebalance_proofs.spark_enum.explorer.kinds import EXPLORED
from rebalance_proofs.spark_enum.results import Enumerated, Finding

WORDS = Words(
    missing="{counted} explored, {found.expected:,} are pinned",
    differing="differs from the pinned result, {found.first}",
    noun="state",
    meant="the states of a whole group, with the pinned result",
    suite="groups",
    place="groups.explored",
    line="rebalance {found.name}: {met}",
)


def found_in(group: Finding) -> str:
    """Return the bad states that a group reaches: ``two in 4 steps, twice in 10 steps``."""
    steps = {name: group.smallest[name].digits[0] for name in group.broken if name in group.smallest}
    told = ", ".join(f"{name} in {count(many, 'step')}" for name, many in steps.items())
    return told or ("nothing" if group.broken else "nothing to look for")


def _facts(found: Enumerated) -> Iterator[str]:
    whole = Row(found.of(EXPLORED), WORDS)
    if whole.findings:
        yield f"{count(len(whole.findings), 'whole group')} explored, {whole.counted}"


def _lines(found: Sequence[Finding], verbose: bool) -> Iterator[str]:
    whole = Row([one for one in found if one.kind == EXPLORED], WORDS)
    yield from map(_line, whole.findings) if verbose else ()
    if whole.findings and not verbose:
        outcome = f"BAD: {whole.bad:,}" if whole.bad else "all as pinned"
        yield f"explored {count(len(whole.findings), 'whole group')}: {whole.counted}, {outcome}"


def _line(found: Finding) -> str:
    outcome = [f"found: {found_in(found)}", *(["BAD"] if WORDS.failures(found) else [])]
    return "; ".join([WORDS.said(found, WORDS.line), *outcome])


def _tables(found: Enumerated) -> Iterator[Table | str]:
    head = ("", "Group", "Found", "States", "Pinned", "Differ", "Time")
    rows = EXPLORED_TOLD.rows(found.of(EXPLORED))
    yield Table("Whole groups", head, [cells(row, row.first.name, found_in(row.first)) for row in rows])


def _given(found: Enumerated) -> Mapping[str, Any]:
    return {"whole": EXPLORED_TOLD.rows(found.of(EXPLORED))}


EXPLORED_TOLD = Enumeration(
    {EXPLORED: WORDS},
    _facts,
    _lines,
    tables=_tables,
    template="whole_groups.html",
    given=_given,
    filters={"found_in": found_in},
)
