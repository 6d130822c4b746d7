"""Shell completion: complete a command line of ``rebalance`` that the user types.

Completion imports no command. The options come from ``commands.json``, which ``python -m
rebalance_proofs.cli.completion`` writes. A test compares that file with the commands.
"""

VARIABLE = "_REBALANCE_COMPLETE"
"""Environment variable by which the shell's completion script requests an answer."""
