"""One-sentence reports of failures on Spark.

Spark's own messages are a page long and start with irrelevant text.
"""

import re

from rebalance_proofs.proofs.limit import OutOfTime

_FRAME = re.compile(
    r'^  File "(?P<file>.*)", line (?P<line>\d+), in (?P<name>.*)\n(?:(?:    |  \[).*\n)*', re.MULTILINE
)
_LIMIT = f"{OutOfTime.__module__}.{OutOfTime.__name__}: "


def said(error: Exception) -> str:
    """Return one sentence about the failure.

    For an exception of Python code in an executor, it has the exception and its line; otherwise the first line of the
    error's text.
    """
    text = f"{error}\n"
    *_, last = [None, *_FRAME.finditer(text)]
    if last is None:
        first = next((line for line in text.splitlines() if line.strip()), type(error).__name__)
        return f"Spark failed: {first.strip()[:300]}"
    raised = " ".join(text[last.end() :].partition("\n\n")[0].split())[:300]
    if raised.startswith(_LIMIT):
        return raised.removeprefix(_LIMIT)
    return f"Python code failed on Spark: {raised} ({last['name']} in {last['file']}, line {last['line']})"
