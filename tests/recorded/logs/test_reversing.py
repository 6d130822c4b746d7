"""Logs with their newest line first keep the numbers of their lines."""

import gzip

from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.outcome import Asked
from rebalance_proofs.recorded.logs.sources import sources

LOST = "WARN RocketmqClient - fetch topicRouteInfo connect to <10.0.0.1:10911> failed"
CUT = "INFO RocketmqClient - [persistAll] Group: G ClientId: 1.1.1.1@1 updateConsumeOffsetToBroker MessageQueue [topi"
NEWEST_FIRST = "".join(
    f"2024-05-01 10:{29 - number:02}:00,000 {({4: CUT, 24: LOST}).get(number, 'INFO noise')}\n" for number in range(30)
)


def test_known_and_incomplete_lines_have_their_own_numbers(tmp_path):
    path = tmp_path / "a.log"
    path.write_text(NEWEST_FIRST, encoding="utf-8")
    (file,) = audit(sources([str(path)], tmp_path)[0], Asked()).files
    assert file.tally.turned
    assert {name: (one.line, one.last_line) for name, one in file.tally.sights.items()} == {"connect-failed": (25, 25)}
    assert file.tally.example.startswith("5: 2024-05-01 10:25:00,000")


def test_truncated_file_that_is_newest_first_is_reported_as_damaged(tmp_path):
    path = tmp_path / "a.log.gz"
    packed = gzip.compress(NEWEST_FIRST.encode(), mtime=0)
    path.write_bytes(packed[: len(packed) * 9 // 10])
    (file,) = audit(sources([str(path)], tmp_path)[0], Asked()).files
    assert "truncated" in file.damage
