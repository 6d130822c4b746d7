"""Claims arranged for tables."""

from dataclasses import replace

from proofs.claim import Verdict
from report.matrix import dependences, promises


def test_promises(green):
    matrix = promises(green.claims)
    assert (matrix.rows, matrix.columns) == (("AVG_BY_CIRCLE",), ("disjoint", "contiguous"))
    (cell,) = matrix.alike("AVG_BY_CIRCLE", "contiguous")
    assert (cell.verdict, cell.green) == (Verdict.REFUTED, True)


def test_dependences(green):
    matrix = dependences(green.claims)
    assert (matrix.rows, matrix.columns) == (("disjoint",), ("same-cid-all",))
    assert matrix.alike("covers", "same-cid-all") == ()


def test_failures_come_first_in_a_cell(green):
    result = green.claims[-1]
    matrix = dependences([result, replace(result, verdict=Verdict.UNKNOWN)])
    assert [cell.verdict for cell in matrix.alike("disjoint", "same-cid-all")] == [Verdict.UNKNOWN, Verdict.REFUTED]
