"""The client's code in place of its terms."""

from dataclasses import replace
from itertools import product

import pytest
import z3

from rebalance_proofs.model.ordered.clients import CLIENTS
from rebalance_proofs.model.ordered.state import NOBODY, Lock, State, nothing
from rebalance_proofs.proofs.ordered.observed import observe_ordered


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_agree_on_which_locks_are_renewed(client):
    now, code = z3.IntVal(0), observe_ordered(client)
    for present, dropped, runs in product((False, True), repeat=3):
        flags = {"present": present, "dropped": present and dropped, "runs": runs, "orphan": runs and not present}
        me = replace(nothing(1, now), **{name: z3.BoolVal(value) for name, value in flags.items()})
        state = State(now, me, Lock(z3.IntVal(NOBODY), now))
        listed = z3.is_true(code.listed(state))
        assert listed == z3.is_true(z3.simplify(client.encoding.listed(state)))
        assert listed == (present and (not dropped or client.rules.renews_marked))
