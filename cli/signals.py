"""Ctrl-C, SIGTERM and SIGHUP. Loads next to nothing: it comes first."""

import os
import signal
from types import FrameType

from rebalance_proofs.cli.ending import ENDING, SIGNALS


def listen() -> None:
    """Has these signals end the run in order, from now on; one that is ignored, as under nohup, stays so."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _arrived)


def ignore() -> None:
    """The process is ending by itself."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _arrived(number: int, frame: FrameType | None) -> None:
    cause = SIGNALS[signal.Signals(number)]
    if ENDING.begun:
        ENDING.arrive(cause)
        return
    # an exception would meet imports, some of which make another error of it, or swallow it
    try:
        os.write(2, f"rebalance: {cause.ended}\n".encode())
    finally:
        os._exit(cause.status)
