"""Movement enumerated on Spark, against plain NumPy."""

from dataclasses import replace

import numpy as np
import pytest
import z3
from pyspark.sql import SparkSession

from rebalance_proofs.spark_enum.movement import BOUND, SCHEMA, SHOWN, movement, movements, to_arrow
from rebalance_proofs.spark_enum.movement_counts import CASES, count, decode, joins
from rebalance_proofs.spark_enum.movement_results import Cost, Movement

AVG, CIRCLE = CASES
SMALL = (5, 8)


@pytest.mark.spark
@pytest.mark.parametrize(
    ("bound", "count", "digests"),
    [
        pytest.param((8, 16), 704, None, id="small"),
        pytest.param(BOUND, 137_216, ("41de65e6adaf89c2", "2b3b2d817df6ff42"), id="default", marks=pytest.mark.slow),
    ],
)
def test_every_join_up_to_a_bound_is_as_proved(bound, count, digests, spark: SparkSession) -> None:
    avg, circle = movements(spark, bound)
    for found in (avg, circle):
        assert found.as_proved
        assert found.joins == count
        assert [(cost.consumers, cost.queues) for cost in found.costs] == [
            (n, q) for n, q in SHOWN if n < bound[0] and q <= bound[1]
        ]
    assert digests in (None, (avg.digest, circle.digest))
    assert (avg.strategy, circle.strategy) == ("avg", "circle")
    by_size = {(cost.consumers, cost.queues): cost for cost in avg.costs}
    assert by_size[3, 4] == Cost(queues=4, consumers=3, most=3, most_at=3, least=1, least_at=0)
    assert by_size[3, 4].needed == 1
    by_size = {(cost.consumers, cost.queues): cost for cost in circle.costs}
    assert by_size[3, 8] == Cost(queues=8, consumers=3, most=8, most_at=0, least=5, least_at=3)


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 5])
def test_spark_gives_what_plain_numpy_gives(partitions: int | None, spark: SparkSession) -> None:
    codes = np.arange(joins(*SMALL))
    for case in CASES:
        found = movement(spark, case, SMALL, [(2, 3), (9, 9)], partitions)
        plain = count(case, *decode(codes, *SMALL))
        here = (plain.consumers == 2) & (plain.queues == 3)
        moved = plain.moved[here].tolist()
        assert replace(found, seconds=0.0) == Movement(
            strategy=case.strategy.name,
            max_queues=8,
            max_consumers=5,
            joins=len(codes),
            expected_joins=len(codes),
            queues=int(plain.queues.sum()),
            digest=f"{sum(plain.digest.tolist()) % 2**64:016x}",
            differing=0,
            beyond=0,
            unattained=0,
            costs=(Cost(3, 2, max(moved), moved.index(max(moved)), min(moved), moved.index(min(moved))),),
            seconds=0.0,
        )


@pytest.mark.spark
def test_what_is_not_as_proved_is_counted(spark: SparkSession) -> None:
    wrong = replace(AVG, exactly=lambda q, c, j: 2 * q, bound=lambda q, c: z3.IntVal(2))
    found = movement(spark, wrong, (2, 2))
    plain = count(AVG, *decode(np.arange(joins(2, 2)), 2, 2))
    assert found.differing == (plain.moved != plain.queues).sum()
    assert found.beyond == (plain.moved > 1).sum() > 0
    assert not found.as_proved
    loose = movement(spark, replace(AVG, bound=lambda q, c: 4 * q), (2, 2))
    assert (loose.unattained, loose.beyond, loose.as_proved) == (4, 0, False)


def test_rows_have_the_columns_of_the_schema() -> None:
    rows = to_arrow(AVG, np.arange(5), BOUND)
    assert [field.name for field in rows.type] == [column.split()[0] for column in SCHEMA.split(", ")]
    assert len(rows) == 5


def test_a_movement_that_is_not_complete_is_not_as_proved() -> None:
    found = Movement("avg", 1, 1, 1, 2, 2, "0" * 16, 0, 0, 0, (), 0.0)
    assert not found.complete
    assert not found.as_proved
    assert replace(found, joins=2).as_proved
