"""The installed command is complete: a wheel in an otherwise empty directory."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from rebalance_proofs.recorded.files import OWN
from tests.faults.anchors import PARTS, ROOT

COMMAND = ("-m", "rebalance_proofs")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A directory with an installed wheel of this tree; building leaves nothing in the tree itself."""
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    for name in ("rebalance_proofs", *PARTS):
        shutil.copytree(ROOT / name, source / name, symlinks=True)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    called = subprocess.run(
        [sys.executable, "-c", BUILD, str(place)], cwd=source, capture_output=True, encoding="utf-8", check=False
    )
    assert called.returncode == 0, called.stderr
    (wheel,) = place.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place / "installed")
    return place / "installed"


def test_package_contains_the_recorded_results(installed):
    files = {path.relative_to(OWN) for path in OWN.rglob("*") if path.is_file()}
    there = installed / "rebalance_proofs" / "recorded" / "vectors"
    assert files == {path.relative_to(there) for path in there.rglob("*") if path.is_file()}
    assert len(files) == 24


def test_package_has_one_name_and_every_subpackage(installed):
    (package,) = (path for path in installed.iterdir() if path.suffix != ".dist-info")
    assert package.name == "rebalance_proofs"
    own = {path.name for path in (ROOT / "rebalance_proofs").glob("*.py")}
    assert sources(package) == own | {f"{part}/{name}" for part in PARTS for name in sources(ROOT / part)}


def sources(package: Path) -> set[str]:
    return {path.relative_to(package).as_posix() for path in package.rglob("*.py")}


IMPORTED = """
import importlib, pkgutil, sys
import rebalance_proofs
for module in pkgutil.walk_packages(rebalance_proofs.__path__, "rebalance_proofs."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
files = [module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None)]
ours = [file for file in files if "/rebalance_proofs/" in file]
print(len(ours) > 400, len(ours) == len(set(ours)), all(file.startswith(sys.argv[1]) for file in ours))
"""


def test_no_file_is_imported_under_two_names(installed, tmp_path):
    assert called(installed, tmp_path, "-c", IMPORTED, str(installed)).stdout == "True True True\n"


def test_user_modules_with_the_same_names_do_not_interfere(installed, tmp_path):
    for part in PARTS:
        (tmp_path / part).mkdir()
        (tmp_path / part / "__init__.py").write_text("raise AssertionError", encoding="utf-8")
    said = called(installed, tmp_path, *COMMAND, "prove", "allocation.avg.disjoint", "--json", path=[tmp_path])
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout)["claims"]


def test_installed_conform_runs_in_an_empty_directory(installed, tmp_path):
    said = called(installed, tmp_path, *COMMAND, "conform", "--json")
    assert said.returncode == 0, said.stderr
    results = json.loads(said.stdout)
    assert results["options"]["vectors"] == str(installed / "rebalance_proofs" / "recorded" / "vectors")
    assert results["conformance"]["checks"] == 13125
    assert list(tmp_path.iterdir()) == []


def called(
    installed: Path, place: Path, *arguments: str, path: Sequence[Path] = ()
) -> subprocess.CompletedProcess[str]:
    """Python in an empty directory, with the installed package after what else is on the path."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=place,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*path, installed]))},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
