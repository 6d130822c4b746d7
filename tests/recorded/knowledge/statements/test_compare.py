"""An inventory is compared with a source tree, and differences are reported with their places."""

import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from rebalance_proofs.recorded.knowledge.statements import __main__ as command
from rebalance_proofs.recorded.knowledge.statements import inventory as inventories
from rebalance_proofs.recorded.knowledge.statements.compare import BadTree, compared, files, version
from rebalance_proofs.recorded.knowledge.statements.inventory import added, from_toml, inventory, written

JAVA = "org/apache/rocketmq/client/impl/consumer/RebalanceService.java"
SERVICE = 'class RebalanceService {{ void run() {{ log.info(this.getServiceName() + " service started");\n {} }} }}'
END = 'log.info(this.getServiceName() + " service end");'
MAVEN = Path.home() / ".m2" / "repository" / "org" / "apache" / "rocketmq"
JARS = [
    ("rocketmq-client", "4.9.0"),
    ("rocketmq-client", "5.3.3"),
    ("rocketmq-client", "5.5.0"),
    ("rocketmq-broker", "5.1.4"),
]


@pytest.fixture
def tree(tmp_path):
    """A folder with one class of the Java client, in the version 5.3.3."""
    path = tmp_path / "rocketmq-client-5.3.3" / JAVA
    path.parent.mkdir(parents=True)
    path.write_text(SERVICE.format(END), encoding="utf-8")
    return tmp_path / "rocketmq-client-5.3.3"


def _service(one):
    """The differences in the tree's one class."""
    missing = [each.text for each in one.missing if each.where == "RebalanceService"]
    return [(path, call.line, call.text) for path, _, call in one.new], missing


def test_tree_with_the_same_statements_has_no_difference(tree):
    (one,) = compared(tree)
    assert (one.inventory.name, one.release, one.guessed) == ("Java client", "5.3.3", False)
    assert _service(one) == ([], [])


def test_new_statement_is_reported_with_its_place(tree):
    (tree / JAVA).write_text(SERVICE.format(END + '\n log.warn("ours: {}", group);'), encoding="utf-8")
    (one,) = compared(tree)
    assert _service(one) == ([(f"rocketmq-client-5.3.3/{JAVA}", 3, "ours: {}")], [])


def test_missing_statement_is_reported(tree):
    (tree / JAVA).write_text(SERVICE.format(""), encoding="utf-8")
    (one,) = compared(tree)
    assert _service(one) == ([], ["{} service end"])


def test_statement_at_another_level_is_a_difference(tree):
    (tree / JAVA).write_text(SERVICE.format(END.replace("info", "error")), encoding="utf-8")
    (one,) = compared(tree)
    assert [call.level for _, _, call in one.new] == ["error"]
    assert _service(one)[1] == ["{} service end"]


def test_tests_and_examples_are_left_out(tree):
    for folder in ("src/test/java", "example"):
        copy = tree / folder / JAVA
        copy.parent.mkdir(parents=True)
        copy.write_text('log.info("unseen");', encoding="utf-8")
    (one,) = compared(tree)
    assert _service(one) == ([], [])


@pytest.mark.parametrize(
    ("named", "release"),
    [
        ("5.1.4-company-2", "5.1.4"),
        ("5.3.9", "5.3.3"),
        ("9.0.0", "5.5.0"),
        ("v4.9.8", "4.9.8"),
    ],
)
def test_unknown_version_is_compared_with_the_newest_older_release(tree, named, release):
    assert [one.release for one in compared(tree, named)] == [release]


def test_tree_without_version_is_compared_with_the_release_that_differs_least(tree):
    java = inventory("java-client")
    fork = tree.rename(tree.with_name("fork"))
    source = "\n".join(f'log.{one.level}("{one.text}");' for one in java.of("4.9.2") if one.where == "RebalanceImpl")
    (fork / JAVA).with_name("RebalanceImpl.java").write_text(source, encoding="utf-8")
    (one,) = compared(fork)
    assert one.guessed
    assert one.release.startswith("4.9.")


def test_trees_of_all_kinds_are_read(tree, tmp_path):
    with zipfile.ZipFile(tmp_path / "a-5.3.3-sources.jar", "w") as jar:
        jar.write(tree / JAVA, JAVA)
    with tarfile.open(tmp_path / "a-5.3.3.tgz", "w:gz") as archive:
        archive.add(tree / JAVA, JAVA)
    for path in (tree, tmp_path / "a-5.3.3-sources.jar", tmp_path / "a-5.3.3.tgz"):
        assert [name for name, _ in files(path)] == [JAVA]
        assert version(path) == "5.3.3"


def test_version_is_read_from_the_build_file(tmp_path):
    (tmp_path / "pom.xml").write_text(
        "<artifactId>rocketmq-all</artifactId>\n  <version>5.2.0</version>", encoding="utf-8"
    )
    assert version(tmp_path) == "5.2.0"
    (tmp_path / "pom.xml").unlink()
    (tmp_path / "package.json").write_text('{"name": "ali-ons", "version": "3.12.0"}', encoding="utf-8")
    assert version(tmp_path) == "3.12.0"


def test_bad_trees_are_refused(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("no archive", encoding="utf-8")
    (tmp_path / "a.jar").write_bytes(b"PK\x03\x04 broken")
    for bad in (tmp_path, tmp_path / "a.txt", tmp_path / "a.jar", tmp_path / "none"):
        with pytest.raises(BadTree):
            compared(bad)
        assert command.main([str(bad)]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_command_reports_differences(tree, capsys):
    assert command.main([str(tree)]) == 1
    printed = capsys.readouterr().out
    assert "Java client, compared with 5.3.3: 2 log statements" in printed
    assert "not in the tree: RebalanceImpl: info: doRebalance, {}, add a new mq, {}" in printed


def test_command_adds_a_release(tree, tmp_path, capsys, monkeypatch):
    for path in inventories.FOLDER.glob("*.toml"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(command, "FOLDER", tmp_path)
    (tree / JAVA).write_text(SERVICE.format('log.info("ours");'), encoding="utf-8")
    assert command.main([str(tree), "--release", "5.6.0", "--add"]) == 0
    assert "java-client.toml: 1 new statements" in capsys.readouterr().out
    made = (tmp_path / "java-client.toml").read_text("utf-8")
    assert '"5.5.0", "5.6.0"]' in made
    assert '{ text = "ours", level = "info", in = "5.6.0" },' in made
    assert '{ text = "{} service end", level = "info", in = "4.9.0..5.5.0", irrelevant = "lifecycle" },' in made


@pytest.mark.parametrize("name", inventories.INVENTORIES)
def test_inventory_is_written_as_it_is_read(name):
    assert written(name, inventory(name)) == (inventories.FOLDER / f"{name}.toml").read_text("utf-8")


def test_added_release_keeps_lines_and_reasons():
    head = {"name": "n", "language": "java", "files": ["a/"], "releases": ["1"]}
    before = from_toml({**head, "A": {"statements": [{"text": "one", "level": "info", "line": "removed"}]}})
    after = added(before, "2", [("a/A.java", 'log.info("one"); log.info("two");'), ("b/B.java", 'log.info("three");')])
    assert [(one.text, one.releases, one.line) for one in after.statements] == [
        ("one", ("1", "2"), "removed"),
        ("two", ("2",), ""),
    ]


@pytest.mark.parametrize(("artifact", "release"), JARS)
def test_released_sources_have_the_statements_of_the_inventory(artifact, release):
    jar = MAVEN / artifact / release / f"{artifact}-{release}-sources.jar"
    if not jar.is_file():
        pytest.skip(f"{jar.name} is not in the local repository of Maven")
    (one,) = compared(jar)
    assert (one.release, one.guessed, one.differ) == (release, False, False)


def test_changed_sources_of_a_release_are_found(tmp_path):
    artifact, release = JARS[1]
    jar = MAVEN / artifact / release / f"{artifact}-{release}-sources.jar"
    if not jar.is_file():
        pytest.skip(f"{jar.name} is not in the local repository of Maven")
    with zipfile.ZipFile(jar) as before, zipfile.ZipFile(tmp_path / jar.name, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            after.writestr(name, content.replace(b"because lock failed", b"because the lock failed"))
    (one,) = compared(tmp_path / jar.name)
    assert {call.text for _, _, call in one.new} == {
        "doRebalance, {}, add a new mq failed, {}, because the lock failed"
    }
    assert [each.line for each in one.missing] == ["lock-denied"]
