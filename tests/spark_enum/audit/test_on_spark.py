"""The audit on Spark equals the audit in one process, however files are split."""

import gzip
from dataclasses import replace

import pytest

from benchmarks.logs import play
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.outcome import Asked, digest
from rebalance_proofs.recorded.logs.sources import sources
from rebalance_proofs.spark_enum.audit import audit_on
from tests.recorded.audit.audited import LOGS

pytestmark = pytest.mark.spark


def test_audit_on_spark_equals_audit_in_one_process(spark, tmp_path):
    """Plain files in slices of 60 kB, compressed files and a rotated series, in two formats, of several groups."""
    (tmp_path / "spool").mkdir()
    logs = tmp_path / "logs"
    logs.mkdir()
    for client, text in play(5, members=3, form="4").logs.items():
        (logs / f"{client}.log").write_bytes("".join(text).encode())
    (packed,) = play(6, members=1, form="5").logs.values()
    (logs / "packed.log.gz").write_bytes(gzip.compress("".join(packed).encode()))
    (rotated,) = play(8, members=1, form="4", seconds=300).logs.values()
    half = len(rotated) // 2
    (logs / "series.log.1").write_bytes("".join(rotated[:half]).encode())
    (logs / "series.log").write_bytes("".join(rotated[half:]).encode())
    found, _ = sources([str(logs), str(LOGS / "java-4.9.8" / "b_sigstop")], tmp_path / "spool")
    asked = Asked(model=True)
    here = audit(found, asked)
    # Logs of more than 60 kB in slices; then each log by one task.
    for there in (audit_on(spark, found, asked, size=60_000, most=60_000), audit_on(spark, found, asked)):
        assert digest(there.groups) == digest(here.groups)
        assert there.files == here.files
        assert [group.findings for group in there.groups] == [group.findings for group in here.groups]
        assert [group.coverage for group in there.groups] == [group.coverage for group in here.groups]


def test_file_that_was_empty_when_listed_is_read(spark, tmp_path):
    """Such as files of the kernel, and a file that is only now written."""
    (tmp_path / "c0.log").write_text("2024-05-21 10:00:00,000 INFO RocketmqClient - words\n", encoding="utf-8")
    (source,), _ = sources([str(tmp_path / "c0.log")], tmp_path)
    found = [replace(source, size=0)]
    assert audit_on(spark, found, Asked()) == audit(found, Asked())
