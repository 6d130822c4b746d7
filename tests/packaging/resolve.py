"""Resolution of the dependencies for a version of Python, by uv."""

import os
import subprocess
import sys
import tempfile
from importlib.metadata import requires
from pathlib import Path

from tests.packaging.problem import Problem

FROM_SOURCE = "pyspark"
"""The one dependency that is published without wheels; it needs no compiler."""


def metadata() -> str:
    """Configuration of uv: the needs of what has no wheel, which uv would otherwise download whole to ask."""
    needs = [line for line in requires(FROM_SOURCE) or () if "extra ==" not in line]
    return f'[[dependency-metadata]]\nname = "{FROM_SOURCE}"\nrequires-dist = {needs}\n'


class Resolver:
    """Resolves the dependencies of a tree; ``cache`` is a folder for downloads."""

    def __init__(self, tree: Path, cache: Path, uv: Path | None = None) -> None:
        self._tree, self._cache, self._uv = tree, cache, uv or Path(sys.executable).with_name("uv")

    def resolved(self, version: str, *, lowest: bool = False) -> list[str]:
        """Pinned requirements, each with a wheel for that Python. Raises ``Problem``.

        ``lowest``: the lowest versions that pyproject.toml allows, and the newest otherwise.
        """
        if not self._uv.exists():
            raise Problem("uv is not installed (extra: package)")
        words = ["--only-binary", ":all:", "--no-binary", FROM_SOURCE, "--python-version", version]
        words += ["--resolution", "lowest-direct" if lowest else "highest", "--no-header", "--no-annotate"]
        with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as configuration:
            configuration.write(metadata())
            configuration.flush()
            called = subprocess.run(
                [self._uv, "pip", "compile", "--quiet", "--config-file", configuration.name, *words, "pyproject.toml"],
                cwd=self._tree,
                env=os.environ | {"UV_CACHE_DIR": str(self._cache), "UV_PYTHON": sys.executable},
                capture_output=True,
                encoding="utf-8",
            )
        if called.returncode:
            why = " ".join(called.stderr.replace("╰─▶", "").replace("×", "").split())
            raise Problem(f"the dependencies do not resolve for Python {version}: {why}")
        return called.stdout.split()
