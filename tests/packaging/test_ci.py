"""The jobs of continuous integration, with substitutes for slow programs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.packaging.build import ROOT

COREUTILS = ("bash", "dirname", "env", "grep", "mktemp", "rm", "tail", "tee", "cat")
MAKE = """#!/bin/sh
echo "make $*" >> calls
case " $* " in *" $FAILS "*) exit 1 ;; esac
[ "$1" = test ] && printf '....\\n==== 7 passed, 1 skipped in 3.21s (0:00:03) ====\\n'
exit 0
"""
PYTHON = '#!/bin/sh\necho "python $*" >> calls\n'
APT = '#!/bin/sh\necho "apt-get $*" >> calls\n{then}\n'
INSTALLS = '[ "$1" = install ] && cp {folder}/apt-get {folder}/chromium; exit 0'
FAILS = "echo 'E: no network'; exit 100"
GROWN = "python -m benchmarks.grown runs/verify/results.json"
TOGETHER = "make --jobs=2 --output-sync=target lint package site"
STAGES = ["make tools", TOGETHER, "make packages", "make test", "make quick", GROWN]


@pytest.fixture
def place(tmp_path) -> Path:
    """A copy of the scripts, with a folder of programs that is the whole PATH."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "bin").mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in COREUTILS:
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    program(tmp_path / "bin" / "id", "#!/bin/sh\necho ${ID:-0}\n")
    program(tmp_path / "bin" / "make", MAKE)
    program(tmp_path / ".venv" / "bin" / "python", PYTHON)
    return tmp_path


def program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def run(place: Path, script: str, **environment: str) -> tuple[int, list[str], list[str]]:
    """Status, lines, and what was called."""
    kept = {name: value for name, value in os.environ.items() if name != "CHROMIUM"}
    environment = kept | {"PATH": str(place / "bin")} | environment
    called = subprocess.run([place / ".ci" / script], cwd=place, env=environment, capture_output=True, encoding="utf-8")
    calls = place / "calls"
    return (
        called.returncode,
        called.stdout.splitlines(),
        calls.read_text(encoding="utf-8").splitlines() if calls.exists() else [],
    )


def test_every_claim_is_judged_and_the_tests_are_summed_up(place):
    program(place / "bin" / "chromium", "")
    status, lines, calls = run(place, "run")
    assert status == 0
    assert calls == STAGES
    assert lines[-3] == "tests:   ==== 7 passed, 1 skipped in 3.21s (0:00:03) ===="


@pytest.mark.parametrize("stage", ["lint", "packages", "test", "quick", "package", "site"])
def test_stage_that_fails_ends_the_run(stage, place):
    program(place / "bin" / "chromium", "")
    status, lines, calls = run(place, "run", FAILS=stage)
    assert status != 0
    assert calls == STAGES[: next(place for place, called in enumerate(STAGES) if stage in called.split()) + 1]
    assert not [line for line in lines if line.startswith("claims:")]


def test_browser_that_is_there_is_used(place):
    program(place / "bin" / "google-chrome", "")
    program(place / "bin" / "apt-get", APT.format(then=FAILS))
    assert run(place, "browser") == (0, [f"browser: {place / 'bin' / 'google-chrome'}"], [])
    program(place / "mine", "")
    assert run(place, "browser", CHROMIUM=str(place / "mine"))[1] == [f"browser: {place / 'mine'}"]


def test_browser_is_installed_by_root(place):
    program(place / "bin" / "cp", f'#!/bin/sh\nexec {shutil.which("cp")} "$@"\n')
    program(place / "bin" / "apt-get", APT.format(then=INSTALLS.format(folder=place / "bin")))
    status, lines, calls = run(place, "browser")
    assert (status, lines) == (0, [f"browser: {place / 'bin' / 'chromium'}, which was installed now"])
    assert calls == ["apt-get update", "apt-get install --yes --no-install-recommends chromium"]


@pytest.mark.parametrize(
    ("apt", "user", "why"),
    [
        (None, "0", "there is no apt-get to install one"),
        (FAILS, "1000", "only root can install one"),
        (FAILS, "0", "apt-get cannot install chromium (E: no network)"),
        ("exit 0", "0", "apt-get cannot install chromium ()"),
    ],
)
def test_missing_browser_is_said_and_no_failure(apt, user, why, place):
    if apt:
        program(place / "bin" / "apt-get", APT.format(then=apt))
    status, lines, _ = run(place, "browser", ID=user)
    assert (status, lines) == (0, [f"browser: there is none, and {why}; tests of pages in a browser are skipped"])
