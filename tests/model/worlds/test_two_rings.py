"""Two clients with different hash functions, each with its own ring."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.worlds.two_rings import RINGS_COMPARED, RINGS_MIXED
from tests.model.premises.shares import shares
from tests.model.premises.symbolic import Symbolic, takers

BOTH = (CONSISTENT_HASH, CONSISTENT_HASH_GO)
APART = (0, 2, 2, 0, 2, 0)
"""In Java: c0, queue, c1; in Go: queue, c0, c1."""
AT_A_NODE = (0, 2, 1, 0, 2, 1)
"""In both: c0 and the queue, c1."""
symbolic = cache(Symbolic)


@pytest.mark.parametrize(
    ("digits", "java", "go"),
    [
        pytest.param(APART, [[], [0]], [[0], []], id="two rings"),
        pytest.param(AT_A_NODE, [[0], []], [[], [0]], id="at a node, or behind it"),
    ],
)
def test_each_client_uses_its_own_ring(digits, java, go):
    group = RINGS_COMPARED.group(BOTH, 2, 1, digits)
    found = [[[queue.queue_id for queue in result] for result in each.allocate()] for each in (group, group.reference)]
    assert found == [java, go]
    assert [{consumer.strategy.name for consumer in each.consumers} for each in (group, group.reference)] == [
        {"hash"},
        {"hash-go"},
    ]


@pytest.mark.parametrize(
    ("choices", "expected"),
    [((0, 0), [[], [0]]), ((1, 1), [[0], []]), ((0, 1), [[], []]), ((1, 0), [[0], [0]])],
)
def test_last_digits_select_each_consumers_client(choices, expected):
    assert shares(RINGS_MIXED, 2, 1, (*APART, *choices), BOTH) == expected


def test_notes_list_both_rings():
    assert RINGS_COMPARED.group(BOTH, 2, 1, (*APART[:3], *AT_A_NODE[3:])).setting.notes == (
        "Hash values in hash, ascending around the ring: c0, queue 0, c1.",
        "Hash values in hash-go, ascending around the ring: c0 = queue 0, c1.",
    )


def test_mixed_group_has_no_reference():
    assert RINGS_MIXED.group(BOTH, 1, 1, (0, 0, 0, 0, 0)).reference is None


@given(st.lists(st.integers(0, 5) | st.integers(-(2**62), 2**62), min_size=8, max_size=8))
def test_any_hash_values_give_groups_with_the_same_owners(hashes):
    n = q = 2
    names = symbolic(RINGS_COMPARED, BOTH, n, q).names[1:]
    assignments = [{"p": queue} | dict(zip(names, hashes, strict=True)) for queue in range(q)]
    found, values = RINGS_COMPARED.configuration(n, assignments[0])
    assert (found, RINGS_COMPARED.admits(n, q, values)) == (q, True)
    expected = [[1, q, *row] for row in takers(RINGS_COMPARED, BOTH, n, q, values)]
    assert symbolic(RINGS_COMPARED, BOTH, n, q)(assignments) == expected
