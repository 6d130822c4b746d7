"""An audit of several years, with a finding each day."""

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.outcome import Audited, Coverage, File, GroupTold
from rebalance_proofs.recorded.audit.told import Span
from rebalance_proofs.recorded.logs.reading import Tally
from rebalance_proofs.report.audit.answer import NEVER, Answer
from rebalance_proofs.report.symptoms.asked import Asked

BEGIN, DAY = 1_700_000_000_000, 86_400_000
CLIENTS = tuple(
    (f"10.0.{place}.17@4711#order-service-{place}", f"pod-{place}/rocketmq_client.log") for place in range(4)
)


def years(days: int = 1_200, queues: int = 16) -> Answer:
    """Each day one of four consumers stops for a minute; then two own its queues for seconds, or none does."""
    spans, findings = [], []
    keys = [("ORDERS", "broker-a", queue) for queue in range(queues)]
    for day in range(days):
        at = BEGIN + day * DAY
        for place, queue in enumerate(keys):
            owner, other = CLIENTS[place * 4 // queues], CLIENTS[(place * 4 // queues + 1 + day % 3) % 4]
            stop = at + DAY // 3 + place * 7 % 50
            late = 0 if day % 2 else 40_000
            spans += [
                Span(owner, queue, at, stop + late, True, True, (owner[1], 9), (owner[1], 99), at, stop + late),
                Span(
                    other, queue, stop + 20_000, stop + 3_600_000, True, True, (other[1], 7), (other[1], 77), stop, stop
                ),
                Span(owner, queue, stop + 3_600_000, at + DAY, True, True, (owner[1], 5), (owner[1], 55), at, at),
            ]
        of = day % 4
        mine = keys[of * queues // 4 : (of + 1) * queues // 4]
        first = at + DAY // 3
        begin, end = (first, first + 20_000) if day % 2 else (first + 20_000, first + 40_000)
        findings.append(
            Finding(
                What.NOBODY if day % 2 else What.TWO,
                Level.SEEN if day % 5 else Level.POSSIBLE,
                "order-service",
                "ORDERS",
                (CLIENTS[of][0], CLIENTS[(of + 1) % 4][0]),
                tuple(Interval(queue, begin, end) for queue in mine),
                f"line {day} of the owner ends its ownership late",
                ("late-commit",) if not day % 2 else ("hand-over",),
                tuple((CLIENTS[(of + side) % 4][1], 100 + day) for side in range(4)),
            )
        )
    end = BEGIN + days * DAY
    coverage = [
        Coverage(log, ((client, log),), BEGIN, end, (), "V5_3_3", True, True, 0, None, 0, 0, None)
        for client, log in CLIENTS
    ]
    notices = [(CLIENTS[0][0], BEGIN + day * DAY + DAY // 3) for day in range(days)]
    group = GroupTold("order-service", spans, notices, notices, coverage, [], findings, 4, 999)
    files = [File(log, Tally(lines=1_000_000, told=1_000, dated=1_000_000), True) for _, log in CLIENTS]
    return Answer(Audited([group], files, 0), [], Asked(""), dict.fromkeys(NEVER, 0), "digest")
