"""Lines of files with recorded results, mainly damaged ones."""

import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.files import Line, read

ROWS = [f"row {number} {random.Random(number).random()}" for number in range(2000)]


@pytest.mark.parametrize("name", ["rows.tsv", "rows.tsv.gz"])
def test_lines_are_numbered_from_one(name, write):
    lines = list(read(write(name, ROWS)))
    assert lines == [Line(number, text) for number, text in enumerate(ROWS, start=1)]


@pytest.mark.parametrize("content", [b"a\nb\n", b"a\nb", b"a\r\nb\r\n"])
def test_line_ends_do_not_matter(content, write):
    assert list(read(write("rows.tsv", content))) == [Line(1, "a"), Line(2, "b")]


def test_other_separators_are_part_of_the_line(write):
    assert [line.text for line in read(write("rows.tsv", ["a\u2028b\x0bc\rd"]))] == ["a\u2028b\x0bc\rd"]


def test_empty_line_is_a_line(write):
    assert [line.text for line in read(write("rows.tsv", b"a\n\nb\n\n"))] == ["a", "", "b", ""]


@pytest.mark.parametrize("name", ["rows.tsv", "rows.tsv.gz"])
def test_line_that_is_not_utf8_concerns_only_itself(name, write):
    assert list(read(write(name, b"a\nb\xff\n\xc3\xa9\n"))) == [
        Line(1, "a"),
        Line(2, "", "not UTF-8 at byte 2 of the line"),
        Line(3, "\u00e9"),
    ]


@pytest.mark.parametrize("name", ["rows.tsv", "rows.tsv.gz"])
def test_many_lines_that_are_not_utf8_are_reported_once(name, write):
    assert list(read(write(name, b"a\nb\xff\n\xfe\n\0\nc\n"))) == [
        Line(1, "a"),
        Line(2, "", "not UTF-8 at byte 2 of the line, nor are 2 more of its lines"),
        Line(5, "c"),
    ]


def test_line_with_a_zero_byte_is_no_text(write):
    assert list(read(write("rows.tsv", b"a\0b\n"))) == [Line(1, "", "not text in UTF-8: byte 2 of the line is 0")]


def test_truncated_gzip_gives_its_complete_lines(write):
    path = write("rows.tsv.gz", ROWS)
    packed = path.read_bytes()
    path.write_bytes(packed[: len(packed) // 2])
    *whole, last = read(path)
    assert 100 < len(whole) < len(ROWS)
    assert whole == [Line(number, text) for number, text in enumerate(ROWS[: len(whole)], start=1)]
    assert last.number == len(whole) + 1
    assert last.text == ""
    assert last.problem.startswith("damaged gzip stream: Compressed file ended before")


@given(cut=st.integers(1, 60))
def test_every_truncation_is_detected(cut, tmp_path_factory):
    packed = gzip.compress(b"first\nsecond\n")
    path = tmp_path_factory.mktemp("cut") / "rows.tsv.gz"
    path.write_bytes(packed[: max(1, len(packed) - cut)])
    assert list(read(path))[-1].problem.startswith("damaged gzip stream: ")


def test_wrong_gzip_checksum_is_reported(write):
    path = write("rows.tsv.gz", ["a", "b"])
    packed = bytearray(path.read_bytes())
    packed[-8] ^= 1
    path.write_bytes(packed)
    *whole, last = read(path)
    assert whole == [Line(1, "a"), Line(2, "b")]
    assert last.number == 3
    assert last.problem.startswith("damaged gzip stream: CRC check failed")


def test_plain_file_named_gz_is_reported(write):
    path = write("rows.tsv.gz", [])
    path.write_bytes(b"a\nb\n")
    assert list(read(path)) == [Line(1, "", "damaged gzip stream: Not a gzipped file (b'a\\n')")]
