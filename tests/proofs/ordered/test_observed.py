"""The client's code agrees with its terms on which locks are renewed."""

from itertools import product

import pytest

from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.model.machines.ordered.state import Ordered
from rebalance_proofs.proofs.machine.run import observed
from rebalance_proofs.proofs.named import truth
from rebalance_proofs.proofs.ordered.two import CONFIGURATION


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_agree_on_renewed_locks(client):
    code = observed(CONFIGURATION, client)
    for present, dropped, runs in product((False, True), repeat=3):
        flags = {"present": present, "dropped": present and dropped, "runs": runs, "orphan": runs and not present}
        state = Ordered.blank(**flags)
        listed = truth(code.listed(state.terms()))
        assert listed == client.encoding.listed(state)
        assert listed == (present and (not dropped or client.rules.renews_marked))
