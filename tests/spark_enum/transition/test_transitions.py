"""Transitions enumerated on Spark."""

import pickle
from dataclasses import replace

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9, V5_2, VARIANTS
from rebalance_proofs.spark_enum.transition.bounds import ALL, QUICK, LetterBounds, TransitionBounds
from rebalance_proofs.spark_enum.transition.calls import Calls
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory
from rebalance_proofs.spark_enum.transition.relation import Relation
from rebalance_proofs.spark_enum.transition.results import CALLS, MODELS, SINGLES, TABLES, Letters, TransitionEnumerated
from rebalance_proofs.spark_enum.transition.singles import Singles
from rebalance_proofs.spark_enum.transition.space import every_case, of_mode, real_cases
from rebalance_proofs.spark_enum.transition.transitions import (
    Named,
    Work,
    calls,
    compare,
    models,
    singles,
    tables,
    transitions,
)
from tests.spark_enum.transition.every import CROWDED, ORDERED, compared, letters_of

FEW = LetterBounds(pairs=6, triples=4, table_pairs=20, table_triples=6)
TINY = TransitionBounds(every_case=False, throwing=FEW, calm=FEW, models=8)


@pytest.mark.spark
def test_everything_about_one_client(spark: SparkSession) -> None:
    seen: list[TransitionEnumerated] = []
    found = transitions(spark, [NODE], TINY, seen.append)
    assert found.equal
    assert found.letters == (
        Letters("node", "push", 1280, 49, 73, 118),
        Letters("node", "push broadcasting", 1280, 20, 35, 58),
    )
    assert [(one.kind, one.mode, one.queues, one.letters, one.cases) for one in found.comparisons] == [
        (SINGLES, "", 1, 0, 5120 + 8),  # eight with an age exactly at its limit
        *[(CALLS, mode.name, queues, *counts) for mode in NODE.modes for queues, *counts in ((2, 6, 72), (3, 4, 64))],
        *[
            (TABLES, mode.name, queues, *counts)
            for mode in NODE.modes
            for queues, *counts in ((2, 20, 400), (3, 6, 216))
        ],
        (MODELS, "push", 1, 8, 24),
        (MODELS, "push broadcasting", 1, 8, 8),
    ]
    assert sum(one.seconds for one in found.comparisons) > 0
    assert [(len(so_far.letters), len(so_far.comparisons)) for so_far in seen] == [
        (0, 1),
        (2, 1),
        (2, 5),
        (2, 9),
        (2, 11),
    ]
    assert seen[-1] == found


@pytest.mark.spark
def test_what_differs_is_reported(spark: SparkSession) -> None:
    encoding = {mutant.name: mutant.encoding for mutant in NODE.mutants}["no-persist"]
    found = transitions(spark, [replace(NODE, encoding=encoding)], TINY)
    assert found.complete
    assert not found.equal
    kinds = {one.kind for one in found.comparisons if one.mismatches}
    assert kinds == {SINGLES, TABLES, MODELS}
    assert found.differing[0].startswith(
        "node, 1 queue, singles: 384 mismatches, the first: push: in_set 0: code: drop"
    )


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 3])
def test_nothing_depends_on_the_partitions(partitions: int, spark: SparkSession) -> None:
    letters = letters_of(V5_2, ORDERED)
    parts = [
        singles(NODE, TINY),
        *calls(V5_2, ORDERED, letters, TINY),
        *tables(V5_2, ORDERED, letters, TINY),
        models(V5_2, ORDERED, letters, TINY),
        Named(CALLS, "wrong", ORDERED.name, 2, 6, Calls(CROWDED, ORDERED, letters.at_most(6), 2)),
    ]
    found = compare(spark, parts, partitions)
    for one, named in zip(found, parts, strict=True):
        plain = compared(named.part)
        assert (one.cases, one.expected_cases) == (plain.cases, named.part.size)
        assert one.digest == f"{plain.digest:016x}"
        assert (one.mismatches, one.first_mismatch) == (plain.mismatches, plain.first[1] if plain.first else "")
    assert [one.equal for one in found] == [True] * 6 + [False]


@pytest.mark.spark
def test_nothing_to_compare(spark: SparkSession) -> None:
    assert compare(spark, []) == ()
    assert transitions(spark, []) == TransitionEnumerated()


def test_pieces_are_laid_end_to_end() -> None:
    letters = letters_of(NODE, NODE.modes[0]).traces
    parts = (
        Singles(NODE, real_cases(NODE)),
        Relation(NODE, NODE.modes[0], letters[:40]),
        Singles(NODE, every_case(NODE)),
    )
    work = Work(parts)
    assert work.ends == (1, 3, 8)
    number, found = work(2)
    assert (number, found.cases) == (1, 3 * 8)
    number, found = work(7)
    assert (number, found.cases) == (2, 77_312 + 96 - 4 * 2**14)


def test_work_holds_no_terms() -> None:
    """Everything that is sent to an executor is read there without the terms of this process."""
    for client in CLIENTS:
        mode = client.modes[0]
        letters = letters_of(client, mode)
        parts = [singles(client, TINY), *calls(client, mode, letters, TINY), *tables(client, mode, letters, TINY)]
        work = Work(tuple(named.part for named in (*parts, models(client, mode, letters, TINY))))
        assert pickle.loads(cloudpickle.dumps(work)).ends == work.ends


@pytest.mark.parametrize(
    "client",
    [pytest.param(client, marks=[] if client in (NODE, V4_9) else [pytest.mark.slow]) for client in CLIENTS],
    ids=lambda client: client.name,
)
def test_where_queues_throw_at_each_other_the_default_is_as_far_as_it_can_be(client) -> None:
    for mode in client.modes:
        letters = letters_of(client, mode)
        pairs, triples = calls(client, mode, letters, TransitionBounds())
        outcomes = tables(client, mode, letters, TransitionBounds())[0].letters
        if len(Laboratory(client, mode).others) > 1:
            assert mode.own_store or client is NODE
            assert pairs.letters == len(letters.behaviours)
            assert len(letters.traces) <= triples.letters == min(75, len(letters.behaviours))
            assert outcomes == len(letters.outcomes) < ALL
        else:
            assert pairs.letters == min(200, len(letters.behaviours))
            assert triples.letters == min(32, len(letters.behaviours))
            assert outcomes == min(1_000, len(letters.outcomes))


def test_of_a_variant_the_ways_in_which_it_is_used_are_enough() -> None:
    for client in VARIANTS:
        assert singles(client, TransitionBounds()).part.space == real_cases(client)
    assert singles(V4_9, TransitionBounds()).part.space == every_case(V4_9)


def test_the_node_clients_spaces() -> None:
    assert singles(NODE, TransitionBounds()).part.space == every_case(NODE)
    assert singles(NODE, QUICK).part.space == real_cases(NODE)
    assert of_mode(NODE, NODE.modes[0]).size == 1280
