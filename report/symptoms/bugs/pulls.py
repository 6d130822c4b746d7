"""Bugs in pull requests."""

from rebalance_proofs.report.symptoms.bug import CPP, Bug
from rebalance_proofs.report.symptoms.bugs.of_claims import AT_ONCE, of_pulls

__all__ = ["BUGS"]

LATE = "if an answer comes when the entry has left"
NOT_LATE = "if none does, pulls are sent in time, and the repair comes before the next rebalance"
BUGS = (
    Bug(
        "An old pull request goes on with the queue's next entry.",
        362,
        CPP,
        absent=of_pulls("dies"),
        not_modelled="the C++ client's pull requests",
        unseen="nothing is claimed of that client",
    ),
    Bug(
        "The first pull of an ordered queue is sent though its entry has gone while its offset was asked for.",
        present=of_pulls("dies.without-query"),
        unseen="what a pull for an entry that has gone comes to is not claimed",
    ),
    Bug(
        "The repair of an illegal offset takes the queue's next entry out.",
        present=(
            *of_pulls("hits-own-entry", "4_9_to_5_1"),
            *of_pulls("hits-own-entry.without-late-answer", *AT_ONCE, when=LATE),
        ),
        absent=of_pulls("hits-own-entry", *AT_ONCE, when=NOT_LATE),
    ),
    Bug(
        "The repair of an illegal offset is done when its entry has left: over the next owner's offset, if any.",
        present=(
            *of_pulls("repairs-while-held", "4_9_to_5_1"),
            *of_pulls("repairs-while-held.without-late-answer", *AT_ONCE, when=LATE),
        ),
        absent=of_pulls("repairs-while-held", *AT_ONCE, when=NOT_LATE),
    ),
    Bug(
        "A pull whose time is over before it is sent has its pull request doubled.",
        present=of_pulls("one-request.without-connection", "5_3_0", "5_3_3"),
        absent=of_pulls("one-request.without-connection", "4_9_to_5_1", "5_2_0"),
        unseen="what two requests of one entry come to is not claimed",
    ),
    Bug(
        "An RPC hook that throws loses a pull request: the queue is not pulled for two minutes after each time.",
        present=of_pulls("has-request.without-hook", "5_3_0", "5_3_3"),
        absent=of_pulls("has-request.without-hook", "4_9_to_5_1", "5_2_0"),
    ),
    Bug(
        "An `Error` in a pull's callback loses the pull request: the queue is not pulled for two minutes.",
        present=of_pulls("has-request.without-callback", "4_9_to_5_1"),
        absent=of_pulls("has-request.without-callback", *AT_ONCE),
    ),
    Bug(
        "An `Error` as a pull request is taken ends all pulls of the client instance for good.",
        present=of_pulls("healed.without-error", "4_9_to_5_1", "5_2_0", "5_3_0"),
        absent=of_pulls("healed.without-error", "5_3_3"),
    ),
)
