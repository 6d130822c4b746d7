"""transition/node-single.tsv and transition/node-offset.tsv: agreement, changed cells and malformed rows."""

import pytest

from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.transition import offset, single

SINGLE, OFFSET = single.NODE_FILE, offset.NODE_FILE
COLUMNS = {SINGLE: single.NODE_ROWS.columns, OFFSET: offset.NODE_ROWS.columns}
OUTPUTS = {SINGLE: single.NODE_ROWS.outputs, OFFSET: offset.NODE_ROWS.outputs}
CHECKS = {file: len(outputs) for file, outputs in OUTPUTS.items()}
"""In a row."""

GOOD = {
    SINGLE: (
        "node3.12.2\tS\td0l1e1a0m1\t1\tC\t55\ttimeout\t77\tok\t0\tN:d0l0:n77\t1\t-\td1l1\t-\t"
        "drop out persist updateOffsetRPC(55) rmOff queryOffsetRPC=timeout error readOff=-1 maxOffset=77 in pull(77)"
    ),
    OFFSET: (
        "node3.12.2\toffset\tCONSUME_FROM_TIMESTAMP\tT\t-1\t77\tN:d0l0:n77\t1\t-\t"
        "queryOffsetRPC=-1 readOff=-1 searchOffset=77 in pull(77)"
    ),
}
RACE = (
    "node3.12.2\tS\t-\t1\tC\t-\tnotfound\terr\t-\t1\tR:d0l0:n1\t0\t-\t-\t-\t"
    "queryOffsetRPC=notfound in error readOff=-1 maxOffset=err error"
)
FAILED = (
    "node3.12.2\tS\td0l0e0a0m0\t0\tC\t55\t-\t-\tthrow\t-\t-\t-\tscripted update\td1l0\t55\t"
    "drop out persist updateOffsetRPC(55)=exc"
)


def changed(file, column, cell, row=None):
    """A good row with another cell."""
    found = dict(zip(COLUMNS[file], (row or GOOD[file]).split("\t"), strict=True))
    return "\t".join({**found, column: cell}.values())


@pytest.fixture
def report(write, report_of):
    """``report(file, rows)``: report for a file with these rows."""

    def check(file, rows):
        write(file, ["#" + "\t".join(COLUMNS[file]), *rows])
        return report_of(file)

    return check


@pytest.mark.parametrize("file", [SINGLE, OFFSET])
def test_recorded_node_transitions_agree(file, own_vectors):
    (found,) = [found for found in conform(own_vectors).files if found.file == file]
    assert found.failures == ()
    assert found.skipped == {}
    assert found.rows > 50
    assert found.checks == found.rows * CHECKS[file]


def test_good_node_rows_agree(report):
    found = report(SINGLE, [GOOD[SINGLE], RACE, FAILED])
    assert (found.rows, found.checks, found.failures) == (3, 3 * 6, ())
    assert report(OFFSET, [GOOD[OFFSET]]).failures == ()


CHANGED = [
    (SINGLE, "post", "R:d0l0:n77", None),
    (SINGLE, "post", "N:d0l1:n77", None),
    (SINGLE, "post", "N:d0l0:n78", None),
    (SINGLE, "post", "-", None),
    (SINGLE, "changed", "0", None),
    (SINGLE, "old", "d0l1", None),
    (SINGLE, "memPost", "55", None),
    (SINGLE, "effects", "drop persist updateOffsetRPC(55) out rmOff", FAILED),
    (SINGLE, "exc", "scripted query", FAILED),
    (SINGLE, "pre", "d0l1e0a0m1", None),
    (SINGLE, "pre", "-", None),
    (SINGLE, "topic", "O", None),
    (SINGLE, "inSet", "0", None),
    (SINGLE, "model", "B", None),
    (SINGLE, "mem", "-", None),
    (SINGLE, "mem", "56", None),
    (SINGLE, "rpc", "100", None),
    (SINGLE, "rpc", "-", None),
    (SINGLE, "max", "err", None),
    (SINGLE, "upd", "throw", None),
    (SINGLE, "race", "1", None),
    (SINGLE, "race", "0", RACE),
    (OFFSET, "consumeFromWhere", "CONSUME_FROM_LAST_OFFSET", None),
    (OFFSET, "topic", "%RETRY%G", None),
    (OFFSET, "queryRPC", "-2", None),
    (OFFSET, "max", "-1", None),
    (OFFSET, "post", "-", None),
    (OFFSET, "changed", "0", None),
    (OFFSET, "effects", "-", None),
]


@pytest.mark.parametrize(("file", "column", "cell", "row"), CHANGED)
def test_changed_node_cell_is_reported(file, column, cell, row, report):
    found = report(file, [GOOD[file], changed(file, column, cell, row)])
    assert (found.checks, found.malformed) == (2 * CHECKS[file], ())
    assert {(disagreement.line, disagreement.client) for disagreement in found.disagreements} == {(3, "node")}
    if column in OUTPUTS[file]:
        (disagreement,) = found.disagreements
        assert (disagreement.what.partition(" ")[0], disagreement.recorded) == (column, cell)


def test_node_disagreement_names_the_inputs(report):
    (found,) = report(SINGLE, [changed(SINGLE, "old", "d0l0", FAILED)]).disagreements
    assert found.what == "old for topic S, pre d0l0e0a0m0, inSet 0, model C, mem 55, rpc -, max -, upd throw, race -"
    assert (found.recorded, found.computed) == ("d0l0", "d1l0")


MALFORMED = [
    (SINGLE, "topic", "T", 'topic is "T", not one of S, O'),
    (SINGLE, "pre", "d0l1e1a0", 'pre is "d0l1e1a0", which is not dXlXeXaXmX'),
    (SINGLE, "pre", "d0l1e1a0m2", 'pre is "d0l1e1a0m2", which is not dXlXeXaXmX'),
    (SINGLE, "inSet", "-", 'inSet is "-", not one of 0, 1'),
    (SINGLE, "model", "X", 'model is "X", not one of C, B'),
    (SINGLE, "mem", "x", 'mem is "x", not a number'),
    (SINGLE, "rpc", "err", 'rpc is "err", neither a number nor one of notfound, brokerexc, timeout'),
    (SINGLE, "max", "timeout", 'max is "timeout", neither a number nor one of err'),
    (SINGLE, "upd", "throw2", 'upd is "throw2", not one of ok, throw'),
    (SINGLE, "race", "2", 'race is "2", not one of 0, 1'),
    (SINGLE, "post", "N:d0l0", 'post is "N:d0l0", which is not a possible output'),
    (SINGLE, "changed", "yes", 'changed is "yes", which is not a possible output'),
    (SINGLE, "changed", "-", "a call either returns changed or throws exc"),
    (SINGLE, "exc", "Error", "a call either returns changed or throws exc"),
    (SINGLE, "exc", "", 'exc is "", which is not a possible output'),
    (SINGLE, "old", "d1", 'old is "d1", which is not a possible output'),
    (SINGLE, "memPost", "none", 'memPost is "none", which is not a possible output'),
    (SINGLE, "effects", "drop  out", 'effects is "drop  out", which is not a possible output'),
    (OFFSET, "table", "single", 'table is "single", not one of offset'),
    (OFFSET, "consumeFromWhere", "LAST", 'consumeFromWhere is "LAST", not one of CONSUME_FROM_LAST_OFFSET,'),
    (OFFSET, "queryRPC", "x", 'queryRPC is "x", neither a number nor one of notfound, brokerexc, timeout'),
    (OFFSET, "max", "", 'max is "", neither a number nor one of err'),
    (OFFSET, "post", "?", 'post is "?", which is not a possible output'),
]


@pytest.mark.parametrize(("file", "column", "cell", "what"), MALFORMED)
def test_malformed_node_row_concerns_only_itself(file, column, cell, what, report):
    found = report(file, [changed(file, column, cell), GOOD[file]])
    (malformed,) = found.malformed
    assert malformed.line == 2
    assert malformed.what.startswith(what)
    assert (found.checks, found.disagreements) == (CHECKS[file], ())


def test_malformed_input_is_reported_before_a_malformed_output(report):
    (malformed,) = report(SINGLE, [changed(SINGLE, "model", "X", changed(SINGLE, "old", "d1"))]).malformed
    assert malformed.what == 'model is "X", not one of C, B'


@pytest.mark.parametrize("file", [SINGLE, OFFSET])
def test_node_rows_with_another_structure_are_malformed(file, report):
    found = report(file, ["#ver", GOOD[file].rpartition("\t")[0], GOOD[file] + "\tx", GOOD[file]])
    count = len(COLUMNS[file])
    assert [malformed.what.partition(" (")[0] for malformed in found.malformed] == [
        "the header is not #" + "\t".join(COLUMNS[file]),
        f"{count - 1} columns, expected {count}",
        f"{count + 1} columns, expected {count}",
    ]
    assert found.checks == CHECKS[file]


@pytest.mark.parametrize("file", [SINGLE, OFFSET])
def test_other_node_version_is_a_disagreement(file, report):
    found = report(file, [changed(file, "ver", "node2.0.4"), GOOD[file]])
    (unknown,) = found.disagreements
    assert unknown.computed == 'nothing: version "node2.0.4" is not modelled'
    assert (found.checks, found.malformed, found.skipped) == (CHECKS[file] + 1, (), {})
