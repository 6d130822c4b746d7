"""What is recorded is kept in one way, so that whoever records it anew sees what has changed, and only that."""

import json

import pytest

from rebalance_proofs.evidence import digests
from rebalance_proofs.evidence.written import written
from rebalance_proofs.spark_enum.explorer import recorded


@pytest.mark.parametrize("file", [digests.FILE, recorded.FILE], ids=lambda file: file.name)
def test_a_recorded_file_is_as_it_would_be_written(file):
    content = file.read_text(encoding="utf-8")
    assert content == written(json.loads(content))
