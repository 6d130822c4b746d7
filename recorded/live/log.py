"""The driver's own recording: what it did, and when."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path


class Log:
    """Writer of ``driver.jsonl``; may be used by several threads."""

    def __init__(self, path: Path, told: Callable[[str], None]) -> None:
        self._file = path.open("w", encoding="utf-8", buffering=1)
        self._told = told
        self._lock = threading.Lock()
        self._start = time.time()

    def say(self, event: str, **more: object) -> None:
        """Record an action; keys without a value are omitted."""
        found = {key.rstrip("_"): value for key, value in more.items() if value is not None}
        with self._lock:
            at = time.time()
            line = {"at": int(at * 1000), "who": "driver", "ev": event, **found}
            self._file.write(json.dumps(line) + "\n")
        words = " ".join(f"{key}={value}" for key, value in found.items() if value != {})
        self._told(f"{at - self._start:7.1f} s  {event} {words}".rstrip())

    def close(self) -> None:
        """Close the recording file."""
        self._file.close()
