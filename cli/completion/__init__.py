"""Shell completion: the answers of ``rebalance`` when the shell completes a command line.

Completion imports no command. The options come from ``commands.json``, which ``python -m
rebalance_proofs.cli.completion`` writes. A test compares that file with the commands.
"""

__all__ = ["VARIABLE"]

VARIABLE = "_REBALANCE_COMPLETE"
"""Environment variable in which the shell's completion script sets its request."""
