"""The source distribution and the wheels made of it; each check notices a seeded fault."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.anchors import PARTS
from tests.packaging import build
from tests.packaging.contents import (
    files,
    of_sdist,
    of_wheel,
    require_same,
    require_sdist,
    require_wheel,
)
from tests.packaging.problem import Problem


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("release")


@pytest.fixture(scope="module")
def tree(place) -> Path:
    """The files of the repository; nothing is built in it."""
    return build.copied(build.ROOT, place / "tree")


@pytest.fixture(scope="module")
def source(tree, place) -> Path:
    """The source distribution."""
    return build.sdist(build.copied(tree, place / "for-source"), place / "dist")


@pytest.fixture(scope="module")
def wheel(tree, place) -> Path:
    """The wheel of the tree."""
    return build.wheel(build.copied(tree, place / "for-wheel"), place / "dist")


def test_source_distribution_is_the_repository(tree, source):
    require_sdist(tree, source)
    names = {name.split("/")[0] for name in of_sdist(source)}
    assert names >= {"docs", "tests", "benchmarks", "stubs", ".ci", "Makefile", "action.yml", *PARTS}
    assert names >= {"LICENSE", "SECURITY.md", "CHANGELOG.md", "requirements.lock"}


def test_wheel_is_the_package_with_its_data(tree, wheel):
    require_wheel(tree, wheel)


def test_wheel_of_the_source_distribution_is_the_wheel_of_the_tree(source, wheel, place):
    folder = build.unpacked(source, place / "unpacked")
    assert {path.name for path in (folder / "rebalance_proofs").iterdir() if path.is_symlink()} == {*PARTS}
    again = build.wheel(folder, place / "again")
    require_same("the second wheel", of_wheel(wheel), of_wheel(again))


def small(tree: Path, place: Path) -> Path:
    """A project of the same form, with few files: its builds are quick."""
    for name in ("pyproject.toml", "MANIFEST.in", "LICENSE", "README.md", "SECURITY.md"):
        place.mkdir(exist_ok=True)
        shutil.copy(tree / name, place)
    shutil.copytree(tree / ".ci", place / ".ci", dirs_exist_ok=True)
    shutil.copytree(tree / "rebalance_proofs", place / "rebalance_proofs", symlinks=True)
    for part in PARTS:
        (place / part).mkdir()
        (place / part / "__init__.py").touch()
    shutil.copytree(tree / "evidence", place / "evidence", dirs_exist_ok=True)
    return place


def without_data(tree: Path) -> None:
    path = tree / "pyproject.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"rebalance_proofs.evidence" = ["*.json"]\n', ""), encoding="utf-8"
    )


def with_data_nobody_lists(tree: Path) -> None:
    (tree / "evidence" / "table.tsv").write_text("a\tb\n", encoding="utf-8")


def without_the_licence(tree: Path) -> None:
    path = tree / "pyproject.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('license-files = ["LICENSE"]', "license-files = []"), encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (without_data, "the wheel lacks rebalance_proofs/evidence/.*json"),
        (with_data_nobody_lists, "the wheel lacks rebalance_proofs/evidence/table.tsv"),
        (without_the_licence, "the wheel lacks licenses/LICENSE"),
    ],
)
def test_wheel_without_a_file_is_noticed(fault: Callable[[Path], None], complaint, tree, tmp_path):
    changed = small(tree, tmp_path / "tree")
    fault(changed)
    fresh = build.copied(changed, tmp_path / "fresh")
    with pytest.raises(Problem, match=complaint):
        require_wheel(fresh, build.wheel(changed, tmp_path / "dist"))


def test_wheel_of_the_small_project_has_no_fault(tree, tmp_path):
    changed = small(tree, tmp_path / "tree")
    fresh = build.copied(changed, tmp_path / "fresh")
    require_wheel(fresh, build.wheel(changed, tmp_path / "dist"))


def test_source_distribution_without_a_file_is_noticed(tree, tmp_path):
    changed = small(tree, tmp_path / "tree")
    (changed / "roadmap.txt").touch()
    fresh = build.copied(changed, tmp_path / "fresh")
    with pytest.raises(Problem, match=r"the source distribution lacks roadmap\.txt$"):
        require_sdist(fresh, build.sdist(changed, tmp_path / "dist"))


def test_source_distribution_with_copies_in_place_of_links_is_noticed(tree, tmp_path):
    changed = small(tree, tmp_path / "tree")
    path = changed / "pyproject.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"backend"\nbackend-path = [".ci"]', '"setuptools.build_meta"'),
        encoding="utf-8",
    )
    backend = changed / ".ci" / "backend.py"
    backend.write_text(
        backend.read_text(encoding="utf-8").replace("    relink(", "    relink and (lambda *_: None)("),
        encoding="utf-8",
    )
    fresh = build.copied(changed, tmp_path / "fresh")
    with pytest.raises(Problem, match=r"the source distribution lacks rebalance_proofs/cli, "):
        require_sdist(fresh, build.sdist(changed, tmp_path / "dist"))


def test_difference_in_content_is_noticed():
    with pytest.raises(Problem, match=r"^it has otherwise b$"):
        require_same("it", {"a": b"1", "b": b"2"}, {"a": b"1", "b": b"3"})
    with pytest.raises(Problem, match=r"^it has besides c$"):
        require_same("it", {"a": b"1"}, {"a": b"1", "c": b"3"})


def test_build_that_fails_ends_with_the_reason(tree, tmp_path):
    changed = small(tree, tmp_path / "tree")
    (changed / "pyproject.toml").write_text("[project\n", encoding="utf-8")
    with pytest.raises(Problem, match=r"^build_wheel fails: "):
        build.wheel(changed, tmp_path / "dist")


def test_copy_leaves_out_what_a_checkout_makes(tmp_path):
    for name in (".git", ".venv", "runs", "build", "cli/__pycache__"):
        (tmp_path / "tree" / name).mkdir(parents=True)
        (tmp_path / "tree" / name / "file").touch()
    (tmp_path / "tree" / "cli" / "main.py").touch()
    assert {*files(build.copied(tmp_path / "tree", tmp_path / "copy"))} == {"cli/main.py"}
