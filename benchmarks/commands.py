"""Whole commands, in processes of their own, as a user waits for them."""

import subprocess
import sys
import tempfile


def verify(*options: str) -> None:
    """``rebalance verify`` in a process of its own; raises when it is not green."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "rebalance_proofs", "verify", *options, "--output", place]
        subprocess.run(command, check=True, capture_output=True)


def safe() -> None:
    """``rebalance safe`` of 5.2 in a process of its own; raises unless it exits with 1: 5.2 as shipped is not safe."""
    command = [sys.executable, "-m", "rebalance_proofs", "safe", "--client", "5.2"]
    if subprocess.run(command, check=False, capture_output=True).returncode != 1:
        raise RuntimeError("rebalance safe: 5.2 as shipped is not exclusive")


def enumerate_(*options: str) -> None:
    """``rebalance enumerate`` of the whole ledger in a process of its own; raises when it is not green."""
    command = [sys.executable, "-m", "rebalance_proofs", "enumerate", *options]
    subprocess.run(command, check=True, capture_output=True)
