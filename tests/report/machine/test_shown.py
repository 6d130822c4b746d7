"""Types of trace variables are those of their values."""

from itertools import chain

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.kinds import shown

TYPES = {"Str": str, "Bool": bool, "Int": int}
KINDS = ("ordered", "offsets", "pulls", "settling", "subscriptions", "registry")


@pytest.mark.parametrize("kind", KINDS)
def test_each_value_has_the_type_of_its_variable(kind):
    claim = next(claim for claim in LEDGER if claim.kind == kind and claim.expected is Verdict.REFUTED)
    states, types = shown(claim).states(claim, shown(claim).smallest(claim)), shown(claim).types
    for state, (name, type_) in ((state, one) for state in states for one in types.items() if one[0] in state):
        inner = type_.removeprefix("Seq(").removesuffix(")")
        values = state[name] if type_ != inner else [state[name]]
        assert {type(value) for value in values} == {TYPES[inner]}, name
    assert set(types) == set(chain.from_iterable(states))
