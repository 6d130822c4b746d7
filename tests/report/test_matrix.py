"""Claims arranged for tables."""

from dataclasses import replace

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.allocation.sentences import MOVEMENT, PREMISES_DROPPED, PROMISES
from rebalance_proofs.report.claims.matrix import alike, arranged, matrices
from rebalance_proofs.report.kinds import family
from rebalance_proofs.report.transition.kind import TRANSITIONS, VERSIONS


def table_of(family, claims=LEDGER):
    """The table of one family, of claims alone."""
    return next(matrix for matrix in arranged(claims, lambda claim: claim) if matrix.family == family)


def test_matrix_has_the_results_of_a_run(green):
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


def test_failures_are_first_in_a_cell(green):
    result = green.claims[-1]
    found = alike([result, replace(result, verdict=Verdict.UNKNOWN)])
    assert [cell.verdict for cell in found] == [Verdict.UNKNOWN, Verdict.REFUTED]


def test_every_claim_about_strategies_has_its_own_cell():
    own = [claim for claim in LEDGER if not family(claim).spelled_out]
    cells = [cell for matrix in arranged(own, lambda claim: claim) for cell in matrix.cells.values()]
    assert sorted(claim.id for cell in cells for claim in cell) == sorted(claim.id for claim in own)
    assert {len(cell) for cell in cells} == {1}


def test_claim_about_clients_is_in_the_cells_of_all_its_modes():
    for kind in (TRANSITIONS, VERSIONS):
        cells = table_of(kind).cells
        own = {claim.id for claim in LEDGER if family(claim) == kind}
        assert {claim.id for cell in cells.values() for claim in cell} == own
        assert {len(cell) for cell in cells.values()} == {1}
        for (_, column), cell in cells.items():
            assert column in (cell[0].subjects[0].rocketmq_name, "same table")


def cells_of(name):
    """The rows of one promise: when, used as, and the claims there, by what stands behind the promise in their ids."""
    table = table_of(TRANSITIONS, select([f"transition.*.{name}.**"]))
    return {
        row[1:]: [
            "".join(claim.id.partition(f".{name}")[2] for claim in table.cell(row, client)) for client in table.columns
        ]
        for row in table.rows
    }


def test_modes_without_separate_claims_share_a_row():
    assert list(cells_of("kept")) == [("always", "push"), ("always", "pull and lite pull")]
    assert list(cells_of("offset-kept")) == [("always", "push orderly"), ("always", "anything but push orderly")]
    assert list(cells_of("others")) == [("always", "anything"), ("even if mqSet holds some of them", "anything")]


def test_mode_that_ends_at_a_release_shares_a_row():
    assert cells_of("no-group-lock") == {
        ("always", "push orderly broadcasting"): [
            ".push-orderly-broadcasting",
            ".push-orderly-broadcasting",
            ".push-orderly-broadcasting-up-to-5-3-1",
        ],
        ("always", "broadcasting but not push orderly"): [
            ".broadcasting-but-not-push-orderly",
            ".broadcasting-but-not-push-orderly",
            ".broadcasting-but-not-push-orderly-up-to-5-3-1",
        ],
    }


def test_unconditional_claim_also_fills_the_conditional_row():
    table = table_of(TRANSITIONS, select(["transition.java_*.marked.**"]))
    shipped, always, conditional = table.rows
    assert shipped[2] == "built-in store"
    assert [found.id for client in table.columns for found in table.cell(conditional, client)] == [
        "transition.java_v4_9.marked.own-store.when-persist-works",
        "transition.java_v5_0.marked",
        "transition.java_v5_2.marked",
    ]
    assert next(found.id for client in table.columns for found in table.cell(shipped, client)).endswith(".as-shipped")
    assert [found.expected for client in table.columns for found in table.cell(always, client)] == [
        Verdict.REFUTED,
        Verdict.PROVED,
        Verdict.PROVED,
    ]


def test_client_without_a_mode_has_an_empty_cell():
    assert cells_of("kept")[("always", "pull and lite pull")][-1] == ""


def test_rows_of_one_premise_are_adjacent():
    matrix = table_of(PREMISES_DROPPED)
    spans = [matrix.span(place) for place in range(len(matrix.rows))]
    assert sum(spans) == len(matrix.rows)
    assert len([span for span in spans if span]) == len({row[0] for row in matrix.rows})


def test_join_of_any_room_is_movement():
    rows = table_of(MOVEMENT).rows
    assert ("CONSISTENT_HASH (Java, Rust)",) in rows


def test_claims_that_do_not_cover_every_queue_have_a_note():
    for kind in (PROMISES, PREMISES_DROPPED):
        assert table_of(kind).notes == ("MACHINE_ROOM (Java): over queues of rooms in consumeridcs.",)
