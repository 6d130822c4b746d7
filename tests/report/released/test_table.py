"""The table of releases: each statement has evidence in the files of this package."""

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model import sources
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import JAVA, READ, resolved
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.recorded.files import OWN, read_pinned
from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.recorded.live.artifacts import Jar
from rebalance_proofs.report.reality.told import pinned
from rebalance_proofs.report.released.page import page
from rebalance_proofs.report.released.results import Compared, Performed, Released, read
from rebalance_proofs.report.released.table import (
    COLUMNS,
    RECORDED,
    STEPS,
    STRATEGIES,
    Row,
    document,
    lacking,
    rows,
    schema,
    table,
    told,
)

JAR = Jar("rocketmq-client-5.2.0.jar", "a" * 64)
RESULT = Released(
    release="5.2.0",
    client="artifact",
    servers="artifact",
    jar=JAR,
    strategies=Compared(calls=10, differ=0),
    scenarios=(Performed(name="join_leave", servers="5.2.0", steps=7, accepted=True, unexplained=0),),
)
"""Made-up results of a release."""


def row(result, release="5.2.0"):
    """The release's row in a table with these results only."""
    return next(one for one in rows({result.release: result}, {}, {}) if one.version == release)


def complaints(result):
    return list(lacking(row(result)))


def with_group(**changed):
    return replace(RESULT, scenarios=(replace(RESULT.scenarios[0], **changed),))


def test_every_row_has_its_evidence():
    assert [complaint for one in table() for complaint in lacking(one)] == []


def test_right_results_have_their_evidence():
    assert complaints(RESULT) == []
    assert row(RESULT).calls(STRATEGIES) == (10, 0)
    assert row(RESULT).calls(STEPS) == (0, 0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (replace(RESULT, jar=replace(JAR, sha256="")), "is no artifact of 5.2.0 with a digest"),
        (replace(RESULT, jar=replace(JAR, name="rocketmq-client-5.1.0.jar")), "is no artifact of 5.2.0"),
        (replace(RESULT, strategies=Compared(calls=0, differ=0)), "0 of 0 compared calls"),
        (replace(RESULT, steps=Compared(calls=3, differ=4)), "4 of 3 compared calls"),
        (with_group(steps=0), "the recording join_leave has no events"),
        (with_group(shipped="java-5.2.0/none"), "there is no recording java-5.2.0/none in this package"),
        (with_group(accepted=False), "the recording join_leave has a wrong reason: ''"),
        (with_group(unexplained=2), "the recording join_leave has a wrong reason: ''"),
        (with_group(reason="late"), "the recording join_leave has a wrong reason: 'late'"),
        (replace(RESULT, reason="no broker"), "recorded, although Maven's repository lacks jars"),
    ],
)
def test_statement_without_evidence_is_noticed(wrong, said):
    assert any(said in complaint for complaint in complaints(wrong))


def test_group_of_an_unpublished_release_is_noticed():
    wrong = replace(RESULT, release="5.2.9", jar=replace(JAR, name="rocketmq-client-5.2.9.jar"))
    assert "Java 5.2.9: a group of an unpublished release was recorded" in lacking(row(wrong, "5.2.9"))


PACKAGE = {
    "client": "go",
    "name": "github.com/apache/rocketmq-client-go/v2",
    "version": "v2.1.2",
    "compared": {"strategies": 3, "calls": 40, "sorts": 2},
    "differ": 1,
}


def test_compared_package_has_a_row():
    found = next(one for one in rows({}, {}, {}, [PACKAGE]) if one.name == "Go 2.1.2")
    assert found.calls(STRATEGIES) == (42, 1)
    assert found.read is None
    assert list(lacking(found)) == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"version": "v1.2.5"}, "Go 1.2.5: neither read, nor represented by another release"),
        ({"differ": 43}, "43 of 42 compared calls"),
    ],
)
def test_wrong_package_is_noticed(fault, said):
    found = next(one for one in rows({}, {}, {}, [PACKAGE | fault]) if one.client == "go" and one.compared)
    assert any(said in complaint for complaint in lacking(found))


def test_recording_in_the_package_counts_once():
    name = "java-5.3.3/relock"
    performed = replace(RESULT.scenarios[0], name="relock", servers="5.3.3", shipped=name)
    result = Released(release="5.3.3", scenarios=(performed,))
    found = next(one for one in rows({"5.3.3": result}, {}, {name: pinned()[name]}) if one.version == "5.3.3")
    assert [(one.shipped, one.events) for one in found.recorded] == [(name, 7)]


def test_every_recording_of_the_package_is_in_the_table():
    assert {one.shipped for row in table() for one in row.recorded if one.shipped} == set(all_shipped())


def test_contradicted_recording_is_not_accepted():
    name = "java-5.3.3/relock"
    wrong = replace(pinned()[name], broken={"claim": {"event": 1}})
    found = next(one for one in rows({}, {}, {name: wrong}) if one.version == "5.3.3")
    assert [one.accepted for one in found.recorded] == [False]


def test_all_recorded_results_are_in_the_table():
    """Except for answers of brokers, which are no results of clients."""
    clients = [one for name, one in read_pinned(OWN).items() if name != "assignment.tsv"]
    pairs = [number for one in clients for number in one.pairs.values()]
    assert sum(one.calls for row in table() for one in row.compared if one.origin == RECORDED) == sum(pairs)


def test_results_of_releases_are_in_the_table():
    for release, found in read().items():
        mine = next(one for one in table() if one.version == release)
        assert {one.name for one in found.scenarios} <= {one.name for one in mine.recorded}
        for what, compared in ((STRATEGIES, found.strategies), (STEPS, found.steps)):
            jar = [one.calls for one in mine.compared if one.what == what and one.origin != RECORDED]
            assert jar == ([compared.calls] if compared else [])


def test_read_release_has_a_source_and_no_other_has():
    for one in table():
        assert bool(one.read) == (one.version in (*JAVA, sources.RECORDED_AT, *READ.get(one.client, ())))
        assert one.read is None or one.version == sources.RECORDED_AT or not resolved(_typed(one)).note


def _typed(row: Row) -> str:
    return row.version if row.client == "java" else f"{row.client} {row.version}"


def test_observed_versions_of_profiles_are_those_of_the_table():
    for profile in PROFILES:
        client = profile.name.partition("_")[0]
        if client not in ("java", "node"):
            commit = profile.observed.rpartition(" ")[2]
            assert any(commit in one.read.where for one in table() if one.client == client and one.read), client
    assert "3.12.0" in next(one.observed for one in PROFILES if one.name == "node")
    assert NODE.observed == READ["node"][-1]


def test_json_matches_its_schema():
    found = document(table())
    Draft202012Validator(schema()).validate(found)
    assert len(found["releases"]) == len(table())


def test_text_has_a_line_for_each_release_within_80_columns():
    lines = list(told(table()))
    assert lines[0].split() == list(COLUMNS)
    assert all(len(line) <= 80 for line in lines[: len(table()) + 1])
    assert [line.startswith(row.name) for row, line in zip(table(), lines[1:], strict=False)] == [True] * len(table())


def test_details_name_every_recording_and_artifact():
    text = "\n".join(told(table(), everything=True))
    for one in table():
        assert all(each.origin in text for each in one.compared)
        assert all(each.name in text for each in one.recorded)


def test_unaccepted_group_and_its_reason_are_shown():
    wrong = with_group(accepted=False, reason="offsets: the committed offset is unknown")
    found = rows({"5.2.0": wrong}, {}, {})
    assert "not accepted, 0 unexplained: offsets: the committed offset" in "\n".join(told(found, everything=True))
    line = next(line for line in told(found) if line.startswith("Java 5.2.0"))
    assert "0 of 1" in line
    assert "- join_leave, 5.2.0: offsets: the committed offset is unknown" in page(found)


def test_differing_calls_are_shown():
    found = rows({"5.2.0": replace(RESULT, strategies=Compared(calls=10, differ=4))}, {}, {})
    assert "4 differ" in next(line for line in told(found) if line.startswith("Java 5.2.0"))
    assert "| 4 of 10 differ |" in page(found)
