"""Faults that narrow or widen a bad state, a ghost or an assumption of a page, or leave out compared states."""

from tests.faults.fault import Fault, failing, fault

DECIDED = "tests/weakened/test_decided.py::test_formulas_have_the_pinned_values_in_their_deciding_states"


def decided(name: str, symbol: str, old: str, new: str, machine: str, says: str) -> Fault:
    """Return a fault that a state with a pinned value of the formula ``says`` has to notice."""
    return fault(name, symbol, old, new, f"pytest {DECIDED}[{machine}]", f"{says}: ")


FAULTS = (
    decided(
        "late-only-beside-a-new-entry",
        "takes",
        "late=Or(s.late, begins)",
        "late=Or(s.late, And(begins, s.present))",
        "pulls",
        "ghost takes late",
    ),
    decided(
        "skipped-only-without-a-query",
        "skipped",
        "return And(s.committed > lim.message, Not(done(s)))",
        "return And(s.committed > lim.message, Not(done(s)), Not(s.asking))",
        "offsets-concurrently",
        "bad not-skipped",
    ),
    decided(
        "twice-only-with-a-connection",
        "_twice",
        "return And(s.mine, s.old)",
        "return And(s.mine, s.old, s.link)",
        "registry",
        "bad once",
    ),
    decided(
        "hurried-only-after-the-change",
        "waits",
        "after(LEAST, lambda s: Not(s.was_balanced))",
        "after(LEAST, lambda s: And(Not(s.was_balanced), s.right))",
        "settling",
        "bad waits",
    ),
    decided(
        "commits-only-of-an-entry",
        "SAME",
        "assume('the same subscription for all members')",
        (
            "assume('the same subscription for all members', "
            "allows={'commits': lambda s, c, lim: Implies(s.recording, s.present)})"
        ),
        "offsets-concurrently",
        " commits",
    ),
    decided(
        "listed-even-if-alone",
        "listed",
        "And(s.alive, s.known, s.others, Not(is_listed(s)))",
        "And(s.alive, s.known, Not(is_listed(s)))",
        "registry",
        "bad listed",
    ),
    decided(
        "one-batch-even-without-an-entry",
        "one_batch",
        "early = And(s.owed, s.present, Not(s.dropped), Not(s.noting))",
        "early = And(s.owed, Not(s.dropped), Not(s.noting))",
        "offsets-orderly",
        "bad one-batch",
    ),
    fault(
        "same-states-in-each-piece",
        "Steps.__call__",
        "places = space.places(piece, self.one_in)",
        "places = space.places(0, self.one_in)",
        *failing("tests/machines/test_machines.py::test_all_pieces_together_compare_every_state[ordered]"),
    ),
)
