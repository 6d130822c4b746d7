"""The build backend: setuptools, but with symbolic links in the source distribution.

``rebalance_proofs/`` contains links to the folders beside it. setuptools follows them, and would pack each file twice.
"""

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from time import time
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # a frontend asks for the other hooks by name

PACKAGE = "rebalance_proofs"


def build_sdist(sdist_directory: str, config_settings: Mapping[str, Any] | None = None) -> str:
    """Build the source distribution, with links instead of second copies. Return the name of its archive."""
    name: str = build_meta.build_sdist(sdist_directory, config_settings)
    links = {path.name: path.readlink() for path in sorted(Path(PACKAGE).iterdir()) if path.is_symlink()}
    relink(Path(sdist_directory) / name, links)
    return name


def relink(archive: Path, links: Mapping[str, Path]) -> None:
    """Replace the files below ``rebalance_proofs/<name>`` in the archive by a link, for each name in ``links``."""
    packed = io.BytesIO()
    with tarfile.open(archive) as source, tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as made:
        for member in source:
            parts = PurePosixPath(member.name).parts
            if not (len(parts) > 2 and parts[1] == PACKAGE and parts[2] in links):
                made.addfile(member, source.extractfile(member) if member.isfile() else None)
        for name, target in links.items():
            link = tarfile.TarInfo(f"{archive.name.removesuffix('.tar.gz')}/{PACKAGE}/{name}")
            link.type, link.linkname, link.mode, link.mtime = tarfile.SYMTYPE, target.as_posix(), 0o777, time()
            made.addfile(link)
    archive.write_bytes(packed.getvalue())
