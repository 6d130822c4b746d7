"""avg.tsv and its lists: tampered, malformed and missing; and wrong models."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.model.queues import utf8_bytes
from rebalance_proofs.recorded import avg

LAYOUTS = ["#layout\tq\tmq_input_order\tmq_sorted", "1b\t2\tb:1,b:0\tb:0,b:1", "1b\t1\tb:0\tb:0"]
CIDS = ["#c\tcid_input_order\tcid_sorted", "1\tx\tx", "2\ty,x\tx,y"]
HEADER = "#layout\tq\tc\tAVG\tAVG_BY_CIRCLE"
RESULTS = [HEADER, "1b\t1\t1\t0\t0", "1b\t2\t2\t0|1\t0|1", "1b\t2\t1\t0,1\t0,1"]


@pytest.fixture
def vectors(write):
    """Writes the three files; a test replaces the lines of some."""

    def write_vectors(results=RESULTS, layouts=LAYOUTS, cids=CIDS):
        write("avg.tsv", results)
        write("avg_layouts.tsv", layouts)
        write("avg_cids.tsv", cids)

    return write_vectors


def test_good_avg_vectors_agree(vectors, conformed):
    vectors()
    found = conformed()
    assert found.green
    assert {report.file: (report.rows, report.checks) for report in found.files} == {
        "avg.tsv": (3, 3 * 8),
        "avg_layouts.tsv": (2, 2 * 5),
        "avg_cids.tsv": (2, 2 * 5),
    }


@pytest.mark.parametrize(
    ("row", "strategy", "clients", "recorded", "computed"),
    [
        ("1b\t2\t2\t1|0\t0|1", "AVG", ["java", "go", "node", "cpp", "rust"], "1|0", "0|1"),
        ("1b\t2\t2\t0|1\t0|", "AVG_BY_CIRCLE", ["java", "go", "rust"], "0|", "0|1"),
        ("1b\t2\t1\t1,0\t0,1", "AVG", ["java", "go", "node", "cpp", "rust"], "1,0", "0,1"),
    ],
)
def test_tampered_avg_result_is_detected(row, strategy, clients, recorded, computed, vectors, report_of):
    vectors([*RESULTS, row])
    report = report_of("avg.tsv")
    assert report.checks == 4 * 8
    assert [found.client for found in report.disagreements] == clients
    for found in report.disagreements:
        assert (found.line, found.recorded, found.computed) == (5, recorded, computed)
        assert strategy in found.what.split()


def test_tampered_order_is_reported_once(vectors, conformed):
    vectors(layouts=[*LAYOUTS[:1], "1b\t2\tb:1,b:0\tb:1,b:0", LAYOUTS[2]], cids=[*CIDS[:2], "2\ty,x\ty,x"])
    avg_report, cids, layouts = conformed().files
    assert avg_report.failures == ()
    for report, recorded, computed in ((cids, "y,x", "x,y"), (layouts, "b:1,b:0", "b:0,b:1")):
        assert [found.client for found in report.disagreements] == ["java", "go", "node", "cpp", "rust"]
        assert {(found.recorded, found.computed) for found in report.disagreements} == {(recorded, computed)}


def test_positions_are_compared_as_lists(vectors, report_of):
    vectors([*RESULTS, "1b\t2\t1\t0,1,1\t0,0,1"])
    assert [found.recorded for found in report_of("avg.tsv").disagreements].count("0,1,1") == 5


MALFORMED_RESULTS = {
    "": "1 columns, expected 5",
    "1b\t2\t2\t0|1": "4 columns, expected 5 (layout, q, c, AVG, AVG_BY_CIRCLE)",
    "1b\t2\t2\t0|1\t0|1\t": "6 columns, expected 5",
    "1b\tx\t2\t0|1\t0|1": 'q is "x", not a number',
    "1b\t02\t2\t0|1\t0|1": 'q is "02", not a number',
    "1b\t\u0662\t2\t0|1\t0|1": "not a number",
    "1b\t2\t 2\t0|1\t0|1": 'c is " 2", not a number',
    "1b\t" + "9" * 5000 + "\t2\t\t": "not a number",
    "9b\t2\t2\t0|1\t0|1": 'layout "9b" of 2 queues is not in avg_layouts.tsv',
    "1b\t3\t2\t0|1\t0|1": 'layout "1b" of 3 queues is not in avg_layouts.tsv',
    "1b\t2\t3\t0|1|\t0|1|": "a list of 3 client ids is not in avg_cids.tsv",
    "1b\t2\t2\t0|1|\t0|1": "AVG has 3 consumers, c is 2",
    "1b\t2\t2\t0|1\t": "AVG_BY_CIRCLE has 1 consumers, c is 2",
    "1b\t2\t2\t0|2\t0|1": "AVG has position 2, which is outside mqAll of 2 queues",
    "1b\t2\t2\t0|-1\t0|1": "AVG has position -1, which is outside mqAll of 2 queues",
    "1b\t2\t2\t0|1,\t0|1": 'position is "", not a number',
    "1b\t2\t2\t0|one\t0|1": 'position is "one", not a number',
    "#layout\tq\tc\tAVG_BY_CIRCLE\tAVG": "the header is not #layout",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED_RESULTS.items(), ids=MALFORMED_RESULTS.values())
def test_malformed_result_concerns_only_itself(row, what, vectors, report_of):
    vectors([*RESULTS, row, RESULTS[1]])
    report = report_of("avg.tsv")
    (malformed,) = report.malformed
    assert malformed.line == 5
    assert what in malformed.what
    assert (report.checks, report.disagreements) == (4 * 8, ())


MALFORMED_LAYOUTS = {
    "2b\t1\tb:0": "3 columns, expected 4",
    "2b\t1\tb0\tb:0": 'mq_input_order has "b0", which is not broker:queueId',
    "2b\t1\tb:0\tb:zero": 'queueId is "zero", not a number',
    "2b\t2\tb:0\tb:0,b:1": "mq_input_order has 1 queues, q is 2",
    "2b\t2\tb:0,b:1\tb:0": "mq_sorted has 1 queues, q is 2",
    "2b\t0\t\t": 'mq_input_order has "", which is not broker:queueId',
    "2b\t1\tb:2147483648\tb:0": "queueId 2147483648 is outside int32",
    "1b\t2\tb:1,b:0\tb:0,b:1": 'layout "1b" of 2 queues occurs twice',
}


@pytest.mark.parametrize(("row", "what"), MALFORMED_LAYOUTS.items(), ids=MALFORMED_LAYOUTS.values())
def test_malformed_layout_concerns_only_itself(row, what, vectors, conformed):
    vectors(layouts=[*LAYOUTS, row, "3b\t1\tb:0\tb:0"])
    results, _, layouts = conformed().files
    (malformed,) = layouts.malformed
    assert malformed.line == 4
    assert what in malformed.what
    assert (layouts.rows, layouts.checks, results.failures) == (4, 3 * 5, ())


MALFORMED_CIDS = {
    "3\tx,y": "2 columns, expected 3",
    "three\tx,y,z\tx,y,z": 'c is "three", not a number',
    "3\tx,y\tx,y,z": "cid_input_order has 2 client ids, c is 3",
    "3\tx,y,z\tx,y": "cid_sorted has 2 client ids, c is 3",
    "3\tx,,z\tx,y,z": "cid_input_order has an empty client id",
    "2\tx,y\tx,y": "the list of 2 client ids occurs twice",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED_CIDS.items(), ids=MALFORMED_CIDS.values())
def test_malformed_id_list_concerns_only_itself(row, what, vectors, conformed):
    vectors(cids=[*CIDS, row, "4\ta,b,c,d\ta,b,c,d"])
    results, cids, _ = conformed().files
    (malformed,) = cids.malformed
    assert malformed.line == 4
    assert what in malformed.what
    assert (cids.rows, cids.checks, results.failures) == (4, 3 * 5, ())


@pytest.mark.parametrize("missing", ["avg_layouts.tsv", "avg_cids.tsv"])
def test_results_without_lists_are_one_failure(missing, vectors, conformed, tmp_path):
    vectors()
    (tmp_path / missing).unlink()
    found = conformed()
    assert found.failures == (f"avg.tsv: cannot be checked without {missing}",)
    assert (found.files[0].rows, found.files[0].checks, found.files[0].skipped) == (3, 0, {f"{missing} missing": 3})


def test_lists_without_results_are_checked(vectors, conformed, tmp_path):
    vectors()
    (tmp_path / "avg.tsv").unlink()
    found = conformed()
    assert found.green
    assert found.checks == 4 * 5


def test_negative_queue_ids_and_colons_are_read(vectors, conformed):
    vectors(layouts=[*LAYOUTS, "2b\t3\t:0,a:b:-1,a:b:-2\t:0,a:b:-2,a:b:-1"])
    assert conformed().green


def without_remainder(current_cid, mq_all, cid_all):
    """A wrong AVG: nobody takes the queues that are left over."""
    size = len(mq_all) // len(cid_all)
    index = cid_all.index(current_cid)
    return list(mq_all[index * size : (index + 1) * size])


def test_wrong_avg_strategy_is_detected(own_vectors, monkeypatch, write, conformed):
    wrong = replace(JAVA_V5, strategies=(replace(AVERAGELY, allocate=without_remainder),))
    monkeypatch.setattr(avg, "RECORDED", (wrong,))
    for name in ("avg.tsv", "avg_layouts.tsv", "avg_cids.tsv"):
        write(name, (own_vectors / name).read_bytes())
    results = conformed().files[0]
    rows = [line.split("\t") for line in (own_vectors / "avg.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    assert len(results.disagreements) == sum(int(q) % int(c) > 0 for _, q, c, _, _ in rows)


def test_wrong_sort_is_detected(monkeypatch, vectors, conformed):
    wrong = replace(JAVA_V5, string_key=lambda text: utf8_bytes(text)[::-1])
    monkeypatch.setattr(avg, "RECORDED", (wrong,))
    vectors(cids=[*CIDS[:2], "2\tab,ba\tab,ba"])
    found = conformed()
    assert found.failures == ("avg_cids.tsv:3: java, order of the 2 client ids: recorded ab,ba, computed ba,ab",)
