"""The rule that finds a modelled release for a version that a user types."""

from string import printable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rebalance_proofs.model import releases
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import (
    BY_GENERATION,
    JAVA,
    LANGUAGES,
    LAST,
    OTHERS,
    READ,
    RELEASES,
    UnknownRelease,
    java_from,
    resolved,
)

NUMBERS = st.tuples(st.sampled_from([4, 5]), st.integers(0, 99), st.integers(0, 99))
FORMS = (
    "{}",
    " {} ",
    "v{}",
    "V{}",
    "Java {}",
    "java-{}",
    "rocketmq-all-{}",
    "RocketMQ {}",
    "rocketmq-client-{}.jar",
    "lib/rocketmq-client-{}.jar",
    "C:\\lib\\rocketmq-client-{}.jar",
    "rocketmq-client:{}",
)
"""Forms in which users type a version."""


def numbers(release):
    return tuple(map(int, release.split(".")))


@pytest.mark.parametrize("release", RELEASES)
def test_release_that_was_read_represents_itself(release):
    assert resolved(release) == resolved(f" {release.upper()} ") == releases.Resolved(release)


@pytest.mark.parametrize(
    ("words", "release"),
    [
        ("4.9", "4.9.8"),
        ("4", "4.9.8"),
        ("4.9.x", "4.9.8"),
        ("5.1.x", "5.1.4"),
        ("5", LAST),
        ("5.x", LAST),
        ("Java 5.1", "5.1.4"),
        ("v5_3_3", "5.3.3"),
        ("java_v5_2", "5.2.0"),
        ("ali-ons", "node"),
        ("ali-ons@3.12.0", "node"),
        ("ali-ons 3.12.2", "node"),
        ("C++", "cpp"),
        ("golang", "go"),
        ("rust 1.0.0", "rust"),
        (f"github.com/apache/rocketmq-client-go/v2@v{READ['go'][0]}", "go"),
    ],
)
def test_alternative_release_names_are_accepted(words, release):
    assert resolved(words) == releases.Resolved(release)


@pytest.mark.parametrize(
    ("words", "release", "said"),
    [
        ("5.99.0", LAST, f"5.99.0 is newer than {LAST}, the newest client that was read: this answer uses the model"),
        ("5.99.0-SNAPSHOT", LAST, f"5.99.0-SNAPSHOT is newer than {LAST}"),
        ("5.3.4", "5.3.3", "5.3.4 was not read: this answer uses the model of 5.3.3, the newest release before it"),
        ("5.1.5", "5.1.4", "5.1.5 was not read: this answer uses the model of 5.1.4, the newest release before it"),
        ("4.9.9", "4.9.8", "4.9.9 was not read: this answer uses the model of 4.9.8, the newest release before it"),
        ("4.77", "4.9.8", "4.77 was not read"),
        (
            "4.8.0",
            "4.9.0",
            "4.8.0 was not read: this answer uses the model of 4.9.0, the oldest release that was",
        ),
        ("4.7", "4.9.0", "Known to differ: MACHINE_ROOM also assigns queues of rooms"),
        ("4.5.1", "4.9.0", "shutdown() neither waits for running listeners nor interrupts them; there is no lite pull"),
        ("5.3.3-SNAPSHOT", "5.3.3", "5.3.3-SNAPSHOT was not read: this answer uses the model of 5.3.3."),
        ("V5_3_3_SNAPSHOT", "5.3.3", "5.3.3-SNAPSHOT was not read: this answer uses the model of 5.3.3."),
        ("5.3.3.r2d2", "5.3.3", "5.3.3.r2d2 was not read: this answer uses the model of 5.3.3."),
        ("go 2.1.2", "go", f"Go 2.1.2 was not read: this answer uses the model of Go {READ['go'][0]}."),
        ("ali-ons 3.12.1", "node", "Node 3.12.1 was not read: this answer uses the model of Node 3.12.2."),
        ("rocketmq-client-cpp 2.2.0", "cpp", "C++ 2.2.0 was not read"),
    ],
)
def test_version_that_was_not_read_is_represented_by_another(words, release, said):
    found = resolved(words)
    assert found.release == release
    assert said in found.note


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("3.x", "version '3.x' is not covered; name a Java client version 4.x or 5.x"),
        ("3.2.6", "version '3.2.6' is not covered"),
        ("6", "version '6' is not covered; name a Java client version 4.x or 5.x"),
        ("Java 6.0", "version 'Java 6.0' is not covered"),
        ("53", "version '53' is not covered"),
        ("go 1.2.5", "version '1.2.5' of the Go client is not covered; name a version 2.x"),
        ("node 20", "version '20' of the Node client is not covered; name a version 3.x"),
        ("rust 0.9", "version '0.9' of the Rust client is not covered; name a version 1.x"),
        ("grpc", "'grpc' is not modelled: the gRPC SDKs (rocketmq-clients 5.x) leave rebalancing to the proxy"),
        ("rocketmq-client-java 5.0.7", "'rocketmq-client-java 5.0.7' is not modelled: the gRPC SDKs"),
        ("goo", f"unknown client 'goo'; did you mean 'go'? name a Java client version from 4.9.0 to {LAST}, or go"),
        ("kafka", f"unknown client 'kafka'; name a Java client version from 4.9.0 to {LAST}, or go"),
        ("java", "unknown client 'java'; name a Java client version"),
        ("", "unknown client ''; name a Java client version"),
        ("5x", "unknown client '5x'"),
        ("1" * 40, "unknown client '1111"),
    ],
)
def test_other_text_is_refused(words, said):
    with pytest.raises(UnknownRelease) as refused:
        resolved(words)
    assert said in str(refused.value)


@given(NUMBERS, st.sampled_from(FORMS), st.sampled_from([".", "_"]))
def test_form_of_a_version_does_not_matter(version, form, dot):
    assert resolved(form.format(dot.join(map(str, version)))) == resolved(".".join(map(str, version)))


@given(NUMBERS)
@example((5, 3, 3))
@example((4, 9, 9))
def test_note_is_given_exactly_for_versions_that_were_not_read(version):
    typed = ".".join(map(str, version))
    found = resolved(typed)
    assert bool(found.note) == (typed not in JAVA)
    assert not found.note or found.note.startswith(f"{typed} ")
    assert not found.note or f"the model of {found.release}" in found.note


@given(NUMBERS)
def test_newest_release_before_a_version_represents_it(version):
    before = [release for release in JAVA if numbers(release) <= version]
    assert resolved(".".join(map(str, version))).release == (before[-1] if before else JAVA[0])


@given(st.integers(0, 999).filter(lambda major: major not in (4, 5)), st.lists(st.integers(0, 99), max_size=3))
def test_other_major_version_is_refused(major, rest):
    with pytest.raises(UnknownRelease, match=r"is not covered; name a Java client version 4\.x or 5\.x"):
        resolved(".".join(map(str, (major, *rest))))


@given(st.text(printable, max_size=30) | st.text(max_size=30))
def test_any_text_has_a_release_or_a_reason(words):
    try:
        said = resolved(words).note
    except UnknownRelease as error:
        said = str(error)
    assert said.isprintable()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("JAVA", "5.3.3"),
        ("LAST", "5.99.0"),
        ("READ", "ali-ons 3.12.0"),
    ],
)
def test_rule_depends_on_the_releases_that_were_read(fault, words, monkeypatch):
    before = resolved(words)
    wrong = {"JAVA": tuple(one for one in JAVA if one != "5.3.3")}
    wrong |= {"LAST": "5.99.0", "READ": dict.fromkeys(READ, ("3.11.0",))}
    monkeypatch.setattr(releases, fault, wrong[fault])
    assert resolved(words) != before


def test_display_name_ends_with_the_newest_release():
    assert LAST == BY_GENERATION[-1][-1]
    assert java_from("5.2") == f"Java 5.2 to {LAST}"


def test_other_clients_are_those_with_a_profile():
    assert {*OTHERS, "java"} == set(LANGUAGES) == {profile.name.partition("_")[0] for profile in PROFILES}
