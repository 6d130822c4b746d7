"""Clients of these tests, made of the strategies in ``sources``: with faults, and as jars."""

import zipfile
from pathlib import Path

from tests.javac import compiled

SOURCES = Path(__file__).parent / "sources"
STRATEGIES = SOURCES / "org" / "apache" / "rocketmq" / "client" / "consumer" / "rebalance"
FAULTS = {
    "AllocateMessageQueueAveragely.java": (
        "range(start, end)",
        "range(start, end - (cidAll.size() == 5 && index == 4 ? 1 : 0))",
    ),
    "AllocateMessageQueueAveragelyByCircle.java": ("cidAll.indexOf(cid)", "cidAll.lastIndexOf(cid)"),
    "AllocateMessageQueueByConfig.java": (
        "return queues;",
        "return queues != null && queues.isEmpty() ? null : queues;",
    ),
    "AllocateMessageQueueConsistentHash.java": ("nodes >= 0", "nodes >= 1"),
    "Checked.java": ("currentCID is empty", "currentCID is blank"),
}
"""What is changed in a strategy: the last of five forgets its last queue; of an id that stands twice the last place is
taken; null is an empty list; a node is wanted at least; a refusal has another text."""
MANIFEST = {"META-INF/MANIFEST.MF": "Manifest-Version: 1.0\nImplementation-Version: 4.9.8\n"}


def faulty(client: Path, folder: Path) -> str:
    """A classpath on which classes with faults hide those of the same name."""
    sources = folder / "sources"
    for name, (old, new) in FAULTS.items():
        source = (STRATEGIES / name).read_text(encoding="utf-8")
        assert source.count(old) == 1, name
        changed = sources / (STRATEGIES / name).relative_to(SOURCES)
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text(source.replace(old, new), encoding="utf-8")
    return f"{compiled(sources, folder, '-cp', str(client))}:{client}"


def packed(classes: Path, jar: Path, files: dict[str, str]) -> Path:
    """A jar of them, with more files."""
    with zipfile.ZipFile(jar, "w") as opened:
        for file in classes.rglob("*.class"):
            opened.write(file, file.relative_to(classes))
        for name, text in files.items():
            opened.writestr(name, text)
    return jar
