"""Helper process that becomes the given command and is killed when its parent ends.

    python starter.py PARENT COMMAND...

On Linux the kernel guarantees this across ``exec`` (``PR_SET_PDEATHSIG``). Elsewhere only the keeper does it.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(parent: str, *command: str) -> None:
    """Replace this process by the command; this function never returns."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != int(parent):  # the parent has already ended
            os._exit(1)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


if __name__ == "__main__":
    main(*sys.argv[1:])
