"""A group as a text grid: remarks beside a consumer, narrow columns and long names."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.own.told_parts import grid

QUEUES = tuple(MessageQueue("T", "broker-a", number) for number in range(40))


def drawn(*consumers: Consumer, queues: int, reference: Group | None = None) -> list[str]:
    group = Group(QUEUES[:queues], consumers, reference=reference)
    _, *lines = grid(Counterexample(len(consumers), queues, (), group, "it is so."))
    return lines


def alike(many: int, queues: int, **changes) -> list[Consumer]:
    ids = tuple(f"c{place}" for place in range(many))
    return [replace(Consumer(one, QUEUES[:queues], ids, AVERAGELY), **changes) for one in ids]


@pytest.mark.parametrize(
    ("queues", "tens", "ones", "row"),
    [
        (9, None, "0 1 2 3 4 5 6 7 8", "# # # # # # # # #"),
        (10, None, "0 1 2 3 4 5 6 7 8 9", "# # # # # # # # # #"),
        (11, "                    1", "0 1 2 3 4 5 6 7 8 9 0", "# # # # # # # # # # #"),
        (
            24,
            "                    1 1 1 1 1 1 1 1 1 1 2 2 2 2",
            "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3",
            " ".join("#" * 24),
        ),
        (25, "          111111111122222", "0123456789012345678901234", "#" * 25),
    ],
)
def test_columns_are_numbered_and_spaced_if_they_fit(queues, tens, ones, row):
    *header, first, taken = drawn(*alike(1, queues), queues=queues)
    assert header == [f"{'':8}  {line}" for line in (tens, ones) if line is not None]
    assert (first, taken) == (f"c0        {row}", f"taken by  {row.replace('#', '1')}")


def takes(*queues: int) -> Strategy:
    """Return a strategy that gives these queues to every consumer."""
    given = [QUEUES[number] for number in queues]
    return replace(AVERAGELY, allocate=lambda *_: list(given))


@pytest.mark.parametrize(("many", "told"), [(9, "9"), (10, "*")])
def test_ten_owners_are_printed_as_a_star(many, told):
    assert drawn(*alike(many, 2, strategy=takes(1)), queues=2)[-1] == f"taken by  0 {told}"


def test_remarks_are_printed_beside_unusual_consumers_only():
    one, two = alike(2, 3)
    assert drawn(one, two, queues=3)[1:3] == ["c0        # # .", "c1        . . #"]
    other = replace(two, mq_all=QUEUES[1:3], cid_all=("c0",), subscribes=False, strategy=takes(1, 7))
    told = drawn(one, replace(other, subscribes=True), queues=3)
    assert told[1] == "c0        # # .   cidAll [c0, c1]; mqAll [0, 1, 2]"
    assert told[2] == (
        "c1          # .   cidAll [c0]; mqAll [1, 2]; cidAll lacks its id; takes broker-a:7, not in the topic"
    )
    assert drawn(one, replace(two, subscribes=False), queues=3)[2] == (
        "c1        . . .   does not subscribe to the topic"
    )
    assert drawn(one, replace(two, strategy=replace(takes(2), name="mine", rocketmq_name="MINE")), queues=3)[1:3] == [
        "c0        # # .   AVG",
        "c1        . . #   MINE",
    ]


def test_changes_between_two_states_are_marked():
    before = Group(QUEUES[:2], tuple(alike(2, 2)))
    (last,) = [replace(one, strategy=takes(1)) for one in alike(3, 2)[2:]]
    lines = drawn(*alike(2, 2, cid_all=("c0", "c1", "c2")), last, queues=2, reference=before)
    assert lines[1:] == [
        "c0        # .",
        "c1        . #",
        "c2        . +",
        "taken by  1 2",
        "# both; - only before c2 joins; + only after c2 has joined",
    ]


def test_long_name_is_shortened_and_columns_stay_aligned():
    (one,) = alike(1, 1)
    long = "10.0.0.17@a-process-with-a-name-that-goes-on-and-on"
    header, row, taken = drawn(replace(one, client_id=long, cid_all=(long,)), queues=1)
    name, _, rest = row.partition("  ")
    assert len(name) == 28
    assert (header.index("0"), taken.index("1")) == (30, 30)
    assert rest.startswith("#")
