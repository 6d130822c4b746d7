"""Releases named by a user's words."""

import pytest

from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import (
    BY_GENERATION,
    LAST,
    NOT_READ,
    OTHERS,
    RELEASES,
    UnknownRelease,
    java_from,
    release_of,
    stands_for,
)
from rebalance_proofs.report.releases import LANGUAGES


@pytest.mark.parametrize("release", RELEASES)
def test_release_name_is_accepted(release):
    assert release_of(release) == release
    assert release_of(f" {release.upper()} ") == release


@pytest.mark.parametrize(
    ("words", "release"),
    [
        ("4.9", "4.9.8"),
        ("Java 5.1", "5.1.4"),
        ("5.4", "5.4.0"),
        ("5.5", "5.5.0"),
        ("v5_3_3", "5.3.3"),
        ("ali-ons", "node"),
        ("C++", "cpp"),
    ],
)
def test_alternative_release_names_are_accepted(words, release):
    assert release_of(words) == release


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("5.5.1", f"version '5.5.1' is newer than {LAST}, the newest Java client version that is covered"),
        ("6", f"newer than {LAST}"),
        ("5.3.4", "version '5.3.4' is not covered; the nearest Java client version is 5.3.3"),
        ("4.8.0", "version '4.8.0' is not covered; the nearest Java client version is 4.9.0"),
        ("5", "version '5' is not covered; the nearest Java client version is 5.0.0"),
        ("5.1.9", "the nearest Java client version is 5.1.4"),
        ("goo", f"unknown client 'goo'; did you mean 'go'? name a Java client version from 4.9.0 to {LAST}, or go"),
        ("kafka", f"unknown client 'kafka'; name a Java client version from 4.9.0 to {LAST}, or go"),
        ("", "unknown client ''; name a Java client version"),
    ],
)
def test_unknown_version_is_not_mapped_to_another(words, said):
    with pytest.raises(UnknownRelease) as refused:
        release_of(words)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("words", "release", "said"),
    [
        ("5.2", "5.2.0", ""),
        ("5.3.4", "5.3.3", "5.3.4 is not modelled: this answer describes 5.3.3, the modelled release before it."),
        ("5.5.1", LAST, f"5.5.1 is newer than {LAST}, the newest modelled release: this answer describes {LAST}."),
        ("Java 6.0", LAST, f"6.0 is newer than {LAST}"),
        ("4.8.0", "4.9.0", "4.8.0 is not modelled: this answer describes 4.9.0, the oldest modelled release."),
        ("4.7", "4.9.0", "Known to differ: MACHINE_ROOM also assigns queues of rooms"),
        ("4.5.1", "4.9.0", "shutdown() neither waits for running listeners nor interrupts them; there is no lite pull"),
        ("3.x", "4.9.0", "3.x is not modelled"),
    ],
)
def test_unmodelled_version_is_answered_by_a_modelled_one(words, release, said):
    stands, remark = stands_for(words)
    assert stands == release
    assert said in remark
    assert bool(remark) == bool(said)


@pytest.mark.parametrize("words", ["5.1.9", "5", "4", "4.9.9", "goo", "", "4.8.0-beta", "1" * 40])
def test_invalid_or_intermediate_version_is_refused(words):
    with pytest.raises(UnknownRelease):
        stands_for(words)


def test_display_name_ends_with_the_newest_release():
    assert LAST == BY_GENERATION[-1][-1]
    assert java_from("5.2") == f"Java 5.2 to {LAST}"


def test_releases_that_were_not_read_are_not_modelled():
    for release, before in NOT_READ.items():
        assert release not in RELEASES
        assert before in RELEASES


def test_other_clients_are_those_with_a_profile():
    assert {*OTHERS, "java"} == set(LANGUAGES) == {profile.name.partition("_")[0] for profile in PROFILES}
