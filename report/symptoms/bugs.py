"""All known bugs, by subject, from ``recorded/knowledge/bugs/``. To add one, add an entry to its subject's file."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.language import Text
from rebalance_proofs.recorded.knowledge.schema import loaded, text

# A known RocketMQ bug: affected versions, unaffected versions, and the claims that show it.

ROCKETMQ = "apache/rocketmq"


@dataclass(frozen=True)
class Said:
    """A claim that shows that some versions have the bug, or that some do not."""

    claim: str
    """Id of the claim: refuted for versions with the bug, proved for versions without it."""
    versions: Text | None = None
    """Versions or conditions that the claim is about; None if the name of the claim's client contains them."""
    when: Text | None = None
    """Condition to add to the name of the claim's client."""


@dataclass(frozen=True)
class Bug:
    """A known RocketMQ bug, with its issue and the claims about it."""

    sentence: Text
    issue: int = 0
    """Number of the GitHub issue; 0 if none is known."""
    repository: str = ROCKETMQ
    present: tuple[Said, ...] = ()
    absent: tuple[Said, ...] = ()
    other_group: bool = False
    """True if the claims show the bug in groups of another kind than the issue reports."""
    not_modelled: Text | None = None
    """Why no claim covers the bug; None if a claim does."""
    unseen: Text | None = None
    """Why the bug is listed under no cause of a symptom; None if a cause lists it."""

    @property
    def anchor(self) -> str:
        """Link anchor of the bug in docs/reference/symptoms.md: the issue's number, else the first claim's id."""
        return f"bug-{self.issue or self.present[0].claim}"

    @property
    def called(self) -> str:
        """Short name of the issue: ``rocketmq#2944``."""
        return f"{self.repository.removeprefix('apache/')}#{self.issue}"

    @property
    def address(self) -> str:
        """URL of the bug's issue on GitHub."""
        return f"https://github.com/{self.repository}/issues/{self.issue}"


Entry = Mapping[str, Any]


def _optional(entry: Entry, key: str) -> Text | None:
    return text(entry[key]) if key in entry else None


def _said(entries: Iterable[Entry]) -> Iterator[Said]:
    for entry in entries:
        versions, when = _optional(entry, "versions"), _optional(entry, "when")
        yield from (Said(claim, versions, when) for claim in entry["claims"])


def _bug(entry: Entry) -> Bug:
    repository, _, issue = entry.get("issue", "rocketmq#0").partition("#")
    return Bug(
        text(entry["sentence"]),
        int(issue),
        f"apache/{repository}",
        tuple(_said(entry.get("present", ()))),
        tuple(_said(entry.get("absent", ()))),
        entry.get("other_group", False),
        _optional(entry, "not_modelled"),
        _optional(entry, "unseen"),
    )


ROOMS: Mapping[Text, tuple[Bug, ...]] = {
    text(file["title"]): tuple(map(_bug, file["bug"])) for file in loaded("bugs").values()
}
"""Subject -> its bugs."""
BUGS = tuple(bug for room in ROOMS.values() for bug in room)
