"""One queue: code against compiled terms."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.transition.clients import NODE, V5_2
from rebalance_proofs.spark_enum.transition.space import NAMES, Block, Space, every_case, of_mode, real_cases
from rebalance_proofs.spark_enum.transition.trials import Singles
from tests.spark_enum.transition.every import LOCKED, ORDERED, compared, each_client, each_mutant

BLIND = {"mark-after-remove"}
"""Mutants that differ only where other queues throw."""


@each_client
def test_code_and_terms_agree(client):
    space = every_case(client)
    part = Singles(client, space)
    for begin in range(0, space.size, space.size // 6):
        found = part.compare(begin, min(begin + 1500, space.size))
        assert (found.counted, found.differing, found.first) == (min(1500, space.size - begin), 0, None)


@each_mutant
def test_wrong_encoding_is_reported(client, encoding, request):
    wrong = replace(client, encoding=encoding)
    found = compared(Singles(wrong, _some(wrong)))
    if any(name in request.node.name for name in BLIND):
        assert not found.differing
    else:
        assert found.differing
        assert "code: " in found.first.sentence
        assert "Terms: " in found.first.sentence


def _some(client):
    """Cases of every mode, with the first values of what is answered."""
    values = {"where": 1, "retry": 1, "lock": 2, "stored": 2, "queried": 1, "persist": 1}
    counts = [values.get(name) for name in NAMES]
    return Space(
        tuple(
            Block(tuple(values[:count] for values, count in zip(block.values, counts, strict=True)))
            for block in real_cases(client).blocks
        )
    )


def test_wrong_code_is_reported():
    found = compared(Singles(LOCKED, of_mode(LOCKED, ORDERED)))
    assert found.counted == 93_120
    assert found.differing == 2 * 5_760 * 2
    said = found.first.sentence
    assert said == (
        "order 1, orderly 1, own_store 1: in_set 0: "
        "code: drop, persist, out; "
        "no process queue, former (1, 1, 1000000000, 1000000000, 0, 0, 0), offset 55 in memory; changed. "
        "Terms: drop, persist, tryConsumeLock 500 1, persist, rmOff, pqLocked 0, unlockRPC, releaseConsumeLock, out; "
        "no process queue, former (1, 0, 1000000000, 1000000000, 0, 0, 0), offset 55 in memory; changed"
    )


@pytest.mark.parametrize("step", [500, 1100, 5000])
def test_digest_does_not_depend_on_how_cases_are_split(step):
    part = Singles(NODE, real_cases(NODE))
    whole = part.compare(0, part.size)
    found = compared(part, step)
    assert (found.counted, found.digest) == (whole.counted, whole.digest)


def test_digest_depends_on_the_behaviour_of_the_code():
    space = of_mode(V5_2, ORDERED)
    right, wrong = (Singles(client, space).compare(0, 2000) for client in (V5_2, LOCKED))
    assert wrong.differing
    assert right.digest != wrong.digest
