"""Pull requests that are lost or delayed, and the repair of an offset that the broker does not have."""

from rebalance_proofs.recorded.logs import lines
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

READ = ("4.9.8", "5.1.4", "5.3.3")
SUSPENSION = (
    "DefaultMQPushConsumerImpl.doRebalance (from 5.2 on tryRebalance), persistConsumerOffset; "
    "RemoteBrokerOffsetStore.persistAll"
)
RESUME = Help(
    "resume(); or shut it down, and its queues go to the others. Code that suspends has to resume whatever happens."
)

CAUSES = (
    Cause(
        "suspended",
        "A member is suspended: by suspend(), or for 10 s while it carries a reset of offsets out. It pulls nothing, "
        "and keeps its queues, also those that are another's by now.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until resume() is called, which the end of an offset reset does too"),
                pulls("lets-go.without-running"),
                shown=pulls("rests"),
            ),
        ),
        (lines.SUSPENDED, lines.PAUSED),
        (
            "Its heartbeats go on, so that all others count it and leave it its share; it renews the locks of ordered "
            "queues, and nobody else gets them (read in the sources of 4.9.8, 5.1.4 and 5.3.3).",
            "mqadmin consumerStatus -i ID: its queues have no cached messages, and a lastPullTimestamp of the last "
            "second or two, as looking at a pull request counts as a pull; consumerProgress names it as their client.",
            "From 5.2 on it asks for the group's members every second, and so does every group of its process: a "
            "suspended consumer counts as one that is not balanced.",
        ),
        (Sign.BEHIND, Sign.STANDS),
        (RESUME,),
    ),
    Cause(
        "suspended-with-old-queues",
        "A suspended member does not rebalance, so that it keeps queues which are another's by now: it consumes what "
        "it had pulled of them, and commits its old offsets every 5 s, over those of the new owner.",
        Needs.SETTING,
        (
            Effect(Symptom.BACK, Lasts("until resume() is called: every 5 s, and right again at the owner's commit")),
            Effect(
                Symptom.TWICE, Lasts("until what it had pulled is consumed, and at each change of owner after that")
            ),
        ),
        (lines.SUSPENDED, lines.PAUSED, lines.WENT_BACK),
        (
            "The broker's line has the address of the suspended member, every 5 s, and always the same requestOffset.",
            "mqadmin consumerStatus: two members have the queue, and one of them is suspended.",
        ),
        (Sign.SHARED, Sign.WENT_BACK),
        (RESUME,),
        read=READ,
        modes=("push",),
        source=SUSPENSION,
    ),
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
