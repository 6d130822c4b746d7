"""transition/scripted.jsonl: cases of both clients; agreement, changed steps and malformed rows."""

import json
from copy import deepcopy

import pytest

from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.transition.scripted import FILE

HELD = "d0l1e0a0c0m1"
IDLE = {"exc": None, "pendingDelayed": 0}
CASE = {
    "ver": "5.1.4",
    "case": "handed back",
    "desc": "a queue goes and comes back",
    "in": {
        "kind": "push",
        "model": "CLUSTERING",
        "orderly": True,
        "strategy": "avg",
        "have:T/b0/0": HELD,
        "subscribed": ["T"],
        "route:T": ["T/b0/0"],
        "cids:T": ["C0", "C1"],
    },
    "steps": [
        {
            "op": "doRebalance",
            "ret": "true",
            "exc": None,
            "effects": [
                "findCids(T)",
                "allocate(1,[C0, C1])=avg",
                "drop@T/b0/0",
                "persist@T/b0/0",
                "rmOff@T/b0/0",
                "tryConsumeLock(1000)=1@T/b0/0",
                "schedule(unlock,20000)",
                "releaseConsumeLock@T/b0/0",
                "out@T/b0/0",
                "mqChanged(T,all={T/b0/0},mine={})",
                "heartbeat",
            ],
            "table": {},
            "pendingDelayed": 1,
        },
        {"op": "setCids T C1", "ret": "void", "exc": None, "effects": [], "table": {}, "pendingDelayed": 1},
        {
            "op": "doRebalance",
            "ret": "true",
            "exc": None,
            "effects": [
                "findCids(T)",
                "allocate(1,[C1])=avg",
                "lockRPC=ok@T/b0/0",
                "rmOff@T/b0/0",
                "readOff[S]=100@T/b0/0",
                "in@T/b0/0",
                "pull(100,500)@T/b0/0",
                "mqChanged(T,all={T/b0/0},mine={T/b0/0})",
                "heartbeat",
            ],
            "table": {"T/b0/0": "N:d0l1t0"},
            "pendingDelayed": 1,
        },
        {
            "op": "fire",
            "ret": "void",
            "exc": None,
            "effects": ["unlockRPC(oneway)@T/b0/0"],
            "table": {"T/b0/0": "N:d0l1t0"},
            "pendingDelayed": 0,
        },
    ],
}
STEPS = len(CASE["steps"])


def plain(*steps, ver="5.3.3", **given):
    """A case of a concurrent push consumer."""
    known = {"kind": "push", "model": "CLUSTERING", "orderly": False, "strategy": "avg"}
    return {"ver": ver, "case": "x", "in": known | given, "steps": list(steps)}


def step(op, *effects, ret="void", table=(), **others):
    """What is recorded of one step."""
    return {"op": op, "ret": ret, "effects": list(effects), "table": dict(table), **IDLE, **others}


@pytest.fixture
def report(write, report_of):
    """``report(cases)``: report for a file with these cases."""

    def check(*cases):
        write(FILE, [case if isinstance(case, str) else json.dumps(case) for case in cases])
        return report_of(FILE)

    return check


def test_recorded_scripts_agree(own_vectors):
    (found,) = [found for found in conform(own_vectors).files if found.file == FILE]
    assert found.failures == ()
    assert found.skipped == {}
    steps = [len(json.loads(line)["steps"]) for line in (own_vectors / FILE).read_text(encoding="utf-8").splitlines()]
    assert (found.rows, found.checks) == (len(steps), 5 * sum(steps))


def test_recorded_scripts_have_every_version(own_vectors):
    found = {json.loads(line)["ver"] for line in (own_vectors / FILE).read_text(encoding="utf-8").splitlines()}
    assert found == {"4.9.8", "5.1.4", "5.3.3", "node3.12.2"}


def test_good_script_agrees(report):
    found = report(CASE)
    assert (found.rows, found.checks, found.failures) == (1, 5 * STEPS, ())


def test_effects_on_new_entries_are_hidden(report):
    """A new entry's state is set without an effect; an existing entry's is not."""
    held = {"have:T/b0/0": "d0l0e0a0c0m0"}
    locked = {"T/b0/0": "S:d0l1t0"}
    assert report(plain(step("lockAll", "lockRPC=ok@T/b0/0", "pqLocked=1@T/b0/0", table=locked), **held)).failures == ()
    case = deepcopy(CASE)
    table = {"T/b0/0": "N:d0l1t0"}
    case["steps"].append(step("lockAll", "lockRPC=ok@T/b0/0", table=table))
    case["steps"].append(step("destroy", "out@T/b0/0"))
    assert report(case).failures == ()


def test_immediately_removed_entries_are_sorted_by_name(report):
    held = {"have:T/b0/1": HELD, "have:T/b0/0": HELD}
    effects = ["drop@T/b0/1", "drop@T/b0/0", "out@T/b0/0", "out@T/b0/1"]
    assert report(plain(step("destroy", *effects), **held)).failures == ()
    (found,) = report(plain(step("destroy", *effects[:2], *effects[:1:-1]), **held)).disagreements
    assert found.what == "effects of step 1, destroy, of x"


def test_assigned_retry_topic_comes_before_its_topic(report):
    assigned = {
        "clientRebalance": False,
        "subscribed": ["T"],
        "assignment:T": "PULL T/b0/0",
        "assignment:%RETRY%G_T": "empty",
        "have:T/b0/0": HELD,
    }
    table = {"T/b0/0": "S:d0l1t0"}
    steps = [
        step("doRebalance", "queryAssignment(T,3000)", ret="true", table=table),
        step("doRebalance", "queryAssignment(%RETRY%G_T,3000)", "queryAssignment(T,3000)", ret="true", table=table),
    ]
    assert report(plain(*steps, **assigned)).failures == ()


@pytest.mark.parametrize(
    ("number", "key", "value"),
    [
        (1, "ret", "false"),
        (1, "ret", "void"),
        (1, "effects", ["findCids(T)"]),
        (1, "effects", []),
        (1, "table", {"T/b0/0": "S:d1l1t0"}),
        (1, "pendingDelayed", 0),
        (3, "table", {"T/b0/0": "S:d0l1t0"}),
        (4, "effects", ["unlockRPC(oneway)=exc@T/b0/0"]),
        (4, "pendingDelayed", 1),
    ],
)
def test_changed_step_is_reported(number, key, value, report):
    case = deepcopy(CASE)
    case["steps"][number - 1][key] = value
    found = report(CASE, case)
    (disagreement,) = found.disagreements
    assert (disagreement.line, disagreement.client) == (2, "java 5.1.4")
    assert disagreement.what == f"{key} of step {number}, {case['steps'][number - 1]['op']}, of handed back"
    assert found.checks == 10 * STEPS


def test_changed_exception_is_reported(report):
    given = {"subscribed": ["T"], "route:T": ["T/b0/0"], "cidsImmutable:T": ["C1"]}
    thrown = step("rebalanceByTopic T", "findCids(T)", ret=None, exc="UnsupportedOperationException")
    assert report(plain(thrown, **given)).failures == ()
    (found,) = report(plain({**thrown, "exc": "NullPointerException"}, **given)).disagreements
    assert (found.recorded, found.computed) == ('"NullPointerException"', '"UnsupportedOperationException"')


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "lite"),
        ("model", "BROADCASTING"),
        ("orderly", False),
        ("strategy", "T/b0/0"),
        ("strategy", "throwRT"),
        ("have:T/b0/0", "d0l1e0a0c0m0"),
        ("have:T/b0/0", "d0l1e0a0c2m1"),
        ("subscribed", []),
        ("route:T", ["T/b0/0", "T/b0/1"]),
        ("cids:T", ["C1"]),
        ("script:T/b0/0", ["lock=denied"]),
        ("script:T/b0/0", ["off=nf77"]),
        ("script:T/b0/0", ["off=100", "persist=throw"]),
        ("thrTopic", 1),
        ("thrSizeTopic", 1),
    ],
)
def test_changed_script_input_gives_another_result(key, value, report):
    found = report(CASE, CASE | {"in": CASE["in"] | {key: value}})
    assert {disagreement.line for disagreement in found.disagreements} == {2}
    assert found.malformed == ()


def without(key):
    return {other: value for other, value in CASE.items() if other != key}


def given(**changes):
    return CASE | {"in": {**CASE["in"], **changes}}


def stepped(**changes):
    return CASE | {"steps": [{**CASE["steps"][0], **changes}]}


MALFORMED = [
    ("[]", "[] is not an object"),
    ("{", "not JSON: "),
    (without("ver"), 'no "ver"'),
    (CASE | {"ver": 5}, "ver is 5, not a text"),
    (without("case"), 'no "case"'),
    (without("in"), 'no "in"'),
    (CASE | {"in": []}, "in is [], not an object"),
    (without("steps"), 'no "steps"'),
    (CASE | {"steps": []}, "steps is [], not a list of objects"),
    (CASE | {"steps": ["doRebalance"]}, 'steps is ["doRebalance"], not a list of objects'),
    (CASE | {"result": 1}, '"result" is not a part of a case'),
    (stepped(more=1), "a step has op, ret, exc, effects, table, pendingDelayed, more, expected op, ret, "),
    (stepped(op=1), "op is 1, not a text"),
    (stepped(ret=True), "ret is true, not a text"),
    (stepped(exc="Error"), "a step either returns ret or throws exc"),
    (stepped(ret=None), "a step either returns ret or throws exc"),
    (stepped(effects="drop"), 'effects is "drop", not a list of texts'),
    (stepped(effects=[1]), "effects is [1], not a list of texts"),
    (stepped(table=[]), "table is [], not an object"),
    (stepped(pendingDelayed="1"), 'pendingDelayed is "1", not a number'),
    (stepped(op="expire T/b0/1"), 'op is about "T/b0/1", which the client does not have'),
    (stepped(op="free T"), 'op has "T", which is not topic/broker/queueId'),
    (stepped(op="setOff T/b0/0 x"), 'op is "x", not a number'),
    (stepped(op="setPersist T/b0/0 x"), 'op is "x", not one of ok, throw, throw2'),
    (given(kind="pop"), 'kind is "pop", not one of push, pull, lite'),
    (given(kind=1), "kind is 1, not a text"),
    (given(model="C"), 'model is "C", not one of BROADCASTING, CLUSTERING'),
    (given(orderly=1), "orderly is 1, neither true nor false"),
    (given(clientRebalance="no"), 'clientRebalance is "no", neither true nor false'),
    (given(strategy="circle"), 'strategy has "circle", which is not topic/broker/queueId'),
    (given(subscribed="T"), 'subscribed is "T", not a list of texts'),
    (given(listener="maybe"), 'listener is "maybe", not one of ok, throw'),
    (given(thrTopic="1"), 'thrTopic is "1", not a number'),
    (given(color="red"), 'in has "color", which is not an input'),
    (given(**{"color:T": "red"}), 'in has "color:T", which is not an input'),
    (given(**{"have:T/b0": HELD}), 'have:T/b0 has "T/b0", which is not topic/broker/queueId'),
    (given(**{"have:T/b0/0": "d0l1"}), 'have:T/b0/0 is "d0l1", which is not dXlXeXaXcXmX'),
    (given(**{"have:T/b0/0": 1}), "have:T/b0/0 is 1, not a text"),
    (given(**{"have:T/b0/9999999999": HELD}), "queueId 9999999999 is outside int32"),
    (given(**{"route:T": "T/b0/0"}), 'route:T is "T/b0/0", not a list of texts'),
    (given(**{"cids:T": [1]}), "cids:T is [1], not a list of texts"),
    (given(**{"script:T/b0/0": ["lock=maybe"]}), 'script:T/b0/0 is "maybe", not one of ok, denied'),
    (given(**{"script:T/b0/0": ["color=red"]}), 'script:T/b0/0 is "color", not one of lock, off, persist'),
    (given(**{"assignment:T": "PUSH T/b0/0"}), 'assignment:T is "PUSH T/b0/0", not one of empty, null, brokerexc, '),
    (given(**{"assignment:T": "PULL x"}), 'assignment:T has "x", which is not topic/broker/queueId'),
    (given(**{"assignment:T": "POP -1"}), 'assignment:T has "-1", which is not topic/broker/queueId'),
    (stepped(op="setLock T/b0/0 maybe"), 'op is "maybe", not one of ok, denied, exc, nobroker, unlockexc'),
    (stepped(op="age T/b0/1"), 'op is about "T/b0/1", which the client does not have'),
]


@pytest.mark.parametrize(("case", "what"), MALFORMED, ids=[str(place) for place in range(len(MALFORMED))])
def test_malformed_script_concerns_only_itself(case, what, report):
    found = report(CASE, case, CASE)
    (malformed,) = found.malformed
    assert malformed.line == 2
    assert malformed.what.startswith(what)
    assert (found.rows, found.checks, found.disagreements) == (3, 10 * STEPS, ())


UNKNOWN = [
    (stepped(op="jump"), 'op is "jump", which no client supports'),
    (stepped(op="lockAll T"), 'op is "lockAll T", which no client supports'),
    (stepped(op="unsub"), 'op is "unsub", which no client supports'),
    (CASE | {"steps": [*CASE["steps"], step("jump")]}, 'op is "jump", which no client supports'),
    (CASE | {"ver": "6.0"}, 'version "6.0" is not modelled'),
]


@pytest.mark.parametrize(("case", "what"), UNKNOWN)
def test_unknown_script_is_a_disagreement(case, what, report):
    found = report(CASE, case, CASE)
    (unknown,) = found.disagreements
    assert (unknown.line, unknown.client, unknown.computed) == (2, "the model", f"nothing: {what}")
    assert (found.rows, found.checks, found.malformed, found.skipped) == (3, 10 * STEPS + 1, (), {})


BROKER = {"clientRebalance": False, "subscribed": ["T"], "route:T": ["T/b0/0"]}


def test_popped_queues_are_replayed(report):
    steps = [
        step(
            "doRebalance",
            "queryAssignment(T,3000)",
            "drop@T/b0/0",
            "persist@T/b0/0",
            "rmOff@T/b0/0",
            "out@T/b0/0",
            "pop(500)@T/b0/0",
            "pop(500)@T/b0/1",
            "mqChanged(T,all=null,mine={T/b0/0 T/b0/1})",
            "heartbeat",
            ret="true",
        ),
        step("doRebalance", "queryAssignment(T,3000)", ret="true"),
    ]
    for written in ("POP T/b0/0 T/b0/1", "POP 0 1"):
        given = {**BROKER, "have:T/b0/0": HELD, "assignment:T": written}
        assert report(plain(*steps, **given)).failures == ()
        given["assignment:T"] = "POP T/b0/0 T/b0/2"
        (found,) = report(plain(*steps, **given)).disagreements
        assert found.what == "effects of step 1, doRebalance, of x"


@pytest.mark.parametrize("answer", ["null", "brokerexc", "timeout"])
def test_unavailable_broker_assignment_is_replayed(answer, report):
    given = {**BROKER, "assignment:T": answer}
    asked = f"queryAssignment(T,3000)={answer}"
    assert report(plain(step("doRebalance", asked, ret="false"), **given)).failures == ()
    tried = [f"queryAssignment(T,{timeout})={answer}" for timeout in (1000, 2000, 3000)]
    steps = {
        "null": [step("doRebalance", tried[0], asked, ret="false"), step("doRebalance", asked, ret="false")],
        "brokerexc": [step("doRebalance", tried[0], "findCids(T)", ret="true")],
        "timeout": [step("doRebalance", *tried, "findCids(T)", ret="true")],
    }
    assert report(plain(*steps[answer], ver="5.1.4", **given)).failures == ()


@pytest.mark.parametrize("ver", ["4.9.8", "5.1.4", "5.3.3"])
def test_returning_topic_is_replayed(ver, report):
    told = "void" if ver == "4.9.8" else "true"
    steps = [
        step("unsub T", table={"T/b0/0": "S:d0l1t0"}),
        step("truncate", "out@T/b0/0", "drop@T/b0/0"),
        step("doRebalance", ret=told),
        step("resub T"),
        step("doRebalance", "findCids(T)", ret=told),
    ]
    given = {"subscribed": ["T"], "route:T": ["T/b0/0"], "have:T/b0/0": HELD}
    assert report(plain(*steps, ver=ver, **given)).failures == ()


def test_lock_answer_can_be_changed(report):
    given = {"have:T/b0/0": "d0l0e0a0c0m0", "script:T/b0/0": ["lock=denied"]}
    held = {"table": {"T/b0/0": "S:d0l0t0"}}
    steps = [
        step("lockAll", "lockRPC=denied@T/b0/0", "pqLocked=0@T/b0/0", **held),
        step("setLock T/b0/0 exc", **held),
        step("lockAll", "lockRPC=exc@T/b0/0", **held),
        step("setLock T/b0/0 ok", **held),
        step("lockAll", "lockRPC=ok@T/b0/0", "pqLocked=1@T/b0/0", table={"T/b0/0": "S:d0l1t0"}),
    ]
    assert report(plain(*steps, **given)).failures == ()


def test_old_lock_is_released_under_a_running_listener(report):
    given = {"orderly": True, "have:T/b0/0": "d0l1e0a0c1m1"}
    steps = [
        step("age T/b0/0", table={"T/b0/0": "S:d0l1t0"}),
        step(
            "removeProcessQueue T/b0/0",
            "out@T/b0/0",
            "drop@T/b0/0",
            "persist@T/b0/0",
            "persist@T/b0/0",
            "rmOff@T/b0/0",
            "pqLocked=0@T/b0/0",
            "unlockRPC(oneway)@T/b0/0",
        ),
    ]
    assert report(plain(*steps, **given)).failures == ()


@pytest.mark.parametrize("words", ["", ":Cannot invoke something", ":null"])
def test_null_pointer_message_is_not_compared(words, report):
    thrown = step("rebalanceByTopic T", "mqChanged(T,all={},mine={})", ret=None, exc=f"NullPointerException{words}")
    thrown["effects"].insert(0, "findCids(T)")
    assert report(plain(thrown)).failures == ()
    (found,) = report(plain({**thrown, "exc": f"NullPointerExceptions{words}"})).disagreements
    assert found.computed == '"NullPointerException"'


def test_node_script_is_replayed(own_vectors, report):
    lines = (own_vectors / FILE).read_text(encoding="utf-8").splitlines()
    case = next(case for case in map(json.loads, lines) if case["ver"] == "node3.12.2" and case["steps"][0]["table"])
    assert report(case).failures == ()
    case["steps"][0]["memoryOffsets"] = {}
    (found,) = report(case).disagreements
    assert (found.client, found.what.partition(" ")[0]) == ("node", "memoryOffsets")
    del case["steps"][0]["memoryOffsets"]
    (malformed,) = report(case).malformed
    assert malformed.what.startswith("a step has op, ")
