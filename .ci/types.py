"""Checks the types of the packages, by the names that an installation gives them.

The folders are packages of `rebalance_proofs` by pyproject.toml alone, which no type checker reads: it is shown a
folder of links, made anew each time. What it says is told of the files themselves.
"""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINKS = Path("build/types")
NAME = "rebalance_proofs"


def main() -> int:
    """The exit status of the first checker that finds something; 0 when none does."""
    shutil.rmtree(ROOT / LINKS, ignore_errors=True)
    rooms = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
    shown = ROOT / LINKS / NAME
    shown.mkdir(parents=True)
    for file in (ROOT / NAME).glob("*.py"):
        (shown / file.name).symlink_to(file)
    for package, folder in rooms.items():
        (shown / package.removeprefix(f"{NAME}.")).symlink_to(ROOT / folder)
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "-p", NAME], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    for line in said.stdout.splitlines():
        print(_of_the_file(line))
    return said.returncode or _stubs()


def _of_the_file(line: str) -> str:
    """``build/types/rebalance_proofs/model/group.py:7: ...`` is about ``model/group.py``."""
    path, colon, rest = line.partition(":")
    if colon and Path(path).is_relative_to(LINKS):
        path = str((ROOT / path).resolve().relative_to(ROOT.resolve()))
    return path + colon + rest


def _stubs() -> int:
    """Whether ``stubs/`` says what the installed packages are; of what it leaves out it need not say anything."""
    stubs = ROOT / "stubs"
    packages = sorted(found.name for found in stubs.iterdir() if found.is_dir())
    options = ["--ignore-missing-stub", "--concise", "--mypy-config-file", "pyproject.toml"]
    options += ["--allowlist", str(stubs / "not-compared.txt")]
    return subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *options, *packages], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
