"""Owner of a folder: files of an earlier run are recognised and removed, all others are refused and kept."""

import json

import pytest

from rebalance_proofs.report.own.output import OutputError
from rebalance_proofs.report.results import directory, files
from rebalance_proofs.report.results.json_results import to_json
from tests.report.snapshot import snapshot


@pytest.fixture
def project(tmp_path):
    """A user's folder, with files that have names of a run's files."""
    root = tmp_path / "project"
    for name, text in {
        files.RESULTS: '{"score": 1}',
        files.JUNIT: "<testsuites/>",
        files.SUMMARY: "mine",
        files.PAGE: "mine",
        files.LOG: "mine\n",
        "smt2/hand-written.smt2": "(check-sat)",
        "smt2/mine/lemma.smt2": "(check-sat)",
        "counterexamples/notes.txt": "notes",
        "counterexamples/mine.itf.json": "{}",
        "parquet/mine/part-0.parquet": "PAR1",
        "src/main.py": "print()",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def old(green, tmp_path):
    """A run directory from before there was a marker."""
    root = tmp_path / "old"
    directory.write(green, root)
    document = to_json(green)
    for later in ("left_out", "self_tests", "required"):
        del document[later]
    (root / files.RESULTS).write_text(json.dumps(document), encoding="utf-8")
    (root / files.LOG).write_text("old", encoding="utf-8")
    table = root / "parquet" / "avg.without-same-cid-all"
    table.mkdir(parents=True)
    for name in ("part-00000-ab.snappy.parquet", ".part-00000-ab.snappy.parquet.crc", "_SUCCESS", "._SUCCESS.crc"):
        (table / name).write_text("", encoding="utf-8")
    assert not (root / files.MARKER).exists()
    return root


def refused(root, said="is not empty and not the directory of an earlier run"):
    before = snapshot(root)
    with pytest.raises(OutputError, match=said), directory.taken(root):
        pytest.fail("taken")
    assert snapshot(root) == before


def everything_in(root):
    return {path.relative_to(root).as_posix() for path in root.rglob("*")}


def test_marker_says_that_the_folder_is_a_run_directory(tmp_path):
    with directory.taken(tmp_path):
        pass
    assert (tmp_path / ".rebalance-run").read_text(encoding="utf-8") == (
        "This is a run directory of rebalance-proofs: each run replaces what the run before it wrote here.\n"
    )
    assert everything_in(tmp_path) == {".rebalance-run"}


@pytest.mark.parametrize("name", ["new", "new/below"])
def test_missing_folder_is_created(tmp_path, name):
    with directory.taken(tmp_path / name):
        assert (tmp_path / name).is_dir()


def test_new_file_system_counts_as_empty(tmp_path):
    (tmp_path / "lost+found").mkdir()
    with directory.taken(tmp_path):
        pass
    assert everything_in(tmp_path) == {"lost+found", files.MARKER}


def test_run_without_folder_takes_none():
    with directory.taken(None):
        pass
    with pytest.raises(OutputError, match="--overwrite needs --output DIR"), directory.taken(None, overwrite=True):
        pass


def test_project_with_files_of_the_same_names_is_refused(project):
    refused(project)


@pytest.mark.parametrize("name", [files.LOG, files.TEXTS, files.TABLES, "anything"])
def test_folder_with_a_name_of_a_run_is_refused(tmp_path, name):
    (tmp_path / name).mkdir()
    refused(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, '{"format": 1}', "\udcff"])
def test_other_results_are_refused(old, text):
    (old / files.RESULTS).write_bytes(text.encode("utf-8", "surrogateescape"))
    refused(old)


@pytest.mark.parametrize(
    "changed",
    [
        {"format": 0},
        {"format": 4},
        {"format": True},
        {"format": "1"},
        {"format": None},
        {"versions": {"python": "3.12"}},
        {"versions": "rebalance-proofs"},
    ],
)
def test_results_that_resemble_a_run_are_refused(green, old, changed):
    (old / files.RESULTS).write_text(json.dumps(to_json(green) | changed), encoding="utf-8")
    refused(old)


@pytest.mark.parametrize("name", [files.JUNIT, files.SUMMARY, files.PAGE])
def test_other_json_files_are_refused(old, name):
    (old / name).unlink()
    refused(old)


def test_run_directory_without_marker_is_taken_over(old):
    with directory.taken(old):
        assert everything_in(old) == {files.MARKER}
    assert directory.line(old) == directory.RUNS


def test_results_of_the_first_version_are_recognised(green, old):
    document = to_json(green)
    del document["self_tests"], document["required"]
    (old / files.RESULTS).write_text(json.dumps(document), encoding="utf-8")
    assert directory.recognised(old)


def test_user_files_in_a_run_directory_are_kept(green, tmp_path):
    with directory.taken(tmp_path):
        directory.write(green, tmp_path)
    mine = ["notes.txt", "smt2/hand-written.smt2", "counterexamples/notes.txt", "parquet/mine.csv", "smt2/a/b/c.smt2"]
    for name in mine:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mine", encoding="utf-8")
    with directory.taken(tmp_path):
        left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {files.MARKER, *mine}


def test_killed_run_leaves_a_run_directory(tmp_path):
    with directory.taken(tmp_path):
        (tmp_path / files.LOG).write_text("", encoding="utf-8")
        (tmp_path / files.PARTIAL / "smt2").mkdir(parents=True)
        (tmp_path / files.JUNIT).write_text("", encoding="utf-8")
    with directory.taken(tmp_path):
        assert everything_in(tmp_path) == {files.MARKER}


def test_empty_marker_is_ignored(tmp_path, project):
    run = tmp_path / "run"  # of a process that was killed before it could write
    run.mkdir()
    for root in (run, project):
        (root / files.MARKER).write_text("", encoding="utf-8")
    refused(project)
    with directory.taken(run):
        pass
    assert directory.line(run) == directory.RUNS


def test_overwrite_replaces_only_the_files_of_a_run(green, project):
    before = snapshot(project)
    clash = f"smt2/{green.claims[0].claim.id}/exclusive.smt2"
    (project / clash).parent.mkdir()
    (project / clash).write_text("mine", encoding="utf-8")
    with directory.taken(project, overwrite=True):
        assert {name: snapshot(project)[name] for name in before if (project / name).is_file()} == {
            name: what for name, what in before.items() if (project / name).is_file()
        }
        directory.write(green, project)
    assert json.loads((project / files.RESULTS).read_text(encoding="utf-8"))["command"] == green.command
    assert (project / clash).read_text(encoding="utf-8") != "mine"
    after = snapshot(project)
    changed = {name for name, (*_, holds) in before.items() if after[name][-1] != holds}
    assert changed == set(files.REPORTS)


def test_overwritten_folder_is_still_not_a_run_directory(green, project):
    with directory.taken(project, overwrite=True):
        directory.write(green, project)
    refused(project)
    with directory.taken(project, overwrite=True):
        # that run's reports must not pass for this one's
        assert not any((project / name).exists() for name in files.REPORTS)
        assert (project / "smt2/mine/lemma.smt2").exists()
        assert (project / "parquet/mine/part-0.parquet").exists()


def test_overwritten_run_directory_stays_one(green, tmp_path):
    for _ in range(2):
        with directory.taken(tmp_path, overwrite=True):
            directory.write(green, tmp_path)
    assert directory.line(tmp_path) == directory.RUNS


@pytest.mark.parametrize("name", [*files.REPORTS, files.LOG, files.TEXTS, files.TRACES, files.TABLES])
@pytest.mark.parametrize("overwrite", [False, True])
def test_symlink_in_place_of_an_output_file_is_refused(tmp_path, project, name, overwrite):
    root = tmp_path / "run"
    with directory.taken(root):
        pass
    (root / name).symlink_to(project / name)
    before = snapshot(root), snapshot(project)
    with (
        pytest.raises(OutputError, match=f"{name}' is a link where the run writes its own file or folder; remove it"),
        directory.taken(root, overwrite),
    ):
        pytest.fail("taken")
    assert (snapshot(root), snapshot(project)) == before


def test_symlinks_in_subfolders_are_not_followed(green, tmp_path, project):
    root = tmp_path / "run"
    with directory.taken(root):
        directory.write(green, root)
    (root / "smt2" / "theirs").symlink_to(project / "smt2" / "mine")
    before = snapshot(project)
    with directory.taken(root):
        pass
    assert snapshot(project) == before
    assert everything_in(root) == {files.MARKER, "smt2", "smt2/theirs"}


@pytest.mark.parametrize(("name", "kind"), [(files.RESULTS, "folder"), (files.TEXTS, "file"), (files.LOG, "folder")])
def test_folder_in_place_of_a_file_and_file_in_place_of_a_folder_are_refused(tmp_path, name, kind):
    with directory.taken(tmp_path):
        pass
    if kind == "folder":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_text("mine", encoding="utf-8")
    refused(tmp_path, f"{name}' is a {kind} where the run writes")


def test_symlink_in_place_of_the_marker_is_refused(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    (tmp_path / "run" / files.MARKER).symlink_to(tmp_path / "mine")
    refused(tmp_path / "run", "cannot write results to")
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"


def test_symlink_to_the_folder_is_accepted(green, tmp_path):
    (tmp_path / "place").mkdir()
    (tmp_path / "link").symlink_to("place")
    with directory.taken(tmp_path / "link"):
        directory.write(green, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "place" / files.RESULTS).exists()
