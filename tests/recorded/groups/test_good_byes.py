"""Members that shut down: their unregister requests arrive, and the broker no longer lists them."""

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.recorded.groups.broker import Table, members
from tests.recorded.groups.seen import recorded_run

LOOK = 100
"""How many ms a row of the broker's table can be behind, on a busy machine; it is looked at every 50 ms."""
SHUT_DOWN = (
    ("java-4.9.8/c2_ordered_long", "c1"),
    ("java-4.9.8/j_shutdown", "c1"),
    ("java-4.9.8/j_shutdown", "w1"),
    ("java-4.9.8/n_await_ordered", "c1"),
    ("java-4.9.8/o_shutdown_ordered", "c1"),
    ("java-4.9.8/o_shutdown_ordered", "c2"),
    ("java-5.3.3/concurrent", "c2"),
    ("java-5.3.3/ordered_all", "J12c2"),
    ("java-5.3.3/relock", "R1c1"),
    ("java-5.3.3/relock", "R2c1"),
    ("java-5.3.3/relock", "R3c1"),
)
"""All that were recorded."""


def listed(said: str | None) -> set[str]:
    return {member.client_id for member in members(said)}


@pytest.mark.parametrize(("scenario", "who"), SHUT_DOWN)
def test_unregistered_member_is_not_listed(scenario, who):
    run, client_id = recorded_run(scenario), f"127.0.0.1@{who}"
    said = min(event.at for event in run.heard("UNREGISTER_CLIENT", client_id) if event.at > run.shutdown(who))
    rows = [row for row in run.of(Table, "b0") if row.what == "members" and row.of == run.group(who) and row.at > said]
    (gone,) = (row for row in rows if client_id in listed(row.was))
    assert gone.at - said < LOOK
    assert not [row for row in rows if client_id in listed(row.is_)]


def test_unregistration_matches_the_claim():
    (claim,) = select(["registry.java_v4_9_to_v5_3.good-bye"])
    assert claim.holds
