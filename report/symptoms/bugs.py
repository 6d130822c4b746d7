"""All known bugs, by subject, from ``recorded/knowledge/bugs/``. To add one, add an entry to its subject's file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rebalance_proofs.language import Text
from rebalance_proofs.recorded.knowledge.data import loaded, text
from rebalance_proofs.report.symptoms.bug import Bug, Said

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
