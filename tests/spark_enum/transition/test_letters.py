"""Alphabets: representatives of equivalent states and answers."""

import pytest

from rebalance_proofs.model.transition.client import BROADCAST, ORDERLY, PUSH
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9, V5_0, V5_2
from rebalance_proofs.spark_enum.transition.columns import Alphabet
from rebalance_proofs.spark_enum.transition.space import VARIABLES, of_mode
from tests.spark_enum.transition.every import each_use, letters_of


@pytest.mark.parametrize(
    ("client", "mode", "counts"),
    [
        (V4_9, PUSH, (48, 89, 1954)),
        (V4_9, ORDERLY, (141, 269, 1726)),
        (V5_0, ORDERLY, (119, 225, 1574)),
        (V5_2, ORDERLY, (179, 633, 3350)),
        (V4_9, PUSH.with_own_store(), (29, 39, 832)),
        (V4_9, ORDERLY.with_own_store(), (62, 99, 782)),
        (V5_0, ORDERLY.with_own_store(), (62, 99, 782)),
        (V5_2, PUSH.with_own_store(), (29, 39, 832)),
        (V5_2, ORDERLY.with_own_store(), (75, 205, 1286)),
        (NODE, PUSH, (49, 73, 118)),
        (NODE, BROADCAST, (20, 35, 58)),
    ],
)
def test_alphabet_has_its_number_of_letters(client, mode, counts):
    found = letters_of(client, mode)
    assert (len(found.traces), len(found.behaviours), len(found.outcomes)) == counts


@each_use
def test_each_alphabet_contains_the_one_before(client, mode):
    found = letters_of(client, mode)
    assert set(found.traces) <= set(found.behaviours) <= set(found.outcomes)
    assert len(set(found.outcomes)) == len(found.outcomes)
    (benign,) = of_mode(client, mode).cases(found.traces[:1])
    assert all(benign[v.name] == v.benign for v in VARIABLES if not hasattr(mode, v.name))


def test_letters_are_limited_to_a_number():
    found = Alphabet((1, 2, 3), (1, 2, 3, 4, 5), tuple(range(1, 12)))
    assert found.at_most(0) == ()
    assert found.at_most(2) == (1, 2)
    assert found.at_most(3) == (1, 2, 3)
    assert found.at_most(4) == (1, 2, 3, 4)
    assert found.at_most(8) == (1, 2, 3, 4, 5, 6, 8, 10)
    assert found.at_most(8, 2) == (1, 2, 3, 4, 5)
    assert found.at_most(99) == tuple(range(1, 12))
    for client in CLIENTS:
        every = letters_of(client, client.modes[0])
        assert set(every.at_most(10_000)) == set(every.outcomes)
