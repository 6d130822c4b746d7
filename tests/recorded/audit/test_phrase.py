"""Sentences of findings are in English, and in Chinese where they are printed in Chinese."""

import pickle

import pytest

from rebalance_proofs.language import use
from rebalance_proofs.recorded.audit.group import both, phrase, translated
from rebalance_proofs.recorded.logs.lines import NAMED


@pytest.fixture
def chinese():
    use("zh")
    yield
    use("en")


def sentence():
    how_often = phrase("{number} times", number=3)
    line = phrase("{line}, {often}", line=NAMED["lock-denied"].title, often=how_often)
    return both(line, phrase("; {clients} held the lock", clients="a@1"))


def test_sentence_is_english_as_a_string_and_after_pickling():
    said = pickle.loads(pickle.dumps(sentence()))
    assert said == "lock denied, 3 times; a@1 held the lock"
    assert translated(said) == said
    assert translated("a name") == "a name"


def test_sentence_is_translated_when_it_is_printed(chinese):
    said = sentence()
    assert said == "lock denied, 3 times; a@1 held the lock"  # so that digests and JSON do not depend on the language
    assert translated(said) == "加锁被拒绝，3 次；锁由 a@1 持有"
