"""A program of its own: becomes the command that it is given, and is killed when the process that started it ends.

    python starter.py PARENT COMMAND...

The kernel keeps the promise across ``exec`` on Linux (``PR_SET_PDEATHSIG``). Elsewhere only the keeper does.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(parent: str, *command: str) -> None:
    """Does not return."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != int(parent):  # it ended before that
            os._exit(1)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


if __name__ == "__main__":
    main(*sys.argv[1:])
