"""Audits that are drawn, as if logs had said so: all that reports look at is there in some of them, and at limits."""

from random import Random

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.outcome import Audited, Coverage, File, GroupTold
from rebalance_proofs.recorded.audit.told import Held, Span
from rebalance_proofs.recorded.logs.reading import Tally
from rebalance_proofs.recorded.logs.sources import Left
from rebalance_proofs.report.audit.answer import NEVER, Answer, Printed, question_of
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Sign
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.mqadmin.signs import Seen

BEGIN = 1_790_000_000_000
TIMES = (0, 1, 53, 54, 999, 1_000, 59_949, 59_999, 60_000, 90_000, 3_599_499, 3_599_500, 3_600_000, 90_000_000)
"""In ms."""
VERSIONS = ("V5_3_3", "V5_3_3", "V4_9_4", "V5_2_0_SNAPSHOT", "V3_2_6", "go", "")


class Drawn:
    """Draws the parts of one audit."""

    def __init__(self, number):
        self.r = Random(f"audit {number}")

    def few(self, most, of):
        return [of() for _ in range(self.r.randrange(most + 1))]

    def maybe(self, one_in):
        return not self.r.randrange(one_in)

    def at(self):
        return BEGIN + self.r.choice(TIMES) + self.r.choice((0, 0, 1, 1_000))

    def where(self):
        return self.r.choice(("c0.log", "logs/c0.log", "c1.log", "")), self.r.randrange(1, 500)

    def member(self):
        return self.r.choice((("1@a", "c0.log"), ("2@b", "c1.log"), ("1@a", "c1.log")))

    def queue(self):
        return self.r.choice(("T1", "T1", "T2")), self.r.choice(("b0", "b0", "b1")), self.r.randrange(6)

    def span(self, members=()):
        begin, end = sorted((self.at(), self.at()))
        member = self.r.choice(members) if members else self.member()
        first, last = self.where(), self.where()
        return Span(member, self.queue(), begin, end, self.maybe(2), self.maybe(2), first, last, begin, end)

    def interval(self):
        at, until = sorted((self.at(), self.at()))
        return Interval(
            self.queue() if not self.maybe(5) else None,
            at if not self.maybe(5) else None,
            self.r.choice((until, until, until, at, None)),
        )

    def finding(self):
        causes = [cause.name for cause in self.r.sample(CAUSES, self.r.choice((0, 1, 2, 3)))]
        return Finding(
            self.r.choice((*What, What.TWO, What.NOBODY)),
            self.r.choice((*Level, Level.SEEN)),
            "G",
            self.r.choice(("T1", "T2", "")),
            self.r.choice(((), ("1@a",), ("1@a", "2@b"))),
            (self.interval(), *self.few(2, self.interval)),
            f"detail {self.r.randrange(5)}",
            tuple(causes),
            tuple(self.few(6, self.where)),
            {"times": self.r.randrange(9)},
        )

    def coverage(self):
        first, last = sorted((self.at(), self.at()))
        times = [(first, first + ms) for ms in self.r.sample(TIMES, self.r.choice((0, 0, 1, 2)))]
        log = self.r.choice(("logs/c0.log", "logs/c1.log"))
        held = Held(5, self.r.choice(((), (("route", 2), ("ids", 1)))), (), self.r.choice(("", "", "nothing is known")))
        return Coverage(
            log=log,
            members=tuple(self.few(2, self.member)) or (("1@a", log),),
            first=first if not self.maybe(6) else None,
            last=last if not self.maybe(6) else None,
            silences=tuple(times),
            version=self.r.choice(VERSIONS),
            zone_known=self.maybe(2),
            commits=self.maybe(2),
            apart=self.r.choice((None, 0, 7)),
            other_zone=self.r.choice((None, 0, 3_600_000, -1_800_000)),
            unnamed=self.r.choice((0, 0, 1, 3)),
            undated=self.r.choice((0, 0, 1, 3)),
            held=held if self.maybe(2) else None,
        )

    def group(self, name):
        many = [(f"{place}@m", "m.log") for place in range(self.r.choice((51, 52, 53)))] if self.maybe(12) else []
        spans = self.few(8, self.span) if not many else [self.span(many) for _ in range(60)]
        if many:  # each has a queue, one after the other
            spans = [Span(one, ("T1", "b0", 0), BEGIN + 100 * place, BEGIN + 100 * place + 100, True, True, ("", 1),
                          ("", 1), 0, 0) for place, one in enumerate(many)]  # fmt: skip
        coverage = self.few(3, self.coverage) if not self.maybe(3) else []
        findings = self.few(4, self.finding)
        if self.maybe(9):
            findings = [self.finding() for _ in range(20)]
        return GroupTold(
            name=name,
            spans=spans,
            notices=[("1@a", self.at()) for _ in range(self.r.randrange(3))],
            rebalances=[("2@b", self.at()) for _ in range(self.r.randrange(3))],
            coverage=coverage if not many else [self.coverage() for _ in range(self.r.choice((10, 25)))],
            mirrored=[("c2.log", "c0.log")] if self.maybe(4) else [],
            findings=findings,
            seen_members=self.r.choice((0, 1, 2, 3, 4)),
            lines=5,
            names={("1@a", "c1.log"): "1@a of c1.log"} if self.maybe(2) else {},
        )

    def file(self):
        flags = {name: self.maybe(4) for name in ("no_year", "no_date", "either")}
        flags["either"] = "dmy" if flags["either"] else ""
        counts = {name: self.r.choice((0, 0, 1, 2)) for name in ("cut", "back", "long", "told", "dated")}
        tally = Tally(lines=self.r.randrange(99), example="line 7", **flags, **counts)
        return File(self.r.choice(("c0.log", "logs/c1.log")), tally, self.maybe(2), "CRC" if self.maybe(6) else "")

    def printed(self):
        signs = [
            Seen(sign, f"words {self.r.randrange(9)}") for sign in self.r.sample(list(Sign), self.r.choice((0, 1, 3)))
        ]
        return Printed(("progress.txt",), tuple(signs), self.r.choice(("", "G")))


def drawn(number):
    """An answer to draw reports of."""
    self = Drawn(number)
    names = [f"G{place}" for place in range(self.r.choice((0, 1, 1, 2, 3, 13)))]
    groups = [self.group(name) for name in names]
    nameless = self.r.choice((0, 0, 1, 7))
    zone = self.r.choice((0, 28_800_000, -12_600_000))
    asked = question_of(groups, Asked(self.r.choice(("", "", "", "5.3.3"))))
    never = {what: self.r.choice((0, 0, 1_000, 60_000)) for what in NEVER} if not self.maybe(5) else {}
    left = [Left("core.7", "it is no log")] if self.maybe(4) else []
    files, printed = self.few(3, self.file), self.few(2, self.printed) if self.maybe(3) else []
    return Answer(
        Audited(groups, files, zone, nameless), left, asked, never, "digest", printed, self.r.choice(("", "local"))
    )
