"""The calls whose whole output is kept: fast ones, whose output is the same everywhere."""

from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from os import environ
from unittest.mock import patch

from rebalance_proofs.cli.main import main
from rebalance_proofs.report.settling.settle import EVENTS

CALLS: Mapping[str, Sequence[str]] = {
    "settle": (
        "settle --client 5.2 --event crash",
        "settle --client 5.2 --event crash --rate 100/s --commit-interval 7s",
        "settle --client 4.9.8 --event join --rate 0.5/s",
        "settle --client 5.3.3 --event join --busy 3",
        "settle --client 4.9.8 --event shutdown --mode 'push orderly' --rate 20/s",
        "settle --client 4.9.8 --event rolling --mode 'push orderly' --distance 60s",
        "settle --client 5.2 --event lost-notification --mode 'push orderly'",
        "settle --client 5.0 --event host-lost --rate 10/s --loop 5s --wait 10s",
        "settle --client 4.9.8 --event queues-added --rate 50/s",
        "settle --client 5.2 --event broker-added --rate 50/s",
        "settle --client 5.2 --event broker-restart --mode 'push orderly' --busy 1",
        "settle --client 5.2 --event crash --rate 100/s --json",
        "settle --client 4.9.8 --event queues-added --rate 50/s --json",
        *(
            f"settle --client 5.2 --event {event} --mode '{mode}' --rate 8/s --json"
            for event in EVENTS
            for mode in ("push", "push orderly")
        ),
        "settle --client 5.2 --event join --all",
        "settle --client 4.9.8 --event shutdown --mode 'push orderly' --all",
        "settle --client 5.2 --event crash --within 15s --listener 2s",
        "settle --client 5.1.5 --event crash",
        "settle --client go --event crash",
    ),
    "moves": (
        "moves",
        "moves --queues 8 --consumers 3 --event leave --place first",
        "moves --queues 5 --consumers 8 --event join --place last",
        "moves --strategy avg,circle --consumers 4 --event crash",
        "moves --strategy avg,hash,room --consumers 2 --grow 4:6",
        "moves --strategy avg,circle --consumers 3 --grow 4:8 --brokers 2",
        "moves --strategy hash,AVG --consumers 2 --queues 7 --ids b,a,c",
        "moves --consumers 2 --all",
        "moves --queues 8 --consumers 3 --event leave --place first --all",
        "moves --strategy avg,hash,room --consumers 2 --grow 4:6 --all",
        "moves --queues 3 --consumers 2 --json",
        "moves --strategy circle --consumers 2 --grow 3:4 --json",
        "moves --queues 24 --consumers 3 --to 7 --plan",
        "moves --strategy avg,circle --consumers 4 --restart 2 --grow 8:12 --plan",
        "moves --strategy avg --consumers 12 --restart 3",
        "moves --queues 8 --ids a,b,c --add d,aa --remove a --plan",
        "moves --strategy avg --queues 6 --consumers 2 --add 2 --remove 1 --json",
    ),
    "shares": (
        "shares --strategy avg --queues 8 --consumers 4",
        "shares --queues 10 --consumers 4 --brokers 2",
        "shares --strategy avg,hash,kafka-range,kafka-round-robin --topic orders=6 --topic refunds=4 --consumers 3",
        "shares --strategy avg --queues 8 --consumers 3 --sees c2=c0,c2 --knows c0=4",
        "shares --strategy circle,kafka-range --topic a=3 --topic b=3 --consumers 2 --subscribe c1=a",
        "shares --strategy room,nearby --brokers room1@a:4,room2@b:2 --ids room1-x,room2-y,room1-z --rooms room1,room2",
        "shares --strategy config --config c0=0-3 --config c1=3,5 --consumers 2",
        "shares --strategy avg --queues 3 --consumers 2 --json",
    ),
    "safe": (
        "safe --client 5.2",
        "safe --client 5.2 --all",
        "safe --client 5.2 --listener 5s --json",
        "safe --client 4.9.8 --listener 1s",
        "safe --client 4.9.8 --listener 1s --all",
        "safe --client go --listener 20s",
        "safe --client go --listener 20s --all",
        "safe --client 5.2 --client 4.9.8 --unlock-delay 60s",
        "safe --client 5.2 --lock-max-live 40s --broker-lock 30s --renewal 50s",
        "safe --table",
    ),
    "list": (
        "list 'settling.**'",
        "list allocation.avg.disjoint transition.java_v5_2.kept.push",
        "list --json settling.java_v5_2_to_v5_3.settles",
        "list --client 5.1.4 --mode 'push orderly'",
        "list --client go",
        "list --client node --mode push",
        "list --mode pull-broadcasting",
        "list --client 5.99 'pulls.java_v5_3_3.healed*' --all",
        "list --client 6.1",
        "list nothing.**",
    ),
    "why": (
        "why",
        "why lost --client 4.9.8 --mode push",
        "why twice --client go --over --for 90s",
        "why twice --after deploy --queues all --client 5.2 --mode 'push orderly' --for 2m --still",
        "why stuck --strategy hash",
        "why back --after always --for 8h",
        "why 'one queue stands still after a crash'",
        "why 'subscription not exist'",
        "why nothing-committed",
        "why tilted --json --client node",
        "why nosuch",
        "why lost --client 4.7",
        "why lost --client 3.2",
        "why '扩容后重复消费, 我们的 prod'",
        "why 'messages are lost and duplicated' --client 4.9.8,go",
        "why 'client does not rebalance'",
        "why lost --for 0s",
    ),
    "exported": (
        "export-test receiving.python_v5_1_1.one-loop --for pytest",
        "export-test receiving.go.unharmed --for go",
        "export-test receiving.node.stopped.without-in-time --for node",
        "export-test allocation.room-go.listed --for go",
        "export-test allocation.nearby-config.covers --for rust",
        "export-test allocation.nearby-config.covers --for junit",
        "export-test transition.java_v4_9.late-unlock.push-orderly-as-shipped --for junit",
    ),
    "replay": (
        "replay allocation.avg.covers.without-same-cid-all",
        "replay allocation.hash.balanced --plain",
        "replay transition.java_v5_2.kept.push",
        "replay transition.java_v5_2.late-unlock.push-orderly-as-shipped",
        "replay ordered.java_v5_2.exclusive.without-time",
        "replay offsets.java_v4_9.once",
        "replay pulls.java_v5_2_0.has-request.without-store",
        "replay subscriptions.java_v4_9_to_v5_3.calm.without-alike",
        "replay registry.java_v4_9_to_v5_3.listed.without-restart",
        "replay movement.avg.moved",
        "replay 'settling.**'",
        "replay nowhere.json",
    ),
    "explore": (
        "explore lock-lite",
        "explore lock-lite --queues 1 --messages 2 --no-settle",
        "explore concurrent --queues 1 --never two,twice",
        "explore concurrent --queues 1 --fault crash --strategy circle --levels 6",
        "explore concurrent --queues 1 --consumers 1 --json",
        "explore ordered --queues 1 --levels 12 --client 4.9.8",
    ),
}
"""Name of a kept text -> what is called for it, as it is typed."""


def answered(words: Sequence[str]) -> str:
    """All that the command writes to a terminal of 80 columns, called in this process, and its exit status."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.dict(environ, COLUMNS="80"):
        try:
            main([*words])
        except SystemExit as ended:
            status = ended.code
    return f"{out.getvalue()}{err.getvalue()}exit status {status}\n"
