"""Files for CI servers: where they are, and their shell steps, run as a server runs them.

Only commands that need the network are replaced: `python -m venv` makes a folder with this environment's `rebalance`
and a `pip` that only checks that what it is to install exists; `apt-get` installs nothing; `git clone` links the
checkout. Steps that are actions (`uses:`) are not run; a checkout of the project becomes a link.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "run-in-ci.md"
COPIED = PAGE.parent / "ci"
STRATEGY = "# .github/workflows/strategy.yml"
BLOCK = re.compile(r"^```yaml\n(# (\S+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 300
"""Longest time for one step, in s."""


def _files() -> Iterator[tuple[str, Any]]:
    texts = [text for text, _ in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
    for text in (*texts, *(path.read_text(encoding="utf-8") for path in sorted(COPIED.glob("*.yml")))):
        name = text.partition("\n")[0].removeprefix("# ")
        document = yaml.safe_load(text)
        # `on:` is a word of YAML 1.1 that means true, and GitHub reads YAML 1.2
        document = {"on" if key is True else key: value for key, value in document.items()}
        yield f"{name} {next(iter(document.get('jobs', document)))}", document


FILES: Mapping[str, Any] = dict(_files())
"""``.gitlab-ci.yml strategy`` -> content, by the name in the file's first line and the job."""
ACTION: Any = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

PYTHON = f"""#!/bin/bash
if [ "$1 $2" = "-m venv" ]; then
  mkdir -p "$3/bin"
  ln -s "$SHIMS/rebalance" "$3/bin/rebalance"
  ln -s "$SHIMS/pip" "$3/bin/pip"
else
  exec {sys.executable} "$@"
fi
"""
PIP = """#!/bin/bash
echo "pip $*" >> "$SHIMS/log"
for last; do :; done
case "$*" in
  *--requirement*) [ -s "$last" ] ;;
  *) [ -f "$last/pyproject.toml" ] ;;
esac
"""
GIT = f"""#!/bin/bash
echo "git $*" >> "$SHIMS/log"
for last; do :; done
ln -s {ROOT} "$last"
"""
LOGGED = """#!/bin/bash
echo "apt-get $*" >> "$SHIMS/log"
"""
REAL = f"""#!/bin/bash
echo "rebalance $*" >> "$SHIMS/log"
command=$1
shift
if [ "$command" = check ]; then set -- --queues 4 --consumers 4 "$@"; fi
exec {Path(sys.executable).parent}/rebalance "$command" "$@"
"""
"""``check`` gets small bounds, since it would take long otherwise."""


@dataclass(frozen=True)
class Machine:
    """A machine that jobs run on."""

    folder: Path

    @property
    def workspace(self) -> Path:
        """Folder in which jobs begin, with nothing in it but what a test puts there."""
        return self.folder / "workspace"

    @property
    def summary(self) -> str:
        """The job's summary, as on GitHub."""
        return (self.folder / "summary").read_text(encoding="utf-8")

    @property
    def outputs(self) -> dict[str, str]:
        """Outputs that steps have written, as on GitHub."""
        lines = (self.folder / "output").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    @property
    def log(self) -> str:
        """Calls of replaced commands and of `rebalance`."""
        return (self.folder / "shims" / "log").read_text(encoding="utf-8")

    def set_up(self, rebalance: str = REAL) -> None:
        """Set up the machine; ``rebalance``: the program to call under this name."""
        shims = self.folder / "shims"
        shims.mkdir()
        self.workspace.mkdir()
        (self.folder / "temp").mkdir()
        for name in ("summary", "output", "shims/log"):
            (self.folder / name).touch()
        texts = {"python": PYTHON, "pip": PIP, "git": GIT, "apt-get": LOGGED, "rebalance": rebalance}
        for name, text in texts.items():
            (shims / name).write_text(text, encoding="utf-8")
            (shims / name).chmod(0o755)

    def checkout(self) -> None:
        """Put this project where the files expect it."""
        (self.workspace / "rebalance-proofs").symlink_to(ROOT)

    def step(self, script: str, shell: Sequence[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run one step in the workspace."""
        shims = self.folder / "shims"
        given = os.environ | {
            "PATH": f"{shims}:{os.environ['PATH']}",
            "SHIMS": str(shims),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
        }
        return subprocess.run(
            [*shell, script],
            cwd=self.workspace,
            env=given | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )

    def github(self, steps: Sequence[Any], default: str | None, env: Mapping[str, str]) -> list[int]:
        """Exit status of each step that runs: all up to the first failure, and those that always run."""
        found: list[int] = []
        for one in steps:
            always = one.get("if") == "always()"
            if "run" not in one or (any(found) and not always):
                continue
            if one.get("if") and not always and env.get("GITHUB_REF") != "refs/heads/main":
                continue
            shell = {"bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"), None: ("bash", "-e", "-c")}
            done = self.step(one["run"], shell[one.get("shell", default)], env | one.get("env", {}))
            print(one.get("name", one.get("id")), done.returncode, done.stdout[-2000:])
            found.append(done.returncode)
        return found

    def gitlab(self, job: Any, env: Mapping[str, str]) -> int:
        """Exit status of a job, whose lines run in one shell that ends at the first failure."""
        given = {name: value for name, value in job["variables"].items() if "$" not in value} | env
        done = self.step("\n".join(job["script"]), ("bash", "-eo", "pipefail", "-c"), given)
        print(done.stdout[-2000:])
        return done.returncode


def resolved(env: Mapping[str, str], inputs: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Environment of one of the action's steps, with its expressions evaluated."""
    known = {f"inputs.{name}": value for name, value in inputs.items()}
    known |= {"github.action_path": str(ROOT), "runner.temp": str(folder / "temp")}
    return {name: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known[found[1]], text) for name, text in env.items()}
