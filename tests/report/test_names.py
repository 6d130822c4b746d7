"""Strategies and clients by the names that users know."""

import pytest

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.profiles import JAVA_V4, PROFILES, RUST
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.kinds import in_words
from rebalance_proofs.report.names import client, clients, label, readable, same, shippers, short_label

BY_NAME = {strategy.name: strategy for strategy in ALL}


@pytest.mark.parametrize(
    ("name", "long", "short"),
    [
        ("avg", "AVG", "AVG"),
        ("config", "CONFIG", "CONFIG"),
        ("hash-go", "CONSISTENT_HASH of the Go client", "CONSISTENT_HASH (Go)"),
        ("hash", "CONSISTENT_HASH of the Java and Rust clients", "CONSISTENT_HASH (Java, Rust)"),
        (
            "nearby",
            "MACHINE_ROOM_NEARBY of the Java and Rust clients, over AVG",
            "MACHINE_ROOM_NEARBY over AVG (Java, Rust)",
        ),
        ("nearby-go", "MACHINE_ROOM_NEARBY of the Go client", "MACHINE_ROOM_NEARBY (Go)"),
    ],
)
def test_strategy_has_its_long_and_short_label(name, long, short):
    assert (label(BY_NAME[name]), short_label(BY_NAME[name])) == (long, short)


def test_configured_strategy_belongs_to_its_client():
    configured = CONSISTENT_HASH.configured(virtual_nodes=3)
    assert same(configured, CONSISTENT_HASH)
    assert shippers(configured) == shippers(CONSISTENT_HASH)
    assert label(configured) == label(CONSISTENT_HASH)


def test_language_name_covers_all_its_versions():
    assert clients((JAVA_V4, RUST)) == ("Java 4.9", "Rust")
    assert clients(PROFILES) == ("Java", "Go", "Node", "C++", "Rust")
    assert len({client(profile) for profile in PROFILES}) == len(PROFILES)


def test_shipped_strategy_names_its_clients():
    for profile in PROFILES:
        assert all(profile in shippers(strategy) for strategy in profile.strategies), profile.name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "c0 takes queue 0 by hash-go, and does not by hash.",
            "c0 takes queue 0 by the Go client, and does not by the Java or Rust client.",
        ),
        ("Hash values in hash-go, ascending.", "Hash values in the Go client, ascending."),
        ("Both (room and room-rust).", "Both (the Java client, and the Rust client)."),
        ("A queue at or after its hash, in no room.", "A queue at or after its hash, in no room."),
    ],
)
def test_sentences_name_clients(text, shown):
    assert readable(text) == shown


def test_ledger_sentences_name_no_variant_by_its_internal_name():
    variants = {strategy.name for strategy in ALL if "-" in strategy.name}
    for claim in LEDGER:
        assert not [name for name in variants if name in readable(claim.sentence)], claim.sentence


def test_subjects_of_sweeps_are_named():
    assert in_words("hash+hash-go") == "CONSISTENT_HASH (Java, Rust) + CONSISTENT_HASH (Go)"
    assert in_words("something") == "something"
