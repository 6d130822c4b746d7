"""Versions as users write them."""

import pytest

from rebalance_proofs.model.ordered.clients import GO, V4_9, V4_9_0, V5_0, V5_2
from rebalance_proofs.model.ordered.versions import VERSIONS, Unmodelled, of_version


@pytest.mark.parametrize(
    ("words", "client"),
    [
        ("4.9.0", V4_9_0),
        ("4.9", V4_9),
        ("Java 5.1.4", V5_0),
        ("v5.0.0", V5_0),
        ("5.2", V5_2),
        ("5.3.3", V5_2),
        ("Go", GO),
    ],
)
def test_a_version_is_its_client(words, client):
    assert of_version(words) is client


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("5.3.4", "newer than 5.3.3"),
        ("5.4", "newer than 5.3.3"),
        ("6", "newer than 5.3.3"),
        ("4.8.0", "the nearest is 4.9.0"),
        ("5.1.9", "the nearest is 5.1.4"),
        ("goo", "the nearest is go"),
        ("node", "no locks of queues"),
        ("grpc", "not modelled"),
        ("", "name one like 5.2"),
    ],
)
def test_no_version_is_taken_for_another(words, said):
    with pytest.raises(Unmodelled, match=said):
        of_version(words)


def test_every_version_that_is_known_is_one():
    assert all(of_version(words) is client for words, client in VERSIONS.items())
