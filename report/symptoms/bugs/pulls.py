"""Known bugs in which a client no longer sends pull requests for a queue."""

from rebalance_proofs.report.symptoms.bug import CPP, Bug
from rebalance_proofs.report.symptoms.bugs.of_claims import AT_ONCE, of_pulls
from rebalance_proofs.report.symptoms.causes.of_clients import SURVIVING

__all__ = ["BUGS"]

LATE = "if an answer comes after the ProcessQueue has left"
NOT_LATE = "if pulls are sent in time, no answer is late, and the repair precedes the next rebalance"
BUGS = (
    Bug(
        "An old pull request continues with the queue's next ProcessQueue.",
        362,
        CPP,
        absent=of_pulls("dies"),
        not_modelled="the C++ client's pull requests",
        unseen="no claim covers that client",
    ),
    Bug(
        "The client sends the first pull of an ordered queue whose ProcessQueue left during the offset query.",
        present=of_pulls("dies.without-query"),
        unseen="no claim covers the effect of a pull for a removed ProcessQueue",
    ),
    Bug(
        "The repair of an illegal offset removes the queue's next ProcessQueue.",
        present=(
            *of_pulls("hits-own-entry", "4_9_to_5_1"),
            *of_pulls("hits-own-entry.without-late-answer", *AT_ONCE, when=LATE),
        ),
        absent=of_pulls("hits-own-entry", *AT_ONCE, when=NOT_LATE),
    ),
    Bug(
        "The repair of an illegal offset comes after its ProcessQueue has left, and can overwrite the next owner's "
        "offset.",
        present=(
            *of_pulls("repairs-while-held", "4_9_to_5_1"),
            *of_pulls("repairs-while-held.without-late-answer", *AT_ONCE, when=LATE),
        ),
        absent=of_pulls("repairs-while-held", *AT_ONCE, when=NOT_LATE),
    ),
    Bug(
        "A pull that times out before it is sent duplicates its pull request.",
        present=of_pulls("one-request.without-connection", "5_3_0", "5_3_3"),
        absent=of_pulls("one-request.without-connection", "4_9_to_5_1", "5_2_0", "5_4_0"),
        unseen="no claim covers the effect of two requests for one ProcessQueue",
    ),
    Bug(
        "An RPC hook that throws loses a pull request, and the queue is not pulled for two minutes each time.",
        present=of_pulls("has-request.without-hook", "5_3_0", "5_3_3", "5_4_0"),
        absent=of_pulls("has-request.without-hook", "4_9_to_5_1", "5_2_0"),
    ),
    Bug(
        "An `Error` in a pull's callback loses the pull request, and the queue is not pulled for two minutes.",
        present=of_pulls("has-request.without-callback", "4_9_to_5_1"),
        absent=of_pulls("has-request.without-callback", *AT_ONCE),
    ),
    Bug(
        "An `Error` while taking a pull request ends all pulls of the client instance for good.",
        present=of_pulls("healed.without-error", "4_9_to_5_1", "5_2_0", "5_3_0"),
        absent=of_pulls("healed.without-error", *SURVIVING),
    ),
)
