"""Quotations are the lines with the cited numbers, in plain and compressed files."""

import gzip

import pytest

from rebalance_proofs.recorded.logs.sources import sources
from rebalance_proofs.report.audit import words
from rebalance_proofs.report.audit.words import LONGEST_QUOTATION, quoted

LINES = [f"2026-11-23 19:17:{second:02},000 INFO RocketmqClient - line {second + 1}" for second in range(50)]


@pytest.fixture(params=["plain", "gzip"])
def found(request, tmp_path):
    text = "\n".join(LINES).encode()
    path = tmp_path / "client.log"
    path.write_bytes(text if request.param == "plain" else gzip.compress(text))
    return sources([str(path)], tmp_path)[0]


def test_cited_lines_are_quoted(found):
    name = found[0].name
    said = quoted(found, [(name, 1), (name, 50), (name, 17), (name, 51), ("other.log", 1)])
    assert said == {(name, number): LINES[number - 1] for number in (1, 17, 50)}


def test_lines_after_the_limit_are_not_quoted(tmp_path, monkeypatch):
    monkeypatch.setattr(words, "LARGEST", 10)
    monkeypatch.setattr("rebalance_proofs.recorded.logs.pieces.PIECE", 200)
    path = tmp_path / "client.log"
    path.write_text("\n".join(LINES), encoding="utf-8")
    found = sources([str(path)], tmp_path)[0]
    assert [number for _, number in quoted(found, [(str(path), 2), (str(path), 40)])] == [2]


def test_long_line_is_shortened_and_its_control_characters_are_replaced(tmp_path):
    path = tmp_path / "client.log"
    path.write_text(LINES[0] + "\x07" + "x" * 9_000 + "\n" + LINES[1], encoding="utf-8")
    found = sources([str(path)], tmp_path)[0]
    said = quoted(found, [(str(path), 1)])[str(path), 1]
    assert len(said) == LONGEST_QUOTATION
    assert said.endswith("…")
    assert "\x07" not in said


def test_damaged_file_gives_the_lines_before_the_damage(tmp_path):
    path = tmp_path / "client.log"
    path.write_bytes(gzip.compress("\n".join(LINES).encode() * 400)[:-900])
    found = sources([str(path)], tmp_path)[0]
    assert quoted(found, [(str(path), 3), (str(path), 19_000)]) == {(str(path), 3): LINES[2]}
