"""Options that several commands share."""

import os

from rebalance_proofs.cli.options import CORES


def test_jobs_default_to_all_cores():
    assert CORES == os.cpu_count()
