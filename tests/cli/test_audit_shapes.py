"""Pasted text is parsed correctly or counted as unread; input without a group gives exit status 3."""

import json

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.recorded.logs.times import date_of
from rebalance_proofs.report.schemas import published
from tests.cli.shapes import SHAPES


def _time(at, logged):
    return f"{date_of(at):%Y-%m-%d %H:%M:%S}" if logged else ""


@pytest.mark.parametrize("name", SHAPES)
def test_pasted_input_is_parsed_or_counted(name, call, tmp_path):
    shape = SHAPES[name]
    path = tmp_path / "pasted.txt"
    path.write_text(shape.text, "utf-8")
    done = call("audit", str(path), "--json", "--never", "none")
    told = json.loads(done.out)
    assert done.status == shape.status
    groups = {one["group"]: one for one in told["groups"]}
    assert (shape.group in groups.keys() - {""}) == (bool(shape.group) and not told["mqadmin"])
    owners = [one for group in groups.values() for one in group["owners"]]
    entries = sorted(
        (one["queue"]["id"], _time(one["from"], one["from_logged"]), _time(one["to"], one["to_logged"]))
        for one in owners
    )
    assert entries == sorted(shape.entries)
    assert {(one["queue"]["topic"], one["queue"]["broker"]) for one in owners} <= {("pay", "broker-a")}
    assert {one["what"] for group in groups.values() for one in group["findings"]} == set(shape.found)
    assert (sum(one["cut"] for one in told["files"]), told["nameless_lines"]) == (shape.cut, shape.nameless)
    text = " ".join(call("audit", str(path), "--never", "none").out.split())
    assert shape.said in text


def test_file_order_does_not_change_the_lines_read(call, tmp_path):
    """A table of mqadmin and a log, together with a route that names no group."""
    for name in ("br", "topicRoute", "consumerProgress 5"):
        (tmp_path / f"{name}.txt").write_text(SHAPES[name].text, "utf-8")
    done = call("audit", str(tmp_path), "--never", "none")
    assert done.status == 0
    assert "Group G" in done.out
    assert "output of mqadmin" in done.out
    assert "Not read:" in done.out


@pytest.mark.parametrize("name", [name for name in SHAPES if "nothing but" in name])
def test_group_without_evidence_is_named_in_each_answer(name, call, tmp_path):
    path, page = tmp_path / "pasted.txt", tmp_path / "audit.html"
    path.write_text(SHAPES[name].text, "utf-8")
    done = call("audit", str(path), "--json", "--report", str(page))
    told = json.loads(done.out)
    Draft202012Validator(published("audit")).validate(told)
    assert [one["group"] for one in told["named_groups"]] == ["G"]
    assert "nothing in these files" not in page.read_text("utf-8")
    chinese = call("audit", str(path), "--lang", "zh")
    assert (chinese.status, "日志行提到了 G" in chinese.out) == (3, True)
