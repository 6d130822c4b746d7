"""The packaged class files are compiled from the sources in the same folder."""

from pathlib import Path

from rebalance_proofs.model.own.java import child
from tests.javac import compiled_by, javac_17

FOLDER = child.CLASSES / "rebalance"
JAVA_17 = 61
"""Of class files."""


def classes(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.class")}


def test_class_files_equal_the_compiled_sources(tmp_path):
    """``javac --release 17 -d model/own/java model/own/java/rebalance/*.java`` compiles them."""
    made = classes(compiled_by(javac_17(), FOLDER, tmp_path, "--release", "17") / "rebalance")
    assert classes(FOLDER) == made


def test_class_files_are_for_java_17_and_have_sources():
    found = classes(FOLDER)
    assert {name.partition(".")[0].partition("$")[0] for name in found} == {file.stem for file in FOLDER.glob("*.java")}
    assert {int.from_bytes(code[6:8], "big") for code in found.values()} == {JAVA_17}
