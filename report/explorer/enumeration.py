"""Texts about explored groups in reports of a run.

Exploring a group means computing all its states under a model, and searching them for bad states, such as two owners of
a queue (``two``) or a redelivered message (``twice``).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.enumeration import Enumeration, Row, Table, Words, cells
from rebalance_proofs.report.text.english import count
from rebalance_proofs.spark_enum.explorer.models import concurrent, ordered
from rebalance_proofs.spark_enum.explorer.standard import Standard
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.explorer.subject import Subject
from rebalance_proofs.spark_enum.results import Enumerated, Finding

# Small groups for which the explorer finds a state in which a refuted claim fails.


def _group(of: Subject, **told: object) -> Standard:
    return Standard(of.name, of.settings(**told))


EXAMPLES = (
    _group(concurrent.SUBJECT),
    _group(concurrent.SUBJECT, client="4.9.8"),
    *(_group(concurrent.SUBJECT, strategy=strategy) for strategy in ("circle", "hash", "hash-go")),
    *(_group(ordered.SUBJECT, queues=1, client=client) for client in ("5.2", "go")),
    *(
        _group(ordered.SUBJECT, queues=1, client="5.2", unlock=4, faults=(fault,))
        for fault in (ordered.SHUTDOWN, ordered.RESTART, ordered.LATE_RETURN)
    ),
)
"""The groups, each with the bad states that it reaches.

Each bad state names the claims that it refutes.
"""


def example_of(claim: str) -> Standard | None:
    """Return the first group in which the refuted claim fails; None if there is no such group."""
    return _by_claim().get(claim)


@cache
def _by_claim() -> Mapping[str, Standard]:
    found: dict[str, Standard] = {}
    for example in EXAMPLES:
        for watch in example.watches.values():
            for claim in watch.claims:
                if LEDGER.named(claim).expected is Verdict.REFUTED:
                    found.setdefault(claim, example)
    return found


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
