"""An older version without its own comparison has the code and terms of its neighbour."""

import numpy as np

from rebalance_proofs.model.client.java_v4_9 import JavaV4_9, JavaV4_9_0, JavaV4_9_1, JavaV4_9_5
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2, JavaV5_5
from rebalance_proofs.model.transition.clients import DIFFERING, V4_9, V5_5, VARIANTS, told_apart
from rebalance_proofs.model.transition.rounds import queue_of
from rebalance_proofs.spark_enum.check import distinct
from rebalance_proofs.spark_enum.transition.columns import possible, shaped, step_kernel
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory
from rebalance_proofs.spark_enum.transition.space import NAMES, of_mode
from tests.each import each
from tests.spark_enum.transition.every import letters_of

CODE = {
    "java_v4_9": JavaV4_9,
    "java_v4_9_5": JavaV4_9_5,
    "java_v4_9_1": JavaV4_9_1,
    "java_v4_9_0": JavaV4_9_0,
    "java_v5_2": JavaV5_3_2,
    "java_v5_5": JavaV5_5,
}
ATTRIBUTES = {
    "java_v4_9_5": {"local_file_persists"},
    "java_v4_9_1": {"new_entry_locked"},
    "java_v4_9_0": {"expected", "compute_pull_from_where_with_exception"},
    "java_v5_5": {"groups_by_destination", "rebalance_by_topic"},
}
MADE_BY_PYTHON = {"__module__", "__doc__", "__abstractmethods__", "_abc_impl"}
ALIKE = [(client, mode) for client in VARIANTS for mode in client.modes if mode not in told_apart(client)]
APART = [(client, mode) for client in VARIANTS if client is not V5_5 for mode in told_apart(client)]
"""Modes in which rebalances differ. 5.5.0 differs in renewals of locks (``transition.java_v5_5.renewed``)."""
QUEUE = queue_of(0, 1)

each_alike = each(("client", "mode"), ALIKE, ids=lambda part: part.name)


def neighbour(client):
    return DIFFERING[client.name].neighbour


def parts(client, mode, throwing):
    """The columns of every case by the compiled terms, part by part, by what others throw; and the number of cases."""
    layout, kernel = step_kernel(client)
    space = of_mode(client, mode)
    for _, columns in space.parts(0, space.size):
        for thrown in throwing:
            yield layout, kernel(*(columns[name] for name in NAMES), *thrown), len(columns["mine"])


def differing(client, mode):
    """Whether some case comes to something else than with the neighbour, by the terms."""
    throwing = possible(client.encoding, mode.own_store)
    both = zip(parts(client, mode, throwing), parts(neighbour(client), mode, throwing), strict=True)
    for (layout, mine, cases), (other, its, others) in both:
        assert cases == others
        if layout != other or not all(map(np.array_equal, mine, its)):
            mine, its = shaped(mine, cases), shaped(its, cases)
            first, _ = distinct([*mine, *its])
            rows = zip(rows_of(mine, first), rows_of(its, first), strict=True)
            if any(layout.outcome(one, QUEUE) != other.outcome(another, QUEUE) for one, another in rows):
                return True
    return False


def rows_of(columns, places):
    return np.stack(columns)[:, places].T.tolist()


def test_older_versions_differ_in_some_modes_only():
    apart = {client.name: (len(told_apart(client)), len(client.modes)) for client in VARIANTS}
    assert apart == {"java_v4_9_5": (4, 16), "java_v4_9_1": (16, 16), "java_v4_9_0": (6, 16), "java_v5_5": (1, 16)}
    assert told_apart(V4_9) == V4_9.modes


@each("client", VARIANTS, ids=lambda client: client.name)
def test_variant_overrides_few_attributes(client):
    own, other = CODE[client.name], CODE[neighbour(client).name]
    assert own.__bases__ == (other,)
    assert {*vars(own)} - MADE_BY_PYTHON == ATTRIBUTES[client.name]


@each_alike
def test_every_case_has_the_same_result_by_the_terms(client, mode):
    assert not differing(client, mode)


@each_alike
def test_every_letter_has_the_same_result_by_the_code(client, mode):
    own, other = Laboratory(client, mode), Laboratory(neighbour(client), mode)
    assert own.others == other.others
    letters = letters_of(neighbour(client), mode).outcomes  # made for other tests too, and the terms do not differ
    assert len(letters) > 10
    for numbers in of_mode(client, mode).cases(letters[:: len(letters) // 400 + 1]):
        for place in (0, 1):
            mine, its = own.alone(numbers, place), other.alone(numbers, place)
            assert (mine.turns, mine.became, mine.changed, mine.phase) == (
                its.turns,
                its.became,
                its.changed,
                its.phase,
            )
            assert mine.again == its.again


@each(("client", "mode"), APART, ids=lambda part: part.name)
def test_other_modes_have_different_results(client, mode):
    assert differing(client, mode)
