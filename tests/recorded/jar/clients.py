"""Clients of these tests, made of the strategies in ``sources``: with faults, and as jars."""

import zipfile
from pathlib import Path

from tests.javac import compiled

HERE = Path(__file__).parent
MANIFEST = {"META-INF/MANIFEST.MF": "Manifest-Version: 1.0\nImplementation-Version: 4.9.8\n"}


def faulty(client: Path, folder: Path) -> str:
    """A classpath on which classes with faults hide those of the same name."""
    return f"{compiled(HERE / 'faults', folder, '-cp', str(client))}:{client}"


def packed(classes: Path, jar: Path, files: dict[str, str]) -> Path:
    """A jar of them, with more files."""
    with zipfile.ZipFile(jar, "w") as opened:
        for file in classes.rglob("*.class"):
            opened.write(file, file.relative_to(classes))
        for name, text in files.items():
            opened.writestr(name, text)
    return jar
