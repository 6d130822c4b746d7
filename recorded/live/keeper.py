"""A program of its own: has a folder, and removes it when the process that started it has ended, however that did.

    python keeper.py

Tells the folder that it has made. Lines on its standard input say which process groups have begun (``+123``) and which
are over (``-123``): those that are left when the input ends are killed.
"""

import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress

PATIENCE = 10.0
"""Seconds within which killed processes have to be gone."""


def main() -> None:
    """Returns when everything is gone."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    try:
        folder = tempfile.mkdtemp(prefix="rebalance-record-")
    except OSError:
        return  # whoever reads no folder says so
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
