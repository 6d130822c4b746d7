"""Scenarios: those of the package, the format of a file, and the sentence for each mistake."""

import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.read import load, names, own, scenario, text
from rebalance_proofs.recorded.live.step import Delay, Join, Kill, Renewed, Shutdown, Stop, Together
from tests.each import each

STEPS = 'steps = [{ do = "join", of = "c0" }]\n'
MEMBERS = "[members]\nc0 = {}\n"
GOOD = STEPS + 'about = "x"\n' + MEMBERS


def read(said: str):
    return scenario(tomllib.loads(said), "mine")


def test_scenario_file_is_parsed():
    found = read(
        """
about = "All kinds"
topics = { T1 = 4, T2 = 8 }
brokers = 2
broker = { accessMessageInMemoryMaxRatio = 0 }
send = { rate = 5, tags = ["A", "B"], first = 2 }
steps = [
  { do = "join", of = ["c0", "c1"], then = 3 },
  { do = "renewed", of = "c1", age = 16.5 },
  { do = "stop", of = "c0", for = 5 },
  { do = "delay", of = "b1", ms = 100 },
  { do = "together", lanes = [[{ do = "kill", of = "c0" }], [{ do = "shutdown", of = "c1", linger = 2 }]] },
]
[member]
ms = 300
[members]
c0 = { sub = "T1:A,T2", from = "LAST" }
c1 = { mode = "ordered", set = { pullBatchSize = 4 }, props = { "a.b" = true } }
"""
    )
    assert found.steps == (
        Join(of=("c0", "c1"), then=3),
        Renewed(of="c1", age=16.5),
        Stop(of="c0", for_=5),
        Delay(of="b1", ms=100),
        Together(lanes=((Kill(of="c0"),), (Shutdown(of="c1", linger=2),))),
    )
    assert found.members["c0"].topics == ("T1", "T2")
    assert found.members["c0"].from_ == "LAST"
    assert found.members["c1"].ms == 300
    assert found.members["c1"].set == {"pullBatchSize": 4}
    assert found.broker_names == ("b0", "b1")
    assert found.delayed == {"b1"}


def test_packaged_scenarios_are_read_and_written():
    assert len(names()) >= 30
    for name in names():
        found = own(name)
        assert found.about.endswith("."), name
        assert scenario(tomllib.loads(text(found)), name) == found, name


@given(st.integers(0, 2**32 - 1), st.integers(1, 50))
def test_random_scenario_is_valid_and_written(seed, number):
    found = draw(seed, number)
    assert draw(seed, number) == found
    assert scenario(tomllib.loads(text(found)), found.name) == found


@given(st.text(), st.text())
def test_all_texts_are_escaped_in_scenarios(about, key):
    found = replace(own("join_leave"), about=about, broker={key: about})
    assert scenario(tomllib.loads(text(found)), found.name) == found


def test_supplementary_character_is_written_unescaped():
    found = replace(own("join_leave"), about="\N{ROCKET}\x7f")
    assert scenario(tomllib.loads(text(found)), found.name) == found


BAD = {
    STEPS + MEMBERS: "the scenario has no about",
    'about = "x"\n' + MEMBERS: '"steps" must be a list of steps',
    "steps = []\n" + MEMBERS: '"steps" must be a list of steps',
    'speed = 3\nabout = "x"\n' + STEPS + MEMBERS: 'the scenario has "speed", which is not known',
    GOOD.replace("{}", '{ ms = "fast" }'): '"ms" of the member c0 is "fast", not a number',
    GOOD.replace("{}", "{ ms = -1 }"): "ms of c0 is -1, not between 0 and 600000",
    GOOD.replace("{}", '{ mode = "sorted" }'): 'the mode of c0 is "sorted"; write concurrent or ordered',
    GOOD.replace("{}", '{ sub = "T9" }'): 'member c0 names the unknown topic "T9"; "topics" contains T1',
    GOOD.replace(
        "{}", '{ sub = "T1:A || B" }'
    ): 'a tag of member c0 is " B", which may contain only letters, digits, _ and -',
    GOOD.replace("}]", '}, { do = "subscribe", of = "c0", topic = "T1", tags = "A || B" }]'): (
        'a tag of subscribe is " B", which may'
    ),
    GOOD.replace(
        "{}", '{ group = "a b" }'
    ): 'the group of c0 is "a b", which may contain only letters, digits, _ and -',
    GOOD.replace("c0", "driver"): "a member cannot be called driver",
    GOOD.replace("c0 =", '"../x" ='): "may contain only letters, digits and _",
    GOOD.replace(
        '"join"', '"jump"'
    ): 'step 1 of steps has the unknown action "jump"; the actions are wait, ready, join',
    GOOD.replace(', of = "c0"', ""): "step 1 of steps has no of",
    GOOD.replace('of = "c0"', 'of = "c9"'): 'join of "c9": the member is unknown',
    GOOD.replace('of = "c0"', 'of = "c0", then = -1'): '"then" is -1, not between 0 and 3600 seconds',
    GOOD.replace('of = "c0"', 'of = "c0", then = "soon"'): '"then" of step 1 of steps is "soon", not a number',
    GOOD.replace('"join"', '"kill"'): "kill of c0 comes before it has joined",
    GOOD.replace("}]", '}, { do = "join", of = "c0" }]'): "c0 joins twice",
    GOOD.replace(
        "}]", '}, { do = "kill", of = "c0" }, { do = "stop", of = "c0" }]'
    ): "stop of c0 comes after c0 has ended",
    GOOD.replace(
        "}]", '}, { do = "stop", of = "c0" }, { do = "shutdown", of = "c0" }]'
    ): "comes while this member is stopped",
    GOOD.replace(
        "}]", '}, { do = "stop", of = "c0" }, { do = "suspend", of = "c0" }]'
    ): "comes while this member is stopped",
    GOOD.replace("}]", '}, { do = "suspend", of = "c0" }]'): "c0 stays suspended",
    GOOD.replace("}]", '}, { do = "unsuspend", of = "c0" }]'): "comes while this member is not suspended",
    GOOD.replace("}]", '}, { do = "suspend", of = "c0" }, { do = "suspend", of = "c0" }]'): "c0 is suspended twice",
    GOOD.replace(
        "}]", '}, { do = "throw", of = "c0", where = "main" }]'
    ): '"where" of throw is "main"; write one of hook',
    GOOD.replace(
        "}]", '}, { do = "throw", of = "c0", where = "hook", times = 0 }]'
    ): "times of throw is 0, not between",
    GOOD.replace("{}", "{ produces = 1 }"): '"produces" of the member c0 is 1, neither true nor false',
    GOOD.replace("}]", '}, { do = "delay", of = "b7", ms = 1 }]'): 'delay of "b7": the brokers are b0',
    GOOD.replace("}]", '}, { do = "queues", topic = "T1", to = 4 }]'): "queues of T1 is 4, not between 8 and 256",
    GOOD.replace("}]", '}, { do = "renewed", of = "c0", age = 3 }]'): "only ordered members renew locks",
    GOOD.replace("}]", '}, { do = "together" }]'): 'needs "lanes"',
    "steps = [3]\n" + 'about = "x"\n' + MEMBERS: "step 1 of steps is 3, which is not a step",
    'topics = {}\nabout = "x"\n' + STEPS + MEMBERS: '"topics" is empty',
    'brokers = 9\nabout = "x"\n' + STEPS + MEMBERS: "brokers is 9, not between 1 and 4",
    'send = 3\nabout = "x"\n' + STEPS + MEMBERS: '"send" is 3, not a table',
    'about = "x"\nsteps = [{ do = "wait" }]\n' + MEMBERS: "no member joins",
    GOOD.replace("}]", '}, { do = "start-broker" }]'): "no broker runs at first; remove the first start-broker of b0",
    GOOD.replace("}]", '}, { do = "kill-broker" }, { do = "start-broker" }, { do = "start-broker" }]'): (
        "start-broker of b0 comes while this broker is running"
    ),
    GOOD.replace("}]", '}, { do = "freeze-broker" }]'): "b0 stays frozen",
    GOOD.replace("}]", '}, { do = "freeze-broker" }, { do = "freeze-broker" }]'): "this broker is already frozen",
    GOOD.replace("}]", '}, { do = "thaw-broker" }]'): "this broker is not frozen",
    GOOD.replace(
        "}]", '}, { do = "kill-broker" }, { do = "freeze-broker" }]'
    ): "comes while this broker is not running",
    GOOD.replace("}]", '}, { do = "freeze-broker" }, { do = "stop-broker" }]'): "b0 is frozen, and would wait for it",
    GOOD.replace("}]", '}, { do = "partition", of = "b7", for = 1 }]'): 'partition of "b7": the brokers are b0',
    GOOD.replace("}]", '}, { do = "reset", group = "H", topic = "T1", to = "last" }]'): "the groups are G",
    GOOD.replace("}]", '}, { do = "reset", group = "G", topic = "T1", to = "all" }]'): "write first, last, or a number",
    GOOD.replace("}]", '}, { do = "reset", group = "G", topic = "T1", to = -1 }]'): '"to" is -1, not between 0',
    GOOD.replace("{}", '{ release = "new" }'): 'the release of c0 is "new"; write one such as 4.9.8',
    GOOD.replace("}]", '}, { do = "kill-broker" }]'): "b0 is not started again",
    GOOD.replace("}]", '}, { do = "kill-broker" }, { do = "stop-broker" }]'): "comes after this broker has ended",
}


@each(("said", "why"), BAD.items())
def test_invalid_scenario_prints_one_sentence(said, why):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is what is tested
        read(said)
    assert why in str(caught.value)


def test_unreadable_scenario_files_are_reported(tmp_path):
    (tmp_path / "toml.toml").write_text("steps = [", encoding="utf-8")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "a b.toml").write_text(GOOD, encoding="utf-8")
    for name, why in {
        "none.toml": "No such file",
        "toml.toml": "is not TOML",
        "bytes.toml": "it is not UTF-8 text",
        "a b.toml": "the name",
    }.items():
        with pytest.raises(LiveError, match=why):
            load(tmp_path / name)


def test_unknown_scenario_name_lists_the_known_ones():
    with pytest.raises(LiveError, match=r"unknown scenario 'jion_leave'; `rebalance record` lists"):
        own("jion_leave")
