"""The compiled knowledge is that of the files, and is loaded quickly."""

import json
import re
import time

import pytest

from rebalance_proofs.language import Text, english, gettext, use
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.releases import LAST
from rebalance_proofs.recorded.knowledge import schema
from rebalance_proofs.recorded.knowledge.schema import COMPILED, entries, joined, loaded
from rebalance_proofs.recorded.knowledge.sources import compiled
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.causes import CAUSES, SDK_CAUSES

MOST_MS = 20


@pytest.fixture
def chinese():
    use("zh")
    yield
    use("en")


def test_compiled_knowledge_is_that_of_the_files():
    told = "run `python -m rebalance_proofs.recorded.knowledge`"
    assert json.loads(COMPILED.read_bytes()) == compiled(), told


def test_knowledge_is_loaded_quickly():
    """In CPU time, the best of some: another process may be at work."""
    spent = []
    for _ in range(5):
        schema._everything.cache_clear()
        start = time.process_time()
        loaded("causes")
        spent.append((time.process_time() - start) * 1000)
    assert min(spent) < MOST_MS


def test_files_keep_their_order():
    assert [*loaded("causes")][:3] == ["handover", "lists", "registry"]
    assert [*loaded("lines")][:2] == ["java", "broker"]
    assert [entry["name"] for entry in entries("causes", "cause")] == [cause.name for cause in (*CAUSES, *SDK_CAUSES)]


def test_unknown_folder_is_empty():
    assert loaded("nothing") == {}
    assert entries("nothing", "cause") == []


def test_no_phrase_and_no_brace_is_left():
    told = json.dumps([loaded(folder) for folder in ("causes", "bugs", "", "lines")], ensure_ascii=False)
    assert not re.search(r"\{[a-z][a-z -]*[\d.]*\}", told)
    assert f"Java 5.2 to {LAST}, for messages whose offset was recorded" in told


def test_line_is_an_attribute_by_its_name():
    assert lines.LOCK_DENIED is lines.NAMED["lock-denied"]
    with pytest.raises(AttributeError, match=r"no log line is named 'LOCK_DENYED'"):
        _ = lines.LOCK_DENYED


def test_stray_lock_lasts_as_long_as_the_broker_keeps_it():
    """The numbers of the files are those of the model's default limits."""
    kept = number(DEFAULTS.broker + DEFAULTS.late)
    by_name = {cause.name: cause.effects[0].lasts for cause in CAUSES}
    for name, then in (("stray-lock", 20_000), ("unsubscribed-lock", 20_000), ("locked-again-at-shutdown", 1_000)):
        assert (by_name[name].most, by_name[name].then) == (kept + then, then)


def test_sentences_are_joined_in_both_languages():
    both = joined(Text("One", "一"), Text("Two", "二"))
    assert (both.en, both.zh) == ("One. Two", "一。二")
    assert joined(Text("One", "一"), Text("Two")).zh == ""
    assert joined(Text("One"), None) == Text("One")


def test_json_is_english_in_a_chinese_answer(chinese):
    assert str(Text("queue", "队列")) == "队列"
    with english():
        assert str(Text("queue", "队列")) == "queue"
        assert gettext("queue") == "queue"
    assert str(Text("queue", "队列")) == "队列"
