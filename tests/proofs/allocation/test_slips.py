"""Each mutant of a strategy's encoding is wrong exactly as its sentence says."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.allocation.kind import slips
from rebalance_proofs.proofs.named import value

Q, C = 5, 3
SHARES = {0: (0, 1), 1: (2, 3), 2: (4,)}
RIGHT = {
    "owner": (0, 0, 1, 1, 2),
    "count": (2, 2, 1),
    "element": SHARES,
    "rank": {0: (0, 1), 1: (0, 1), 2: (0,)},
    "owns": SHARES,
}
WRONG = {
    "owner-off-by-one": {"owner": (1, 1, 2, 2, 3)},
    "element-off-by-one": {"element": {0: (1, 2), 1: (3, 4), 2: (5,)}},
    "rank-off-by-one": {"rank": {0: (1, 2), 1: (1, 2), 2: (1,)}},
    "backwards": {"element": {0: (1, 0), 1: (3, 2), 2: (4,)}},
    "owns-one-behind": {"owns": {0: (1, 2), 1: (3, 4), 2: ()}},
    "the-next-too": {"owns": {0: (0, 1), 1: (0, 1, 2, 3), 2: (2, 3, 4)}},
    "every-second": {"owns": {0: (0,), 1: (2,), 2: (4,)}},
    "first-has-more": {"count": (3, 2, 1)},
    "last-has-less": {"count": (2, 2, 0)},
}
FOUND = {one.name: one.encoding for one in slips(AVERAGELY.encoding)}


def said(encoding):
    """What the encoding says of three consumers of five queues; ``element`` and ``rank`` of what AVG gives them."""

    def of(part, *numbers):
        return value(part(*map(smt.IntVal, (Q, C, *numbers))))

    owned = {index: tuple(one for one in range(Q) if of(encoding.owns, index, one)) for index in range(C)}
    return {
        "owner": tuple(of(encoding.owner, position) for position in range(Q)),
        "count": tuple(of(encoding.count, index) for index in range(C)),
        "element": {i: tuple(of(encoding.element, i, k) for k in range(len(own))) for i, own in SHARES.items()},
        "rank": {i: tuple(of(encoding.rank, i, position) for position in own) for i, own in SHARES.items()},
        "owns": owned,
    }


def test_correct_encoding_and_all_mutants_are_described():
    assert said(AVERAGELY.encoding) == RIGHT
    assert set(FOUND) == set(WRONG)


@pytest.mark.parametrize("name", WRONG)
def test_mutant_does_what_its_sentence_states(name):
    assert said(FOUND[name]) == RIGHT | WRONG[name]
