"""What is installed is whole: the command of a wheel, in a directory with nothing else."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from model.conformance import OWN
from tests.faults.tree import ROOT, copied

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A directory with what a wheel of this tree puts into one; building it leaves nothing in the tree itself."""
    place = tmp_path_factory.mktemp("wheel")
    source = copied(ROOT, place / "source")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    called = subprocess.run(
        [sys.executable, "-c", BUILD, str(place)], cwd=source, capture_output=True, text=True, check=False
    )
    assert called.returncode == 0, called.stderr
    (wheel,) = place.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place / "installed")
    return place / "installed"


def test_the_recorded_results_are_in_the_package(installed):
    files = {path.relative_to(OWN) for path in OWN.rglob("*") if path.is_file()}
    there = installed / "model" / "recorded"
    assert files == {path.relative_to(there) for path in there.rglob("*") if path.is_file()}
    assert len(files) == 23


def test_they_are_compared_from_an_empty_directory(installed, tmp_path):
    called = subprocess.run(
        [sys.executable, "-m", "cli", "conform", "--json"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert called.returncode == 0, called.stderr
    results = json.loads(called.stdout)
    assert results["options"]["vectors"] == str(installed / "model" / "recorded")
    assert results["conformance"]["checks"] == 11424
    assert list(tmp_path.iterdir()) == []
