"""The JVM of a session on one machine."""

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.spark_enum.session import BRIEF

pytestmark = pytest.mark.spark


def test_jvm_has_one_compiler_and_one_collector_thread(spark: SparkSession) -> None:
    """Options from the user's configuration are passed on as well."""
    jvm = spark.sparkContext._jvm
    assert jvm is not None
    given = list(jvm.java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments())
    assert {*BRIEF.split()} <= {*given}
