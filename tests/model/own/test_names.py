"""Names that a strategy's code looks for, and sets of given names."""

import ast

import pytest

from rebalance_proofs.model.own.java.classpath import literals
from rebalance_proofs.model.own.literals import Literals, from_python, from_texts, sources
from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.names import PLAIN_IDS, derived, given
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.spark_enum.own.named import NamedGroups, ordered


def parsed(source: str):
    return [ast.parse(source)]


@pytest.mark.parametrize(
    ("source", "words", "separators"),
    [
        ('def f(c):\n    """A @docstring."""\n    return c.endswith("@gray")', ("@gray",), ()),
        ('raise ValueError("unknown")\nx = c.split("-")[0] == "big"', ("big",), ("-",)),
        ('import os\nx = os.environ["SIDE"], os.getenv("WAY"), "sha256", "%s of"', (), ()),
        ('import re\nre.search(r"@w(\\d+)$", c)', ("@w1", "@w3"), ()),
        ('import re\nre.match("^(blue|green)/", c)', ("blue/", "green/"), ()),
    ],
)
def test_texts_of_python_code_are_found(source, words, separators):
    assert from_python(parsed(source))[:2] == (words, separators)


def test_texts_of_java_constants_are_found(java_classes):
    assert "hash" in literals([java_classes], "acme.Salted").words
    assert literals([java_classes], "acme.Missing") == Literals()


def test_text_becomes_prefix_infix_and_suffix_of_ids_and_brokers():
    names = derived(from_texts(["@gray", "zone-"]))
    assert {one.partition("@gray")[0] for one in names.ids if "@gray" in one} >= {"", "10.1.2.1@21"}
    assert {"zone-a-10.1.3.1@31", "10.1.3.1@31@zone-a", "10.1.3.1@31@zone-a-1"} <= {*names.ids}
    brokers = {queue.broker_name for part in names.parts for queue in part}
    assert {"zone-a-broker-b", "broker-a@gray"} <= brokers
    assert (names.ids.index(PLAIN_IDS[0]),) in names.chosen
    assert derived(Literals()) is None


def test_all_sets_of_six_ids_are_tried_by_size():
    sets = list(ordered("abcdef"))
    assert len(sets) == len({*sets}) == 63
    assert [len(one) for one in sets] == sorted(len(one) for one in sets)


def test_many_ids_start_with_single_ids_all_and_tags():
    ids = [f"10.0.0.{place}@{'blue' if place < 3 else 'red'}{place}" for place in range(8)]
    sets = list(ordered(ids))
    assert len(sets) == len({*sets}) == 255
    first = sets[:21]
    assert first[:9] == [*((one,) for one in range(8)), tuple(range(8))]
    assert (0, 1, 2) in first
    assert tuple(range(3, 8)) in first


def test_each_broker_is_tried_alone():
    queues = (*one_broker(2, "orders", "a"), *one_broker(1, "orders", "b"), *one_broker(1, "orders", "c"))
    names = given(["x"], queues, Literals())
    assert [len(part) for part in names.parts] == [4, 2, 1, 1, 2, 3, 3, 3]
    assert NamedGroups(names).groups == 8
    assert given([], (), Literals()) is None


def test_clients_get_each_topic_and_the_retry_topic_in_a_list_of_their_own():
    """``RebalanceImpl.rebalanceByTopic`` calls the strategy for one topic at a time."""
    queues = (*one_broker(2, "orders", "a"), *one_broker(3, "refunds", "b"), *one_broker(1, "orders", "b"))
    names = given([], queues, Literals(), "billing")
    assert [{one.topic for one in part} for part in names.parts] == [
        {topic} for topic in ("orders", "refunds", "orders", "orders", "%RETRY%billing")
    ]
    assert names.whole == 2
    assert [(one.broker_name, one.queue_id) for one in names.parts[-1]] == [("a", 0), ("b", 0)]
    mine = given([], one_broker(2, "%RETRY%billing", "a"), Literals())
    assert len(mine.parts) == 1


def test_limited_number_of_groups_has_few_and_many_ids():
    names = given(list("abcdef"), one_broker(4, "orders", "a"), Literals())
    some = [*NamedGroups(names, 21)]
    assert len({one.values for one in some}) == 21
    assert {one.consumers for one in some} == {1, 2, 3, 4, 5, 6}
    assert {one.values[0] for one in some} == {0, 1}


def test_only_code_that_the_strategy_uses_is_searched(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from tags import GRAY\nimport nowhere\nBIG = '-big'\n"
        "def inner(c): return GRAY in c\ndef f(c): return inner(c)\ndef g(c): return BIG in c\n",
        encoding="utf-8",
    )
    (tmp_path / "tags.py").write_text("GRAY = '@gray'\nBLUE = '@blue'\n", encoding="utf-8")
    found = {what: from_python(sources(named(f"{tmp_path / 'mine.py'}:{what}"))).words for what in ("f", "g", "h")}
    assert found == {"f": ("@gray",), "g": ("-big",), "h": ("-big", "@gray")}
    (tmp_path / "mine.py").write_text("def f(:", encoding="utf-8")
    assert from_python(sources(named(f"{tmp_path / 'mine.py'}:f"))) == Literals()
