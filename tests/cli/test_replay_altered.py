"""``rebalance replay`` of modified traces: every modification is reported in one sentence."""

import json
from copy import deepcopy
from functools import cache, partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import data, sampled_from

from tests.cli.test_replay import document
from tests.cli.test_replay_group import texts

CLAIMS = ("allocation.avg.covers.without-same-cid-all", "settling.java_v4_9_to_v5_1.apart")
WHOLE = {"a group": cache(lambda: json.loads(texts(0)[0])), **{one: cache(partial(document, one)) for one in CLAIMS}}
OTHERS = (
    *(None, True, False, 0, 1, -1, 2**70, 1.5, "", "x", "explore ", [], {}, [[]], [1], ["x", 1], [["x"]]),
    *({"#map": 1}, {"#map": [1]}, {"#map": [["x"]]}, {"#map": [[1, 1]]}, {"#map": [["x", 1], 1]}, {"#set": ["x"]}),
    *({"#set": [0, "x"]}, {"#map": [], "x": 1}, {"#set": [], "x": 1}, {"#bigint": "x"}, {"x": 1}),
)


def places(value, way=()):
    """The way to each value within a document."""
    yield way
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*way, key))


def altered(document, way, how, other):
    """The document with another value at that place, or without it, or with it twice where it is in a list."""
    if not way:
        return other
    *before, last = way
    within = found = deepcopy(document)
    for key in before:
        within = within[key]
    if how == "gone":
        del within[last]
    elif how == "twice" and isinstance(within, list):
        within.insert(last, within[last])
    else:
        within[last] = other
    return found


@pytest.fixture
def told(call, tmp_path):
    """Function that replays a document, and looks at how it is told; returns the exit status."""
    path = tmp_path / "trace.itf.json"

    def replayed(trace):
        path.write_text(json.dumps(trace), encoding="utf-8")
        called = call("replay", "--plain", str(path))
        assert called.status in (0, 1, 2)
        if called.status == 2:
            assert called.out == ""
            assert called.err.count("\n") == 1
            assert called.err.startswith(f"rebalance: cannot replay {str(path)!r}: ")
        else:
            assert called.err == ""
        if called.status == 1:
            assert called.out.count("\n") == 1
        return called.status

    return replayed


@pytest.mark.parametrize("whose", WHOLE)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=data())
def test_altered_trace_prints_one_sentence(told, whose, drawn):
    whole = WHOLE[whose]()
    way = drawn.draw(sampled_from(list(places(whole))))
    told(altered(whole, way, drawn.draw(sampled_from(["other", "gone", "twice"])), drawn.draw(sampled_from(OTHERS))))


def test_altered_set_or_map_is_reported(told):
    whole = WHOLE["a group"]()
    last = len(whole["states"]) - 1
    for name, value in whole["states"][last].items():
        ways = [way[:-1] for way in places(value) if way[-1:] in (("#set",), ("#map",))]
        for way in ways[:1]:
            for other in OTHERS:
                assert told(altered(whole, ("states", last, name, *way), "other", other)) == 1, (name, other)
