"""Proofs about a user's code hold for all sizes; a fault beyond every bound prevents the proof."""

import os
from functools import cache
from pathlib import Path

import pytest

from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.proofs.code.explore import Inputs, explore
from rebalance_proofs.proofs.code.run import Unsupported
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.own import prepared
from rebalance_proofs.proofs.own.code import own_code
from rebalance_proofs.proofs.own.prepared import GUARANTEES, _said
from rebalance_proofs.proofs.own.prove import prove_own
from rebalance_proofs.proofs.own.steps import Steps, written
from rebalance_proofs.spark_enum.own.tried import answered
from tests.proofs.own import indexes


@cache
def proofs(name, owner=""):
    what = named(f"{indexes.__file__}:{name}")
    with PythonWorker(what) as worker:
        return {proof.name: proof for proof in prove_own(what, answered(worker), owner)}


def proved(name, owner=""):
    return {one for one, proof in proofs(name, owner).items() if proof.proved}


ALL, UNCOUNTED = set(GUARANTEES), {"returns", "inside", "disjoint", "covers"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("remainder_to_the_last", ALL),
        ("fails_beyond_every_bound", {"returns", "inside"}),
        ("throws_when_there_are_many", set()),
        ("looks_too_far", set()),
        ("refuses_many", set()),
        ("circle_of_copies", ALL),
        *(
            pytest.param(name, expected, marks=pytest.mark.slow)
            for name, expected in (
                ("Snake", UNCOUNTED),
                ("overlaps", {"returns", "inside"}),
                ("out_of_its_list", set()),
                ("circle", ALL),
                ("appended", ALL),
                ("blocks", ALL),
                ("from_the_end", ALL),
                ("chosen", UNCOUNTED),
                ("helped", UNCOUNTED),
                ("loses_the_rest", ALL - {"covers"}),
            )
        ),
    ],
)
def test_proved_guarantees_of_user_code_are_listed(name, expected):
    assert proved(name) == expected
    assert all(proof.reason for proof in proofs(name).values() if not proof.proved)


@pytest.mark.parametrize("name", ["looks_too_far", "refuses_many"])
def test_other_guarantees_need_returns(name):
    """The rest would only be proved of the lists that it returns."""
    found = proofs(name)
    others = [found[one] for one in GUARANTEES if one != "returns"]
    assert all(one.reason.startswith("it depends on returns: no proof of ") for one in others)


def test_raising_path_returns_no_list():
    """So there is one path to a list, and not two whose lists would be compared."""
    paths = explore(own_code(indexes.refuses_many, 3), Inputs())
    assert sorted(bool(path.raises) for path in paths) == [False, True]
    ((_, listed),) = Steps(tuple(paths)).ways
    assert not listed.raises


def test_covers_is_proved_with_a_given_owner():
    assert "--owner" in proofs("rounded_up")["covers"].reason
    found = proofs("rounded_up", "p // ((q + c - 1) // c)")
    assert {one for one, proof in found.items() if proof.proved} == {"returns", "inside", "disjoint", "covers"}
    said = {one: proof.reason for one, proof in found.items() if proof.proved}
    assert said.pop("covers").startswith("owner: ")
    assert set(said.values()) == {""}


@pytest.mark.slow
def test_covers_is_not_proved_with_a_wrong_owner():
    assert "covers" not in proved("rounded_up", "p % c")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hashes", "a call of 'hashlib.md5(q.broker_name.encode()).digest', which is not supported"),
        ("draws_lots", "a call of 'random', which is not supported"),
        ("appends_to_a_copy", "appending to a list that was not created as []"),
        ("gives_a_copy", "mqAll or a copy of it as the result"),
        ("copies_a_slice", "list() of anything other than mqAll and cidAll"),
        pytest.param("looks_at_its_group", "reading the consumer group", marks=pytest.mark.slow),
        pytest.param("remembers", "which may not be set yet in this iteration", marks=pytest.mark.slow),
    ],
)
def test_unreadable_code_gives_the_reason(name, why):
    assert proved(name) == set()
    assert all(why in proof.reason for proof in proofs(name).values())


BROKEN = {
    "idles_one_id": "the consumer's own id in a comparison",
    "idles_all_ids_but_one": "the consumer's own id in a comparison",
    "idles_two_ids": "the consumer's own id in a comparison",
    "idles_an_id_by_its_text": "the consumer's own id in a text",
    "fails_with_a_number_as_text": "an unknown number in a text",
    "fails_with_a_number_in_a_text": "an unknown number in a text",
    "fails_with_a_truth_value": "an unknown truth value in a comparison",
    "fails_with_one_object": "'is' with anything other than None",
    "fails_outside_a_range": "'in' with a range",
    "idles_in_an_environment": "'os', a module, which may differ between calls",
    "fails_after_a_while": "'CLOCK', a Clock, which may differ between calls",
    "fails_with_a_number_of_its_own": "'TURNING', a Turning, which may differ between calls",
    "fails_with_an_exception": "'Late', a type, which may differ between calls",
    "fails_with_a_decorated_helper": "a lambda or decorated",
    "fails_wrapped": "a lambda or decorated",
    "fails_with_what_is_around_it": "'late', a function, which may differ between calls",
}
"""What was once proved of code that is wrong: a value that stands for the unknown was compared as an object of Python,
or something that changes was read once."""


@pytest.mark.parametrize(("name", "why"), BROKEN.items())
def test_code_that_python_would_decide_wrongly_is_not_read(name, why):
    with pytest.raises(Unsupported) as raised:
        explore(own_code(getattr(indexes, name), 3), Inputs())
    assert why in str(raised.value)


@pytest.mark.parametrize("name", ["idles_two_ids", *(pytest.param(name, marks=pytest.mark.slow) for name in BROKEN)])
def test_code_that_python_would_decide_wrongly_is_not_proved(name):
    assert proved(name) == set()
    assert all(BROKEN[name] in proof.reason for proof in proofs(name).values())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("assigns_into", "an assignment to anything other than one name"),
        ("imports", "an import inside the function"),
        ("counts_its_calls", "'global'"),
        ("writes_a_list", "a non-empty list literal"),
    ],
)
def test_unreadable_operation_is_named(name, why):
    with pytest.raises(Unsupported) as raised:
        explore(own_code(getattr(indexes, name), 3), Inputs())
    assert _said(raised.value) == why


@pytest.mark.parametrize(
    ("name", "constants"),
    [("as_many_as_the_limit", {"LIMIT": "8"}), ("calls_what_reads", {"SHARE": "(1, 'one')"}), ("circle", {})],
)
def test_constants_of_the_proof_are_listed(name, constants):
    """A module may compute them again each time it is loaded."""
    assert own_code(getattr(indexes, name), 3).constants == constants


def test_computed_default_is_not_read():
    with pytest.raises(Unsupported, match="an argument with the default value 'LIMIT'"):
        own_code(indexes.takes_a_default, 3)


def test_exception_text_decides_nothing():
    assert [path.raises is None for path in explore(own_code(indexes.says_why, 3), Inputs())] == [False, True]


def test_terms_that_differ_from_the_code_prove_nothing():
    what = named(f"{indexes.__file__}:circle")
    found = prove_own(what, lambda q, c: ((0,),) * c)
    assert not any(proof.proved for proof in found)
    assert "terms and code differ at q = 1, c = 2" in found[0].reason


@pytest.mark.parametrize("text", ["", "p %", "x + 1", "p / c", "p if q else c", "max(p)", "__import__('os')", "True"])
def test_owner_that_is_no_term_is_refused(text):
    with pytest.raises(UsageError, match="--owner: "):
        written(text)


OPEN = Path("/proc/self/fd")


@pytest.mark.skipif(not OPEN.is_dir(), reason="no list of open files")
def test_preparation_leaves_no_file_open(monkeypatch):
    monkeypatch.setattr(prepared.os, "dup2", lambda *_: None)  # or these streams would say nothing any more
    before = len(os.listdir(OPEN))
    prepared.prepared(named(f"{indexes.__file__}:Snake"), "")
    assert len(os.listdir(OPEN)) == before
