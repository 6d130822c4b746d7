"""docs/reference/schedules.md is its command's output."""

from pathlib import Path

from rebalance_proofs.report.released.schedules import FILE, Table, main, page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "schedules.md"


def test_page_is_its_commands_output(capsys):
    assert main(["--page"]) == 0
    assert PAGE.read_text(encoding="utf-8") == capsys.readouterr().out


def test_page_lists_each_schedule_that_is_not_accepted():
    rows = Table(FILE).rows.values()
    wrong = [row for row in rows if row.wrong]
    assert page(Table(FILE)).count("\n- random_") + page(Table(FILE)).count(", random_") == len(wrong)
    assert all(row.first is not None for row in rows)
