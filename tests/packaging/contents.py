"""Comparison of the files of a tree, of its source distribution and of its wheel."""

import tarfile
import zipfile
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from tests.faults.anchors import PARTS
from tests.packaging.problem import Problem

NOT_SHIPPED = ("recorded/jar/java/api/*", "recorded/live/java/api/*", "recorded/logs/*.gz", "recorded/logs/README.md")
"""Files of the package's folders that only the tests and ``make java`` use."""
MADE = ("PKG-INFO", "setup.cfg", "rebalance_proofs.egg-info/*")
"""What setuptools adds to a source distribution."""
LICENCE = "licenses/LICENSE"


def files(tree: Path) -> dict[str, bytes]:
    """Content of each file of a copied tree; links are files that hold their target."""
    paths = (path for path in tree.rglob("*") if path.is_symlink() or path.is_file())
    return {
        path.relative_to(tree).as_posix(): bytes(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in paths
    }


def of_sdist(archive: Path) -> dict[str, bytes]:
    """Content of each file of a source distribution, without its folder; links as in ``files``."""
    with tarfile.open(archive) as packed:
        found = {}
        for member in packed:
            name = PurePosixPath(*PurePosixPath(member.name).parts[1:]).as_posix()
            if member.issym():
                found[name] = member.linkname.encode()
            elif (content := packed.extractfile(member)) is not None:
                found[name] = content.read()
    return {name: content for name, content in found.items() if not _matches(name, MADE)}


def of_wheel(archive: Path) -> dict[str, bytes]:
    """Content of each file of a wheel."""
    with zipfile.ZipFile(archive) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def require_same(what: str, expected: dict[str, bytes], found: dict[str, bytes]) -> None:
    """Raises ``Problem`` unless both have the same files with the same content."""
    for names, how in (
        (expected.keys() - found.keys(), "lacks"),
        (found.keys() - expected.keys(), "has besides"),
        ({name for name in expected.keys() & found.keys() if expected[name] != found[name]}, "has otherwise"),
    ):
        if names:
            raise Problem(f"{what} {how} {_listed(names)}")


def require_sdist(tree: Path, archive: Path) -> None:
    """Raises ``Problem`` unless the source distribution is the tree."""
    require_same("the source distribution", files(tree), of_sdist(archive))


def require_wheel(tree: Path, archive: Path) -> None:
    """Raises ``Problem`` unless the wheel is the package with its data, and the licence."""
    found = of_wheel(archive)
    package = {name: content for name, content in found.items() if ".dist-info/" not in name}
    expected = {
        f"rebalance_proofs/{name}": content
        for name, content in files(tree).items()
        if name.split("/")[0] in PARTS and not _matches(name, NOT_SHIPPED)
    }
    own = tree / "rebalance_proofs"
    for path in (*own.glob("*.py"), *own.glob("py.typed"), *(own / "locale").rglob("*.?o")):
        expected[path.relative_to(tree).as_posix()] = path.read_bytes()
    require_same("the wheel", expected, package)
    if not [name for name in found if name.endswith(LICENCE)]:
        raise Problem(f"the wheel lacks {LICENCE}")


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _listed(names: Iterable[str], most: int = 5) -> str:
    every = sorted(names)
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")
