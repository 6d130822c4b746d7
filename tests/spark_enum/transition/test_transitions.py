"""Transitions enumerated on Spark."""

import pickle
from dataclasses import replace

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9, V5_2, VARIANTS, told_apart
from rebalance_proofs.model.transition.variables import MODE
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.jobs import Work, findings, here, run
from rebalance_proofs.spark_enum.results import Enumerated
from rebalance_proofs.spark_enum.transition.bounds import ALL, QUICK, LetterBounds, TransitionBounds
from rebalance_proofs.spark_enum.transition.calls import Calls
from rebalance_proofs.spark_enum.transition.columns import letters as alphabet_check
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory
from rebalance_proofs.spark_enum.transition.relation import Relation
from rebalance_proofs.spark_enum.transition.space import (
    CALLS,
    LETTERS,
    MODELS,
    SINGLES,
    TABLES,
    every_case,
    of_mode,
    real_cases,
)
from rebalance_proofs.spark_enum.transition.trials import Singles
from rebalance_proofs.spark_enum.transition.witness import JOBS, calls, models, singles, tables, transitions
from tests.spark_enum.transition.every import CROWDED, ORDERED, compared, letters_of

FEW = LetterBounds(pairs=6, triples=4, table_pairs=20, table_triples=6)
TINY = TransitionBounds(every_case=False, throwing=FEW, calm=FEW, models=8)


@pytest.mark.spark
def test_one_client_is_enumerated_completely(spark: SparkSession) -> None:
    seen = list(transitions(lambda checks: run(spark, checks), [NODE], TINY))
    assert [len(found) for found in seen] == [1, 2, 4, 4, 2]
    assert len(seen) == JOBS
    found = Enumerated("", "", tuple(one for job in seen for one in job))
    assert all(one.equal for one in found.findings)
    assert [(one.subject, one.setting, one.counted, one.digest, one.numbers) for one in found.of(LETTERS)] == [
        ("node", "push", 1280, "49 73 118", {"traces": 49, "behaviours": 73, "outcomes": 118}),
        ("node", "push broadcasting", 1280, "20 35 58", {"traces": 20, "behaviours": 35, "outcomes": 58}),
    ]
    compared = found.of(SINGLES, CALLS, TABLES, MODELS)
    assert [(one.kind, one.setting, *one.bounds.values(), one.counted) for one in compared] == [
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
    assert all(one.seconds > 0 for one in found.findings)


def test_difference_is_reported() -> None:
    encoding = {mutant.name: mutant.encoding for mutant in NODE.mutants}["no-persist"]
    found = [one for job in transitions(here, [replace(NODE, encoding=encoding)], TINY) for one in job]
    assert all(one.complete for one in found)
    assert {one.kind for one in found if one.differing} == {SINGLES, TABLES, MODELS}
    assert failures(found[0])[0].startswith(
        "node, 1 queue, singles: both sides differ in 384 cases, first: push: in_set 0: code: drop"
    )


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 3])
def test_results_do_not_depend_on_partitions(partitions: int, spark: SparkSession) -> None:
    letters = letters_of(V5_2, ORDERED)
    parts = [
        singles(NODE, TINY),
        *calls(V5_2, ORDERED, letters, TINY),
        *tables(V5_2, ORDERED, letters, TINY),
        *models(V5_2, ORDERED, letters, TINY),
        Calls(CROWDED, ORDERED, letters.at_most(6), 2),
    ]
    checks = [part.check() for part in parts]
    found = run(spark, checks, partitions)
    assert found == [replace(totals, seconds=one.seconds) for totals, one in zip(here(checks), found, strict=True)]
    for one, part in zip(findings(checks, found), parts, strict=True):
        plain = compared(part)
        assert (one.counted, one.expected) == (plain.counted, part.size)
        assert one.digest == f"{plain.digest:016x}"
        assert (one.differing, one.first) == (plain.differing, plain.first.sentence if plain.first else "")
    assert [not one.differing for one in found] == [True] * 6 + [False]


def test_no_clients_have_no_findings() -> None:
    assert [found for found in transitions(here, [], TINY) if found] == []


def test_findings_have_their_names() -> None:
    letters = letters_of(NODE, NODE.modes[0])
    assert singles(NODE, TINY).check().name == "node, 1 queue, singles"
    assert [part.check().name for part in calls(NODE, NODE.modes[0], letters, TINY)] == [
        "node push, 2 queues, calls",
        "node push, 3 queues, calls",
    ]


def test_pieces_are_consecutive() -> None:
    letters = letters_of(NODE, NODE.modes[0]).traces
    parts = (
        Singles(NODE, real_cases(NODE)),
        Relation(NODE, NODE.modes[0], letters[:40]),
        Singles(NODE, every_case(NODE)),
    )
    work = Work(tuple(part.check() for part in parts))
    assert work.ends == (1, 3, 8)
    number, found = work(2)
    assert (number, found.counted) == (1, 3 * 8)
    number, found = work(7)
    assert (number, found.counted) == (2, 77_312 + 96 - 4 * 2**14)


def test_work_contains_no_terms() -> None:
    """Everything that is sent to an executor is read there without the terms of this process."""
    for client in CLIENTS:
        mode = client.modes[0]
        letters = letters_of(client, mode)
        made = (made(client, mode, letters, TINY) for made in (calls, tables, models))
        parts = [singles(client, TINY), *(part for some in made for part in some)]
        work = Work((alphabet_check(client, mode), *(part.check() for part in parts)))
        assert pickle.loads(cloudpickle.dumps(work)).ends == work.ends


@pytest.mark.parametrize(
    "client",
    [pytest.param(client, marks=[] if client in (NODE, V4_9) else [pytest.mark.slow]) for client in CLIENTS],
    ids=lambda client: client.name,
)
def test_calls_of_throwing_queues_are_complete_by_default(client) -> None:
    for mode in client.modes:
        letters = letters_of(client, mode)
        pairs, triples = calls(client, mode, letters, TransitionBounds())
        outcomes = len(tables(client, mode, letters, TransitionBounds())[0].letters)
        if len(Laboratory(client, mode).others) > 1:
            assert mode.own_store or client is NODE
            assert len(pairs.letters) == len(letters.behaviours)
            assert len(letters.traces) <= len(triples.letters) == min(75, len(letters.behaviours))
            assert outcomes == len(letters.outcomes) < ALL
        else:
            assert len(pairs.letters) == min(200, len(letters.behaviours))
            assert len(triples.letters) == min(32, len(letters.behaviours))
            assert outcomes == min(1_000, len(letters.outcomes))


def test_variants_are_enumerated_in_their_real_modes_only() -> None:
    for client in VARIANTS:
        assert singles(client, TransitionBounds()).space == real_cases(client)
        assert {block.values[:5] for block in real_cases(client).blocks} == {
            tuple((getattr(mode, variable.name),) for variable in MODE) for mode in told_apart(client)
        }
    assert singles(V4_9, TransitionBounds()).space == every_case(V4_9)


def test_node_client_has_its_spaces() -> None:
    assert singles(NODE, TransitionBounds()).space == every_case(NODE)
    assert singles(NODE, QUICK).space == real_cases(NODE)
    assert of_mode(NODE, NODE.modes[0]).size == 1280
