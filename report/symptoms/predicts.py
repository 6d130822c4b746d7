"""The facts that each cause predicts, derived from its sentence, its claims and the sources."""

from rebalance_proofs.report.symptoms.facts import After, Predicts, Reach, Unusual

__all__ = ["PREDICTS"]

DEPLOY, CRASH, BROKER, SCALING = After.DEPLOY, After.CRASH, After.BROKER, After.SCALING
CHANGED, NEW, RESET, NOTHING, ALWAYS = After.SUBSCRIPTION, After.NEW, After.RESET, After.NOTHING, After.ALWAYS
ONE, ALL, ANY = (Reach.ONE,), (Reach.ALL,), (Reach.ONE, Reach.ALL)

STRATEGY, LANGUAGES, CLIENT, MODE = Unusual.STRATEGY, Unusual.LANGUAGES, Unusual.CLIENT, Unusual.MODE
ORDERED, SETTING, CODE, MOMENT = Unusual.ORDERED, Unusual.SETTING, Unusual.CODE, Unusual.MOMENT

COMES_AND_GOES = (DEPLOY, SCALING)
"""Events in which consumers join or leave the group.

A deploy is a shutdown and a start of each consumer, so causes of either fit.
"""

PREDICTS: dict[str, Predicts] = {
    "hand-over": Predicts((DEPLOY, SCALING, CRASH), ANY),
    "hand-over-ordered": Predicts(COMES_AND_GOES, ANY, (ORDERED,)),
    "waits-for-crashed": Predicts((CRASH,), ONE, (ORDERED,)),
    "waits-for-living": Predicts(COMES_AND_GOES, ONE, (ORDERED,)),
    "marked-until-timer": Predicts(COMES_AND_GOES, ONE, (ORDERED, MOMENT)),
    "waits-for-shut-down": Predicts(COMES_AND_GOES, ONE, (ORDERED,)),
    "lock-left-at-shutdown": Predicts((DEPLOY, SCALING), ONE, (ORDERED, MOMENT)),
    "unlock-lost": Predicts((*COMES_AND_GOES, BROKER), ONE, (ORDERED,)),
    "not-subscribed": Predicts((CHANGED, DEPLOY, ALWAYS), ONE),
    "same-client-id": Predicts((SCALING, DEPLOY, ALWAYS), ONE),
    "same-client-id-ordered": Predicts((SCALING, DEPLOY, ALWAYS), ONE, (ORDERED,)),
    "registries-differ": Predicts((BROKER, NOTHING), ANY),
    "routes-differ": Predicts((NEW, BROKER), ONE),
    "sorted-differently": Predicts((DEPLOY, ALWAYS), ALL, (LANGUAGES,)),
    "ids-sorted-differently": Predicts((DEPLOY, ALWAYS), ALL, (LANGUAGES, MOMENT)),
    "strategies-differ": Predicts((DEPLOY, ALWAYS), ALL, (STRATEGY,)),
    "strategy-throws": Predicts((DEPLOY, ALWAYS), ONE, (STRATEGY,)),
    "mixed-clients": Predicts((DEPLOY, ALWAYS), ALL, (LANGUAGES, STRATEGY)),
    "not-listed": Predicts((BROKER, NOTHING), ONE),
    "rooms-not-listed": Predicts((NEW, ALWAYS), ONE, (STRATEGY,)),
    "room-twice": Predicts((ALWAYS,), ONE, (STRATEGY, CLIENT)),
    "no-virtual-nodes": Predicts((ALWAYS,), ALL, (STRATEGY,)),
    "configured-by-hand": Predicts((CHANGED, SCALING, ALWAYS), ANY, (STRATEGY,)),
    "topic-by-topic": Predicts((SCALING, ALWAYS), ALL),
    "more-consumers-than-queues": Predicts((SCALING, ALWAYS), ONE),
    "one-topic": Predicts((SCALING, ALWAYS), ANY),
    "uneven-hash": Predicts((SCALING, ALWAYS), ANY, (STRATEGY,)),
    "rooms-of-other-sizes": Predicts((SCALING, ALWAYS), ANY, (STRATEGY,)),
    "several-on-a-host": Predicts((SCALING, ALWAYS), ONE),
    "subscriptions-overwritten": Predicts((CHANGED, DEPLOY, ALWAYS), ALL),
    "subscription-not-latest": Predicts(COMES_AND_GOES, ONE),
    "heartbeat-v2": Predicts((BROKER, CHANGED), ALL, (SETTING,)),
    "lost-notification": Predicts((SCALING, CRASH), ONE),
    "lost-wake-up": Predicts(COMES_AND_GOES, ONE, (MOMENT,)),
    "host-vanished": Predicts((CRASH,), ONE),
    "good-bye-lost": Predicts(COMES_AND_GOES, ONE),
    "good-bye-overtaken": Predicts(COMES_AND_GOES, ONE, (MOMENT,)),
    "start-threw": Predicts((DEPLOY,), ONE),
    "second-channel": Predicts((BROKER, NOTHING), ONE, (MOMENT,)),
    "broker-comes-back": Predicts((BROKER,), ALL),
    "starved-timer": Predicts((BROKER, NOTHING), ANY),
    "storm": Predicts((CHANGED, SCALING, ALWAYS), ALL),
    "listener-blocks": Predicts((DEPLOY, NOTHING), ANY),
    "dropped-entry": Predicts(COMES_AND_GOES, ONE, (ORDERED, MOMENT)),
    "no-readable-queue": Predicts((CHANGED,), ALL, (MODE,)),
    "expired-pull": Predicts((BROKER, NOTHING), ONE),
    "store-throws": Predicts((ALWAYS, NOTHING), ONE, (CODE,)),
    "cannot-commit": Predicts((BROKER,), ONE, (CLIENT,)),
    "nothing-committed": Predicts((NEW,), ANY),
    "arrived-before-first-pull": Predicts((NEW,), ONE, (ORDERED,)),
    "moved-before-a-commit": Predicts((NEW, *COMES_AND_GOES), ONE, (MOMENT,)),
    "error-read-as-none": Predicts((BROKER,), ONE),
    "failure-read-as-none": Predicts((BROKER,), ONE, (CLIENT,)),
    "zero-sent-as-none": Predicts((NEW, *COMES_AND_GOES), ONE, (CLIENT,)),
    "closed-with-messages": Predicts(COMES_AND_GOES, ONE, (CLIENT,)),
    "goes-on-after-it-was-taken": Predicts(COMES_AND_GOES, ONE, (CLIENT,)),
    "tags-differ": Predicts((CHANGED, DEPLOY, ALWAYS), ALL),
    "offset-illegal": Predicts((BROKER, NOTHING), ONE),
    "old-pull-task": Predicts(COMES_AND_GOES, ONE, (MODE,)),
    "messages-out-of-order": Predicts((BROKER, *COMES_AND_GOES), ONE, (MOMENT,)),
    "late-commit": Predicts((*COMES_AND_GOES, NOTHING), ONE, (MOMENT,)),
    "first-pull-from-nowhere": Predicts((BROKER,), ONE, (ORDERED,)),
    "forgotten-while-sent": Predicts(COMES_AND_GOES, ONE, (ORDERED, MOMENT)),
    "ordered-without-good-bye": Predicts((CRASH, DEPLOY), ONE, (ORDERED,)),
    "broker-forgot": Predicts((BROKER,), ALL),
    "reset": Predicts((RESET,), ALL),
    "reset-undone": Predicts((RESET,), ONE, (MOMENT,)),
    "commit-failed": Predicts((BROKER,), ONE),
    "local-offset-lost": Predicts((BROKER,), ONE, (MODE,)),
    "unsubscribed": Predicts((CHANGED,), ALL, (CODE,)),
    "cut-short": Predicts(COMES_AND_GOES, ONE),
    "replica-behind": Predicts((BROKER,), ALL),
    "first-message-slow": Predicts((*COMES_AND_GOES, CRASH, NOTHING), ONE),
    "broker-unreachable": Predicts((BROKER,), ANY),
    "suspended": Predicts((RESET, NOTHING), ONE, (CODE,)),
    "suspended-with-old-queues": Predicts((RESET, *COMES_AND_GOES), ONE, (CODE,)),
    "pull-request-lost": Predicts((NOTHING,), ONE),
    "pull-thread-ended": Predicts((NOTHING,), ANY),
    "repair-over-next-owner": Predicts((RESET, *COMES_AND_GOES), ONE, (MOMENT,)),
    "forced-unlock": Predicts(COMES_AND_GOES, ONE, (ORDERED,)),
    "slow-listener": Predicts((*COMES_AND_GOES, NOTHING), ONE, (ORDERED,)),
    "shut-down-under-listener": Predicts(COMES_AND_GOES, ONE, (ORDERED,)),
    "delayed-unlock": Predicts(COMES_AND_GOES, ONE, (ORDERED, MOMENT)),
    "unlock-overtaken": Predicts(COMES_AND_GOES, ONE, (ORDERED, MOMENT)),
    "unsubscribed-under-listener": Predicts((CHANGED,), ONE, (ORDERED, CODE)),
    "broker-restarted": Predicts((BROKER,), ANY, (ORDERED,)),
    "stray-lock": Predicts((BROKER,), ONE, (ORDERED,)),
    "unsubscribed-lock": Predicts((CHANGED,), ANY, (ORDERED, CODE)),
    "locked-again-at-shutdown": Predicts(COMES_AND_GOES, ONE, (ORDERED, MOMENT)),
    "not-locked-yet": Predicts(COMES_AND_GOES, ANY, (ORDERED,)),
    "static-topic": Predicts((NEW, ALWAYS), ALL, (ORDERED, SETTING)),
    "broadcasting-takes-locks": Predicts((DEPLOY, ALWAYS), ANY, (ORDERED, MODE)),
}
"""The facts that each cause predicts, by the cause's name."""
