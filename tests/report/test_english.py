"""Numbers, times and sizes in words."""

import pytest

from rebalance_proofs.report.text.english import (
    bracketed,
    count,
    do_not_hold,
    duration,
    group_size,
    hold,
    listing,
    shorten,
    shortened,
)


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.0123, "12 ms"), (0.9999, "1.0 s"), (3.44, "3.4 s"), (125.2, "2 min 5 s")]
)
def test_duration_is_printed_in_words(seconds, said):
    assert duration(seconds) == said


def test_count_has_singular_and_plural():
    assert [count(number, "claim") for number in (0, 1, 1200)] == ["0 claims", "1 claim", "1,200 claims"]


def test_group_size_is_printed_in_words():
    assert [group_size(size) for size in ((2, 1), None)] == ["2 consumers, 1 queue", "none found"]


@pytest.mark.parametrize(("items", "said"), [([], ""), ([0], "0"), ([0, 1], "0 and 1"), ("abc", "a, b and c")])
def test_listing_joins_items(items, said):
    assert listing(items) == said


def test_bracketed_joins_items_in_brackets():
    assert bracketed(["c0", "c1"]) == "[c0, c1]"


def test_shorten_keeps_at_most_the_given_letters():
    assert [shorten("client", letters) for letters in (6, 4)] == ["client", "cli…"]


def test_shortened_texts_stay_different():
    assert shortened(["orders-consumer-a", "orders-consumer-b", "other-consumer"], 8) == [
        "…sumer-a",
        "…sumer-b",
        "other-c…",
    ]
    assert shortened(["a", "a", "client"], 4) == ["a", "a", "cli…"]


@pytest.mark.parametrize(
    ("number", "claims", "alone", "broken"),
    [
        (0, "0 claims hold", "0 hold", "0 do not hold"),
        (1, "1 claim holds", "1 holds", "1 does not hold"),
        (1200, "1,200 claims hold", "1,200 hold", "1,200 do not hold"),
    ],
)
def test_numbers_of_claims_agree_with_their_verbs(number, claims, alone, broken):
    assert (hold(number, "claim"), hold(number), do_not_hold(number)) == (claims, alone, broken)
