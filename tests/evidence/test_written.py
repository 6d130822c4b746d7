"""Recorded results have one format, so that a new recording shows exactly what changed."""

import json

import pytest

from rebalance_proofs.evidence import digests
from rebalance_proofs.evidence.digests import written
from rebalance_proofs.spark_enum.explorer import recorded


@pytest.mark.parametrize("file", [digests.FILE, recorded.FILE], ids=lambda file: file.name)
def test_recorded_file_has_the_canonical_form(file):
    content = file.read_text(encoding="utf-8")
    assert content == written(json.loads(content))
