"""The Node client's cases of transition/scripted.jsonl: whole rebalances in several steps."""

from copy import deepcopy

import pytest

from rebalance_proofs.recorded.rows import RowError
from rebalance_proofs.recorded.transition import scripted
from rebalance_proofs.recorded.transition.node import NODE, NodeCase

HELD = "d0l1e0a0m0"
KEPT = "S:d0l1:n5"


def run(case):
    """The steps of a case as the model computes them."""
    row = scripted.ROWS.row(case)
    return scripted.run(NodeCase(NODE["node3.12.2"], NodeCase.inputs.row(row["in"])), row["steps"])


GO = {"op": "doRebalance", "ret": "void", "exc": None}


def taken(queue, offset=55):
    return [f"drop@{queue}", f"out@{queue}", f"persist@{queue}", f"updateOffsetRPC({offset})@{queue}", f"rmOff@{queue}"]


def case(steps, **given):
    return {"ver": "node3.12.2", "case": "x", "in": {"sub": ["T"], **given}, "steps": steps}


TWO_TOPICS = case(
    [
        {
            **GO,
            "ret": None,
            "exc": "Error:scripted update",
            "effects": [
                "findCids(T)",
                "allocate(4,[C1, C2])=avg",
                "drop@T/b0/2",
                "out@T/b0/2",
                "persist@T/b0/2",
                "updateOffsetRPC(55)=exc@T/b0/2",
            ],
            "table": {"T/b0/0": KEPT, "T/b0/3": KEPT},
            "memoryOffsets": {"T/b0/0": 55, "T/b0/2": 55, "T/b0/3": 55},
        },
        {
            **GO,
            "effects": [
                "findCids(T)",
                "allocate(4,[C1, C2])=avg",
                *taken("T/b0/3"),
                "queryOffsetRPC=100@T/b0/1",
                "readOff=100@T/b0/1",
                "in@T/b0/1",
                "pull(100)@T/b0/1",
                "emit(topic_T_queue_changed)",
                "findCids(U)",
                "allocate(1,[C1])=avg",
                "queryOffsetRPC=timeout@U/b0/0",
                "error",
                "readOff=-1@U/b0/0",
                "maxOffset=77@U/b0/0",
                "in@U/b0/0",
                "pull(77)@U/b0/0",
                "emit(topic_U_queue_changed)",
            ],
            "table": {"T/b0/0": KEPT, "T/b0/1": "N:d0l0:n100", "U/b0/0": "N:d0l0:n77"},
            "memoryOffsets": {"T/b0/0": 55, "T/b0/1": 100, "T/b0/2": 55},
        },
    ],
    sub=["T", "U"],
    route={"T": ["T/b0/3", "T/b0/1", "T/b0/2", "T/b0/0"], "U": ["U/b0/0"]},
    have={"T/b0/0": HELD, "T/b0/2": HELD, "T/b0/3": HELD},
    q={"T/b0/2": {"upd": "throw"}, "U/b0/0": {"rpc": "timeout"}},
    cids={"T": ["C2", "C1"], "U": ["C1"]},
)


def test_failed_persist_and_next_rebalance_are_replayed():
    assert run(TWO_TOPICS) == TWO_TOPICS["steps"]


def test_changed_node_input_is_detected():
    other = deepcopy(TWO_TOPICS)
    other["in"]["cids"]["T"] = ["C1"]
    assert run(other) != TWO_TOPICS["steps"]


@pytest.mark.parametrize(
    "given",
    [{}, {"route": {"T": []}}, {"model": "BROADCASTING"}],
    ids=["no route", "empty route", "broadcasting without route"],
)
def test_missing_queues_change_nothing(given):
    (step,) = run(case([GO], have={"T/b0/0": HELD}, cids={"T": ["C1"]}, **given))
    assert step == {**GO, "effects": [], "table": {"T/b0/0": KEPT}, "memoryOffsets": {"T/b0/0": 55}}


@pytest.mark.parametrize(
    ("given", "exc", "effects"),
    [
        ({"cids": {"T": []}}, None, ["findCids(T)"]),
        ({"cids": {"T": "throw"}}, "Error:scripted cids", ["findCids(T)"]),
        (
            {"cids": {"T": ["C1"]}, "strategy": "throw"},
            "Error:scripted allocate",
            ["findCids(T)", "allocate(1,[C1])=throw"],
        ),
        (
            {"cids": {"T": ["C1"]}, "strategy": "null"},
            "TypeError:Cannot read properties of null (reading 'some')",
            ["findCids(T)", "allocate(1,[C1])=null"],
        ),
    ],
)
def test_early_exits_leave_the_table_unchanged(given, exc, effects):
    (step,) = run(case([GO], route={"T": ["T/b0/0"]}, have={"T/b0/0": HELD}, **given))
    ret = "void" if exc is None else None
    assert (step["ret"], step["exc"], step["effects"], step["table"]) == (ret, exc, effects, {"T/b0/0": KEPT})


def test_user_defined_strategy_is_replayed():
    (step,) = run(case([GO], route={"T": ["T/b0/0"]}, cids={"T": ["C1"]}, strategy="T/b0/0,U/b0/0"))
    assert step["effects"][1] == "allocate(1,[C1])=T/b0/0,U/b0/0"
    assert list(step["table"]) == ["T/b0/0", "U/b0/0"]


def test_answers_and_clock_can_be_set_between_steps():
    ops = ["doRebalance", "set T/b0/0 max 9", "expire T/b0/0", "doRebalance", "set T/b0/0 upd throw"]
    steps = run(
        case(
            [{"op": op} for op in ops],
            route={"T": ["T/b0/0"]},
            have={"T/b0/0": "d1l0e0a0m0"},
            q={"T/b0/0": {"rpc": -1}},
            cids={"T": ["C1"]},
        )
    )
    assert [step["op"] for step in steps] == ops
    assert [step["table"]["T/b0/0"] for step in steps] == ["S:d1l0:n5"] * 3 + ["N:d0l0:n9"] * 2
    assert steps[1]["effects"] == steps[4]["effects"] == []


@pytest.mark.parametrize("given", [{}, {"cids": {}}, {"cids": {"T": None}}])
def test_null_ids_leave_the_table_unchanged(given):
    (step,) = run(case([GO], route={"T": ["T/b0/0", "T/b0/1"]}, have={"T/b0/0": HELD}, **given))
    assert step == {**GO, "effects": ["findCids(T)"], "table": {"T/b0/0": KEPT}, "memoryOffsets": {"T/b0/0": 55}}


def test_offsets_are_persisted_between_rebalances():
    ops = ["setMem T/b0/0 0", "persistConsumerOffset", "removeProcessQueue T/b0/0", "removeProcessQueue T/b0/0"]
    steps = run({"in": {"have": {"T/b0/0": HELD}}, "steps": [{"op": op} for op in ops]})
    assert [step["effects"] for step in steps] == [
        [],
        ["updateOffsetRPC(-1)@T/b0/0"],
        ["out@T/b0/0", "persist@T/b0/0", "updateOffsetRPC(-1)@T/b0/0", "rmOff@T/b0/0"],
        [],
    ]
    assert [step["memoryOffsets"] for step in steps] == [{"T/b0/0": 0}, {"T/b0/0": -1}, {}, {}]


def test_two_concurrent_rebalances_are_replayed():
    given = {"route": {"T": ["T/b0/0"]}, "cids": {"T": ["C1"]}}
    (step,) = run(case([{"op": "twoConcurrent"}], **given))
    twice = ["findCids(T)", "allocate(1,[C1])=avg", "queryOffsetRPC=100@T/b0/0", "readOff=100@T/b0/0"]
    assert step["effects"] == [
        *(effect for effect in twice for _ in range(2)),
        "in@T/b0/0",
        "pull(100)@T/b0/0",
        "emit(topic_T_queue_changed)",
    ]


def test_returning_topic_is_not_truncated():
    given = {"route": {"T": ["T/b0/0"]}, "have": {"T/b0/0": HELD}, "cids": {"T": ["C1"]}}
    ops = ["unsub T", "doRebalance", "resub T", "age T/b0/0", "setCids T C0,C1", "rebalanceByTopic T"]
    steps = run(case([{"op": op} for op in ops], **given))
    assert [step["table"] for step in steps] == [{"T/b0/0": KEPT}] * 5 + [{}]
    assert steps[1]["effects"] == []


MALFORMED = [
    ("sub", None, "sub is null, not a list of texts"),
    ("cids", {"T": "none"}, 'cids is "none", not a list of texts'),
    ("sub", ["T", 1], 'sub is ["T", 1], not a list of texts'),
    ("model", "B", 'model is "B", not one of BROADCASTING, CLUSTERING'),
    ("route", [], "route is [], not an object"),
    ("route", {"T": ["T/b0"]}, 'route has "T/b0", which is not topic/broker/queueId'),
    ("route", {"T": ["T/b0/x"]}, 'queueId is "x", not a number'),
    ("strategy", "circle", 'strategy has "circle", which is not topic/broker/queueId'),
    ("have", {"T/b0/0": "d0"}, 'have is "d0", which is not dXlXeXaXmX'),
    ("q", {"T/b0/0": {"lock": "ok"}}, '"lock" is none of rpc, queryRPC, max, upd'),
    ("q", {"T/b0/0": {"rpc": True}}, "rpc is true, not a number"),
    ("q", {"T/b0/0": "ok"}, 'q is "ok", not an object'),
    ("ord", True, 'the input "ord" is none of cids, have, model, q, route, strategy, sub'),
]


@pytest.mark.parametrize(("key", "found", "what"), MALFORMED)
def test_malformed_node_case_is_reported(key, found, what):
    with pytest.raises(RowError) as error:
        run(case([GO], **{key: found}))
    assert str(error.value) == what


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"steps": []}, 'no "in"'),
        ({"in": {}}, 'no "steps"'),
        ({"in": {}, "steps": {}}, "steps is {}, not a list of objects"),
        ({"in": [], "steps": []}, "in is [], not an object"),
        ({"in": {"sub": []}, "steps": [{}]}, 'no "op"'),
        (case([{"op": "lockAll"}]), 'op is "lockAll", which no client supports'),
        (case([{"op": "expire T/b0/0"}]), 'op is about "T/b0/0", which the client does not have'),
        (case([{"op": "age T/b0/0"}]), 'op is about "T/b0/0", which the client does not have'),
        (case([{"op": "free T/b0/0"}]), 'op is "free T/b0/0", which no client supports'),
        (case([{"op": "setMem T/b0/0 x"}]), 'op is "x", not a number'),
        (case([{"op": "twoConcurrent T"}]), 'op is "twoConcurrent T", which no client supports'),
        (case([{"op": "set T/b0/0 rpc x"}]), 'rpc is "x", neither a number nor one of notfound, brokerexc, timeout'),
    ],
)
def test_node_case_with_another_structure_is_reported(row, what):
    with pytest.raises(RowError) as error:
        run(row)
    assert str(error.value) == what
