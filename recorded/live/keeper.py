"""Helper process that owns a temporary folder, and removes it when its parent process ends.

    python keeper.py

It prints the path of the new folder. Lines on standard input report started process groups (``+123``) and ended ones
(``-123``). At the end of the input, remaining groups are killed.
"""

import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress

PATIENCE = 10.0
"""Seconds within which killed processes must have ended."""


def main() -> None:
    """Run until standard input ends, then kill the remaining processes and remove the folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    try:
        folder = tempfile.mkdtemp(prefix="rebalance-record-")
    except OSError:
        return  # the parent reports the missing folder
    groups: set[int] = set()
    try:
        print(folder, flush=True)
        for line in sys.stdin:
            (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    finally:
        for group in groups:
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while any(_is_there(group) for group in groups) and time.monotonic() < end:
            time.sleep(0.05)
        shutil.rmtree(folder, ignore_errors=True)


def _is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
