"""``rebalance replay`` of traces written by ``rebalance explore --itf``."""

import json
from functools import cache

import pytest

from rebalance_proofs.model.possible import need
from rebalance_proofs.report.claims.played import FORMAT
from rebalance_proofs.report.explorer.document import trace_of
from rebalance_proofs.spark_enum.explorer.concrete.group import Registry
from rebalance_proofs.spark_enum.explorer.concrete.groups import ConcurrentProcess
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from tests.cli.terminal import at_terminal
from tests.cli.test_replay import changed
from tests.spark_enum.explorer.exploring import gone_through, gone_through_of
from tests.spark_enum.explorer.stuck import STUCK

GROUPS = [
    {"model": "concurrent"},
    {"model": "ordered", "queues": 1, "client": "5.2", "settle": False},
    {"model": "ordered", "queues": 1, "unlock": 4, "faults": ("broker-restart",), "most": 12, "settle": False},
]


@cache
def texts(number):
    """The traces of a group, each as text."""
    told = dict(GROUPS[number])
    explored = gone_through(told.pop("model"), **told)
    assert explored.found
    return [json.dumps(trace_of(explored, found)) for found in explored.found]


def two():
    """How two consumers come to read one queue."""
    return json.loads(texts(0)[0])


@pytest.fixture
def written(tmp_path):
    """``written(document)``: path of a file with that content."""

    def write(document):
        path = tmp_path / "trace.itf.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    return write


def test_group_trace_prints_how_two_consumers_read_one_queue(call, written):
    called = call("replay", written(two()))
    assert (called.status, called.err) == (0, "")
    lines = called.out.splitlines()
    assert lines[0] == "concurrent: two"
    assert (
        "  4 steps, replayed on the explored model and the modelled client code; 5 states of the trace agreed."
    ) in lines
    assert lines[-4:] == [
        "  4. c1 rebalances.",
        "     * c1       sees members  c0 and c1",
        "     * queue 1  owner         c0 and c1",
        "     Bad state of queue 1: Two consumers have a process queue of the same queue and read it.",
    ]


def test_explored_traces_can_be_replayed(call, tmp_path):
    assert call("explore", "concurrent", "--queues", "1", "--no-settle", "--itf", str(tmp_path)).status == 0
    for file in tmp_path.iterdir():
        assert call("replay", str(file)).status == 0
    assert {file.name for file in tmp_path.iterdir()} == {"concurrent.two.itf.json", "concurrent.twice.itf.json"}


@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_group_states_agree_and_each_wrong_value_is_reported(call, written, number):
    for text in texts(number):
        whole = json.loads(text)
        assert call("replay", written(whole)).status == 0
        states = range(len(whole["states"]))
        for wrong in states:
            for name in whole["vars"] if wrong == states[-1] else [whole["vars"][wrong % len(whole["vars"])]]:
                trace = json.loads(text)
                trace["states"][wrong][name] = changed(trace["states"][wrong][name])
                called = call("replay", written(trace))
                assert (called.status, called.err) == (1, ""), (wrong, name)
                model = GROUPS[number]["model"]
                begin = f"step {wrong} ({whole['states'][wrong]['action']})" if wrong else "initial state"
                assert called.out.startswith(f"{model}: {begin}: `{name}"), called.out
                assert " in the model." in called.out


def test_queue_number_is_reported_by_its_name(call, written):
    trace = two()
    (pair,) = (pair for pair in trace["states"][2]["queues"][1]["#map"] if pair[0] == "present0")
    pair[1] = 0
    called = call("replay", written(trace))
    assert called.status == 1
    assert called.out == (
        "concurrent: step 2 (rebalances c0): `queues[1].present0` is 0 in the trace, and 1 in the model.\n"
    )


def test_sets_and_maps_have_no_order(call, written):
    trace = two()
    for state in trace["states"]:
        state["members"]["#set"].reverse()
        for view in state["views"]:
            view["#set"].reverse()
        for queue in state["queues"]:
            queue["#map"].reverse()
    assert call("replay", written(trace)).status == 0


@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_missing_group_step_is_reported(call, written, number):
    """No step of a shortest path can be removed."""
    whole = json.loads(texts(number)[0])
    for left_out in range(1, len(whole["states"])):
        trace = json.loads(texts(number)[0])
        del trace["states"][left_out]
        called = call("replay", written(trace))
        assert (called.status, called.err) == (1, ""), left_out


def test_impossible_group_step_is_reported(call, written):
    trace = two()
    trace["states"][2]["#meta"]["does"] = {"action": "rebalances", "who": 1, "queue": None}
    called = call("replay", written(trace))
    assert (called.status, called.out) == (
        1,
        "concurrent: step 2 (rebalances c1): the model does not allow this step here.\n",
    )


def test_missing_final_finding_is_reported(call, written):
    trace = two()
    trace["#meta"]["replay"]["explore"]["watch"] = "twice"
    called = call("replay", written(trace))
    assert called.status == 1
    assert "the last state is not bad: twice (A message is consumed twice)." in called.out


def test_other_strategy_changes_the_trace(call, written):
    """Of three queues, AVG_BY_CIRCLE assigns only the second to c1, and AVG only the last."""
    trace = two()
    settings = trace["#meta"]["replay"]["explore"]["settings"]
    for state in trace["states"]:
        state["queues"].append(state["queues"][0])
    settings |= {"queues": 3, "strategy": "circle"}
    assert call("replay", written(trace)).status == 0
    settings["strategy"] = "avg"
    called = call("replay", written(trace))
    assert called.status == 1
    assert "step 4 (rebalances c1): `queues[1].present1` is 1 in the trace, and 0 in the model." in called.out


@pytest.mark.parametrize(
    ("owner", "name", "does", "said"),
    [
        (
            Registry,
            "answers",
            lambda registry, client_id: [client_id],
            "step 2 (rebalances c0): told is (False, False) in the model, and (True, False) in the code.",
        ),
        (
            ConcurrentProcess,
            "rebalances",
            lambda process, member: need(False),
            "step 2 (rebalances c0): the client's code does not do this at that time.",
        ),
        (
            ConcurrentProcess,
            "rebalances",
            lambda process, member: None,
            "step 2 (rebalances c0): present0 of queue 0 is 1 in the model, and 0 in the code.",
        ),
    ],
    ids=["the broker", "it refuses", "it does nothing"],
)
def test_differing_code_is_reported(call, written, monkeypatch, owner, name, does, said):
    monkeypatch.setattr(owner, name, does)
    called = call("replay", written(two()))
    assert called.status == 1
    assert said in called.out


def with_explored(**told):
    trace = two()
    trace["#meta"]["replay"]["explore"] |= told
    return trace


def with_settings(**told):
    trace = two()
    trace["#meta"]["replay"]["explore"]["settings"] |= told
    return trace


def with_step(**told):
    trace = two()
    trace["states"][1]["#meta"]["does"] |= told
    return trace


def older():
    trace = two()
    del trace["#meta"]["replay"]
    return trace


def without(name):
    trace = two()
    del trace["#meta"]["replay"]["explore"]["settings"][name]
    return trace


def silent():
    trace = two()
    for state in trace["states"]:
        state["#meta"].pop("does", None)
    return trace


def later():
    trace = two()
    trace["#meta"]["replay"]["format"] = FORMAT + 1
    return trace


BAD = {
    "earlier": (
        older,
        "an earlier version wrote the trace, without replay data; `rebalance explore concurrent --itf DIR`",
    ),
    "later": (later, f"the trace has format {FORMAT + 1}, but this version reads"),
    "model": (
        lambda: with_explored(model="concurent"),
        "unknown model 'concurent'; the models are concurrent, ordered",
    ),
    "a model of another type": (lambda: with_explored(model=["concurrent"]), "unknown model ['concurrent']"),
    "hostile model": (lambda: with_explored(model="\x1b[31m"), "\\x1b[31m"),
    "watch": (
        lambda: with_explored(watch="thrice"),
        "unknown bad state 'thrice'; the bad states of the model concurrent are two",
    ),
    "no settings": (lambda: with_explored(settings=None), "have to be consumers, queues, client, strategy, faults"),
    "a setting too few": (lambda: without("client"), "have to be consumers, queues, client, strategy, faults"),
    "a setting too many": (lambda: with_settings(unlock=2), "the settings of the model concurrent have to be"),
    "many consumers": (lambda: with_settings(consumers=10**9), "'consumers' is not a whole number from 1 to 8"),
    "true consumers": (lambda: with_settings(consumers=True), "'consumers' is not a whole number"),
    "strategy": (lambda: with_settings(strategy="avgg"), "--strategy 'avgg' cannot be explored"),
    "a strategy of another type": (lambda: with_settings(strategy={}), "'strategy' is not a text"),
    "client": (lambda: with_settings(client="3.1"), "version '3.1' is not covered"),
    "hostile client": (lambda: with_settings(client="\x1b[31m"), "\\x1b[31m"),
    "faults": (lambda: with_settings(faults=["flood"]), "the model concurrent has no fault 'flood'"),
    "no list of faults": (lambda: with_settings(faults="crash"), "'faults' is not a list of names"),
    "an action that is none": (lambda: with_step(action="__init__"), "does not exist in this group: action"),
    "an action of a fault": (lambda: with_step(action="crashes"), "the action of state 1 does not exist"),
    "who": (lambda: with_step(who=2), "who 2"),
    "true who": (lambda: with_step(who=False), "who False"),
    "queue": (lambda: with_step(queue=0), "queue 0"),
    "nothing is done": (silent, "its states do not contain their actions"),
    "no states": (lambda: two() | {"states": []}, "the trace has no states"),
    "many states": (lambda: two() | {"states": [{}] * 201}, "the trace has 201 states"),
    "other variables": (
        lambda: two() | {"vars": ["x"]},
        "the trace does not have the variables of the model concurrent: action",
    ),
    "what is explored is no record": (
        lambda: two() | {"#meta": two()["#meta"] | {"replay": {"format": FORMAT, "explore": 1}}},
        "the trace does not contain the explored model",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_invalid_group_trace_prints_one_sentence(call, written, what):
    made, said = BAD[what]
    path = written(made())
    called = call("replay", path)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint
    assert path in called.complaint


def test_truncated_trace_is_reported(call, tmp_path):
    path = tmp_path / "trace.itf.json"
    path.write_text(texts(0)[0][:4000], encoding="utf-8")
    assert "the file is not JSON, or is truncated" in call("replay", str(path)).complaint


def test_group_trace_is_played_with_keys(written):
    with at_terminal("replay", written(two())) as terminal:
        terminal.until("0 of 4: Initial state.")
        terminal.type("\x1b[F")
        last = terminal.until("Bad state of queue 1: Two consumers have a process queue of the same queue and read it.")
        assert "4 of 4: c1 rebalances." in last
        assert "\x1b[7m* queue 1  owner         c0 and c1\x1b[0m" in last
        terminal.type("q")
        assert terminal.ended() == 0
        assert terminal.as_before


def stuck():
    """How a group comes to where no move is possible."""
    explored = gone_through_of(STUCK, queues=1)
    return trace_of(explored, explored.found[0])


def test_trace_to_a_deadlock_is_replayed(call, written, monkeypatch):
    monkeypatch.setitem(SUBJECTS, STUCK.name, STUCK)
    called = call("replay", written(stuck()))
    assert (called.status, called.err) == (0, "")
    assert called.out.splitlines()[-3:] == [
        "  2. c1 joins the group, and the broker notifies the other members.",
        "     * group    members       c0 and c1",
        "     Bad state: No move is possible any more.",
    ]


def test_possible_move_in_the_final_state_is_reported(call, written, monkeypatch):
    monkeypatch.setitem(SUBJECTS, STUCK.name, STUCK)
    trace = stuck()
    del trace["states"][-1]
    called = call("replay", written(trace))
    assert called.status == 1
    assert "the last state is not bad: deadlock (No move is possible any more)." in called.out


def test_clock_of_ordered_listeners_is_printed(call, written):
    lines = call("replay", written(json.loads(texts(1)[0]))).out.splitlines()
    assert "  4. [20 s] Ten seconds pass." in lines
    assert " 15. [30 s] c0 checks that its lock of queue 0 is recent, and calls its listener." in lines
