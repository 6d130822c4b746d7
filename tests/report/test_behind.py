"""The source files for a claim."""

import pytest

from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.behind import ROOT, behind

WORLDS = {
    "the group",
    "the groups",
    "the scenario",
    "the circumstances",
    "the brokers",
    "the troubles",
    "the notices",
    "the members",
    "the membership",
}


def test_every_claim_has_existing_files():
    for claim in LEDGER:
        files = behind(claim)
        told = {what for said in files.values() for what in said}
        assert told >= {"the guarantee", "the code"}, claim.id
        assert told & WORLDS, claim.id
        assert all((ROOT / file).is_file() for file in files), claim.id


@pytest.mark.parametrize(
    ("name", "file", "what"),
    [
        ("allocation.avg.disjoint", "proofs/allocation/disjoint.py", ["the guarantee", "its obligations"]),
        ("allocation.avg.disjoint", "model/allocation/averagely.py", ["the code", "the terms"]),
        ("allocation.nearby.covers", "proofs/allocation/nearby.py", ["its obligations"]),
        ("transition.java_v5_2.listener.push-orderly", "proofs/transition/locks.py", ["the guarantee"]),
        ("allocation.nearby-hash.covers", "model/worlds/rooms.py", ["the groups"]),
        ("allocation.room-go.disjoint.with-a-room-twice", "model/worlds/kinds.py", ["the groups"]),
        ("transition.java_v5_2.listener.push-orderly", "model/client/java_v5_2.py", ["the code"]),
        ("transition.java_v5_2.listener.push-orderly", "proofs/transition/scenario.py", ["the scenario"]),
        ("transition.node.exact", "model/transition/node.py", ["the terms"]),
        ("ordered.go.exclusive", "model/client/go.py", ["the code"]),
        ("ordered.go.exclusive", "model/machines/ordered/claims.py", ["the guarantee", "its obligations"]),
        ("ordered.go.exclusive", "model/machines/ordered/actions.py", ["its obligations", "the terms"]),
        ("offsets.java_v5.once", "model/client/java_v5_2.py", ["the code"]),
        ("offsets.java_v5.not-skipped", "model/machines/offsets/actions.py", ["its obligations", "the terms"]),
        ("offsets.java_v5.not-skipped", "model/machines/offsets/assumptions.py", ["its obligations", "the brokers"]),
        (
            "pulls.java_v5_3_3.dies",
            "model/machines/pulls/claims.py",
            ["the guarantee", "its obligations", "the troubles"],
        ),
        (
            "settling.java_v5_2_to_v5_3.woken",
            "model/machines/settling/claims.py",
            ["the guarantee", "its obligations", "the notices"],
        ),
        ("settling.java_v5_2_to_v5_3.woken", "model/client/service_thread.py", ["the code"]),
        ("subscriptions.java_v4_9_to_v5_3.calm", "model/subscriptions.py", ["the code"]),
        (
            "registry.java_v5_2_to_v5_3.anew",
            "model/machines/registry/claims.py",
            ["the guarantee", "its obligations"],
        ),
        ("registry.java_v5_2_to_v5_3.anew", "model/registry/broker.py", ["the code"]),
    ],
)
def test_file_has_its_role(name, file, what):
    (claim,) = select([name])
    assert behind(claim)[file] == what
