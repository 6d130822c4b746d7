"""Regenerate ``commands.json`` after the options of a command have changed."""

from pathlib import Path

from rebalance_proofs.cli.completion.written import FILE, described, text
from rebalance_proofs.cli.main import cli

if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(text(described(cli)), encoding="utf-8")
