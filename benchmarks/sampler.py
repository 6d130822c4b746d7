"""Where the main thread's processor time goes, by stages that files and functions stand for."""

import signal
from collections import Counter
from collections.abc import Mapping
from time import thread_time
from types import FrameType, TracebackType

INTERVAL = 0.005
"""Seconds of the process's user time from one look at the call stack to the next."""
OTHER = "other"


class Sampler:
    """A context manager of the main thread; ``seconds`` has its processor seconds in the body, by stage.

    ``stages``: (end of a file's path, function or empty for all of the file) -> stage. Of the frames in the call stack
    the innermost that is listed counts.

    It looks from a handler of SIGVTALRM, as ``proofs.limit`` has SIGPROF. Another thread that looked would now and then
    be the last that knows a frame, and free terms of Z3 in it while the main thread is inside Z3, which is not meant
    for two threads.
    """

    def __init__(self, stages: Mapping[tuple[str, str], str]) -> None:
        self.seconds: Counter[str] = Counter()
        self._stages, self._known = stages, dict[object, str | None]()
        self._before = 0.0

    def __enter__(self) -> "Sampler":
        self._handler = signal.signal(signal.SIGVTALRM, self._look)
        self._before = thread_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, INTERVAL, INTERVAL)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, self._handler)

    def _look(self, number: int, frame: FrameType | None) -> None:
        now = thread_time()
        self.seconds[self._stage(frame)] += now - self._before
        self._before = now

    def _stage(self, frame: FrameType | None) -> str:
        while frame is not None:
            code = frame.f_code
            if code not in self._known:
                self._known[code] = self._listed(code.co_filename, code.co_qualname)
            if (stage := self._known[code]) is not None:
                return stage
            frame = frame.f_back
        return OTHER

    def _listed(self, file: str, function: str) -> str | None:
        return next(
            (stage for (end, name), stage in self._stages.items() if file.endswith(end) and name in ("", function)),
            None,
        )
