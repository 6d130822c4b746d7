"""What is said of proofs about a user's code: of which code, what is proved and how, and why the rest is not."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.report.own.proved import proved

CODE = "f in mine.py (sha256 00ff)"
ABOUT = (
    "For all numbers of queues and consumers, where all consumers see the same and find their own id once, by Z3 and "
    "cvc5, of {} and what it calls, as they are now{}:"
)


def proof(name, so, reason="", steps=2, code=CODE, **constants):
    return SimpleNamespace(
        name=name, proved=so, reason=reason, questions=("step",) * steps, code=code, constants=constants
    )


def said(*proofs, contradicted=()):
    strategy = SimpleNamespace(name="mine.py:f")
    return [*proved(SimpleNamespace(proofs=proofs, strategy=strategy, contradicted=contradicted))]


def test_without_a_proof_nothing_is_said():
    assert said() == []


@pytest.mark.parametrize(
    ("constants", "told"),
    [({}, ""), ({"LIMIT": "8"}, ", with LIMIT = 8"), ({"A": "1", "B": "2"}, ", with A = 1 and B = 2")],
)
def test_each_guarantee_has_its_line(constants, told):
    """Whichever of the proofs goes by constants of the module."""
    lines = said(
        proof("returns", True, steps=1),
        proof("covers", True, "the owner was found in AVG", **constants),
        proof("balanced", False, "no solver knows"),
    )
    assert lines == [
        ABOUT.format(CODE, told),
        "  PROVED      returns: every consumer gets a list, and no index is out of its list (1 step)",
        "  PROVED      covers: every queue is given to some consumer (2 steps; the owner was found in AVG)",
        "  not proved  balanced: sizes differ by at most one: no solver knows",
    ]


def test_a_reason_that_all_have_is_said_once():
    unread = "the code cannot be read"
    first, second = (proof(name, False, unread, code="") for name in ("returns", "inside"))
    assert said(first, second) == [ABOUT.format("mine.py:f", ""), f"  not proved  returns, inside: {unread}"]
    assert said(first)[1:] == [
        f"  not proved  returns: every consumer gets a list, and no index is out of its list: {unread}"
    ]
    assert len(said(first, proof("inside", False, "another reason"))) == 3
    assert len(said(proof("returns", True), proof("inside", True))) == 3
    assert len(said(proof("returns", True, unread), proof("inside", False, unread))) == 3


def test_what_is_proved_and_broken_in_a_group_is_a_fault_of_this_program():
    assert said(proof("covers", True), contradicted=("covers",))[-1] == (
        "  DISAGREE    covers is proved, and broken in a group: a fault of this program, please report it"
    )
