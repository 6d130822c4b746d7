"""Line breaks: where they are, and where they never are."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from

from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.text.wrapping import KEPT, NARROWEST, aligned, cells_of, whole, wrapped

PATH = "/var/log/rocketmq-client/2026-11-23/c0-rocketmq_client.log.gz:344"
CLAIM = "allocation.avg.covers.without-same-cid-all"
COMMAND = "rebalance why --file FILE"
WORDS = ("of", "a queue", PATH, CLAIM, f"`{COMMAND}`", whole(COMMAND), whole("/my logs/c 0.log"), "well-known")


def test_line_that_fits_is_unchanged():
    assert wrapped("  one  two  ", 12) == ["  one  two  "]
    assert wrapped("", 80) == [""]


def test_lines_break_at_spaces_and_keep_their_indent():
    assert wrapped("    one two three four five", 20) == ["    one two three", "      four five"]
    assert wrapped("    one two three four five", 20, hang=0) == ["    one two three", "    four five"]


@pytest.mark.parametrize("word", [PATH, CLAIM, f"`{COMMAND} --client 5.2`", whole(f"{COMMAND} --client 5.2")])
def test_long_word_overflows_on_its_own_line(word):
    said = word.replace(KEPT, " ")
    assert wrapped(f"  {word}", 20) == [f"  {said}"]
    assert wrapped(f"  see {word} for more", 20) == ["  see", f"    {said}", "    for more"]


def test_line_does_not_break_at_a_hyphen():
    assert wrapped("a member of a well-known group", 20) == ["a member of a", "  well-known group"]


def test_width_below_the_narrowest_is_widened():
    assert wrapped("one two three four five", 1) == wrapped("one two three four five", NARROWEST)


def test_foreign_text_cannot_contain_the_no_break_mark():
    assert KEPT not in printable(f"a{KEPT}b")


@given(lists(sampled_from(WORDS), min_size=1, max_size=12), integers(0, 8), integers(1, 120))
def test_words_stay_complete_and_in_order(words, indent, width):
    line = " " * indent + " ".join(words)
    found = wrapped(line, width)
    assert " ".join(part.strip() for part in found) == line.strip().replace(KEPT, " ")
    for part in found:
        overflows = [word for word in WORDS if word.replace(KEPT, " ") == part.strip()]
        assert len(part) <= max(width, NARROWEST) or overflows
    for word in {*words} - {"a queue"}:
        assert any(word.replace(KEPT, " ") in part for part in found)


def test_chinese_is_wrapped_by_cells_and_not_before_punctuation():
    text = "消费者的 maxReconsumeTimes（默认 16 次）到了，Broker 把消息转入死信队列。"
    lines = wrapped(text, 24, hang=0)
    assert all(cells_of(line) <= 24 for line in lines)
    assert not any(line[0] in "，。）" or line[-1] in "（" for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_identifier_in_a_chinese_text_is_not_broken():
    text = "缩短 persistConsumerOffsetIntervalMillis 的值"
    assert wrapped(text, 20, hang=0) == ["缩短", "persistConsumerOffsetIntervalMillis", "的值"]


def test_code_span_in_a_chinese_text_is_not_broken():
    assert "`mqadmin consumerProgress -g GROUP`" in wrapped(
        "请运行 `mqadmin consumerProgress -g GROUP` 并比较", 30, hang=0
    )


def test_chinese_fills_two_cells():
    assert (cells_of("队列 a"), cells_of("abc")) == (6, 3)


def test_table_with_chinese_is_aligned_by_cells():
    assert list(aligned([("队列", "x"), ("ab", "y")])) == ["队列  x", "ab    y"]
