"""Causes in pull requests: lost or delayed requests, and the repair of an illegal offset."""

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import TIMER, Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import PULLING, SURVIVING, pulls
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

UNTIL_HEALED = Lasts(
    f"until the first rebalance that checks it more than 120 s after the last pull (up to 26 s later). {TIMER}",
    146_000,
    pulls("healed"),
    26_000,
)

READ = ("4.9.8", "5.1.4", "5.3.3", "5.5.0")
SUSPENSION = (
    "DefaultMQPushConsumerImpl.doRebalance (from 5.2 on tryRebalance), persistConsumerOffset; "
    "RemoteBrokerOffsetStore.persistAll"
)
RESUME = Help(
    "Call resume(), or shut the consumer down so that its queues move to others. Code that suspends must resume in "
    "every case.",
    short="Call resume(), or shut the consumer down so that its queues move to others.",
)

CAUSES = (
    Cause(
        "suspended",
        "A member is suspended, so it pulls nothing but keeps its queues, even those that now belong to another "
        "member. suspend() was called, or the member is carrying out a reset of offsets (10 s, or from 5.5.0 on up to "
        "10 s for each queue of an ordered consumer).",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until resume() is called, which the end of an offset reset also does"),
                pulls("lets-go.without-running"),
                shown=pulls("rests"),
            ),
        ),
        (lines.SUSPENDED, lines.PAUSED),
        (
            "The suspended member's heartbeats continue, so the others leave it its share. It renews the locks of "
            "ordered queues, and no other consumer gets them (read in the source of 4.9.8, 5.1.4, 5.3.3 and 5.5.0).",
            "mqadmin consumerStatus -i ID shows no cached messages, and a lastPullTimestamp of the last second or two: "
            "checking a pull request counts as a pull. consumerProgress lists the member as the client of its queues.",
            "From 5.2 on, a suspended member counts as not balanced. So it queries the group's members every second, "
            "and so does every group of its process.",
        ),
        (Sign.BEHIND, Sign.STANDS),
        (RESUME,),
    ),
    Cause(
        "suspended-with-old-queues",
        "A suspended member does not rebalance, so it keeps queues that now belong to another member. It consumes the "
        "messages that it had pulled, and commits its old offsets every 5 s over those of the new owner.",
        Needs.SETTING,
        (
            Effect(
                Symptom.BACK,
                Lasts(
                    "until resume() is called. The offset rolls back every 5 s, and is right again "
                    "at the owner's commit"
                ),
            ),
            Effect(
                Symptom.TWICE, Lasts("until its pulled messages are consumed. It recurs at each later change of owner")
            ),
        ),
        (lines.SUSPENDED, lines.PAUSED, lines.WENT_BACK),
        (
            "The broker logs the suspended member's address every 5 s, always with the same requestOffset.",
            "mqadmin consumerStatus shows two members with the queue, and one of them is suspended.",
        ),
        (Sign.SHARED, Sign.WENT_BACK),
        (RESUME,),
        read=READ,
        modes=("push",),
        source=SUSPENSION,
    ),
    Cause(
        "pull-request-lost",
        "A queue has an owner but is not pulled, because an unexpected exception or an interrupt lost its pull "
        "request.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                UNTIL_HEALED,
                (
                    *pulls("has-request.without-store"),
                    *pulls("has-request.without-interrupt"),
                    *pulls("has-request.without-error", *SURVIVING),
                    *pulls("has-request.without-callback", *PULLING[:1]),
                    *pulls("has-request.without-hook", *PULLING[2:]),
                ),
            ),
        ),
        (lines.NOT_PULLED,),
        ('The client logged the exception about two minutes before the "because pull is pause" line.',),
        (Sign.NOT_PULLED, Sign.BEHIND),
        (Help("Make sure that your own offset stores and hooks do not throw."),),
    ),
    Cause(
        "pull-thread-ended",
        "An Error ended the thread that takes pull requests, so no queue of the client instance is pulled any more.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until the process restarts"),
                pulls("healed.without-error", *PULLING[: -len(SURVIVING)]),
                pulls("healed.without-error", *SURVIVING),
            ),
        ),
        (lines.NOT_PULLED,),
        ("A thread dump has no PullMessageService thread.",),
        (Sign.NOT_PULLED, Sign.BEHIND),
        (Help("Upgrade to 5.3.3, where that thread survives.", pulls("healed.without-error", *SURVIVING)),),
    ),
    Cause(
        "repair-over-next-owner",
        "The repair of an illegal offset comes when the queue has another owner or another ProcessQueue. It overwrites "
        "later commits, or removes that ProcessQueue.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.BACK,
                Lasts(
                    "once, when the repair runs. Up to 5.1, that is ten seconds after the pull was answered", event=True
                ),
                (
                    *pulls("repairs-while-held", *PULLING[:1]),
                    *pulls("repairs-while-held.without-late-answer"),
                ),
            ),
            Effect(
                Symptom.STUCK,
                Lasts("until the next rebalance adds the queue again", 20_000),
                (*pulls("hits-own-entry", *PULLING[:1]), *pulls("hits-own-entry.without-late-answer")),
            ),
        ),
        (),
        ("Messages expired, or offsets were reset, just before.",),
        (Sign.WENT_BACK,),
        (
            Help(
                "Upgrade to 5.2 or later, where the repair runs at once. Retain messages longer than a group can be "
                "away.",
                short="Upgrade to 5.2 or later, and retain messages longer than a group can be away.",
            ),
        ),
    ),
)
