"""Claims as JSON for tools: one row per claim, with everything that the ledger shows."""

import json

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.kinds import family
from rebalance_proofs.report.names import readable


@pytest.mark.parametrize("pattern", ["allocation.avg.*", "ordered.java_v5_2.exclusive.**", "transition.node.*"])
def test_list_json_row_has_all_fields_of_the_claim(call, pattern):
    rows = json.loads(call("list", pattern, "--json").out)
    claims = select([pattern])
    assert [row["id"] for row in rows] == [claim.id for claim in claims]
    for row, claim in zip(rows, claims, strict=True):
        told = {"expected": claim.expected, "scope": claim.scope, "source": claim.source, "family": family(claim).name}
        told |= {"sentence": readable(claim.sentence), "recorded_results": seen(claim).results}
        assert {name: row[name] for name in told} == told
        assert (row["seen"], row["cases"]) == (seen(claim).mark.value, seen(claim).cases)
