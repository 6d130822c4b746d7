"""Mutants of brokers and members, each with one error.

Claims must reject those in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof fails.
"""

from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.machine.values import Or
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, Said, Variant

Mistake = Wrong[Member, Said, Limits, Variant]
WRONG = (
    Mistake(
        "needs-two",
        "a heartbeat on a new channel does not list the channel",
        lambda s, c, lim, turn: turn.but(mine=s.mine),
        "puts",
        "again",
    ),
    Mistake(
        "takes-all",
        "a scan removes every channel",
        lambda s, c, lim, turn: turn.but(mine=False),
        "scans",
        "listed",
    ),
    Mistake(
        "scans-nothing",
        "a scan removes nothing",
        lambda s, c, lim, turn: turn.but(mine=s.mine, old=s.old),
        "scans",
        "gone",
    ),
    Mistake(
        "keeps-newest",
        "a scan removes the newest channel of an id that has no other channel",
        lambda s, c, lim, turn: turn.but(old=s.old),
        "scans",
        "once-again",
    ),
    Mistake(
        "deaf",
        "a closed channel stays listed",
        lambda s, c, lim, turn: turn.but(mine=s.mine),
        "breaks",
        "at-once",
    ),
    Mistake(
        "unbelieving",
        "a member that unregisters stays listed",
        lambda s, c, lim, turn: turn.but(mine=s.mine),
        "unregisters",
        "good-bye",
    ),
    Mistake(
        "doubles",
        "a heartbeat lists its id twice",
        lambda s, c, lim, turn: turn.but(old=True, old_at=s.now),
        "puts",
        "once",
    ),
    Mistake(
        "silent",
        "no member is notified when a channel is closed",
        lambda s, c, lim, turn: turn.but(stale=Or(s.stale, s.mine)),
        "breaks",
        "told",
    ),
    Mistake(
        "drops",
        "collected notifications are not sent",
        lambda s, c, lim, turn: turn.but(stale=s.stale),
        "replaces",
        "told-late",
    ),
    Mistake(
        "blind",
        "a poll does not return the new route",
        lambda s, c, lim, turn: turn.but(seen=False),
        "polls",
        "routed",
    ),
    Mistake(
        "throws-on",
        "a member whose start throws an exception continues",
        lambda s, c, lim, turn: turn.but(alive=s.alive, leaving=s.leaving),
        "throws",
        "not-started",
        of=lambda client: client.stops,
    ),
    Mistake(
        "refreshes-all",
        "a heartbeat for another group of the process counts for this group, too",
        lambda s, c, lim, turn: turn.but(at=s.now),
        "refreshes",
        "gone",
        of=lambda client: not client.shares,
    ),
    Mistake(
        "shy",
        "a client that has connected waits for its next periodic heartbeat",
        lambda s, c, lim, turn: turn.but(anew=False),
        breaks="anew",
        of=lambda client: client.greets,
    ),
)
SLIPS = (
    Mistake(
        "forgets-all",
        "After any action, the member is alive and not listed.",
        lambda s, c, lim, turn: turn.but(
            alive=True, known=True, others=True, mine=False, old=False, at=turn.after.at - 1
        ),
    ),
    Mistake(
        "keeps-all",
        "After any action, the member is gone and listed twice.",
        lambda s, c, lim, turn: turn.but(
            alive=False,
            died=True,
            running=True,
            mine=True,
            old=True,
            old_at=turn.after.old_at - 99,
            stale=True,
            seen=False,
        ),
    ),
    Mistake(
        "is-late",
        "After any action, no scan, no sending and no poll has happened.",
        lambda s, c, lim, turn: turn.but(
            scanned=turn.after.scanned - 1, flushed=turn.after.flushed - 1, polled=turn.after.polled - 1
        ),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""
