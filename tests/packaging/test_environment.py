"""Interpreters are found and wheels are run; seeded faults are noticed. Nothing is downloaded here."""

import sys
import zipfile
from pathlib import Path

import pytest

from tests.packaging.environment import Environment
from tests.packaging.problem import Problem
from tests.packaging.pythons import VERSIONS, at_hand
from tests.packaging.resolve import Resolver, metadata

MINE = "{}.{}".format(*sys.version_info)
METADATA = "Metadata-Version: 2.1\nName: rebalance-proofs\nVersion: {version}\n"
MAIN = """
import click
@click.group()
@click.version_option("0.1.0", prog_name="rebalance")
def cli(): pass
@cli.command()
def good(): pass
@cli.group()
def more(): pass
@more.command("deep")
def deep(): pass
def main(): cli(prog_name="rebalance")
"""


def packed(place: Path, version: str = "0.1.0", **modules: str) -> Path:
    """A wheel of the package's name, with these modules of ``cli``."""
    path = place / f"rebalance_proofs-{version}-py3-none-any.whl"
    info = f"rebalance_proofs-{version}.dist-info"
    content = {
        "rebalance_proofs/__init__.py": "__version__ = '0.1.0'\n",
        "rebalance_proofs/cli/__init__.py": "",
        "rebalance_proofs/cli/main.py": MAIN,
        **{f"rebalance_proofs/cli/{name}.py": text for name, text in modules.items()},
        f"{info}/METADATA": METADATA.format(version=version),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\nrebalance = rebalance_proofs.cli.main:main\n",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in content.items():
            archive.writestr(name, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in [*content, f"{info}/RECORD"]))
    return path


def installed(place: Path, **modules: str) -> Environment:
    """An environment with such a wheel, which borrows this environment's libraries."""
    made = Environment.made(Path(sys.executable), packed(place, **modules), place / "run")
    (library,) = (made.folder / "lib").glob("python*/site-packages")
    import click

    (library / "click.pth").write_text(str(Path(click.__file__).parents[1]), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Environment:
    return installed(tmp_path_factory.mktemp("good"))


@pytest.fixture(scope="module")
def bad(tmp_path_factory) -> Environment:
    """Two modules cannot be imported, and a command has no help."""
    main = MAIN.replace("@cli.command()\ndef good", "@cli.command(add_help_option=False)\ndef good")
    modules = {"broken": "import nothing_has_it\n", "ends": "raise SystemExit(0)\n", "main": main}
    return installed(tmp_path_factory.mktemp("bad"), **modules)


def test_all_modules_are_imported(good):
    assert good.import_all() == 3


def test_all_commands_are_found_at_every_depth(good):
    assert good.help_of_all() == 4


def test_another_version_is_noticed(good):
    good.version("0.1.0")
    with pytest.raises(Problem, match=r"^the version is 0\.2\.0, and the wheel says 0\.1\.0$"):
        good.version("0.2.0")


def test_command_that_fails_is_noticed(good):
    with pytest.raises(Problem, match=r"^rebalance prove .* fails: "):
        good.judge(spark=False)


def test_module_that_cannot_be_imported_is_noticed(bad):
    with pytest.raises(Problem, match=r"2 of 5 modules .*/cli/broken\.py: ModuleNotFoundError: .*'nothing_has_it'"):
        bad.import_all()


def test_help_that_fails_is_noticed(bad):
    with pytest.raises(Problem, match=r"^rebalance good --help fails: "):
        bad.help_of_all()


def test_wheel_that_cannot_be_installed_is_noticed(tmp_path):
    wheel = packed(tmp_path, version="9.9.9")
    wheel.write_bytes(wheel.read_bytes()[:100])
    with pytest.raises(Problem, match=r"^pip install fails: "):
        Environment.made(Path(sys.executable), wheel, tmp_path / "run")


def test_interpreter_on_path_is_found(tmp_path):
    (tmp_path / f"python{MINE}").symlink_to(sys.executable)
    assert at_hand(MINE, [tmp_path / "absent", tmp_path]) == tmp_path / f"python{MINE}"
    assert at_hand("3.2", [tmp_path]) is None


def test_interpreter_of_another_version_than_its_name_is_not_taken(tmp_path):
    other = next(version for version in VERSIONS if version != MINE)
    (tmp_path / f"python{other}").symlink_to(sys.executable)
    assert at_hand(other, [tmp_path]) is None


def test_interpreter_behind_a_shim_that_refuses_is_found(tmp_path):
    shim, real = tmp_path / "shims" / f"python{MINE}", tmp_path / "versions" / f"{MINE}.0" / "bin" / f"python{MINE}"
    for path in (shim, real):
        path.parent.mkdir(parents=True)
    shim.write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n", encoding="utf-8")
    shim.chmod(0o755)
    assert at_hand(MINE, [shim.parent]) is None
    real.symlink_to(sys.executable)
    assert at_hand(MINE, [shim.parent]) == real


def test_dependencies_that_do_not_resolve_are_noticed(tmp_path):
    uv = tmp_path / "uv"
    uv.write_text(
        "#!/bin/sh\necho '  × No solution found\n  ╰─▶ Because x has no wheels' >&2\nexit 1\n", encoding="utf-8"
    )
    uv.chmod(0o755)
    with pytest.raises(Problem, match=r"not resolve for Python 3\.14: No solution found Because x has no wheels$"):
        Resolver(tmp_path, tmp_path / "cache", uv).resolved("3.14")


def test_missing_uv_is_noticed(tmp_path):
    with pytest.raises(Problem, match="uv is not installed"):
        Resolver(tmp_path, tmp_path, tmp_path / "absent").resolved("3.14")


def test_spark_is_described_without_its_extras():
    assert metadata().splitlines()[1:] == ['name = "pyspark"', metadata().splitlines()[2]]
    assert "py4j" in metadata()
    assert "extra" not in metadata()
