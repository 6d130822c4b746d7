"""The entry point, also ``python -m rebalance_proofs``.

The command takes a moment to load. Ctrl-C meanwhile prints a short message instead of a stack trace.
"""

import os
import sys

from rebalance_proofs.cli import signals
from rebalance_proofs.cli.completion import VARIABLE


def main() -> None:
    """Run the command and end the process with its exit status."""
    signals.listen()
    if os.environ.get(VARIABLE):  # Shell completion does not need the imports of commands.
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
