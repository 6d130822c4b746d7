"""Parts are added up in any order."""

from dataclasses import replace
from itertools import permutations

from rebalance_proofs.spark_enum.transition.totals import Totals


def test_parts_in_any_order_give_the_same():
    parts = [Totals(cases=3, digest=2**63), Totals(cases=4, digest=2**63 + 5), Totals(cases=5, digest=1)]
    parts[1].differs(7, "later")
    parts[1].differs(8, "latest")
    parts[2].differs(2, "first")
    found = []
    for order in permutations(parts):
        whole = Totals()
        for part in order:
            whole.merge(replace(part))
        found.append(whole)
    assert found == [Totals(cases=12, digest=6, mismatches=3, first=(2, "first"))] * 6
