"""What is proved of a user's code holds for all sizes; what is wrong beyond every bound is not proved."""

from functools import cache

import pytest

from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.own.owners import written
from rebalance_proofs.proofs.own.prepared import GUARANTEES
from rebalance_proofs.proofs.own.prove import prove_own
from rebalance_proofs.spark_enum.own.answered import answered
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
def test_what_is_proved(name, expected):
    assert proved(name) == expected
    assert all(proof.reason for proof in proofs(name).values() if not proof.proved)


def test_covers_is_proved_of_a_given_owner():
    assert "--owner" in proofs("rounded_up")["covers"].reason
    assert proved("rounded_up", "p // ((q + c - 1) // c)") == {"returns", "inside", "disjoint", "covers"}


@pytest.mark.slow
def test_covers_is_not_proved_of_a_wrong_owner():
    assert "covers" not in proved("rounded_up", "p % c")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hashes", "a call of 'hashlib.md5(q.broker_name.encode()).digest', which is not read"),
        ("draws_lots", "a call of 'random', which is not read"),
        pytest.param("looks_at_its_group", "looking at the consumer group", marks=pytest.mark.slow),
        pytest.param("remembers", "which may not be set yet in this turn", marks=pytest.mark.slow),
    ],
)
def test_what_cannot_be_read_says_why(name, why):
    assert proved(name) == set()
    assert all(why in proof.reason for proof in proofs(name).values())


def test_terms_that_are_not_what_the_code_answers_prove_nothing():
    what = named(f"{indexes.__file__}:circle")
    found = prove_own(what, lambda q, c: ((0,),) * c)
    assert not any(proof.proved for proof in found)
    assert "the terms are not what the code answers with 1 queues and 2 consumers" in found[0].reason


@pytest.mark.parametrize("text", ["", "p %", "x + 1", "p / c", "p if q else c", "max(p)", "__import__('os')", "True"])
def test_an_owner_that_is_no_term_is_refused(text):
    with pytest.raises(UsageError, match="--owner: "):
        written(text)
