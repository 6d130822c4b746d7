"""Versions in users' words, and the versions whose locks are modelled."""

import pytest

from rebalance_proofs.model.machines.ordered.actions import GO, V4_9, V4_9_0, V5_0, V5_2
from rebalance_proofs.model.ordered.versions import Unmodelled, of_version
from rebalance_proofs.model.releases import JAVA, RELEASES, UnknownRelease


@pytest.mark.parametrize(
    ("words", "client"),
    [
        ("4.9.0", V4_9_0),
        ("4.9", V4_9),
        ("Java 5.1.4", V5_0),
        ("v5.0.0", V5_0),
        ("5.2", V5_2),
        ("5_3_3", V5_2),
        ("Go", GO),
        ("golang", GO),
    ],
)
def test_version_names_its_client(words, client):
    assert of_version(words) is client


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("node", "no locks of queues"),
        ("ali-ons", "no locks of queues"),
        ("c++", "locks of the C\\+\\+ client are not modelled"),
        ("rust", "not modelled"),
    ],
)
def test_client_without_modelled_locks_is_reported(words, said):
    with pytest.raises(Unmodelled, match=said):
        of_version(words)


def test_invalid_version_is_refused():
    with pytest.raises(UnknownRelease, match="is not covered"):
        of_version("6.4")
    with pytest.raises(UnknownRelease, match="leave rebalancing to the proxy"):
        of_version("grpc")


def test_version_that_was_not_read_has_the_locks_of_another_release():
    assert of_version("5.99") is of_version(JAVA[-1])
    assert of_version("5.1.9") is V5_0
    assert of_version("4.7") is V4_9_0


def test_every_release_has_modelled_locks_or_a_reason():
    for release in RELEASES:
        try:
            assert of_version(release)
        except Unmodelled:
            assert release not in JAVA
