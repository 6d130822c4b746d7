"""A Java and a distribution that are none: the recorder's processes without a JVM."""

import sys
from pathlib import Path
from zipfile import ZipFile

from rebalance_proofs.recorded.live.distribution import CLIENT, SERVERS

JAVA = Path(__file__).with_name("fake_java.py")


def java_home(folder: Path) -> Path:
    """A folder for JAVA_HOME."""
    (folder / "bin").mkdir(parents=True)
    command = folder / "bin" / "java"
    text = JAVA.read_text(encoding="utf-8").splitlines(keepends=True)
    command.write_text("".join([f"#!{sys.executable}\n", *text[1:]]), encoding="utf-8")
    command.chmod(0o755)
    return folder


def jars(folder: Path, *names: str) -> str:
    """A class path with empty classes of these names, by default all that a recorder needs."""
    folder.mkdir(parents=True, exist_ok=True)
    with ZipFile(folder / "rocketmq.jar", "w") as jar:
        for name in names or CLIENT + SERVERS:
            jar.writestr(f"{name.replace('.', '/')}.class", b"")
    return str(folder / "*")
