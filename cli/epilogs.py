"""Closing paragraphs of help texts: claim patterns and exit statuses."""

from rebalance_proofs.language import later

CLAIMS = (
    "Each of CLAIMS is a claim id from `rebalance list`, or the name of a strategy, client version or guarantee. In "
    "an id, * matches any text without a dot. A final .** matches every id below, and so does a final .* that "
    "matches no id itself. Put patterns in quotes. Without CLAIMS, the command uses all claims."
)
"""Paragraph for commands that take claims: how to name them."""
WRONG = later("the call or its input is wrong, or the run was interrupted")
HEAD = later("Exit status:")
PRINTED = later("the command printed its answer")
ENDED = (
    "129  ended by SIGHUP",
    "141  ended by a closed pipe: the reader of the output stopped",
    "143  ended by SIGTERM",
)


def statuses(success: str, failure: str = "", *more: str) -> str:
    """Return the exit statuses as a list whose lines click does not join.

    ``success`` and ``failure`` explain the statuses 0 and 1. ``more`` are further lines, each with its status.
    """
    rows = [f"0    {success}", *[f"1    {failure}"] * bool(failure), f"2    {WRONG}", *more]
    return "\n".join(["\b", HEAD, *(f"  {row}" for row in rows)])


ANSWERED = statuses(PRINTED)
"""Exit statuses of commands whose answer is neither success nor failure."""
STATUS = statuses("everything is as expected", "something is not as expected", *ENDED)
"""Exit statuses of runs that judge claims."""
EVERY = statuses(
    "everything is as expected", "something is not as expected", "3    audit: the logs contain no evidence", *ENDED
)
"""Exit statuses of all commands together, for the help of the command group."""
