"""The entry point, also ``python -m rebalance_proofs``.

The command takes a second to load; who presses Ctrl-C meanwhile gets a word, and no stack trace.
"""

from rebalance_proofs.cli import signals


def main() -> None:
    """Runs the command and ends the process with its exit status."""
    signals.listen()
    from rebalance_proofs.cli.main import main as command

    try:
        command()
    finally:
        signals.ignore()


if __name__ == "__main__":
    main()
