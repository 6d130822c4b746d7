"""State of a folder, to check that nothing in it has changed."""

import os
from pathlib import Path


def snapshot(root: Path) -> dict[str, tuple]:
    """Every entry below ``root``, and ``root`` itself: kind and mode, time of change, content or target."""
    found = {}
    for path in (root, *root.rglob("*")):
        status = path.lstat()
        holds = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[str(path.relative_to(root))] = (status.st_mode, status.st_ino, status.st_mtime_ns, holds)
    return found
