"""Handling of Ctrl-C, SIGTERM and SIGHUP.

This module is imported first, so it imports very little.
"""

import os
import signal
from types import FrameType

from rebalance_proofs.cli.ending import ENDING, SIGNALS


def listen() -> None:
    """Handle Ctrl-C, SIGTERM and SIGHUP from now on, so that the run ends in order.

    Signals that nohup ignores stay ignored.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _arrived)


def ignore() -> None:
    """Ignore Ctrl-C, SIGTERM and SIGHUP, because the process is about to end."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _arrived(number: int, frame: FrameType | None) -> None:
    cause = SIGNALS[signal.Signals(number)]
    if ENDING.begun:
        ENDING.arrive(cause)
        return
    # an exception here would pass through imports, some of which swallow or change it
    try:
        os.write(2, f"rebalance: {cause.ended}\n".encode())
    finally:
        os._exit(cause.status)
