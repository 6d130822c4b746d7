"""consistent_hash.jsonl and the files that refer to it: tampered, malformed and missing; and wrong models."""

import json
from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, consistent_hash, md5_hash
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.recorded import consistent_hash as owners

HEADER_GO = (
    "#id\tgo_owner_index_per_queue "
    "(same id, queues and sorted cids as consistent_hash.jsonl; panic text when it panics)"
)
HEADER_RINGS = "#config_id\tring_entries_ascending: hash=vnodeKey"
IDS = ["consumer-39", "consumer-43", "consumer-5", "consumer-81"]
BROKERS = [["broker-a", 3], ["broker-b", 2]]
ROW = {"id": 7, "v": 2, "topic": "TopicTest", "b": BROKERS, "cid": IDS, "own": [1, 2, 0, 1, 2]}
OF_JAVA, OF_GO = "1,2,0,1,2", "0,0,0,0,3"
NONE = {"id": 8, "v": 0, "topic": "T", "b": [["b", 1]], "cid": ["c0"], "own": [-1]}
PANIC = "panic: runtime error: integer divide by zero"
RING = (
    "821330082=consumer-5-0 1012776496=consumer-39-1 1592556912=consumer-39-0 2359688226=consumer-43-0 "
    "2663612456=consumer-43-1 2927383901=consumer-81-0 3607811904=consumer-81-1 3730634548=consumer-5-1"
)


@pytest.fixture
def vectors(write):
    """Writes the three files; a test replaces the rows of some."""

    def write_vectors(owners=(ROW, NONE), go=(f"7\t{OF_GO}", f"8\t{PANIC}"), rings=(f"7\t{RING}", "8\t")):
        write("consistent_hash.jsonl", [row if isinstance(row, str) else json.dumps(row) for row in owners])
        write("consistent_hash_go.tsv", [HEADER_GO, *go])
        write("ring_dump.tsv", [HEADER_RINGS, *rings])

    return write_vectors


def test_good_hash_vectors_agree(vectors, conformed):
    vectors()
    found = conformed()
    assert found.failures == ()
    assert {report.file: (report.rows, report.checks) for report in found.files} == {
        "consistent_hash.jsonl": (2, 2 * 2),
        "consistent_hash_go.tsv": (2, 2),
        "ring_dump.tsv": (2, 2),
    }


def test_tampered_owner_is_detected(vectors, report_of):
    vectors(owners=(ROW | {"own": [1, 1, 0, 1, 2]}, NONE | {"own": [0]}))
    report = report_of("consistent_hash.jsonl")
    assert [(found.client, found.recorded, found.computed) for found in report.disagreements] == [
        ("java", "1,1,0,1,2", OF_JAVA),
        ("rust", "1,1,0,1,2", OF_JAVA),
        ("java", "0", "-1"),
        ("rust", "0", "-1"),
    ]
    assert report.disagreements[0].what == "CONSISTENT_HASH of configuration 7"


def test_tampered_go_results_are_detected(vectors, report_of):
    vectors(go=(f"7\t{OF_JAVA}", "8\t0", f"7\t{PANIC}", f"8\t{PANIC}!"))
    found = report_of("consistent_hash_go.tsv").disagreements
    assert {disagreement.client for disagreement in found} == {"go"}
    assert [(disagreement.recorded, disagreement.computed) for disagreement in found] == [
        (OF_JAVA, OF_GO),
        ("0", PANIC),
        (PANIC, OF_GO),
        (f"{PANIC}!", PANIC),
    ]


@pytest.mark.parametrize("ring", ["", RING[:-1], RING.replace("-39-0", "-43-0"), RING.replace("821330082", "1")])
def test_tampered_ring_is_detected(ring, vectors, report_of):
    vectors(rings=(f"7\t{ring}",))
    (found,) = report_of("ring_dump.tsv").disagreements
    assert (found.client, found.recorded, found.computed) == ("java", ring, RING)


def without(key):
    return {name: value for name, value in ROW.items() if name != key}


MALFORMED_OWNERS = [
    ("{", "not JSON: "),
    *((without(key), f'no "{key}"') for key in ROW),
    (ROW | {"id": "7"}, 'id is "7", not a number'),
    (ROW | {"v": None}, "v is null, not a number"),
    (ROW | {"v": -1}, "v is -1, which the clients refuse"),
    (ROW | {"v": 10_001}, "v is 10001, more virtual nodes than"),
    (ROW | {"topic": 1}, "topic is 1, not a text"),
    (ROW | {"b": "b"}, 'b is "b", not a list of brokers'),
    (ROW | {"b": [["b", -1]]}, 'b has ["b", -1], which is not [brokerName, n] with n from 0 to 5'),
    (ROW | {"b": [["b", 10**9]]}, 'b has ["b", 1000000000], which is not'),
    (ROW | {"b": [["b", True]]}, 'b has ["b", true], which is not'),
    (ROW | {"b": [[None, 5]]}, "b has [null, 5], which is not"),
    (ROW | {"b": [["b", 2]]}, "own has 5 queues, b has 2"),
    (ROW | {"cid": []}, "cid is [], not a list of client ids of which none is empty"),
    (ROW | {"cid": ["c0", None]}, 'cid is ["c0", null], not a list of client ids of which none is empty'),
    (ROW | {"cid": "c0"}, 'cid is "c0", not a list of client ids'),
    (ROW | {"own": []}, "own has no queue"),
    (ROW | {"own": {}}, "own is {}, not a list of consumers"),
    (ROW | {"own": [1, 2, 0, 1, "1"]}, 'own is "1", not a number'),
    (ROW | {"own": [1, 2, 0, 1, 4]}, "a queue belongs to consumer 4, there are 4"),
    (ROW | {"own": [1, 2, 0, 1, -2]}, "a queue belongs to consumer -2, there are 4"),
    (ROW, "configuration 7 occurs twice"),
]


@pytest.mark.parametrize(("row", "what"), MALFORMED_OWNERS, ids=[str(place) for place in range(len(MALFORMED_OWNERS))])
def test_malformed_configuration_concerns_only_itself(row, what, vectors, conformed):
    vectors(owners=(ROW, row, NONE))
    owners, go, rings = conformed().files
    (malformed,) = owners.malformed
    assert malformed.line == 2
    assert what in malformed.what
    assert (owners.rows, owners.checks, owners.disagreements) == (3, 4, ())
    assert go.failures == rings.failures == ()


MALFORMED_GO = {
    "7": "1 columns, expected 2",
    "x\t0,0,0,0,3": 'id is "x", not a number',
    "9\t0,0,0,0,3": "configuration 9 is not in consistent_hash.jsonl",
    "7\t1,1": "2 owners, the configuration has 5 queues",
    "7\t": 'owner is "", not a number',
    "7\t0,0,0,0,c1": 'owner is "c1", not a number',
    "7\t0,0,0,0,4": "a queue belongs to consumer 4, there are 4",
    "#id\tgo": "the header is not #id",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED_GO.items(), ids=MALFORMED_GO.values())
def test_malformed_go_result_concerns_only_itself(row, what, vectors, report_of):
    vectors(go=(f"7\t{OF_GO}", row, f"8\t{PANIC}"))
    report = report_of("consistent_hash_go.tsv")
    (malformed,) = report.malformed
    assert malformed.line == 3
    assert what in malformed.what
    assert (report.checks, report.disagreements) == (2, ())


MALFORMED_RINGS = {
    "7": "1 columns, expected 2",
    "\t": 'config_id is "", not a number',
    "9\t": "configuration 9 is not in consistent_hash.jsonl",
    "7\tc0-0": 'the ring is "c0-0", which does not begin with hash=vnodeKey',
    "#config_id": "the header is not #config_id",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED_RINGS.items(), ids=MALFORMED_RINGS.values())
def test_malformed_ring_concerns_only_itself(row, what, vectors, report_of):
    vectors(rings=(f"7\t{RING}", row, "8\t"))
    report = report_of("ring_dump.tsv")
    (malformed,) = report.malformed
    assert malformed.line == 3
    assert what in malformed.what
    assert (report.checks, report.disagreements) == (2, ())


def test_results_without_configurations_are_one_failure_per_file(vectors, conformed, tmp_path):
    vectors()
    (tmp_path / "consistent_hash.jsonl").unlink()
    found = conformed()
    assert found.failures == (
        "consistent_hash_go.tsv: cannot be checked without consistent_hash.jsonl",
        "ring_dump.tsv: cannot be checked without consistent_hash.jsonl",
        "no recorded result was compared with the model",
    )
    assert [report.skipped for report in found.files] == [{"consistent_hash.jsonl missing": 2}] * 2


def test_configurations_alone_are_checked(vectors, conformed, tmp_path):
    vectors()
    for name in ("consistent_hash_go.tsv", "ring_dump.tsv"):
        (tmp_path / name).unlink()
    assert conformed().green


def test_repeated_id_is_its_first_index(vectors, report_of):
    vectors(owners=(ROW, NONE, {"id": 9, "v": 10, "topic": "T", "b": [["b", 1]], "cid": ["c", "c"], "own": [0]}))
    assert report_of("consistent_hash.jsonl").failures == ()


def everything(virtual_nodes):
    """A wrong strategy: everybody takes all queues."""
    return lambda current_cid, mq_all, cid_all: list(mq_all)


def few_hashes(virtual_nodes):
    """A wrong strategy: hashes have no more than three values."""
    return consistent_hash(virtual_nodes, lambda key: md5_hash(key) % 3)


@pytest.mark.parametrize(("wrong", "computed"), [(everything, ",".join(["0+1+2+3"] * 5)), (few_hashes, "3,3,3,3,3")])
def test_wrong_hash_strategy_is_detected(wrong, computed, vectors, report_of, monkeypatch):
    client = replace(JAVA_V5, strategies=(replace(CONSISTENT_HASH, configure=wrong),))
    monkeypatch.setattr(owners, "CLIENTS", (client,))
    vectors(owners=(ROW,))
    (found,) = report_of("consistent_hash.jsonl").disagreements
    assert (found.recorded, found.computed) == (OF_JAVA, computed)
