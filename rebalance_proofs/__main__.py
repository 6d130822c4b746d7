"""The entry point, also ``python -m rebalance_proofs``.

The command takes a moment to load; who presses Ctrl-C meanwhile gets a word, and no stack trace.
"""

import os
import sys

from rebalance_proofs.cli import signals
from rebalance_proofs.cli.completion import VARIABLE


def main() -> None:
    """Runs the command and ends the process with its exit status."""
    signals.listen()
    if os.environ.get(VARIABLE):  # a shell asks; it waits for no command's imports
        from rebalance_proofs.cli.completion.answer import answer

        sys.exit(answer(os.environ[VARIABLE]))
    from rebalance_proofs.proofs.errors import ClaimError

    try:
        from rebalance_proofs.cli.main import main as command

        command()
    except ClaimError as error:
        sys.exit(f"rebalance: {error}")
    finally:
        signals.ignore()


if __name__ == "__main__":
    main()
