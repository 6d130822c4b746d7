"""errors.jsonl and config.jsonl: tampered and malformed rows, nulls, and clients that were not observed."""

import json
from dataclasses import replace

import pytest

from rebalance_proofs.model.profiles import JAVA_V5, Refusal
from rebalance_proofs.recorded import jsonl

CALL = {"case": "a call", "s": "AVG", "mq": [["b", 0], ["b", 1]], "cid": ["c0", "c1"], "cur": "c0"}
IN_TURN = {key: value for key, value in CALL.items() if key != "cur"}
EMPTY = CALL | {"mq": []}
GOOD = json.dumps(CALL | {"java": [0]})
ILLEGAL, NO_QUEUES = "java.lang.IllegalArgumentException", "mqAll is null or mqAll empty"
NULL_POINTER = {"x": "java.lang.NullPointerException", "m": "as the virtual machine puts it"}
NIL = {"x": "panic", "m": "runtime error: invalid memory address or nil pointer dereference"}
DIVIDE = {"x": "panic", "m": "runtime error: integer divide by zero"}
RINGS = CALL | {"s": "CONSISTENT_HASH", "v": 10}
ROOM = CALL | {"s": "MACHINE_ROOM", "idcs": ["r"], "mq": [["r@b", 0], ["b", 1]]}
NEARBY = CALL | {"s": "MACHINE_ROOM_NEARBY", "inner": "AVG", "bRoom": {"b": "A"}, "cRoom": {"c0": "A", "c1": "B"}}
NEARBY_RINGS = NEARBY | {"inner": "CONSISTENT_HASH", "v": 0}
NEARBY_ROOM = NEARBY | {"inner": "MACHINE_ROOM", "idcs": ["r"]}
NEARBY_CONFIG = NEARBY | {"inner": "CONFIG", "list": [["z", 7]]}
NEGATIVE = {"s": "CONSISTENT_HASH", "v": -1}
ILLEGAL_COUNT = {"x": ILLEGAL, "m": "illegal virtualNodeCnt :-1"}
CONFIG = CALL | {"s": "CONFIG", "list": [["z", 7]]}


@pytest.fixture
def check(write, report_of):
    """Report for rows given as objects or as text."""

    def check_rows(*rows):
        write("errors.jsonl", [row if isinstance(row, str) else json.dumps(row) for row in rows])
        return report_of("errors.jsonl")

    return check_rows


@pytest.mark.parametrize(
    "row",
    [
        CALL | {"java": [0], "go": [0], "node": [0], "cpp": [0], "rust": [0]},
        IN_TURN | {"java": [[0], [1]], "node": [[0], [1]]},
        CALL | {"cur": "c9", "java": [], "go": None, "cpp": []},
        EMPTY | {"java": {"x": ILLEGAL, "m": NO_QUEUES}, "go": None, "rust": {"x": "IllegalArgument", "m": NO_QUEUES}},
        CALL | {"mq": None, "cpp": {"x": "MQClientException", "m": "mqAll is empty"}, "go": []},
        CALL | {"cid": ["c0"], "mq": [[None, 0], None], "java": [0, None]},
        CALL | {"cid": [None, "c0"], "java": [1]},
        IN_TURN | {"cid": ["c0", None], "java": [[0], {"x": ILLEGAL, "m": "currentCID is empty"}], "go": [[0], None]},
        CALL | {"mq": [["b", 0], ["b", 0]], "cur": "c1", "java": [1]},
        CALL | {"s": "AVG_BY_CIRCLE", "cid": ["c0"], "rust": [0, 1]},
        RINGS | {"cid": ["c0"], "java": [0, 1], "go": [0, 1], "rust": [0, 1]},
        RINGS | {"v": 0, "java": [], "go": DIVIDE, "rust": []},
        RINGS | {"v": -1, "java": {"x": ILLEGAL, "m": "illegal virtualNodeCnt :-1"}, "go": []},
        RINGS | {"mq": [None], "java": NULL_POINTER, "go": NIL},
        ROOM | {"java": [0], "go": [0], "rust": [0]},
        ROOM | {"idcs": None, "java": NULL_POINTER, "go": []},
        NEARBY | {"java": [0, 1], "go": [0], "rust": [0, 1]},
        NEARBY | {"mq": [None], "java": NULL_POINTER, "go": [None]},
        NEARBY | {"cRoom": {}, "rust": {"x": "IllegalArgument", "m": "Machine room is null for consumer id c0"}},
        NEARBY | {"inner": None, "java": NULL_POINTER, "go": [0]},
        NEARBY | {"bRoom": None, "cRoom": None, "java": NULL_POINTER, "go": [0]},
        NEARBY | {"bRoom": None, "java": NULL_POINTER, "go": [0]},
        {key: value for key, value in NEARBY.items() if key not in ("bRoom", "cRoom")}
        | {"java": NULL_POINTER, "go": [0]},
        NEARBY_RINGS | {"java": [], "rust": [], "go": [0]},
        NEARBY_RINGS | {"v": -1, "java": {"x": ILLEGAL, "m": "illegal virtualNodeCnt :-1"}, "go": [0]},
        NEARBY_ROOM | {"java": [], "go": [0]},
        NEARBY_CONFIG | {"java": ["z:7"], "go": [0], "rust": ["z:7"]},
        NEARBY_CONFIG | {"list": None, "java": NULL_POINTER, "go": [0]},
        NEARBY_CONFIG | {"list": [], "java": [], "go": [0]},
        IN_TURN | NEGATIVE | {"java": ILLEGAL_COUNT, "go": [[], []], "rust": ILLEGAL_COUNT | {"x": "IllegalArgument"}},
        IN_TURN | NEGATIVE | {"java": [ILLEGAL_COUNT, ILLEGAL_COUNT]},
        CONFIG | {"java": ["z:7"], "go": ["z:7"], "rust": ["z:7"]},
        CONFIG | {"list": [None], "cur": "c9", "mq": None, "java": [None]},
        CONFIG | {"list": None, "java": None, "go": None},
        IN_TURN | {"s": "CONFIG", "java": [None, None], "go": [None, []]},
    ],
    ids=[
        "all clients",
        "in turn",
        "id not listed",
        "no queues",
        "null mq",
        "null queue",
        "null cid",
        "null caller",
        "equal queues",
        "circle",
        "ring",
        "no virtual nodes",
        "negative number of virtual nodes",
        "ring, null queue",
        "room",
        "null rooms",
        "nearby",
        "nearby, null queue",
        "nearby, no room",
        "nearby, null strategy",
        "nearby, null resolver",
        "nearby, no rooms of brokers",
        "nearby, no resolver",
        "nearby, ring of nobody inside",
        "nearby, no ring inside",
        "nearby, room inside",
        "nearby, config inside",
        "nearby, config without a list inside",
        "nearby, empty config inside",
        "constructor in turn",
        "constructor in turn, one result each",
        "config",
        "config, null queue",
        "config, null list",
        "config, no list",
    ],
)
def test_error_vectors_agree(row, check):
    report = check(row)
    assert report.failures == ()
    assert report.checks == len(row.keys() & {"java", "go", "node", "cpp", "rust"})


@pytest.mark.parametrize(
    ("row", "recorded", "computed"),
    [
        (CALL | {"java": [1]}, [1], [0]),
        (CALL | {"java": []}, [], [0]),
        (CALL | {"java": None}, None, [0]),
        (CALL | {"java": [None]}, [None], [0]),
        (CALL | {"go": None}, [], [0]),
        (CALL | {"cur": "c9", "java": None}, None, []),
        (IN_TURN | {"java": [[0], [0]]}, [[0], [0]], [[0], [1]]),
        (EMPTY | {"java": []}, [], {"x": ILLEGAL, "m": NO_QUEUES}),
        (EMPTY | {"java": {"x": ILLEGAL, "m": "?"}}, {"x": ILLEGAL, "m": "?"}, {"x": ILLEGAL, "m": NO_QUEUES}),
        (EMPTY | {"node": {"x": "?", "m": NO_QUEUES}}, {"x": "?", "m": NO_QUEUES}, {"x": "Error", "m": NO_QUEUES}),
        (EMPTY | {"go": {"x": "panic", "m": None}}, {"x": "panic", "m": None}, []),
        (CALL | {"java": NULL_POINTER}, {"x": NULL_POINTER["x"]}, [0]),
        (CALL | {"mq": [["b", 0], ["b", 0]], "cur": "c1", "java": [0]}, [0], [1]),
        (RINGS | {"cid": ["c0"], "java": [0]}, [0], [0, 1]),
        (RINGS | {"v": 0, "go": []}, [], DIVIDE),
        (RINGS | {"v": 0, "go": DIVIDE | {"m": "?"}}, DIVIDE | {"m": "?"}, DIVIDE),
        (RINGS | {"v": -1, "java": []}, [], {"x": ILLEGAL, "m": "illegal virtualNodeCnt :-1"}),
        (RINGS | {"mq": [None], "java": []}, [], {"x": NULL_POINTER["x"]}),
        (ROOM | {"go": [1]}, [1], [0]),
        (ROOM | {"rust": []}, [], [0]),
        (NEARBY | {"java": [0]}, [0], [0, 1]),
        (NEARBY | {"go": [0, 1]}, [0, 1], [0]),
        (NEARBY | {"inner": None, "java": [0]}, [0], {"x": NULL_POINTER["x"]}),
        (NEARBY_CONFIG | {"java": ["z:8"]}, ["z:8"], ["z:7"]),
        (NEARBY_CONFIG | {"java": [0]}, [0], ["z:7"]),
        (IN_TURN | NEGATIVE | {"v": 0, "java": ILLEGAL_COUNT}, ILLEGAL_COUNT, [[], []]),
        (IN_TURN | {"java": ILLEGAL_COUNT}, ILLEGAL_COUNT, [[0], [1]]),
        (CONFIG | {"java": ["z:8"]}, ["z:8"], ["z:7"]),
        (CONFIG | {"java": None}, None, ["z:7"]),
        (CONFIG | {"list": None, "java": []}, [], None),
    ],
)
def test_tampered_error_is_detected(row, recorded, computed, check):
    report = check(GOOD, row)
    (found,) = report.disagreements
    assert (found.line, json.loads(found.recorded), json.loads(found.computed)) == (2, recorded, computed)
    assert found.what == f"{row['s']}, a call"
    assert found.recorded in found.sentence
    assert found.computed in found.sentence
    assert report.checks == 2


def test_result_of_a_missing_strategy_is_a_disagreement(check):
    (found,) = check(CALL | {"s": "AVG_BY_CIRCLE", "node": [0]}).disagreements
    assert (found.client, found.recorded, found.computed) == (
        "node",
        "[0]",
        "nothing, this client ships no AVG_BY_CIRCLE",
    )


def test_null_pointer_message_is_not_compared(check, monkeypatch):
    throws = replace(JAVA_V5, refusal=Refusal(NULL_POINTER["x"]))
    monkeypatch.setattr(jsonl, "RECORDED", (throws,))
    report = check(EMPTY | {"java": NULL_POINTER}, EMPTY | {"java": NULL_POINTER | {"x": ILLEGAL}})
    (found,) = report.disagreements
    assert found.line == 2


def tampered(result, q, config):
    """Another result that can be read."""
    match result:
        case {"x": "java.lang.NullPointerException"}:
            return []
        case {"x": exception, "m": message}:
            return {"x": exception, "m": f"{message}!"}
        case None | []:
            return ["z:9"] if config else [0] if q else {"x": "panic", "m": ""}
        case [str(), *_]:
            return result[:-1]
        case [[*_] | {} as first, *others]:
            return [tampered(first, q, config), *others]
    return result[:-1]


@pytest.mark.parametrize(("name", "checks"), [("errors.jsonl", 316), ("config.jsonl", 48)])
def test_every_recorded_error_counts(name, checks, own_vectors, check):
    rows = [json.loads(line) for line in (own_vectors / name).read_text(encoding="utf-8").splitlines()]
    for row in rows:
        for client in row.keys() & {"java", "go", "node", "cpp", "rust"}:
            row[client] = tampered(row[client], len(row["mq"] or ()), row["s"] == "CONFIG")
    report = check(*rows)
    assert report.malformed == ()
    assert len(report.disagreements) == report.checks == checks


def test_unknown_strategies_and_clients_are_disagreements(check):
    sticky = {"s": "STICKY", "weight": [], "java": "whatever"}
    report = check(sticky, GOOD, CALL | {"php": [1], "java": [0]})
    assert [(found.line, found.client, found.computed) for found in report.disagreements] == [
        (1, "the model", 'nothing: strategy "STICKY" is not modelled'),
        (3, "php", "nothing: neither an input nor a client that is modelled"),
    ]
    assert (report.rows, report.checks, report.malformed, report.skipped) == (3, 4, (), {})


def test_config_has_a_separate_file(write, conformed):
    write("errors.jsonl", [GOOD])
    write("config.jsonl", [json.dumps(CONFIG | {"java": ["z:7"], "go": ["z:8"]})])
    of_config, of_errors = conformed().files
    assert [found.client for found in of_config.disagreements] == ["go"]
    assert (of_config.checks, of_errors.checks, of_errors.failures) == (2, 1, ())


def without(key):
    return {name: value for name, value in (CALL | {"java": [0]}).items() if name != key}


MALFORMED = [
    ("", "not JSON: Expecting value"),
    ('{"s": "AVG"', "not JSON: "),
    ("[" * 100_000, "nested too deeply"),
    ("[1]", "[1] is not an object"),
    ('{"s": "AVG", "s": "AVG"}', "contains the same key twice"),
    (without("s"), 'no "s"'),
    (without("mq"), 'no "mq"'),
    (without("cid"), 'no "cid"'),
    (without("java"), "no client's result"),
    (CALL | {"s": 1, "java": [0]}, "s is 1, not the name of a strategy"),
    (CALL | {"mq": "b:0", "java": [0]}, 'mq is "b:0", not a list of queues'),
    (CALL | {"mq": [["b"]], "java": [0]}, 'mq has ["b"], which is not [brokerName, queueId]'),
    (CALL | {"mq": [["b", True]], "java": [0]}, 'mq has ["b", true], which'),
    (CALL | {"mq": [["b", 0.0]], "java": [0]}, 'mq has ["b", 0.0], which'),
    (CALL | {"mq": [[0, "b"]], "java": [0]}, 'mq has [0, "b"], which'),
    (CALL | {"mq": [["b", 2**31]], "java": [0]}, "queueId 2147483648 is outside int32"),
    (CALL | {"cid": "c0", "java": [0]}, 'cid is "c0", not a list of client ids'),
    (CALL | {"cid": [0], "java": [0]}, "cid is [0], not a list of client ids"),
    (CALL | {"cur": 0, "java": [0]}, "cur is [0], not a list of client ids"),
    (IN_TURN | {"cid": None, "java": [[0]]}, "neither cur nor an entry of cid names the caller"),
    (IN_TURN | {"cid": [], "java": []}, "neither cur nor an entry of cid names the caller"),
    (CALL | {"java": "0"}, 'java is "0", not a list of positions'),
    (CALL | {"java": [True]}, "java is [true], not a list of positions"),
    (CALL | {"java": [0.0]}, "java is [0.0], not a list of positions"),
    (CALL | {"java": [[0], [1]]}, "java is [[0], [1]], not a list of positions"),
    (CALL | {"java": [2]}, "java has position 2, which is outside mqAll of 2 queues"),
    (CALL | {"java": [-1]}, "java has position -1, which is outside mqAll of 2 queues"),
    (EMPTY | {"java": [0]}, "java has position 0, which is outside mqAll of 0 queues"),
    (CALL | {"java": {"x": ILLEGAL}}, "not a list of positions"),
    (CALL | {"java": {"x": ILLEGAL, "m": "", "z": 1}}, "not a list of positions"),
    (IN_TURN | {"java": [0]}, "java is [0], not a list of 2 results, one for each cid"),
    (IN_TURN | {"java": None}, "java is null, not a list of 2 results, one for each cid"),
    (CALL | {"java": ["x" * 10_000]}, "..., not a list of positions"),
    ({key: value for key, value in RINGS.items() if key != "v"} | {"java": []}, 'no "v"'),
    (RINGS | {"v": "10", "java": []}, 'v is "10", not a number'),
    (RINGS | {"v": 1.5, "java": []}, "v is 1.5, not a number"),
    (RINGS | {"v": 10**9, "java": []}, "v is 1000000000, more virtual nodes than the 10000 that are computed"),
    (RINGS | {"java": ["b:0"]}, 'java is ["b:0"], not a list of positions'),
    (ROOM | {"idcs": "r", "java": []}, 'idcs is "r", not a list of rooms'),
    (ROOM | {"idcs": [None], "java": []}, "idcs is [null], not a list of rooms"),
    (NEARBY | {"inner": 1, "java": []}, "inner is 1, not a text"),
    (NEARBY | {"inner": "MACHINE_ROOM_NEARBY", "java": []}, "and no key names its inner strategy"),
    (NEARBY | {"inner": "CONSISTENT_HASH", "v": "1", "java": []}, 'v is "1", not a number'),
    (NEARBY | {"inner": "CONFIG", "list": 1, "java": []}, "list is 1, not a list of queues"),
    (NEARBY | {"java": ["b:0"]}, 'java is ["b:0"], not a list of positions'),
    (NEARBY | {"inner": "CONFIG", "list": [], "java": [0, "b:1"]}, 'java is [0, "b:1"], not a list of broker:queueId'),
    (NEARBY | {"inner": "STICKY", "java": []}, 'inner is "STICKY", which java does not ship'),
    (NEARBY | {"cRoom": None, "java": []}, "cRoom is null, not an object of rooms"),
    (NEARBY | {"bRoom": [], "java": []}, "bRoom is [], not an object of rooms"),
    (NEARBY | {"cRoom": {"c0": 1}, "java": []}, 'cRoom is {"c0": 1}, not an object of rooms'),
    (CONFIG | {"list": "z:7", "java": []}, 'list is "z:7", not a list of queues'),
    (CONFIG | {"java": [0]}, "java is [0], not a list of broker:queueId"),
    (CONFIG | {"java": "z:7"}, 'java is "z:7", not a list of broker:queueId'),
]


@pytest.mark.parametrize(("row", "what"), MALFORMED, ids=[str(place) for place in range(len(MALFORMED))])
def test_malformed_error_row_concerns_only_itself(row, what, check):
    report = check(GOOD, row, GOOD)
    (malformed,) = report.malformed
    assert malformed.line == 2
    assert what in malformed.what
    assert len(malformed.sentence) < 300
    assert (report.rows, report.checks, report.disagreements) == (3, 2, ())


def test_truncated_file_is_checked_up_to_its_end(write, report_of, own_vectors):
    path = write("errors.jsonl.gz", (own_vectors / "errors.jsonl").read_bytes())
    packed = path.read_bytes()
    path.write_bytes(packed[:-60])
    report = report_of("errors.jsonl.gz")
    (malformed,) = report.malformed
    assert malformed.line == report.rows
    assert malformed.what.startswith("damaged gzip stream: ")
    assert 0 < report.checks < 316
    assert report.disagreements == ()
