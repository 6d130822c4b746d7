"""Failures on Spark in one sentence; Spark's own messages fill a page and begin with what is no help."""

import re

from rebalance_proofs.proofs.limit import OutOfTime

__all__ = ["said"]

_FRAME = re.compile(
    r'^  File "(?P<file>.*)", line (?P<line>\d+), in (?P<name>.*)\n(?:(?:    |  \[).*\n)*', re.MULTILINE
)
_LIMIT = f"{OutOfTime.__module__}.{OutOfTime.__name__}: "


def said(error: Exception) -> str:
    """The exception of Python code in an executor, and its place; for any other error the first line of its text."""
    text = f"{error}\n"
    *_, last = [None, *_FRAME.finditer(text)]
    if last is None:
        first = next((line for line in text.splitlines() if line.strip()), type(error).__name__)
        return f"Spark failed: {first.strip()[:300]}"
    raised = " ".join(text[last.end() :].partition("\n\n")[0].split())[:300]
    if raised.startswith(_LIMIT):
        return raised.removeprefix(_LIMIT)
    return f"code failed that Spark ran: {raised} ({last['name']} in {last['file']}, line {last['line']})"
