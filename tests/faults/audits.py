"""Faults in the audit of logs: owners, gaps, disagreements or times get lost."""

from tests.faults.fault import failing, fault

HISTORIES = "tests/recorded/audit/test_histories.py"
OWNERS = f"{HISTORIES}::test_owners_and_findings_are_those_of_the_table"

FAULTS = (
    fault(
        "only-the-last-owner-is-compared",
        "recorded/audit/owners.py",
        "            open_.append(later)\n",
        "            open_ = [later]\n",
        *failing(OWNERS),
    ),
    fault(
        "short-outages-are-hidden",
        "recorded/audit/owners.py",
        "    if not sure and until - at <= SILENT:\n",
        "    if not sure and until - at <= 4 * SILENT:\n",
        *failing(OWNERS),
    ),
    fault(
        "every-list-fits",
        "recorded/audit/views.py",
        "        return True  # ``strategies`` reports this case\n",
        "        return True\n    return True\n",
        *failing(f"{HISTORIES}::test_disagreements_are_those_of_the_members_lists"),
    ),
    fault(
        "minutes-of-zones-are-ignored",
        "recorded/logs/times.py",
        "int(found[2]) * 60 + int(found[3] or 0)",
        "int(found[2]) * 60",
        *failing("tests/recorded/logs/test_every_time.py::test_every_offset_is_read_in_every_form"),
    ),
)
