"""transition/*.tsv of the Java client: agreement, changed cells and malformed rows."""

import pytest

from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.transition import offset, pairs, single, store

FORMATS = {module.FILE: module for module in (single, pairs, offset, store)}
SINGLE, PAIRS, OFFSET, STORE = FORMATS

LATER = "drop persist rmOff tryConsumeLock(1000)=1 schedule(unlock,20000) releaseConsumeLock out"
GOOD = {
    SINGLE: f"5.1.4\tpush\tS\td0l1e1a0c0m1\t1\t1\t1\tC\tunlockexc\tnf77\tok\tN:d0l1t0\t1\t-\td1l1t0\t{LATER} "
    "lockRPC=ok rmOff readOff[S]=-1 maxOffset=77 in pull(77,500)\tunlockRPC(oneway)=exc",
    PAIRS: "4.9.8\t7\t1\t1\tC\tBA\tA\tb0:4\td0l0e0a0c1m1\t1\tdenied\t100\tok\tc2:0\td0l1e0a0c0m1\t0\tok\t100\tok\t"
    "S:d0l0t0\t-\t1\t-\td0l0t0\td1l1t0\tdrop@B persist@B rmOff@B tryConsumeLock(1000)=1@B schedule(unlock,20000) "
    "releaseConsumeLock@B out@B\tunlockRPC(oneway)@B\t1",
    OFFSET: "5.3.3\toffset\tlite\tCONSUME_FROM_TIMESTAMP\tT\tnf77\t77\t77\tN:d0l1t0\t1\t-\t-\t"
    "rmOff readOff[MS]=-1 searchOffset=77 in\t-",
    STORE: "4.9.8\tstore\td0l1e1a0c0m0\t55\t1\t0\tbrokerexc\t77\tthrow\tN:d0l1t0\t1\t-\t-1\tdrop persist "
    "updateOffsetRPC(55)=exc rmOff out rmOff queryOffsetRPC=brokerexc readOff[S]=-1 maxOffset=77 in pull(77,0)",
}
THROWN = (
    "5.3.3\tpush\tS\td0l1e0a0c0m0\t0\t0\t0\tC\t-\t-\tthrow\tS:d1l1t0\t-\t"
    "IllegalStateException:scripted persist\td1l1t0\tdrop persist=throw\t-"
)
CUT_OFF = (
    "5.1.4\t1044\t0\t0\tC\tAB\tB\tb0:0\td0l1e1a1c1m1\t0\tdenied\tnf77\tthrow\tc0:6\td0l0e1a1c0m1\t1\tok\t100\tok\t"
    "S:d1l1t0\tS:d1l0t0\t-\tIllegalStateException:scripted persist\td1l1t0\td1l0t0\t"
    "drop@A drop@B persist=throw@A\t-\t0"
)
UNHEARD = "4.9.8\tpush\tS\td0l1e0a0c0m1\t0\t1\t1\tC\tnobroker\t-\tok\t-\t1\t-\td1l1t0\t" + LATER + "\tnone"


def changed(file, column, cell, row=None):
    """A good row with another cell."""
    found = dict(zip(FORMATS[file].ROWS.columns, (row or GOOD[file]).split("\t"), strict=True))
    return "\t".join({**found, column: cell}.values())


def checks(file):
    """How many checks a row of the file has."""
    return len(FORMATS[file].ROWS.outputs)


@pytest.fixture
def report(write, report_of):
    """``report(file, rows)``: report for a file with these rows."""

    def check(file, *rows):
        write(file, ["#" + "\t".join(FORMATS[file].ROWS.columns), *rows])
        return report_of(file)

    return check


@pytest.mark.parametrize("file", FORMATS)
def test_recorded_java_transitions_agree(file, own_vectors):
    (found,) = [found for found in conform(own_vectors).files if found.file == file]
    assert found.failures == ()
    assert found.skipped == {}
    assert found.rows > 50
    assert found.checks == found.rows * checks(file)


@pytest.mark.parametrize("file", FORMATS)
def test_recorded_java_transitions_have_every_version(file, own_vectors):
    lines = (own_vectors / file).read_text(encoding="utf-8").splitlines()[1:]
    assert {line.partition("\t")[0] for line in lines} == {"4.9.8", "5.1.4", "5.3.3"}


@pytest.mark.parametrize(
    ("file", "row"),
    [*GOOD.items(), (SINGLE, THROWN), (SINGLE, UNHEARD), (PAIRS, CUT_OFF)],
)
def test_good_java_rows_agree(file, row, report):
    found = report(file, row)
    assert (found.rows, found.checks, found.failures) == (1, checks(file), ())


OUTPUTS = [
    (SINGLE, "post", "S:d0l1t0", None),
    (SINGLE, "post", "N:d0l1t1", None),
    (SINGLE, "post", "-", None),
    (SINGLE, "changed", "0", None),
    (SINGLE, "exc", "IllegalStateException:scripted readOffset", THROWN),
    (SINGLE, "old", "d1l1t1", None),
    (SINGLE, "effects", f"{LATER} lockRPC=ok rmOff readOff[S]=-1 maxOffset=77 pull(77,500) in", None),
    (SINGLE, "effects", "drop", THROWN),
    (SINGLE, "later", "-", None),
    (SINGLE, "later", "none", None),
    (SINGLE, "later", "-", UNHEARD),
    (PAIRS, "tableOrder", "AB", None),
    (PAIRS, "setOrder", "-", None),
    (PAIRS, "postA", "-", None),
    (PAIRS, "postB", "S:d1l1t0", None),
    (PAIRS, "changed", "0", None),
    (PAIRS, "exc", "IllegalStateException:scripted admin", CUT_OFF),
    (PAIRS, "oldA", "d1l0t0", None),
    (PAIRS, "oldB", "-", None),
    (PAIRS, "effects", "drop@A persist=throw@A drop@B", CUT_OFF),
    (PAIRS, "later", "unlockRPC(oneway)@A", None),
    (PAIRS, "independent", "0", None),
    (PAIRS, "independent", "1", CUT_OFF),
    (OFFSET, "withException", "MQClientException", None),
    (OFFSET, "computePullFromWhere", "-1", None),
    (OFFSET, "post", "-", None),
    (OFFSET, "changed", "0", None),
    (OFFSET, "old", "d0l1t0", None),
    (OFFSET, "effects", "rmOff readOff[MS]=-1 maxOffset=77 in", None),
    (OFFSET, "later", "none", None),
    (STORE, "post", "S:d0l1t0", None),
    (STORE, "changed", "0", None),
    (STORE, "memPost", "55", None),
    (STORE, "effects", "-", None),
]


@pytest.mark.parametrize(("file", "column", "cell", "row"), OUTPUTS)
def test_changed_java_output_is_reported(file, column, cell, row, report):
    found = report(file, GOOD[file], changed(file, column, cell, row))
    (disagreement,) = found.disagreements
    assert (disagreement.line, disagreement.recorded) == (3, cell)
    assert disagreement.what.startswith(f"{column} for ")
    assert disagreement.client == f"java {(row or GOOD[file])[:5]}"
    assert (found.checks, found.malformed) == (2 * checks(file), ())


def test_every_java_output_is_changed_by_a_test():
    """``exc`` of the two that never threw in a good row is changed for all."""
    tested = {(file, column) for file, column, *_ in OUTPUTS}
    assert tested == {(file, column) for file in FORMATS for column in FORMATS[file].ROWS.outputs} - {
        (OFFSET, "exc"),
        (STORE, "exc"),
    }


INPUTS = [
    (SINGLE, "ver", "4.9.8"),
    (SINGLE, "kind", "lite"),
    (SINGLE, "topic", "O"),
    (SINGLE, "pre", "-"),
    (SINGLE, "pre", "d0l0e1a0c0m1"),
    (SINGLE, "pre", "d0l1e0a0c0m1"),
    (SINGLE, "pre", "d0l1e1a0c2m1"),
    (SINGLE, "pre", "d0l1e1a0c0m0"),
    (SINGLE, "inSet", "0"),
    (SINGLE, "argOrder", "0"),
    (SINGLE, "consumeOrderly", "0"),
    (SINGLE, "model", "B"),
    (SINGLE, "lock", "ok"),
    (SINGLE, "lock", "nobroker"),
    (SINGLE, "off", "100"),
    (SINGLE, "off", "nf78"),
    (SINGLE, "off", "throw"),
    (SINGLE, "persist", "throw"),
    (PAIRS, "B.mq", "c0:6"),
    (PAIRS, "A.pre", "-"),
    (PAIRS, "A.inSet", "0"),
    (PAIRS, "B.inSet", "1"),
    (PAIRS, "B.persist", "throw"),
    (OFFSET, "kind", "push"),
    (OFFSET, "consumeFromWhere", "CONSUME_FROM_LAST_OFFSET"),
    (OFFSET, "topic", "%RETRY%G"),
    (OFFSET, "off", "nferr"),
    (STORE, "ver", "5.1.4"),
    (STORE, "pre", "-"),
    (STORE, "mem", "-"),
    (STORE, "inSet", "0"),
    (STORE, "order", "1"),
    (STORE, "queryRPC", "100"),
    (STORE, "queryRPC", "timeout"),
    (STORE, "max", "err"),
    (STORE, "updateRPC", "ok"),
]


@pytest.mark.parametrize(("file", "column", "cell"), INPUTS)
def test_changed_java_input_gives_another_result(file, column, cell, report):
    found = report(file, GOOD[file], changed(file, column, cell))
    assert {disagreement.line for disagreement in found.disagreements} == {3}
    assert found.malformed == ()


def test_java_disagreement_names_the_inputs(report):
    (found,) = report(STORE, changed(STORE, "memPost", "0")).disagreements
    assert found.what == (
        "memPost for table store, pre d0l1e1a0c0m0, mem 55, inSet 1, order 0, "
        "queryRPC brokerexc, max 77, updateRPC throw"
    )
    assert (found.recorded, found.computed) == ("0", "-1")


MALFORMED = [
    (SINGLE, "kind", "pop", 'kind is "pop", not one of push, pull, lite'),
    (SINGLE, "topic", "T", 'topic is "T", not one of S, O'),
    (SINGLE, "pre", "d0l1e1a0m1", 'pre is "d0l1e1a0m1", which is not dXlXeXaXcXmX'),
    (SINGLE, "pre", "d0l1e1a0c3m1", 'pre is "d0l1e1a0c3m1", which is not dXlXeXaXcXmX'),
    (SINGLE, "inSet", "-", 'inSet is "-", not one of 0, 1'),
    (SINGLE, "argOrder", "yes", 'argOrder is "yes", not one of 0, 1'),
    (SINGLE, "consumeOrderly", "", 'consumeOrderly is "", not one of 0, 1'),
    (SINGLE, "model", "X", 'model is "X", not one of C, B'),
    (SINGLE, "lock", "maybe", 'lock is "maybe", not one of ok, denied, exc, nobroker, unlockexc'),
    (SINGLE, "off", "x", 'off is "x", not a number'),
    (SINGLE, "off", "nf", 'off is "", not a number'),
    (SINGLE, "persist", "throws", 'persist is "throws", not one of ok, throw, throw2'),
    (SINGLE, "post", "N:d0l1", 'post is "N:d0l1", which is not a possible output'),
    (SINGLE, "changed", "true", 'changed is "true", which is not a possible output'),
    (SINGLE, "changed", "-", "a call either returns changed or throws exc"),
    (SINGLE, "exc", "Error", "a call either returns changed or throws exc"),
    (SINGLE, "exc", "", 'exc is "", which is not a possible output'),
    (SINGLE, "old", "d1", 'old is "d1", which is not a possible output'),
    (SINGLE, "effects", "drop  out", 'effects is "drop  out", which is not a possible output'),
    (SINGLE, "effects", "", 'effects is "", which is not a possible output'),
    (SINGLE, "later", "[]", 'later is "[]", which is not a possible output'),
    (PAIRS, "tableOrder", "AA", 'tableOrder is "AA", which is not a possible output'),
    (PAIRS, "independent", "-", 'independent is "-", which is not a possible output'),
    (PAIRS, "postB", "x", 'postB is "x", which is not a possible output'),
    (PAIRS, "A.mq", "b0", 'A.mq has "b0", which is not broker:queueId'),
    (PAIRS, "A.mq", "b0:1,b0:2", "A.mq has 2 queues, q is 1"),
    (PAIRS, "A.mq", "c2:0", "A and B are one queue"),
    (PAIRS, "B.pre", "x", 'B.pre is "x", which is not dXlXeXaXcXmX'),
    (PAIRS, "B.lock", "-", 'B.lock is "-", not one of'),
    (PAIRS, "A.off", "-", 'A.off is "-", not a number'),
    (OFFSET, "table", "single", 'table is "single", not one of offset'),
    (OFFSET, "consumeFromWhere", "LAST", 'consumeFromWhere is "LAST", not one of CONSUME_FROM_LAST_OFFSET,'),
    (OFFSET, "withException", "?", 'withException is "?", which is not a possible output'),
    (STORE, "table", "offset", 'table is "offset", not one of store'),
    (STORE, "mem", "x", 'mem is "x", not a number'),
    (STORE, "queryRPC", "err", 'queryRPC is "err", neither a number nor one of notfound, brokerexc, timeout'),
    (STORE, "max", "timeout", 'max is "timeout", not a number'),
    (STORE, "updateRPC", "throw2", 'updateRPC is "throw2", not one of ok, throw'),
    (STORE, "memPost", "-", 'memPost is "-", which is not a possible output'),
]


@pytest.mark.parametrize(("file", "column", "cell", "what"), MALFORMED)
def test_malformed_java_row_concerns_only_itself(file, column, cell, what, report):
    found = report(file, GOOD[file], changed(file, column, cell), GOOD[file])
    (malformed,) = found.malformed
    assert malformed.line == 3
    assert malformed.what.startswith(what)
    assert (found.rows, found.checks, found.disagreements) == (3, 2 * checks(file), ())


def test_malformed_output_is_reported_before_a_malformed_input(report):
    (malformed,) = report(SINGLE, changed(SINGLE, "kind", "pop", changed(SINGLE, "old", "d1"))).malformed
    assert malformed.what == 'old is "d1", which is not a possible output'


@pytest.mark.parametrize("file", FORMATS)
def test_java_row_with_a_missing_cell_is_malformed(file, report):
    (malformed,) = report(file, GOOD[file].rpartition("\t")[0]).malformed
    count = len(FORMATS[file].ROWS.columns)
    assert malformed.what.startswith(f"{count - 1} columns, expected {count} (ver, ")


@pytest.mark.parametrize("file", FORMATS)
def test_other_java_header_is_refused(file, write, report_of):
    write(file, ["#ver\tkind", GOOD[file]])
    (malformed,) = report_of(file).malformed
    assert malformed.what.startswith("the header is not #ver\t")


@pytest.mark.parametrize("file", FORMATS)
def test_unmodelled_java_version_is_a_disagreement(file, report):
    found = report(file, GOOD[file], changed(file, "ver", "5.2.0"))
    (unknown,) = found.disagreements
    assert (unknown.line, unknown.client) == (3, "the model")
    assert unknown.computed == 'nothing: version "5.2.0" is not modelled'
    assert (found.rows, found.checks, found.malformed, found.skipped) == (2, checks(file) + 1, (), {})
