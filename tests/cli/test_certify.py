"""``rebalance prove --certificates`` writes certificates that ``rebalance certify`` checks against the claims."""

import json
import shutil
from types import SimpleNamespace

import cvc5
import pytest
import z3

from rebalance_proofs.cli.certified import lines
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Work
from rebalance_proofs.proofs.certified.folder import INDEX
from rebalance_proofs.proofs.certified.found import Certificate, digest, to_certify, wanted
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.prove import Options
from rebalance_proofs.proofs.solvers.pool import Pool

CLAIM = LEDGER.named("registry.java_v4_9_to_v5_3.at-once")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A folder with the certificates of a claim, as a run writes it."""
    folder = tmp_path_factory.mktemp("certificates")
    proofs = [SimpleNamespace(name=name, proof=SimpleNamespace(text=text)) for name, text in wanted(CLAIM).items()]
    refuted = SimpleNamespace(claim=LEDGER.named("allocation.circle.contiguous"), verdict=Verdict.REFUTED)
    work = Work(Reporter())
    work.claims = (SimpleNamespace(claim=CLAIM, verdict=Verdict.PROVED, obligations=proofs), refuted)
    work.certify(Options(jobs=1), folder)
    return folder


@pytest.fixture
def folder(written, tmp_path):
    """A copy of that folder, to be changed."""
    return shutil.copytree(written, tmp_path / "copy")


def stems(folder):
    """Return the names of the folder's texts, without their suffix."""
    return sorted(path.stem for path in folder.glob("*.smt2"))


def test_certificates_are_written_and_accepted_without_a_solver(call, written, monkeypatch):
    for solver in (cvc5, z3):
        monkeypatch.setattr(solver, "Solver", None)
    monkeypatch.setattr(Pool, "__init__", None)
    (claim,) = json.loads((written / INDEX).read_text(encoding="utf-8"))["claims"].items()
    assert claim[0] == CLAIM.id
    assert sorted(set(claim[1].values())) == stems(written)
    called = call("certify", str(written))
    assert called.status == 0
    assert f"certified: {len(claim[1])} of {len(claim[1])} obligations (1 of " in called.out


@pytest.mark.parametrize("suffix", ["smt2", "cpc"])
def test_exchanged_files_are_refused(call, folder, suffix):
    one, other, *_ = stems(folder)
    shutil.move(folder / f"{one}.{suffix}", folder / "kept")
    shutil.move(folder / f"{other}.{suffix}", folder / f"{one}.{suffix}")
    shutil.move(folder / "kept", folder / f"{other}.{suffix}")
    called = call("certify", str(folder))
    assert called.status == 1
    said = {"smt2": "is not the text of this obligation", "cpc": "is no proof: "}[suffix]
    assert f"{one}.{suffix} {said}" in called.out
    assert f"{other}.{suffix} {said}" in called.out


def test_trivial_text_with_its_proof_is_refused(call, folder):
    for stem in stems(folder):
        (folder / f"{stem}.smt2").write_text("(set-logic QF_LIA)\n(assert false)\n(check-sat)\n", encoding="utf-8")
        (folder / f"{stem}.cpc").write_text(
            "(\n(assume @p1 false)\n(step @p2 :rule true_intro :premises (@p1))\n"
            "(step @p3 false :rule true_elim :premises (@p2))\n)\n",
            encoding="utf-8",
        )
    called = call("certify", str(folder))
    assert called.status == 1
    assert called.out.count("is not the text of this obligation") == len(stems(folder))
    assert "certified: 0 of" in called.out


def test_missing_and_empty_certificates_are_refused(call, folder):
    one, other, *_ = stems(folder)
    (folder / f"{one}.cpc").unlink()
    (folder / f"{other}.cpc").write_text("", encoding="utf-8")
    called = call("certify", str(folder))
    assert called.status == 1
    assert f"{one}.cpc is missing" in called.out
    assert f"{other}.cpc is no proof: the text ends too early" in called.out


def test_files_that_are_too_large_are_refused(call, folder, monkeypatch):
    one, *_ = sorted(folder.glob("*.cpc"), key=lambda file: -file.stat().st_size)
    largest = one.stat().st_size - 1
    monkeypatch.setattr("rebalance_proofs.proofs.certified.folder.LARGEST", largest)
    called = call("certify", str(folder))
    assert called.status == 1
    assert f"{one.name} is larger than {largest:,} bytes" in called.out
    monkeypatch.setattr("rebalance_proofs.proofs.certified.folder.LARGEST", 10)
    called = call("certify", str(folder))
    assert called.status == 2
    assert "is larger than 10 bytes" in called.complaint


@pytest.mark.parametrize(
    ("index", "said"),
    [
        (None, f"has no {INDEX}; write it with"),
        ("", "lists no claims"),
        ('{"format": 1, "claims": {}}', "lists no claims"),
        ('{"format": 1, "claims": ["allocation.avg.disjoint", "allocation.avg.disjoint"]}', "lists no claims"),
        ('{"format": 2, "claims": {"allocation.avg.disjoint": {}}}', "lists no claims"),
        ('{"format": 1, "claims": {"allocation.circle.contiguous": {}}}', "which is no claim that holds"),
        ('{"format": 1, "claims": {"nothing": {}}}', "which is no claim that holds"),
    ],
)
def test_wrong_folder_is_refused(call, tmp_path, index, said):
    if index is not None:
        (tmp_path / INDEX).write_text(index, encoding="utf-8")
    called = call("certify", str(tmp_path))
    assert called.status == 2
    assert said in called.complaint


def test_folder_with_files_is_not_written_to(call, written):
    called = call("prove", CLAIM.id, "--certificates", str(written))
    assert called.status == 2
    assert "is not empty; name a new or empty folder with --certificates" in called.complaint


@pytest.mark.slow
def test_prove_writes_certificates(call, tmp_path):
    called = call("prove", CLAIM.id, "--no-width", "--jobs", "1", "--certificates", str(tmp_path / "new"))
    assert called.status == 0
    formulas = len({digest(text) for text in wanted(CLAIM).values()})
    assert f"Certificates: {formulas} of {formulas} formulas" in called.out
    assert call("certify", str(tmp_path / "new")).status == 0


def results(**texts):
    """Return stand-ins for results of proved claims: claim -> texts of its obligations by name."""
    return [
        SimpleNamespace(
            claim=SimpleNamespace(id=claim),
            verdict=Verdict.PROVED,
            obligations=[SimpleNamespace(name=name, proof=SimpleNamespace(text=text)) for name, text in of.items()],
        )
        for claim, of in texts.items()
    ]


def test_obligations_without_a_certificate_are_listed():
    found = to_certify(results(a={"x": "1", "y": "2"}, b={"z": "2"}))
    found.add(digest("1"), Certificate("(...)"))
    found.add(digest("2"), Certificate("", reason="cvc5 crashed"))
    assert [*lines(found)] == [
        "not certified: a / y: cvc5 crashed",
        "not certified: b / z: cvc5 crashed",
        "Certificates: 1 of 2 formulas",
    ]


def test_sample_depends_on_the_seed():
    every = results(a={str(number): f"(assert {number})" for number in range(50)})
    samples = [[*to_certify(every, 5, seed).drawn] for seed in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]
    found = to_certify(every, 5, 1)
    for name in found.drawn:
        found.add(name, Certificate("(...)"))
    assert [*lines(found)] == ["Certificates: 5 of 5 formulas, drawn from 50"]
    assert found.uncertified == []
