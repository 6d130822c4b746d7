"""The compiled terms of whole tables."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V5_0, V5_2
from rebalance_proofs.model.transition.step import NOTHING_THROWN
from rebalance_proofs.model.transition.view import Table, view_of
from rebalance_proofs.spark_enum.transition import tables
from rebalance_proofs.spark_enum.transition.tables import Tables
from tests.spark_enum.transition.every import LOCKED, OFTEN, ORDERED, compared, each_use, letters_of, mutants


@each_use
def test_terms_of_tables_agree_with_the_code(client, mode):
    letters = letters_of(client, mode)
    for part in (Tables(client, mode, letters.at_most(40), 2), Tables(client, mode, letters.at_most(12, 2)[::-1], 3)):
        found = compared(part)
        assert found.counted == part.size == len(part.letters) ** part.queues
        assert (found.differing, found.first) == (0, None)


@mutants(*OFTEN)
def test_wrong_encoding_is_reported(client, encoding):
    """With the correct client's letters: those of a wrong encoding distinguish other cases."""
    reported(client, encoding)


@pytest.mark.slow
@mutants(*(client for client in CLIENTS if client not in OFTEN))
def test_wrong_encoding_of_another_client_is_reported(client, encoding):
    reported(client, encoding)


def reported(client, encoding):
    """In the first mode in which it is wrong."""
    wrong = replace(client, encoding=encoding)
    found = (compared(Tables(wrong, mode, letters_of(client, mode).traces, 2)) for mode in client.modes)
    first = next(totals.first for totals in found if totals.differing)
    assert "code: " in first.sentence
    assert "Terms: " in first.sentence


def test_wrong_fold_is_reported(monkeypatch):
    """The terms of each queue are correct, but exceptions do not affect later queues."""

    def apart(encoding, v, queues, rounds):
        views = tuple(view_of(encoding, v, (NOTHING_THROWN,), queue) for queue in range(queues))
        steps = [view.steps[0] for view in views]
        return Table(views, (smt.Or([smt.Or(step.removing_throws, step.adding_throws) for step in steps]),))

    part = Tables(V5_0, ORDERED, letters_of(V5_0, ORDERED).traces, 2)
    tables.table_kernel.cache_clear()
    monkeypatch.setattr(tables, "table_of", apart)
    found = compared(part)
    tables.table_kernel.cache_clear()
    assert 0 < found.differing < found.counted
    assert found.first.sentence.endswith("; one throws")


def test_wrong_code_is_reported():
    assert compared(Tables(LOCKED, ORDERED, letters_of(V5_2, ORDERED).traces, 2)).differing


@pytest.mark.parametrize("queues", [2, 3])
def test_digest_does_not_depend_on_how_tables_are_split(queues):
    part = Tables(NODE, NODE.modes[0], letters_of(NODE, NODE.modes[0]).traces[:10], queues)
    whole = part.compare(0, part.size)
    others = 10 ** (queues - 1)
    for step in (others, 3 * others):
        found = compared(part, step)
        assert (found.counted, found.digest) == (whole.counted, whole.digest)


def test_pieces_are_complete_rows_of_tables():
    mode = V5_2.modes[0]
    for count, queues in ((10, 2), (632, 2), (128, 3), (400, 3)):
        part = Tables(V5_2, mode, tuple(range(count)), queues)
        assert part.step % count ** (queues - 1) == 0
        assert part.step <= part.size == part.codes
