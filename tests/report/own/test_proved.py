"""Lines about proofs of user-defined code: which code, what is proved, and why the rest is not."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.report.own.told_parts import proved

CODE = "f in mine.py (sha256 00ff)"
ABOUT = (
    "Proofs by Z3 and cvc5 for all numbers of queues and consumers, if all consumers see the same lists with their own "
    "id once. They are about the present code of {} and of its callees{}:"
)


def proof(name, so, reason="", steps=2, code=CODE, **constants):
    return SimpleNamespace(
        name=name, proved=so, reason=reason, questions=("step",) * steps, code=code, constants=constants
    )


def said(*proofs, contradicted=()):
    strategy = SimpleNamespace(name="mine.py:f")
    return [*proved(SimpleNamespace(proofs=proofs, strategy=strategy, contradicted=contradicted))]


def test_no_line_without_a_proof():
    assert said() == []


@pytest.mark.parametrize(
    ("constants", "told"),
    [({}, ""), ({"LIMIT": "8"}, ", with LIMIT = 8"), ({"A": "1", "B": "2"}, ", with A = 1 and B = 2")],
)
def test_each_guarantee_has_its_line(constants, told):
    """The constants of any proof are named."""
    lines = said(
        proof("returns", True, steps=1),
        proof("covers", True, "the owner was found in AVG", **constants),
        proof("balanced", False, "no solver knows"),
    )
    assert lines == [
        ABOUT.format(CODE, told),
        "  PROVED      returns: every consumer gets a list, and no index is out of range (1 step)",
        "  PROVED      covers: every queue is given to some consumer (2 steps; the owner was found in AVG)",
        "  not proved  balanced: sizes differ by at most one: no solver knows",
    ]


def test_common_reason_is_printed_once():
    unread = "the code cannot be read"
    first, second = (proof(name, False, unread, code="") for name in ("returns", "inside"))
    assert said(first, second) == [ABOUT.format("mine.py:f", ""), f"  not proved  returns, inside: {unread}"]
    assert said(first)[1:] == [
        f"  not proved  returns: every consumer gets a list, and no index is out of range: {unread}"
    ]
    assert len(said(first, proof("inside", False, "another reason"))) == 3
    assert len(said(proof("returns", True), proof("inside", True))) == 3
    assert len(said(proof("returns", True, unread), proof("inside", False, unread))) == 3


def test_contradiction_is_reported_as_a_bug():
    assert said(proof("covers", True), contradicted=("covers",))[-1] == (
        "  DISAGREE    covers is proved, but broken in a group: a bug in this program, please report it"
    )
