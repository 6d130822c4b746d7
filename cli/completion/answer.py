"""Print the completion script for a shell, or the completions of a typed command line."""

import contextlib
import sys

from click.shell_completion import BashComplete, add_completion_class, shell_complete

from rebalance_proofs.cli.completion import VARIABLE
from rebalance_proofs.cli.completion.written import group

REQUESTS = tuple(f"{shell}_{part}" for shell in ("bash", "zsh", "fish") for part in ("source", "complete"))


class Bash(BashComplete):
    """Completion for bash, which treats the ``=`` of ``--option=value`` as a separate word."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the word at the cursor."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], "" if incomplete == "=" else incomplete


def answer(instruction: str) -> int:
    """Print the answer to a shell's request, such as ``bash_source``.

    Return the exit status, which is 2 if the request is unknown.
    """
    add_completion_class(Bash)
    if instruction in REQUESTS:
        with contextlib.suppress(KeyError, ValueError):  # the shell's variables are missing, or not numbers
            return shell_complete(group(), {}, "rebalance", VARIABLE, instruction)
    requests = ", ".join(one for one in REQUESTS if one.endswith("_source"))
    print(f"rebalance: {VARIABLE}={instruction!r} is not a request of a shell; use one of {requests}", file=sys.stderr)
    return 2
