"""The answer to a shell: its script, or the completions of a line."""

from click.shell_completion import BashComplete, add_completion_class, shell_complete

from rebalance_proofs.cli.completion import VARIABLE
from rebalance_proofs.cli.completion.written import group

__all__ = ["Bash", "answer"]


class Bash(BashComplete):
    """Completion for bash, which takes the ``=`` of ``--option=value`` for a word of its own."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the cursor, and the word at it."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], "" if incomplete == "=" else incomplete


def answer(instruction: str) -> int:
    """Print what the shell asks for, such as ``bash_source`` or ``zsh_complete``; the exit status, 1 if unknown."""
    add_completion_class(Bash)
    return shell_complete(group(), {}, "rebalance", VARIABLE, instruction)
