"""A command passes its options on, and its record contains them; nothing is proved or enumerated here."""

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from rebalance_proofs.cli.certified import NO_CERTIFICATES
from rebalance_proofs.cli.work import Spark, Work
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.prove import Options
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds, thorough
from rebalance_proofs.spark_enum.explorer.exploration import MEMORY
from rebalance_proofs.spark_enum.explorer.subject import Settings

CLAIM = "allocation.circle.disjoint"
SOME = select([CLAIM])


@pytest.fixture
def done(monkeypatch):
    """What the parts of the work were given, in their order; they do nothing."""
    found = {}
    for name in ("conform", "prove", "certify", "enumerate", "gather"):
        monkeypatch.setattr(Work, name, lambda work, *given, name=name, **more: found.update({name: (*given, more)}))
    for name in ("enumerate_", "verify"):
        module = import_module(f"rebalance_proofs.cli.{name}")
        monkeypatch.setattr(module, "require_java", lambda: "17")
        monkeypatch.setattr(module, "require_master", lambda master: found.setdefault("master", master))
    return found


def options(called):
    """The options in the run's record."""
    return json.loads(called.out)["options"]


@pytest.mark.parametrize(
    ("words", "spark"),
    [
        ([], Spark("local[5]", Bounds(), "z3", None, False)),
        (["--quick", "--solver", "cvc5"], Spark("local[5]", QUICK, "cvc5", None, False)),
        (["--thorough", "--master", "local[3]"], Spark("local[3]", thorough(Bounds()), "z3", None, False)),
        (
            ["--queues", "9", "--consumers", "7", "--quick"],
            Spark("local[5]", replace(QUICK, queues=9, consumers=7), "z3", None, False),
        ),
        (["--queues", "9", "--thorough"], Spark("local[5]", thorough(Bounds(queues=9)), "z3", None, False)),
    ],
)
def test_enumerate_passes_its_options(call, done, words, spark):
    made_with = options(call("enumerate", CLAIM, "--jobs", "5", "--json", *words))
    assert made_with == {
        "queues": spark.bounds.queues,
        "consumers": spark.bounds.consumers,
        "quick": "--quick" in words,
        "thorough": "--thorough" in words,
        "master": spark.master,
        "solver": spark.solver,
    }
    assert done == {
        "master": spark.master,
        "enumerate": (SOME, spark, {}),
        "gather": (Asked(SOME, bounds=spark.bounds), {}),
    }


def test_tables_are_written_to_the_run_directory(call, done, tmp_path):
    call("enumerate", CLAIM, "--quick", "--parquet", "--output", str(tmp_path / "run"))
    _, spark, _ = done["enumerate"]
    assert (spark.output, spark.keep_tables) == (tmp_path / "run", True)
    call("verify", CLAIM, "--quick", "--output", str(tmp_path / "other"))
    _, spark, _, _ = done["enumerate"]
    assert (spark.output, spark.keep_tables) == (tmp_path / "other", False)
    assert "--parquet needs --output DIR" in call("enumerate", "--parquet").complaint


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], Options(("z3", "cvc5"), 5, 20.0, 0, 3, explore=False)),
        (["--solver", "z3", "--timeout", "2.5"], Options(("z3",), 5, 2.5, 0, 3, explore=False)),
        (["--stability", "4", "--no-width"], Options(("z3", "cvc5"), 5, 20.0, 4, 3, width=False, explore=False)),
    ],
)
def test_prove_passes_its_options(call, done, words, expected):
    made_with = options(call("prove", CLAIM, "--jobs", "5", "--seed", "3", "--json", *words))
    assert made_with == {
        "solver": expected.solvers[0] if len(expected.solvers) == 1 else "both",
        "timeout": expected.timeout,
        "jobs": 5,
        "stability": expected.stability,
        "seed": 3,
        "width": expected.width,
    }
    assert done == {
        "prove": (SOME, expected, {"stories": True}),
        "gather": (Asked(SOME, expected.solvers, expected.width), {}),
    }


@pytest.mark.parametrize(
    ("words", "expected", "bounds", "at_size", "vectors", "sample"),
    [
        ([], Options(("z3", "cvc5"), 5, 20.0, seed=3, explore=True), Bounds(), "z3", OWN, None),
        (
            ["--quick", "--solver", "cvc5", "--no-vectors"],
            Options(("cvc5",), 5, 20.0, seed=3, width=False, explore=True),
            QUICK,
            "cvc5",
            None,
            100,
        ),
    ],
)
def test_verify_passes_its_options(call, done, words, expected, bounds, at_size, vectors, sample, tmp_path):
    run = tmp_path / "run"
    made_with = options(call("verify", CLAIM, "--jobs", "5", "--seed", "3", "--json", "--output", str(run), *words))
    assert made_with == {
        "solver": "both" if len(expected.solvers) > 1 else expected.solvers[0],
        "timeout": 20.0,
        "jobs": 5,
        "master": "local[5]",
        "queues": bounds.queues,
        "consumers": bounds.consumers,
        "quick": "--quick" in words,
        "thorough": False,
        "seed": 3,
        "width": expected.width,
        "certificates": True,
        "vectors": str(vectors) if vectors else "none",
    }
    assert done.pop("conform", None) == ((vectors, {}) if vectors else None)
    early = done["enumerate"][2]
    assert done == {
        "master": "local[5]",
        "prove": (SOME, expected, {"spare": early.begin}),
        "certify": (expected, {"most": sample}),
        "enumerate": (SOME, Spark("local[5]", bounds, at_size, run, False), early, {}),
        "gather": (Asked(SOME, expected.solvers, expected.width, bounds, vectors), {}),
    }


def test_certificates_can_be_left_out(call, done, tmp_path):
    called = call("verify", CLAIM, "--no-certificates", "--json", "--output", str(tmp_path / "run"))
    assert "certify" not in done
    assert options(called)["certificates"] is False
    assert NO_CERTIFICATES in json.loads(called.out)["left_out"]


def test_ended_run_skips_the_remaining_work(call, done, monkeypatch, tmp_path):
    def ended(work: Work, vectors: Path) -> None:
        work.unfinished = "interrupted while comparing recorded results"

    monkeypatch.setattr(Work, "conform", ended)
    called = call("verify", CLAIM, "--quick", "--output", str(tmp_path / "run"))
    assert called.status == 2
    assert {*done} == {"master", "gather"}


@pytest.mark.parametrize("command", ["enumerate", "prove", "verify"])
@pytest.mark.parametrize(("words", "verbose"), [([], False), (["--verbose"], True), ([CLAIM], True)])
def test_named_claims_or_verbose_give_a_line_per_claim(call, done, command, words, verbose, monkeypatch, tmp_path):
    seen = []
    monkeypatch.setattr(Work, "gather", lambda work, asked: seen.append((work.verbose, asked.claims)))
    call(command, "--output", str(tmp_path / "run"), *words)
    assert seen == [(verbose, SOME if words == [CLAIM] else tuple(LEDGER))]


@pytest.fixture
def explored(monkeypatch):
    """What an exploration was given; it is done all the same."""
    module, found = import_module("rebalance_proofs.cli.explore"), {}
    for name in ("explored", "explore", "require_room"):
        right = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *given, right=right, name=name: (found.update({name: given}), right(*given))[1]
        )
    return found


@pytest.mark.parametrize(
    ("words", "settings", "memory", "levels", "settle"),
    [
        ("lock-lite", {}, MEMORY, None, True),
        (
            "lock-lite --queues 1 --consumers 1 --messages 2",
            {"queues": 1, "consumers": 1, "messages": 2},
            MEMORY,
            None,
            1,
        ),
        ("lock-lite --queues 1 --memory 17 --no-settle", {"queues": 1}, 17 * 1024 * 1024, None, False),
        (
            "concurrent --queues 1 --levels 3 --strategy circle --fault crash",
            {"queues": 1, "strategy": "circle", "faults": ("crash",)},
            MEMORY,
            3,
            True,
        ),
        (
            "ordered --queues 1 --levels 2 --client 4.9.8 --listener 2 --lock 4 --unlock 3",
            {"queues": 1, "client": "4.9.8", "listener": 2, "lock": 4, "unlock": 3},
            MEMORY,
            2,
            True,
        ),
    ],
)
def test_explore_passes_its_options(call, explored, tmp_path, words, settings, memory, levels, settle):
    model, *more = words.split()
    states = tmp_path / "states"
    called = call("explore", model, *more, "--states", str(states))
    assert called.status == 0, called.err
    subject, asked, _, first, settles, _ = explored["explore"]
    assert (subject.name, asked) == (model, Settings(**settings))
    assert (first, settles) == (levels, settle)
    product, kept, bytes_, folder, spark = explored["explored"]
    assert kept == subject.document(asked)
    assert (bytes_, folder, spark) == (memory, states, None)
    assert product.model.name == subject.build(asked).name
    if levels:
        assert "require_room" not in explored
    else:
        assert explored["require_room"][1:] == (memory, states)


def test_force_skips_the_check_for_disk_space(call, explored):
    assert call("explore", "lock-lite", "--queues", "1", "--force").status == 0
    assert "require_room" not in explored


def test_conform_passes_its_options(call, done, tmp_path):
    assert options(call("conform", "--json")) == {"vectors": str(OWN)}
    assert done == {"conform": (OWN, {}), "gather": (Asked(vectors=OWN), {})}
