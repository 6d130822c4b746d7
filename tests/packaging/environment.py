"""An environment that holds a wheel and its dependencies alone."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.packaging.problem import Problem

IMPORT = """
import importlib, importlib.metadata, json
failed, number = {}, 0
for path in importlib.metadata.files("rebalance-proofs"):
    if path.suffix == ".py" and path.name != "__main__.py":
        parts = path.with_suffix("").parts
        number += 1
        try:
            importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        except BaseException as error:
            failed[str(path)] = f"{type(error).__name__}: {error}"
print(json.dumps([number, failed]))
"""
COMMANDS = """
import json, click
from rebalance_proofs.cli.main import cli
def paths(command, before):
    yield before
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from paths(command.get_command(context, name), [*before, name])
print(json.dumps(list(paths(cli, []))))
"""
CLAIM = "allocation.avg.idle"


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and an empty folder in which its commands run."""

    folder: Path
    empty: Path

    @classmethod
    def made(cls, python: Path, wheel: Path, place: Path, pins: Sequence[str] = ()) -> "Environment":
        """Make one with that Python in ``place``; pip picks the newest dependencies, except ``pins``.

        Raises ``Problem``.
        """
        made = cls(place / "environment", place / "empty")
        made.empty.mkdir(parents=True)
        _require([str(python), "-m", "venv", "--without-pip", str(made.folder)], made.empty, "venv")
        # This environment's pip: to install another one into each new environment takes longer than all the rest.
        pip = [sys.executable, "-m", "pip", "--python", made.program("python"), "install"]
        options = ["--quiet", "--no-compile", "--disable-pip-version-check"]
        _require([*pip, *options, str(wheel), *pins], made.empty, "pip install")
        return made

    def program(self, name: str) -> str:
        """Path of a program of the environment."""
        return str(self.folder / "bin" / name)

    def import_all(self) -> int:
        """Import every module of the installed package; returns their number. Raises ``Problem``."""
        number, failed = json.loads(self._python(IMPORT).splitlines()[-1])
        if failed:
            path, why = next(iter(failed.items()))
            raise Problem(f"{len(failed)} of {number} modules cannot be imported; {path}: {why}")
        return int(number)

    def help_of_all(self) -> int:
        """Ask every command for its help; returns their number. Raises ``Problem``."""
        commands: list[list[str]] = json.loads(self._python(COMMANDS))
        with ThreadPoolExecutor(2) as pool:
            for words, said in zip(commands, pool.map(lambda words: self.run(*words, "--help"), commands), strict=True):
                if not said.startswith(f"Usage: {' '.join(['rebalance', *words])}"):
                    raise Problem(f"rebalance {' '.join(words)} --help does not begin with its usage")
        return len(commands)

    def version(self, expected: str) -> None:
        """Ask for the version. Raises ``Problem`` unless it is the expected one, in both places."""
        said = {
            self.run("--version").split()[-1],
            self._python("import rebalance_proofs; print(rebalance_proofs.__version__)").strip(),
        }
        if said != {expected}:
            raise Problem(f"the version is {expected}, and the wheel says {' and '.join(sorted(said))}")

    def judge(self, *, spark: bool) -> str:
        """Have one claim judged: by both solvers, or by every witness. Returns the command. Raises ``Problem``."""
        words = ["verify", "--quick"] if spark else ["prove"]
        self.run(*words, CLAIM, "--output", "run", "--overwrite")
        return " ".join(["rebalance", *words, CLAIM])

    def run(self, *words: str) -> str:
        """Output of ``rebalance``. Raises ``Problem`` if it fails."""
        return _require([self.program("rebalance"), *words], self.empty, " ".join(["rebalance", *words]))

    def _python(self, code: str) -> str:
        return _require([self.program("python"), "-c", code], self.empty, "Python")


def _require(words: Sequence[str], folder: Path, what: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "REBALANCE"))}
    called = subprocess.run(words, cwd=folder, env=kept, capture_output=True, encoding="utf-8")
    if called.returncode:
        lines = called.stderr.strip().splitlines() or called.stdout.strip().splitlines()
        raise Problem(f"{what} fails: {lines[-1] if lines else f'status {called.returncode}'}")
    return called.stdout
