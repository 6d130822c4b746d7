"""Ambiguous lines give POSSIBLE, never SEEN: missing dates, clocks set back, selected lines."""

import tracemalloc
from pathlib import Path

import pytest

from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Asked
from rebalance_proofs.recorded.logs.sources import sources
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import added, commits, kinds, line, one_of, removed

SECONDS = range(0, 60, 5)


def shown(layout, client, offsets=SECONDS):
    message = "".join(commits(client, 0, [0])).split(" - ", 1)[1].rsplit(" ", 1)[0]
    return "".join(f"{layout.format(s=second)} INFO {message} {second}\n" for second in offsets)


@pytest.mark.parametrize(
    ("layout", "level"),
    [
        ("2024-05-21 10:00:{s:02}", Level.SEEN),
        ("21/05/2024 10:00:{s:02}", Level.SEEN),
        ("05/04/2024 10:00:{s:02}", Level.POSSIBLE),
        ("05-21 10:00:{s:02}", Level.POSSIBLE),
        ("10:00:{s:02}", Level.POSSIBLE),
    ],
)
def test_logs_without_dates_are_not_compared(tmp_path, layout, level):
    (group,) = audited(tmp_path, {name: shown(layout, f"10.0.0.1@{name}") for name in ("a.log", "b.log")}).groups
    found = one_of(group, What.TWO)
    assert found.level is level
    assert level is Level.SEEN or found.detail == "lines of at least one log have no date"


def test_clock_step_back_is_no_offset_rollback(tmp_path):
    early = [one for second in SECONDS for one in commits("c", 0, [second], 100 + second)]
    late = [one for second in SECONDS for one in commits("c", 0, [second - 1800], 200 + second)]
    result = audited(tmp_path, {"a.log": [added(0, 0), *early, *late]})
    assert result.files[0].tally.back == 1
    assert not kinds(result.groups[0])
    again = [one for second in SECONDS for one in commits("c", 0, [second - 3600], 10 + second)]
    (group,) = audited(tmp_path, {"a.log": [added(0, 0), *late, *again]}).groups
    assert What.BACK not in kinds(group)


def test_log_with_a_clock_step_back_is_not_compared(tmp_path):
    other = [one for second in SECONDS for one in commits("d", 0, [second])]
    steps = [*commits("c", 0, SECONDS), line(-60, "x")]
    (group,) = audited(tmp_path, {"a.log": [added(0, 0), *steps], "b.log": [added(0, 0), *other]}).groups
    found = one_of(group, What.TWO)
    assert (found.level, found.detail) == (Level.POSSIBLE, "the clock of one log steps back")


def test_filtered_lines_show_no_end_of_ownership(tmp_path):
    logs = {
        "a.log": [added(0, 0), added(30, 2), added(33, 3)],
        "b.log": [added(30, 0), added(33, 1)],
    }
    (group,) = audited(tmp_path, logs).groups
    assert not kinds(group)
    assert one_of(group, What.TWO).detail == "one log has no lines about the end of entries"
    logs["a.log"] += [removed(34, 2)]
    logs["b.log"] += [removed(34, 1)]
    (group,) = audited(tmp_path, logs).groups
    assert kinds(group) == {What.TWO}


@pytest.mark.parametrize("dated", [True, False])
def test_line_written_during_reading_is_ignored(tmp_path, dated):
    log = tmp_path / "a.log"
    text = [one if dated else one[24:] for one in (added(0, 0), added(1, 1))]
    log.write_text("".join(text), encoding="utf-8")
    found, _ = sources([str(log)], tmp_path)
    with log.open("a", encoding="utf-8") as more:
        more.write(text[0] * 50_000)
    assert audit(found, Asked()).files[0].tally.lines < 10_100


def test_long_line_is_not_stored(tmp_path):
    with Path(tmp_path, "a.log").open("w", encoding="utf-8") as log:
        log.write(added(0, 0))
        for _ in range(30):
            log.write("x" * 1_000_000)
        log.write("\n" + removed(1, 0))
    found, _ = sources([str(tmp_path / "a.log")], tmp_path)
    tracemalloc.start()
    (file,) = audit(found, Asked()).files
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (file.tally.lines, file.tally.told, file.tally.long) == (3, 2, 1)
    assert most < 15_000_000
