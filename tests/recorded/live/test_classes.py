"""The packaged class files are those of the sources beside them, and run on Java 8."""

from pathlib import Path

from rebalance_proofs.recorded.live.jvm import CLASSES
from tests.javac import compiled_by, javac_17

FOLDER, API = CLASSES / "live", CLASSES / "api"
JAVA_8 = 52
"""Of class files."""
OPTIONS = ("--release", "8", "-Xlint:-options")


def classes(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.class")}


def test_they_are_what_a_compiler_makes_of_the_sources(tmp_path):
    """``make java`` renews them."""
    api = compiled_by(javac_17(), API, tmp_path / "api", *OPTIONS)
    made = classes(compiled_by(javac_17(), FOLDER, tmp_path / "live", *OPTIONS, "-cp", str(api)) / "live")
    assert classes(FOLDER) == made


def test_each_is_for_java_8_and_has_its_source():
    found = classes(FOLDER)
    assert {name.partition(".")[0].partition("$")[0] for name in found} == {file.stem for file in FOLDER.glob("*.java")}
    assert {int.from_bytes(code[6:8], "big") for code in found.values()} == {JAVA_8}


def test_the_names_to_compile_against_have_no_code_and_are_not_packaged():
    assert not list(API.rglob("*.class"))
    bodies = [line.strip() for file in API.rglob("*.java") for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line for line in bodies if line.startswith("return")} <= {"return null;", "return 0;"}
