"""The answer to a shell: its script, or the completions of a line."""

import contextlib
import sys

from click.shell_completion import BashComplete, add_completion_class, shell_complete

from rebalance_proofs.cli.completion import VARIABLE
from rebalance_proofs.cli.completion.written import group

__all__ = ["Bash", "answer"]

REQUESTS = tuple(f"{shell}_{part}" for shell in ("bash", "zsh", "fish") for part in ("source", "complete"))


class Bash(BashComplete):
    """Completion for bash, which takes the ``=`` of ``--option=value`` for a word of its own."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the cursor, and the word at it."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], "" if incomplete == "=" else incomplete


def answer(instruction: str) -> int:
    """Print the answer to a request, such as ``bash_source``. Return the exit status, 2 if the request is unknown."""
    add_completion_class(Bash)
    if instruction in REQUESTS:
        with contextlib.suppress(KeyError, ValueError):  # the shell's own variables are missing, or no numbers
            return shell_complete(group(), {}, "rebalance", VARIABLE, instruction)
    requests = ", ".join(one for one in REQUESTS if one.endswith("_source"))
    print(f"rebalance: {VARIABLE}={instruction!r} is no request of a shell; use one of {requests}", file=sys.stderr)
    return 2
