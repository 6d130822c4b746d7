"""The reference of packages names every package, and none that does not exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "packages.md").read_text(encoding="utf-8")
FOLDERS = ("model", "recorded", "proofs", "spark_enum", "report", "evidence", "cli")
SUBJECTS = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Subjects")[2].partition("\n## ")[0], re.M)


def others(folder: str) -> set[str]:
    """The packages that the page's list names for a folder."""
    listed = PAGE.partition(f"- **`{folder}/`**\n")[2].partition("\n- **")[0]
    return {name for row in re.findall(r"^  - (.*?):", listed, re.M) for name in re.findall(r"`(\w+)`", row)}


def test_packages_page_names_the_folders():
    assert re.findall(r"^\| `(\w+)/` \|", PAGE, re.M) == list(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_packages_page_names_every_package(folder):
    packages = {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")}
    assert packages <= {*SUBJECTS, *others(folder)}
    assert others(folder) <= {path.name for path in (ROOT / folder).iterdir() if path.is_dir()}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_subject_has_a_page_or_a_package_in_each_folder(subject):
    pages = ROOT / "model" / "machines"
    if (pages / f"{subject}.py").is_file() or (pages / subject).is_dir():
        assert not (ROOT / "spark_enum" / subject / "__init__.py").is_file()
    else:
        assert all((ROOT / folder / subject).is_dir() for folder in ("model", "proofs", "spark_enum", "report"))
