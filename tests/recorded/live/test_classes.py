"""The packaged class files are compiled from the sources in the same folder, and run on Java 8."""

from pathlib import Path

from rebalance_proofs.recorded.live.jvms import CLASSES
from tests.javac import compiled_by, javac_17

FOLDER, API = CLASSES / "live", CLASSES / "api"
JAVA_8 = 52
"""Of class files."""
OPTIONS = ("--release", "8", "-Xlint:-options")


def classes(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.class")}


def test_class_files_equal_the_compiled_sources(tmp_path):
    """``make java`` compiles them."""
    api = compiled_by(javac_17(), API, tmp_path / "api", *OPTIONS)
    made = classes(compiled_by(javac_17(), FOLDER, tmp_path / "live", *OPTIONS, "-cp", str(api)) / "live")
    assert classes(FOLDER) == made


def test_class_files_are_for_java_8_and_have_sources():
    found = classes(FOLDER)
    assert {name.partition(".")[0].partition("$")[0] for name in found} == {file.stem for file in FOLDER.glob("*.java")}
    assert {int.from_bytes(code[6:8], "big") for code in found.values()} == {JAVA_8}


def test_compile_time_api_has_no_code_and_is_not_packaged():
    assert not list(API.rglob("*.class"))
    bodies = [line.strip() for file in API.rglob("*.java") for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line for line in bodies if line.startswith("return")} <= {"return null;", "return 0;"}
