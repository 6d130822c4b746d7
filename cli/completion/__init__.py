"""Shell completion: answers of ``rebalance`` to the shell when it runs for the TAB key.

No command is imported for that: ``commands.json`` has what is known of their options (``python -m
rebalance_proofs.cli.completion`` writes it, and a test compares it with the commands).
"""

__all__ = ["VARIABLE"]

VARIABLE = "_REBALANCE_COMPLETE"
"""Environment variable with which a shell's script asks for completions."""
