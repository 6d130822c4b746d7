"""Claims arranged for tables."""

from dataclasses import replace

from proofs.claim import Verdict
from proofs.ledger import LEDGER
from report.families import MOVEMENT, PREMISES_DROPPED, PROMISES
from report.matrix import alike, arranged, matrices


def table_of(family, claims=LEDGER):
    """The table of one family, of claims alone."""
    return next(matrix for matrix in arranged(claims, lambda claim: claim) if matrix.family == family)


def test_results_of_a_run(green):
    promises, dependences = matrices(green.claims)
    assert (promises.family, promises.rows, promises.columns) == (
        PROMISES,
        (("AVG_BY_CIRCLE",),),
        ("disjoint", "contiguous"),
    )
    (cell,) = alike(promises.cell(("AVG_BY_CIRCLE",), "contiguous"))
    assert (cell.verdict, cell.green) == (Verdict.REFUTED, True)
    assert (dependences.rows, dependences.columns) == ((("same-cid-all", "AVG"),), ("disjoint",))
    assert dependences.cell(("same-cid-all", "AVG"), "covers") == ()


def test_failures_come_first_in_a_cell(green):
    result = green.claims[-1]
    found = alike([result, replace(result, verdict=Verdict.UNKNOWN)])
    assert [cell.verdict for cell in found] == [Verdict.UNKNOWN, Verdict.REFUTED]


def test_every_claim_has_a_cell_of_its_own():
    cells = [cell for matrix in arranged(LEDGER, lambda claim: claim) for cell in matrix.cells.values()]
    assert sorted(claim.id for cell in cells for claim in cell) == sorted(claim.id for claim in LEDGER)
    assert {len(cell) for cell in cells} == {1}


def test_rows_of_one_premise_stand_together():
    matrix = table_of(PREMISES_DROPPED)
    spans = [matrix.span(place) for place in range(len(matrix.rows))]
    assert sum(spans) == len(matrix.rows)
    assert len([span for span in spans if span]) == len({row[0] for row in matrix.rows})


def test_a_join_of_any_room_is_movement():
    rows = table_of(MOVEMENT).rows
    assert ("CONSISTENT_HASH (Java, Rust)",) in rows


def test_what_is_not_about_every_queue_is_noted():
    for family in (PROMISES, PREMISES_DROPPED):
        assert table_of(family).notes == ("MACHINE_ROOM (Java): over the queues of the rooms in consumeridcs.",)
