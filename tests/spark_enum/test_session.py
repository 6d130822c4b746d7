"""The JVM of a session on one machine."""

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.spark_enum.session import BRIEF

pytestmark = pytest.mark.spark


def test_it_has_one_compiler_and_one_thread_that_collects(spark: SparkSession) -> None:
    """What it was given besides, by the user's configuration, it has as well."""
    jvm = spark.sparkContext._jvm
    assert jvm is not None
    given = list(jvm.java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments())
    assert {*BRIEF.split()} <= {*given}
