"""Encodings with free parts: uninterpreted functions."""

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.mutation.free import freed


@pytest.mark.parametrize(
    ("claim", "before"),
    [
        ("transition.java_v5_2.exact", "transition.java_v5_2.listener.push-orderly"),
        ("ordered.java_v5_2.exclusive", "ordered.java_v5_2.exact"),
    ],
)
def test_names_of_unknowns_do_not_depend_on_earlier_queries(claim, before):
    (one,), (other,) = select([claim]), select([before])
    steps = [step for step in one.obligations if not step.abstract]
    fresh, used = (freed.__wrapped__(one.encodings[0]).encoding for _ in range(2))
    for step in other.obligations or steps[1:]:
        step.statement(used)
    for step in steps:
        ours, theirs = step.statement(fresh), step.statement(used)
        assert ours.then is theirs.then
        assert [one.fingerprint for one in ours.given.values()] == [one.fingerprint for one in theirs.given.values()]
