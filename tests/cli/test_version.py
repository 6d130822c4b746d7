"""The version of an installation, of a checkout, and of neither."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import rebalance_proofs
from rebalance_proofs.version import UNKNOWN, installed, of_checkout
from tests.faults.tree import ROOT

STATED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_version_is_the_one_that_pyproject_states(call):
    assert rebalance_proofs.__version__ == of_checkout(ROOT) == STATED
    assert call("--version").out == f"rebalance, version {STATED}\n"


def test_another_name_of_the_package_is_not_there():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = rebalance_proofs.nonsense


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('[project]\nname = "rebalance-proofs"\nversion = "9.8"\n', "9.8"),
        ('[project]\nname = "another"\nversion = "9.8"\n', None),
        ('[project]\nname = "rebalance-proofs"\n', None),
        ("[tool]\n", None),
        ("[project\n", None),
    ],
)
def test_version_of_a_checkout_is_its_own(text, version, tmp_path):
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert of_checkout(tmp_path) == version


def test_folder_without_a_project_has_no_version(tmp_path):
    assert of_checkout(tmp_path) is None


def test_missing_installation_has_no_version(monkeypatch):
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert installed() is None


def copied(place: Path, *, project: bool) -> str:
    """What a copy of the package says of itself, run without any installation."""
    shutil.copytree(ROOT / "rebalance_proofs", place / "rebalance_proofs", symlinks=True)
    shutil.copytree(ROOT / "cli", place / "cli")
    if project:
        shutil.copy(ROOT / "pyproject.toml", place)
    code = "import rebalance_proofs; print(rebalance_proofs.__version__)"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    called = subprocess.run(  # -S: nothing that is installed is seen
        [sys.executable, "-S", "-c", code], cwd=place, env=environment, capture_output=True, encoding="utf-8"
    )
    return called.stdout.strip() or called.stderr


def test_checkout_that_is_not_installed_has_its_version(tmp_path):
    assert copied(tmp_path, project=True) == STATED


def test_copy_without_project_and_installation_is_unknown(tmp_path):
    assert copied(tmp_path, project=False) == UNKNOWN
