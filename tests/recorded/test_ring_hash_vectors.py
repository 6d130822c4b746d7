"""ring_hash.tsv: tampered and malformed rows."""

import pytest

HEADER = "#kind\thash_decimal\thash_hex\tstring_hashed"
QUEUE = "queue\t1987926524\t767d59fc\tMessageQueue [topic=TopicTest, brokerName=broker-a, queueId=0]"
VNODE = "vnode\t4144569484\tf7091c8c\t192.168.0.10@12345#99887766-0"


@pytest.fixture
def check(write, report_of):
    """Report for rows under the header."""

    def check_rows(*rows):
        write("ring_hash.tsv", [HEADER, *rows])
        return report_of("ring_hash.tsv")

    return check_rows


def test_ring_hash_vectors_agree(check):
    report = check(QUEUE, VNODE)
    assert (report.failures, report.rows, report.checks) == ((), 2, 2)


@pytest.mark.parametrize(
    "row",
    [
        QUEUE.replace("1987926524", "1987926525"),
        QUEUE.replace("767d59fc", "767D59FC"),
        QUEUE.replace("topic=", "topics="),
        QUEUE.replace("broker-a", "broker-b"),
        VNODE.replace("-0", "-1"),
        VNODE.replace("f7091c8c", "f7091c8"),
    ],
)
def test_tampered_ring_hash_row_is_detected(row, check):
    report = check(QUEUE, row, VNODE)
    (found,) = report.disagreements
    assert (found.line, found.client) == (3, "java")
    assert f"{found.what.removeprefix('hash of a ')}\t{found.recorded}" == row
    assert report.checks == 3


MALFORMED = {
    "queue\t1": "2 columns, expected 4",
    "node\t1\t1\tc0-0": 'kind is "node", neither queue nor vnode',
    "vnode\t0x1\t1\tc0-0": 'hash_decimal is "0x1", not a number',
    "vnode\t1\t1\tc0": 'string_hashed is "c0", which is not the key of a vnode',
    "vnode\t1\t1\tc0-01": 'replica is "01", not a number',
    "queue\t1\t1\tc0-0": 'string_hashed is "c0-0", which is not the key of a queue',
    "queue\t1\t1\tMessageQueue [topic=T, brokerName=b, queueId=x]": 'queueId is "x", not a number',
    "queue\t1\t1\tMessageQueue [topic=T, brokerName=b, queueId=2147483648]": "queueId 2147483648 is outside int32",
    "#kind": "the header is not #kind",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED.items(), ids=MALFORMED.values())
def test_malformed_ring_hash_row_concerns_only_itself(row, what, check):
    report = check(QUEUE, row, VNODE)
    (malformed,) = report.malformed
    assert malformed.line == 3
    assert what in malformed.what
    assert (report.checks, report.disagreements) == (2, ())
