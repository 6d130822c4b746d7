"""Releases that a user's words stand for."""

import pytest

from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import OTHERS, RELEASES, UnknownRelease, release_of, stands_for
from rebalance_proofs.report.releases import LANGUAGES


@pytest.mark.parametrize("release", RELEASES)
def test_a_release_is_itself(release):
    assert release_of(release) == release
    assert release_of(f" {release.upper()} ") == release


@pytest.mark.parametrize(
    ("words", "release"),
    [("4.9", "4.9.8"), ("Java 5.1", "5.1.4"), ("v5_3_3", "5.3.3"), ("ali-ons", "node"), ("C++", "cpp")],
)
def test_users_have_other_words(words, release):
    assert release_of(words) == release


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("5.3.4", "version '5.3.4' is newer than 5.3.3, the newest Java client version that is covered"),
        ("6", "newer than 5.3.3"),
        ("4.8.0", "version '4.8.0' is not covered; the nearest Java client version is 4.9.0"),
        ("5", "version '5' is not covered; the nearest Java client version is 5.0.0"),
        ("5.1.9", "the nearest Java client version is 5.1.4"),
        ("goo", "unknown client 'goo'; did you mean 'go'? name a Java client version from 4.9.0 to 5.3.3, or go"),
        ("kafka", "unknown client 'kafka'; name a Java client version from 4.9.0 to 5.3.3, or go"),
        ("", "unknown client ''; name a Java client version"),
    ],
)
def test_no_version_is_taken_for_another(words, said):
    with pytest.raises(UnknownRelease) as refused:
        release_of(words)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("words", "release", "said"),
    [
        ("5.2", "5.2.0", ""),
        ("5.3.4", "5.3.3", "5.3.4 is newer than 5.3.3, the newest modelled release: this answer describes 5.3.3."),
        ("Java 6.0", "5.3.3", "6.0 is newer than 5.3.3"),
        ("4.8.0", "4.9.0", "4.8.0 is not modelled: this answer describes 4.9.0, the oldest modelled release."),
        ("4.7", "4.9.0", "Known to differ: MACHINE_ROOM also assigns queues of rooms"),
        ("4.5.1", "4.9.0", "shutdown() neither waits for running listeners nor interrupts them; there is no lite pull"),
        ("3.x", "4.9.0", "3.x is not modelled"),
    ],
)
def test_what_was_not_read_is_answered_by_what_was_and_marked(words, release, said):
    stands, remark = stands_for(words)
    assert stands == release
    assert said in remark
    assert bool(remark) == bool(said)


@pytest.mark.parametrize("words", ["5.1.9", "5", "4", "4.9.9", "goo", "", "4.8.0-beta", "1" * 40])
def test_what_is_none_or_lies_between_is_refused(words):
    with pytest.raises(UnknownRelease):
        stands_for(words)


def test_the_other_clients_are_those_with_a_profile():
    assert {*OTHERS, "java"} == set(LANGUAGES) == {profile.name.partition("_")[0] for profile in PROFILES}
