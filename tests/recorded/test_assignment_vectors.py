"""assignment.tsv: answers of released brokers, tampered and malformed rows, wrong models, and the released classes."""

import pytest

from rebalance_proofs.model.assignment import broker
from rebalance_proofs.recorded import assignment
from rebalance_proofs.recorded.assignment import ROWS
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.recorded.live.artifacts import released
from rebalance_proofs.recorded.live.error import LiveError
from tests.recorded.assignments.released import RELEASES, answered, cases, rows

HEADER = "#" + "\t".join(ROWS.columns)
POPPED = "T\ta0,a1,a2\tc0,c1,c2\t1\tAVG\tCLUSTERING\t-\tPOP:1\t5.0.0,5.5.0\t-\tPOP a0,a1|POP a1,a2|POP a0,a2|"
REFUSED = "T\t-\tc0\t1\tAVG\tCLUSTERING\tPOP:1\tPULL:-1\t5.3.3\ttopic[T] not exist\tnull|null"


@pytest.fixture
def check(write, report_of):
    """Report for rows under the header."""

    def check_rows(*given):
        write(assignment.FILE, [HEADER, *given])
        return report_of(assignment.FILE)

    return check_rows


def recorded():
    """The rows of the package's file."""
    return (OWN / assignment.FILE).read_text(encoding="utf-8").splitlines()[1:]


def test_recorded_answers_agree(check):
    report = check(POPPED, REFUSED)
    assert (report.failures, report.rows, report.checks) == ((), 2, 3)
    assert report.of == {(f"broker {release}", "pop-avg"): 1 for release in ("5.0.0", "5.3.3", "5.5.0")}


def test_file_has_an_answer_of_each_release_to_each_case():
    found = [line.split("\t") for line in recorded()]
    given = {("\t".join(cells[:8]), release) for cells in found for release in cells[8].split(",")}
    assert given == {(case, release) for case in cases() for release in RELEASES}


@pytest.mark.parametrize(
    ("row", "computed"),
    [
        (POPPED.replace("POP a1,a2", "POP a1"), "-\tPOP a0,a1|POP a1,a2|POP a0,a2|"),
        (POPPED.replace("a0,a2|", "a0,a2|null"), "-\tPOP a0,a1|POP a1,a2|POP a0,a2|"),
        (REFUSED.replace("5.3.3", "5.0.0"), "set\tnull|null"),
    ],
)
def test_tampered_answer_is_detected(row, computed, check):
    report = check(row)
    assert report.disagreements
    assert {found.computed for found in report.disagreements} == {computed}


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (POPPED.replace("POP:1", "PUSH:1"), 'default is "PUSH", not one of PULL, POP'),
        (POPPED.replace("\t1\tAVG", "\t2\tAVG"), 'balancing is "2", not one of 0, 1'),
        (POPPED.replace("a2\tc0", "ax\tc0"), 'a queue\'s id is "x", not a number'),
        (POPPED.replace("5.0.0,5.5.0", ""), 'releases is "", empty'),
        (POPPED.rpartition("\t")[0], "10 columns, expected 11"),
    ],
)
def test_malformed_answer_concerns_only_itself(row, what, check):
    report = check(row, REFUSED)
    assert [what in bad.what for bad in report.malformed] == [True]
    assert (report.rows, report.checks) == (2, 1)


def _one_neighbour_less(strategy, client_id, mq_all, cid_all, k):
    return RIGHT(strategy, client_id, mq_all, cid_all, k - 1)


def _all_from_c_on(strategy, client_id, mq_all, cid_all, k):
    return RIGHT(strategy, client_id, mq_all, cid_all, k + (k == len(cid_all) - 2))


def _few_by_the_strategy(strategy, client_id, mq_all, cid_all, k):
    if mq_all and len(cid_all) > len(mq_all) and 1 <= k < len(cid_all) - 1:
        return list(strategy(client_id, mq_all, cid_all))
    return RIGHT(strategy, client_id, mq_all, cid_all, k)


RIGHT = broker.allocate_4_pop


@pytest.mark.parametrize("wrong", [_one_neighbour_less, _all_from_c_on, _few_by_the_strategy])
def test_wrong_pop_allocation_is_detected(wrong, check, monkeypatch):
    monkeypatch.setattr(broker, "allocate_4_pop", wrong)
    assert check(*recorded()).disagreements


@pytest.mark.parametrize(
    ("where", "name", "wrong"),
    [
        (assignment, "EXISTENCE_FROM", (5, 4, 0)),
        (assignment, "LMQ_FROM", (5, 0, 0)),
        (broker, "RETRY_GROUP_TOPIC_PREFIX", "%OTHER%"),
        (broker, "ALL_QUEUES", 0),
        (broker, "POP", "pop"),
    ],
)
def test_wrong_constant_is_detected(where, name, wrong, check, monkeypatch):
    monkeypatch.setattr(where, name, wrong)
    assert check(*recorded()).disagreements


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_released_broker_answers_as_recorded(release, tmp_path):
    try:
        jars = released(release, "--release")
    except LiveError as error:
        pytest.skip(str(error))
    lines = cases()
    answers = {release: answered(release, jars, lines, tmp_path)}
    found = [line.partition(f"\t{release}\t") for line in rows(lines, answers)]
    known = {}
    for line in recorded():
        cells = line.split("\t")
        if release in cells[8].split(","):
            known["\t".join(cells[:8])] = "\t".join(cells[9:])
    assert {case: answer for case, _, answer in found} == known
