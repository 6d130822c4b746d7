"""Client and mode of a question, as users write them."""

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.subjects import releases_of
from rebalance_proofs.report.symptoms.asked import (
    JAVA,
    RELEASES,
    Asked,
    UnknownName,
    asked,
    by_id,
    covers,
    releases_of_profile,
)


@pytest.mark.parametrize(
    ("words", "release"),
    [
        ("4.9.8", "4.9.8"),
        ("Java 5.1.4", "5.1.4"),
        ("v5.3.3", "5.3.3"),
        ("V5_3_3", "5.3.3"),
        ("5.2", "5.2.0"),
        ("4.9", "4.9.8"),
        ("Go", "go"),
        ("ali-ons", "node"),
        ("c++", "cpp"),
        (" node ", "node"),
    ],
)
def test_client_is_found_by_its_common_names(words, release):
    assert asked(words).release == release


@pytest.mark.parametrize(
    ("client", "mode", "said"),
    [
        ("6.1", "", "version '6.1' is not covered; name a Java client version 4.x or 5.x"),
        ("pop", "", "unknown client 'pop'; name a Java client version from 4.9.0 to "),
        ("nod", "", "did you mean 'node'?"),
        ("kafka", "", "unknown client 'kafka'; name a Java client version from 4.9.0 to "),
        ("", "pushorderly", "did you mean 'push orderly'"),
        ("", "pop", "unknown mode 'pop'; "),
    ],
)
def test_unknown_client_or_mode_is_refused_with_the_known_ones(client, mode, said):
    with pytest.raises(UnknownName, match=r".") as refused:
        asked(client, mode)
    assert said in str(refused.value)


@pytest.mark.parametrize("words", ["push orderly", "Push Orderly", "push_orderly", "push-orderly", "push ordered"])
def test_mode_is_found_by_its_words(words):
    assert asked("", words).mode == "push orderly"


@pytest.mark.parametrize(
    ("profile", "releases"),
    [
        ("java_v4", [release for release in JAVA if release.startswith("4.9.")]),
        ("java_v5", [release for release in JAVA if release.startswith("5.")]),
        ("go", ["go"]),
    ],
)
def test_profile_covers_the_releases_of_its_line(profile, releases):
    assert list(releases_of_profile(profile)) == releases


def covered(claim: str, mode: str = "") -> list[str]:
    return [release for release in RELEASES if covers(by_id(claim), Asked(release, mode))]


def test_clients_of_java_are_named_up_to_their_newest_release():
    """The newest release is in a client's name exactly if the client has it: a new release needs no new name."""
    alone = (claim for claim in select(["**"]) if len(claim.subjects) == 1)
    named = {claim.subjects[0].rocketmq_name: releases_of(claim) for claim in alone}
    java = {name: releases for name, releases in named.items() if name.startswith("Java ")}
    assert len(java) > 20
    for name, releases in java.items():
        assert (f" to {JAVA[-1]}" in name or name == f"Java {JAVA[-1]}") == (JAVA[-1] in releases), name


def test_claim_covers_the_releases_of_its_subject():
    assert covered("offsets.java_v4_9.once") == [release for release in JAVA if release.startswith("4.9.")]
    assert covered("ordered.go.exclusive") == ["go"]
    # Releases that rebalance alike, and do not pull alike.
    assert covered("pulls.java_v5_2_0.healed.without-error") == ["5.2.0"]
    assert covered("pulls.java_v5_3_0.healed.without-error") == ["5.3.0", "5.3.1", "5.3.2"]
    assert covered("pulls.java_v5_3_3.healed.without-error") == ["5.3.3"]
    assert covered("pulls.java_v5_4_0.healed.without-error") == ["5.4.0", "5.5.0"]
    assert covered("transition.node.returns") == ["node"]
    assert covered("allocation.hash-go.covers") == ["go"]
    assert covered("allocation.avg.covers") == list(RELEASES)
    assert covered("topics.avg-per-topic.level") == list(RELEASES)


def test_claim_covers_releases_proved_to_be_equal():
    assert covered("transition.java_v4_9.kept.push") == ["4.9.5", "4.9.6", "4.9.7", "4.9.8"]
    # Unsubscribing is no rebalance, and nothing is proved of it between two releases.
    assert covered("transition.java_v4_9.unsubscribed-lock.push-orderly") == ["4.9.8"]


def test_mode_that_changed_covers_the_named_releases():
    mode = "push orderly broadcasting"
    before = covered("transition.java_v5_2.no-group-lock.push-orderly-broadcasting-up-to-5-3-1", mode)
    assert "5.3.1" in before
    assert "5.3.2" not in before
    assert "5.3.2" not in covered("transition.java_v5_0.no-group-lock.push-orderly-broadcasting", mode)


def test_claim_covers_the_modes_of_its_world():
    for claim, modes in (
        ("offsets.java_v5.once", {"push"}),
        ("ordered.java_v5_2.exclusive", {"push orderly"}),
        ("transition.java_v5_2.kept.pull-and-lite-pull", set(MODES[4:])),
        ("allocation.avg.disjoint", {"push", "push orderly", "pull", "lite pull"}),
    ):
        assert {mode for mode in MODES if covers(by_id(claim), Asked("5.3.3", mode))} == modes


def test_unknown_claim_is_an_error():
    with pytest.raises(LookupError, match="no claim is called"):
        by_id("offsets.java_v6.once")
