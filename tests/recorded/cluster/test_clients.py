"""The model's client for each recorded release."""

import pytest

from rebalance_proofs.model.releases import BY_GENERATION, JAVA, LAST
from rebalance_proofs.recorded.cluster import clients


@pytest.mark.parametrize("release", JAVA)
def test_every_release_has_one_client_in_each_machine(release):
    assert release in clients.generation(release).releases
    assert release in clients.pulls_client(release).releases
    assert release in clients.registry_client(release).releases
    assert release in clients.subscriptions_client(release, fingerprints=False).releases
    of_generation = (
        clients.settling_client(release),
        clients.ordered_client(release),
        *(clients.offsets_client(release, orderly=orderly) for orderly in (False, True)),
    )
    for one in of_generation:
        assert clients.generation(release) in one.generations


@pytest.mark.parametrize(
    ("words", "release"), [("5.4.0", "5.4.0"), ("5.5.0", "5.5.0"), ("54", "5.4.0"), ("55", "5.5.0")]
)
def test_recording_of_a_new_release_is_read_as_that_release(words, release):
    assert clients.java_recorded(words).release == release


def test_newest_release_stops_after_a_failed_start_and_survives_errors():
    """Releases after the last difference share its client: none is left with an older one."""
    assert LAST == BY_GENERATION[-1][-1]
    assert clients.registry_client(LAST).stops
    assert clients.pulls_client(LAST).rules.thread_survives
    assert clients.pulls_client(LAST) is clients.pulls_client("5.4.0")
