"""How wrong encodings differ from their clients', by both declarations."""

from dataclasses import replace

from rebalance_proofs.model.machines.settling.recorded import TABLE
from rebalance_proofs.recorded.cluster.clients import (
    ordered_client,
    pulls_client,
    settling_client,
    subscriptions_client,
)
from rebalance_proofs.report.reality.differs import Differs, differs
from tests.recorded.cluster.traces import trace, whys


def _of(client):
    return {mutant.name: differs(client, mutant) for mutant in client.mutants}


def test_client_has_wrong_encodings_of_each_kind():
    ordered = _of(ordered_client("4.9.8"))
    assert ordered["grants-to-all"] is Differs.MORE
    assert ordered["frees-any"] is Differs.OTHERWISE
    settling = _of(settling_client("5.3.3"))
    assert settling["sees-nothing"] is Differs.UNSEEN  # whether a rebalance has seen the change is a ghost
    (blind,) = (one for one in settling_client("5.3.3").mutants if one.name == "sees-nothing")
    assert differs(settling_client("5.3.3"), blind, TABLE.kept) is Differs.OTHERWISE  # which events show
    assert settling["hurries"] is Differs.MORE
    assert settling["waits-longer"] is Differs.OTHERWISE


def test_own_encoding_does_not_differ():
    client = pulls_client("5.3.3")
    (mutant, *_) = client.mutants
    right = type(mutant)(**{**vars(mutant), "encoding": client.encoding})
    assert differs(client, right) is Differs.UNSEEN


def test_client_without_heartbeat_on_a_version_change_is_rejected():
    """The rebalance thread sends a heartbeat for no other reason."""
    run = trace("java-4.9.8/o_shutdown_ordered")
    client = subscriptions_client("4.9.8", fingerprints=False)
    (mutant,) = [one for one in client.mutants if one.name == "sends-nothing"]
    assert whys(run, "subscriptions") == []
    wrong = replace(run, encodings={"subscriptions": lambda client: mutant.encoding})
    assert "its heartbeat has another version, or it does not have the topic" in whys(wrong, "subscriptions")
