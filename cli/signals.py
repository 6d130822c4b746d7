"""Handling of Ctrl-C, SIGTERM and SIGHUP. Imported first, so it loads next to nothing."""

import os
import signal
from types import FrameType

from rebalance_proofs.cli.ending import ENDING, SIGNALS


def listen() -> None:
    """Let these signals end the run in order from now on; ignored ones, as under nohup, stay ignored."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _arrived)


def ignore() -> None:
    """Ignore these signals, because the process is about to end anyway."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _arrived(number: int, frame: FrameType | None) -> None:
    cause = SIGNALS[signal.Signals(number)]
    if ENDING.begun:
        ENDING.arrive(cause)
        return
    # an exception here would go through imports, some of which swallow or change it
    try:
        os.write(2, f"rebalance: {cause.ended}\n".encode())
    finally:
        os._exit(cause.status)
