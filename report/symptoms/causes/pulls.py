"""Pull requests: lost, or held up; and the repair of an offset that the broker does not have."""

from rebalance_proofs.report.symptoms import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import PULLING, pulls
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

UNTIL_HEALED = Lasts(
    "until the first rebalance that begins more than 120 s after the last pull: 20 s later, and twice a rebalance of "
    "all groups of the process: 26 s where that takes 3 s",
    146_000,
    pulls("healed"),
    26_000,
)

CAUSES = (
    Cause(
        "pull-request-lost",
        "A queue's pull request is lost: something threw what the client does not expect, or interrupted its thread. "
        "The queue is held, and not pulled.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                UNTIL_HEALED,
                (
                    *pulls("has-request.without-store"),
                    *pulls("has-request.without-interrupt"),
                    *pulls("has-request.without-error", *PULLING[-1:]),
                    *pulls("has-request.without-callback", *PULLING[:1]),
                    *pulls("has-request.without-hook", *PULLING[2:]),
                ),
            ),
        ),
        (lines.NOT_PULLED,),
        ("The client's log has what was thrown, some two minutes before.",),
        (Sign.NOT_PULLED, Sign.BEHIND),
        (Help("Offset stores and hooks of one's own that do not throw."),),
    ),
    Cause(
        "pull-thread-ended",
        "An Error as a pull request was taken has ended the thread that takes them: no queue of the client instance is "
        "pulled any more.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until the process is started again"),
                pulls("healed.without-error", *PULLING[:-1]),
                pulls("healed.without-error", *PULLING[-1:]),
            ),
        ),
        (lines.NOT_PULLED,),
        ("A thread dump has no PullMessageService.",),
        (Sign.NOT_PULLED, Sign.BEHIND),
        (Help("5.3.3, where that thread goes on.", pulls("healed.without-error", *PULLING[-1:])),),
    ),
    Cause(
        "repair-over-next-owner",
        "The repair of an offset that a broker does not have comes when the queue has another owner, or another entry: "
        "it writes over what was committed since, or takes that entry out.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.BACK,
                Lasts("once, when the repair is done: up to 5.1 ten seconds after the pull was answered", event=True),
                (
                    *pulls("repairs-while-held", *PULLING[:1]),
                    *pulls("repairs-while-held.without-late-answer"),
                ),
            ),
            Effect(
                Symptom.STUCK,
                Lasts("until the next rebalance adds the queue again (20 s)", 20_000),
                (*pulls("hits-own-entry", *PULLING[:1]), *pulls("hits-own-entry.without-late-answer")),
            ),
        ),
        (),
        ("Messages had expired, or offsets were reset, just before.",),
        (Sign.WENT_BACK,),
        (Help("5.2 or later, where it is done at once; retention that is longer than a group can be away."),),
    ),
)
