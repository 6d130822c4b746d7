"""Sort orders of queues and client ids: their definitions, where they agree, and where one is no order."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.queues import (
    MessageQueue,
    by_int32_difference,
    by_value,
    compare_queues,
    utf8_bytes,
    utf16_units,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=5)
BASIC_TEXT = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=()), max_size=5)
ASCII_TEXT = st.text(st.characters(max_codepoint=0x7F), max_size=6)
INT32 = st.integers(-(2**31), 2**31 - 1)
QUEUE_IDS = st.integers(0, 2**31 - 1)
SMILE, WIDE_A = "\U0001f600", "\uff21"


def units(text: str) -> list[int]:
    """UTF-16 units by the arithmetic of the Unicode standard."""
    found = []
    for code in map(ord, text):
        if code < 0x10000:
            found.append(code)
        else:
            found += [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code - 0x10000 & 0x3FF)]
    return found


@given(ANY_TEXT, ANY_TEXT)
@example(SMILE, WIDE_A)
def test_utf16_units_is_the_order_of_units(left, right):
    assert (utf16_units(left) < utf16_units(right)) == (units(left) < units(right))


@given(ANY_TEXT, ANY_TEXT)
@example(SMILE, WIDE_A)
def test_utf8_bytes_is_the_order_of_code_points(left, right):
    assert (utf8_bytes(left) < utf8_bytes(right)) == (list(map(ord, left)) < list(map(ord, right)))


@given(BASIC_TEXT, BASIC_TEXT)
def test_string_orders_agree_without_supplementary_characters(left, right):
    assert (utf16_units(left) < utf16_units(right)) == (utf8_bytes(left) < utf8_bytes(right))


def test_string_orders_differ_for_u_e000_to_u_ffff():
    assert utf16_units(SMILE) < utf16_units(WIDE_A)
    assert utf8_bytes(WIDE_A) < utf8_bytes(SMILE)


@given(INT32, INT32)
@example(2**31 - 1, -1)
@example(-(2**31), 2**31 - 1)
def test_int32_difference_has_the_wrong_sign_exactly_on_overflow(left, right):
    overflows = not -(2**31) <= left - right < 2**31
    difference = by_int32_difference(left, right)
    assert -(2**31) <= difference < 2**31
    assert (difference > 0) - (difference < 0) == (-by_value(left, right) if overflows else by_value(left, right))


def test_int32_differences_can_be_cyclic():
    assert all(by_int32_difference(left, right) < 0 for left, right in pairwise([2147483647, -2, 0, 2147483647]))


@pytest.mark.parametrize("compare_ids", [by_value, by_int32_difference])
def test_queues_sort_by_topic_broker_and_number(compare_ids):
    ascending = [
        MessageQueue("S", "broker-b", 9),
        MessageQueue("T", "broker-10", 9),
        MessageQueue("T", "broker-2", 9),
        MessageQueue("T", "broker-2", 10),
    ]
    for place, left in enumerate(ascending):
        for other, right in enumerate(ascending):
            sign = by_value(compare_queues(left, right, utf16_units, compare_ids), 0)
            assert sign == by_value(place, other)


def queues(names, ids):
    return st.lists(st.builds(MessageQueue, st.sampled_from(["T", "U"]), names, ids), max_size=8)


@given(queues(ASCII_TEXT, QUEUE_IDS), st.lists(ASCII_TEXT, max_size=8))
def test_all_clients_sort_ascii_names_and_real_queue_ids_alike(mq_all, cid_all):
    first, *others = PROFILES
    for other in others:
        assert other.sort_queues(mq_all) == first.sort_queues(mq_all)
        assert other.sort_client_ids(cid_all) == first.sort_client_ids(cid_all)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@given(data=st.data())
def test_given_order_does_not_matter_without_overflow(profile, data):
    mq_all = data.draw(queues(ANY_TEXT, QUEUE_IDS))
    cid_all = data.draw(st.lists(ANY_TEXT, max_size=8))
    assert profile.sort_queues(data.draw(st.permutations(mq_all))) == profile.sort_queues(mq_all)
    assert profile.sort_client_ids(data.draw(st.permutations(cid_all))) == profile.sort_client_ids(cid_all)
