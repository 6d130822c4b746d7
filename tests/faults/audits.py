"""Faults in the audit of logs: owners, gaps, disagreements or times get lost."""

from tests.faults.fault import failing, fault

HISTORIES = "tests/recorded/audit/test_histories.py"
OWNERS = f"{HISTORIES}::test_owners_and_findings_are_those_of_the_table"

FAULTS = (
    fault(
        "only-the-last-owner-is-compared",
        "two",
        "open_.append(later)",
        "open_ = [later]",
        *failing(OWNERS),
    ),
    fault(
        "short-outages-are-hidden",
        "_gap",
        "if not sure and until - at <= SILENT:",
        "if not sure and until - at <= 4 * SILENT:",
        *failing(OWNERS),
    ),
    fault(
        "every-list-fits",
        "_fits",
        "queues = group.queues[last.topic]",
        ("return True\n    queues = group.queues[last.topic]"),
        *failing(f"{HISTORIES}::test_disagreements_are_those_of_the_members_lists"),
    ),
    fault(
        "minutes-of-zones-are-ignored",
        "_offset",
        "minutes = int(found[2]) * 60 + int(found[3] or 0)",
        "minutes = int(found[2]) * 60",
        *failing("tests/recorded/logs/test_every_time.py::test_every_offset_is_read_in_every_form"),
    ),
)
