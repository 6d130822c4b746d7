"""Small recordings that are drawn, kind by kind: events of those kinds that the kind's monitors read, at times that are
as far from each other as the monitors' limits are, or a millisecond more or less.

Nothing holds them together: who is asked what a monitor says of them, is asked of conditions that no client meets.
"""

from rebalance_proofs.recorded.groups.member import (
    Started,
    Starting,
)
from tests.report.reality.monitors.drawing import LIMITS
from tests.report.reality.monitors.together import Drawn

LATER = (2_051, 4_101, 32_000, 32_050, 34_051, 60_000, 132_051)
"""How much later than an event a recording can end, besides."""

D = Drawn
HAPPENS = {
    "ordered": ((5, D.call), (3, D.entry), (3, D.lock), (2, D.lock_row), (1, D.unlock), (1, D.shuts_down),
                (2, D.hands_over), (1, D.comes_back), (1, D.gives_back), (1, D.runs_out)),
    "offsets": ((4, D.call), (3, D.entry), (3, D.offset_row), (2, D.sent), (1, D.update), (1, D.pull), (1, D.killed),
                (4, D.hands_over)),
    "pulls": ((4, D.entry), (4, D.pull), (2, D.divided), (2, D.threw), (1, D.query), (1, D.illegal), (1, D.resumes),
              (1, D.rests), (2, D.repaired), (2, D.taken_for_lost)),
    "settling": ((4, D.divided), (3, D.listed), (2, D.notified), (3, D.members_row), (1, D.added), (1, D.resumes),
                 (1, D.asks_twice)),
    "subscriptions": ((3, D.beat), (2, D.pull), (1, D.entry), (2, D.subs_row), (1, D.offset_row),
                      (2, D.new_queue), (2, D.crowd), (2, D.newest), (1, D.restless)),
    "registry": ((4, D.members_row), (3, D.beat), (1, D.listed), (1, D.divided), (2, D.notified), (1, D.killed),
                 (1, D.heard), (1, D.bye), (1, D.shuts_down), (2, D.twice_listed), (1, D.killed_while_listed),
                 (1, D.added)),
}  # fmt: skip
"""Kind -> what happens there, with how often it does in comparison."""
SELDOM = {
    "ordered": (D.subscribes, D.subscribes, D.restarts, D.killed),
    "offsets": (D.update,),
    "pulls": (D.subscribes, D.shuts_down, D.stands),
    "settling": (D.subscribes, D.shuts_down, D.restarts, D.stands, D.killed),
    "subscriptions": (D.subscribes, D.restarts, D.stands, D.members_row),
    "registry": (D.restarts, D.delays, D.stands),
}
"""Kind -> what happens in some recordings only: it takes premises away."""


def drawn(kind, number):
    """A recording of a kind."""
    self = Drawn(kind, number)
    self.begins()
    happens = [what for times, what in HAPPENS[kind] for _ in range(times)]
    if kind == "ordered" and self.maybe(2):
        happens = [D.hands_over, D.comes_back]
    few = kind == "ordered" and self.maybe(6)
    for _ in range(self.r.randrange(2, 16) if not few else 0):
        self.r.choice(happens)(self)
    if few:
        self.in_time()
    for what in SELDOM[kind] if self.maybe(2) else ():
        if self.maybe(2):
            what(self)
    for who in self.members if self.maybe(8) else ():  # its process is started once more
        self.made.add(Starting, who, at := self.at())
        self.made.add(Started, who, at + self.r.choice((0, 100)), client_id=who)
    least = max(self.times)
    ends = [at + ms for at in self.times for ms in (*LIMITS[kind], *LATER) if at + ms >= least]
    return self.made.trace(self.r.choice(ends))
