"""Ends of help texts."""

CLAIMS = (
    "CLAIMS are ids, as `rebalance list` shows them, or names of strategies, clients and guarantees; * stands for any "
    "text without a dot, a trailing .** for everything below, and so does .* where no id ends there. Quote them. "
    "All claims, unless told."
)
"""End of the help text of commands that take claims."""
STATUS = (
    "Exit status: 0 all as expected, 1 something is not, 2 the call or its input was wrong or the run was ended, "
    "3 the input has no evidence; "
    "143 ended by SIGTERM, 129 by SIGHUP, 141 by a closed pipe."
)
"""End of the help text of every command."""
