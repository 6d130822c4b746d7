"""Claims with recorded results of real clients."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from click.testing import CliRunner

from rebalance_proofs.cli.list_ import list_
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.recorded.compared import compared
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.claims.mark import EXPLAINED, Mark
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.html import page
from rebalance_proofs.report.ledger import files
from rebalance_proofs.report.results.json_results import to_json
from tests.report.shown_runs import run_of


def of(name, found=None):
    (claim,) = select([name])
    return seen(claim, found)


def test_each_kind_has_its_marks():
    marks = {kind: {seen(claim).mark for claim in LEDGER if claim.kind == kind} for kind in KINDS}
    assert marks["allocation"] == {Mark.SEEN, Mark.MODEL}
    assert marks["transition"] == {Mark.SEEN, Mark.PART, Mark.MODEL}
    assert marks["ordered"] == {Mark.SEEN, Mark.FEW, Mark.ACCEPTED, Mark.MODEL}
    assert marks["offsets"] == {Mark.SEEN, Mark.FEW, Mark.ACCEPTED, Mark.MODEL}
    assert marks["pulls"] == {Mark.SEEN, Mark.FEW, Mark.ACCEPTED, Mark.ALIKE, Mark.MODEL}
    assert marks["settling"] == {Mark.SEEN, Mark.ACCEPTED, Mark.MODEL}
    assert marks["registry"] == {Mark.SEEN, Mark.FEW, Mark.ACCEPTED, Mark.MODEL}
    assert marks["subscriptions"] == {Mark.SEEN, Mark.FEW, Mark.ACCEPTED}


@pytest.mark.parametrize(
    ("name", "mark", "clients"),
    [
        ("allocation.avg.disjoint", Mark.SEEN, ["Java 5", "Go", "Node", "C++", "Rust"]),
        ("allocation.hash-go.covers", Mark.SEEN, ["Go"]),
        ("transition.java_v5_0.exact", Mark.SEEN, ["Java 5.1.4"]),
        ("transition.node.exact", Mark.SEEN, ["ali-ons 3.12.2"]),
        ("transition.java_v4_9_5+java_v4_9.same.own-store", Mark.PART, ["Java 4.9.8"]),
        ("ordered.java_v5_2.let-go", Mark.ACCEPTED, []),
        ("ordered.java_v5_0.exclusive", Mark.SEEN, []),
        ("ordered.go.exclusive", Mark.MODEL, []),
    ],
)
def test_claim_names_the_recorded_clients(name, mark, clients):
    found = of(name)
    assert found.mark is mark
    assert [client.split(" (")[0] for client in found.results] == clients
    assert all(number > 0 for number in found.results.values())


def test_shipped_client_without_recording_is_named():
    assert of("allocation.avg.disjoint").without == ("Java 4.9",)
    assert "Not recorded: Java 4.9." in of("allocation.avg.disjoint").words
    assert of("allocation.hash-go.covers").without == ()


def test_removed_data_set_changes_the_mark():
    found = dict(compared())
    without = {pair: number for pair, number in found.items() if pair != ("go", "hash-go")}
    assert of("allocation.hash-go.covers", found).mark is Mark.SEEN
    assert of("allocation.hash-go.covers", without).mark is Mark.MODEL
    without = {pair: number for pair, number in found.items() if pair[0] != "java 4.9.8"}
    assert of("transition.java_v4_9_5+java_v4_9.same.own-store", without).mark is Mark.MODEL
    assert of("transition.java_v4_9+java_v5_0.same.own-store", without).mark is Mark.PART
    told = of("allocation.avg.disjoint", {("cpp", "avg"): 1}).words
    assert told.startswith("Observed: the model computes the same as real clients: 1 result of C++ (C++ client, ")
    assert ". Not recorded: Java 4.9, Java 5 (" in told


def test_every_report_has_the_marks(call_json):
    run = run_of("allocation.avg.disjoint", "ordered.java_v5_2.let-go")
    text = page(run)
    assert f"<dt>Mark</dt><dd>{EXPLAINED}</dd>" in unescape(text)
    assert text.count('<p class="small">Recordings of real clients: Observed: the model computes the same') == 1
    assert text.count('<p class="small">Recordings of real clients: Consistent: the model explains ') == 1
    assert '<th scope="col">Mark</th>' in text
    marks = [claim["seen"]["mark"] for claim in to_json(run)["claims"]]
    assert marks == ["seen", "accepted"]
    pages = files(select(["ordered.java_v5_2.let-go"]))
    (row,) = [line for line in pages["ledger/ordered.md"].splitlines() if "`ordered.java" in line]
    assert ", consistent. Certified: " in row
    assert EXPLAINED in pages["ledger.md"]
    assert [row["seen"] for row in call_json] == ["seen"]


def test_symptoms_of_the_page_use_the_runs_comparisons():
    run = run_of("allocation.avg.disjoint.without-same-mq-all", "ordered.java_v5_2.exclusive.without-time")

    def causes(compared):
        text = page(replace(run, conformance=compared))
        told = text[text.index('id="symptoms"') : text.index('id="guarantees"')]
        behind = re.findall(
            r"(?:Evidence|Excluded|Limits), ([a-z0-9 ]+): (.*?)(?=; (?:Evidence|Excluded|Limits)|\.</li>)", told
        )
        return [(claim, mark) for mark, links in behind for claim in re.findall(r"[a-z]+\.[\w+-]+\.[\w.-]*\w", links)]

    told = causes(None)
    assert {mark for _, mark in told} == {"observed", "consistent", "not recorded"}
    assert all(mark == of(claim).word for claim, mark in told)
    nothing = Conformance(())
    marks = dict(causes(nothing))
    assert {mark for claim, mark in marks.items() if claim.startswith("allocation")} == {"not recorded"}


@pytest.fixture
def call_json():
    return json.loads(CliRunner().invoke(list_, ["allocation.avg.disjoint", "--json"]).output)
