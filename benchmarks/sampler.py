"""Where the main thread's processor time goes, by stages that files and functions stand for."""

import sys
import threading
from collections import Counter
from collections.abc import Mapping
from time import clock_gettime, pthread_getcpuclockid
from types import FrameType, TracebackType

INTERVAL = 0.005
"""Seconds from one look at the main thread to the next."""
OTHER = "other"


class Sampler:
    """A context manager; ``seconds`` has the main thread's processor seconds in its body, by stage.

    ``stages``: (end of a file's path, function or empty for all of the file) -> stage. Of the frames in the call stack
    the innermost that is listed counts.
    """

    def __init__(self, stages: Mapping[tuple[str, str], str]) -> None:
        self.seconds: Counter[str] = Counter()
        self._stages, self._known = stages, dict[object, str | None]()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Sampler":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        main = threading.main_thread().ident
        assert main is not None
        clock = pthread_getcpuclockid(main)
        before = clock_gettime(clock)
        while not self._ended.wait(INTERVAL):
            now, frame = clock_gettime(clock), sys._current_frames().get(main)
            self.seconds[self._stage(frame)] += now - before
            before = now

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
