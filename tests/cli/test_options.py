"""Options that several commands share."""

import os

from rebalance_proofs.cli.options import CORES


def test_a_command_uses_all_cores_unless_it_is_told_otherwise():
    assert CORES == os.cpu_count()
