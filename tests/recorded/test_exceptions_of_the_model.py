"""Model code that raises what no client throws is a disagreement in each row that needs it, in every format."""

import pytest

from rebalance_proofs.model.assignment.broker import QueryAssignmentProcessor
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.recorded import consistent_hash
from rebalance_proofs.recorded.conform import FORMATS, conform

ALLOCATION = {
    "avg.tsv",
    "config.jsonl",
    "consistent_hash.jsonl",
    "consistent_hash_go.tsv",
    "consistent_hash_special.jsonl",
    "errors.jsonl",
    "machine_room.tsv",
    "machine_room_divergence.tsv",
    "machine_room_nearby.tsv",
    "sort_cases.jsonl",
}
TRANSITIONS = {
    "transition/node-offset.tsv",
    "transition/node-single.tsv",
    "transition/offset.tsv",
    "transition/pairs.tsv",
    "transition/scripted.jsonl",
    "transition/single.tsv",
    "transition/store.tsv",
}
RAISING = {
    "allocate": ([(Profile, "allocate")], ALLOCATION),
    "sorted lists": ([(Profile, "sort_queues"), (Profile, "sort_client_ids")], {"avg_layouts.tsv", "avg_cids.tsv"}),
    "hash functions": (
        [(consistent_hash, "md5_hash"), (consistent_hash, "build_ring")],
        {"ring_hash.tsv", "ring_dump.tsv"},
    ),
    "assignments": ([(QueryAssignmentProcessor, "query_assignment")], {"assignment.tsv"}),
    "clients": ([(RebalanceImpl, "__init__"), (Node, "__init__")], TRANSITIONS),
}
"""What raises, and the files all of whose rows need it."""


def _raise(*_, **__):
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize("what", RAISING)
def test_model_exception_is_a_disagreement_of_every_row(what, monkeypatch):
    places, files = RAISING[what]
    for place in places:
        monkeypatch.setattr(*place, _raise)
    found = conform()
    assert found.contradicted
    for report in found.files:
        if report.file in files:
            assert len({row.line for row in report.disagreements}) == report.rows
            assert all("ZeroDivisionError" in row.computed for row in report.disagreements)


def test_every_format_is_tried_with_exceptions():
    assert {name for _, files in RAISING.values() for name in files} == {
        name for format_ in FORMATS for name in format_.files
    }
