"""Every distribution that the package imports is declared; a seeded fault is noticed."""

import shutil
from pathlib import Path

import pytest

from tests.packaging.build import ROOT
from tests.packaging.declared import imported, require_declared
from tests.packaging.problem import Problem


def test_each_imported_distribution_is_declared():
    assert require_declared(ROOT) >= 13


def test_imports_are_found_wherever_they_are():
    found = imported(ROOT)
    assert found["typing_extensions"] == "model/terms/smt.py"
    assert {"pyspark", "z3", "cvc5", "markupsafe"} <= found.keys()
    assert not {"json", "rebalance_proofs", "_typeshed"} & found.keys()


def project(place: Path, *dependencies: str, source: str) -> Path:
    """A project with these dependencies, and one module."""
    (place / "cli").mkdir()
    (place / "cli" / "module.py").write_text(source, encoding="utf-8")
    (place / "pyproject.toml").write_text(f"[project]\ndependencies = {[*dependencies]}\n", encoding="utf-8")
    return place


@pytest.mark.parametrize(
    "source",
    [
        "import yaml",
        "import json, yaml.nodes as nodes",
        "from yaml import safe_load",
        "def f():\n    from yaml.nodes import Node",
        "try:\n    import yaml\nexcept ImportError:\n    yaml = None",
        "import importlib\nimportlib.import_module('yaml')",
    ],
)
def test_undeclared_import_is_noticed(source, tmp_path):
    with pytest.raises(Problem, match=r"^cli/module\.py imports yaml; pyproject\.toml does not declare pyyaml$"):
        require_declared(project(tmp_path, source=source))
    assert require_declared(project_again(tmp_path, "PyYAML>=6")) == 1


def project_again(place: Path, *dependencies: str) -> Path:
    """The same project with other dependencies."""
    (place / "pyproject.toml").write_text(f"[project]\ndependencies = {[*dependencies]}\n", encoding="utf-8")
    return place


def test_undeclared_import_in_a_copy_of_the_package_is_noticed(tmp_path):
    shutil.copytree(ROOT / "model", tmp_path / "model")
    shutil.copytree(ROOT / "cli", tmp_path / "cli")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / "pyproject.toml"
    line = '    "typing_extensions>=4.10", # TypeIs\n'
    assert line in path.read_text(encoding="utf-8")
    path.write_text(path.read_text(encoding="utf-8").replace(line, ""), encoding="utf-8")
    with pytest.raises(Problem, match=r"smt\.py imports typing_extensions; pyproject\.toml does not declare"):
        require_declared(tmp_path)


def test_module_of_no_distribution_is_noticed(tmp_path):
    with pytest.raises(Problem, match="imports nothing_has_it, which no installed distribution provides"):
        require_declared(project(tmp_path, source="import nothing_has_it"))


def test_dependency_that_nothing_imports_is_noticed(tmp_path):
    with pytest.raises(Problem, match="declares pyyaml, which the package does not import"):
        require_declared(project(tmp_path, "PyYAML>=6", source="from . import other"))
