"""Clients for these tests, built from the strategies in ``sources``: with faults, and as jars."""

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
"""Fault by strategy, one for each kind of difference: five consumers lose the last queue; the last of two equal ids
counts; null is an empty list; at least one virtual node is used; a refusal has another text.
"""
MANIFEST = {"META-INF/MANIFEST.MF": "Manifest-Version: 1.0\nImplementation-Version: 4.9.8\n"}


def faulty(client: Path, folder: Path) -> str:
    """Classpath on which faulty classes hide those of the same name."""
    sources = folder / "sources"
    for name, (old, new) in FAULTS.items():
        source = (STRATEGIES / name).read_text(encoding="utf-8")
        assert source.count(old) == 1, name
        changed = sources / (STRATEGIES / name).relative_to(SOURCES)
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text(source.replace(old, new), encoding="utf-8")
    return f"{compiled(sources, folder, '-cp', str(client))}:{client}"


def packed(classes: Path, jar: Path, files: dict[str, str]) -> Path:
    """A jar of these classes, with further files."""
    with zipfile.ZipFile(jar, "w") as opened:
        for file in classes.rglob("*.class"):
            opened.write(file, file.relative_to(classes))
        for name, text in files.items():
            opened.writestr(name, text)
    return jar
