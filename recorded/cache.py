"""The cache folder of downloaded releases, and how tools fill it."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

CACHE = "REBALANCE_CACHE"
"""Environment variable that names another cache folder."""


def cache() -> Path:
    """Folder with a folder of jars for each release: ``$REBALANCE_CACHE``, or in the user's cache folder."""
    named = os.environ.get(CACHE)
    if named:
        return Path(named).absolute()
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "rebalance-proofs" / "releases"


def place(folder: Path, make: Callable[[Path], Path], is_complete: Callable[[], bool]) -> None:
    """Put a folder into the cache in one step, so that no process sees a part of it.

    ``make`` gets a scratch folder in the cache, and returns the folder to move to ``folder``. Another process may be
    faster: then ``is_complete`` returns True for its folder, which stays. Raises ``OSError``.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".", dir=folder.parent, ignore_cleanup_errors=True) as scratch:
        made = make(Path(scratch))
        try:
            made.rename(folder)
        except OSError:
            if not is_complete():
                raise


def refusal(folder: Path, error: OSError) -> str:
    """Return why a folder cannot be put into the cache, and what to do, to follow ``... the cache``."""
    return f"{str(folder.parent)!r}: {error.strerror or error}; set {CACHE} to a folder that you can write"


def ran(
    words: Sequence[str], seconds: float, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a tool without input; its standard output also has its errors.

    ``seconds`` is its time limit. Raises ``OSError``, and ``subprocess.TimeoutExpired``.
    """
    return subprocess.run(
        words,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
    )
