"""Results of real calls and of small records, from which each kind of JSON document is made."""

import contextlib
import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from shlex import split
from typing import Any

from rebalance_proofs.cli.main import _status as status_of
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.grpc.check import Checked
from rebalance_proofs.recorded.grpc.document import of_run as of_grpc
from rebalance_proofs.recorded.jar.describe import Version
from rebalance_proofs.recorded.packages.conform import Conformed
from rebalance_proofs.recorded.packages.install import package
from rebalance_proofs.recorded.packages.steps import Sequences
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report import cluster, jar
from rebalance_proofs.report import package as of_package
from rebalance_proofs.report import steps as of_steps
from rebalance_proofs.report.audit import document as of_audit
from rebalance_proofs.report.explorer import document as of_explored
from rebalance_proofs.report.live import told as live
from rebalance_proofs.report.moves import change_document
from rebalance_proofs.report.moves import document as of_moves
from rebalance_proofs.report.ordered import safe
from rebalance_proofs.report.own import page
from rebalance_proofs.report.released import table as released
from rebalance_proofs.report.results import json_results
from rebalance_proofs.report.settling import sdks, settings
from rebalance_proofs.report.settling.rendered import document as of_settle
from rebalance_proofs.report.shares import document as of_shares
from rebalance_proofs.report.symptoms import document as of_why
from tests.documents.pairs import Result, Subject
from tests.documents.recordings import EDITS, FAILED, edited, grpc, in_turn, lost, shipped
from tests.documents.results import (
    ACCEPTED,
    AGREES,
    AUDITS,
    COMPARED,
    JUDGED,
    OUT_OF_STEP,
    STEPS,
    audit_of_departures,
    checked,
    elsewhere,
    joins,
)
from tests.documents.runs import OVER_TIME, green, hides, over_time, run
from tests.report.audit.drawn import drawn

Ask = str | Callable[[], Result]
"""A command, or a function that makes a result."""


def called(function: Callable[..., Any], command: str, modules: Sequence[str]) -> Result:
    """Call a command in this process, and return the arguments from which it makes its document."""
    found: list[Result] = []

    def kept(*arguments: Any, **options: Any) -> Any:
        found.append((*arguments, options))
        return function(*arguments, **options)

    for module in modules:
        import_module(module)
    places = [
        (module, name)
        for module in list(sys.modules.values())
        for name, value in list(vars(module).items())
        if value is function
    ]
    with contextlib.ExitStack() as stack:
        for module, name in places:
            stack.callback(setattr, module, name, function)
            setattr(module, name, kept)
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        said = stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        status_of([*split(command), "--json"])
    for module in list(sys.modules.values()):  # a module that the command imported has got the other function
        for name in [name for name, value in list(vars(module).items()) if value is kept]:
            setattr(module, name, function)
    assert found, f"{command}: {said.getvalue()}"
    return found[-1]


def calls(schema: str, function: Callable[..., Any], modules: Sequence[str], alike: int = 3, **asked: Ask) -> Subject:
    """Return a subject whose results are those of real calls, or are made here."""

    def found(ask: Ask) -> Result:
        return called(function, ask, modules) if isinstance(ask, str) else (*ask(), {})

    return Subject(schema, function, asked, found, alike)


def _drawn(number: int) -> Callable[[], Result]:
    return lambda: (drawn(number),)


def _foreign() -> Result:
    """Shares of which one is refused, and one has a queue of another topic."""
    ((one,), _) = called(of_shares.document, "shares --strategy avg --queues 4 --consumers 2", [])
    keys = list(one.shares)
    elsewhere = MessageQueue("elsewhere", "b1", 7)
    return ((replace(one, shares={**one.shares, keys[0]: (elsewhere,)}, refused={keys[1]: "throws"}),),)


def _contradicted() -> Result:
    """States that contradict a claim that is proved."""
    (found, _) = called(of_explored.document, "explore concurrent --consumers 2 --queues 1", [])
    first, *more = found.found
    watch = replace(first.watch, claims=("ordered.java_v5_2.exclusive",))
    return (replace(found, found=(replace(first, watch=watch), *more)),)


def _recorded(name: str, found: History | Checked, *more: Any) -> dict[str, Any]:
    """Return the document of a recording, with the problems of a history, and the scenarios that failed."""
    if isinstance(found, Checked):
        return live.document([of_grpc(name, found)], *more)
    every, failed = more
    return live.document([live.of_run(name, found, every)], failed)


def _settled(found: Any, remark: str = "") -> dict[str, Any]:
    return of_settle(found.answer, remark) | settings.document(found)


GO = "github.com/apache/rocketmq-client-go/v2"
TABLES = Path(__file__).parents[1] / "report/symptoms/tables"

SUBJECTS = {
    "safe": calls(
        "safe",
        safe.document,
        ("rebalance_proofs.cli.safe",),
        java="safe --client 5.2",
        old="safe --client 4.9.8 --listener 1s",
        go="safe --client go --listener 20s",
    ),
    "settle": Subject(
        "settle",
        _settled,
        {
            "crash": "settle --client 5.2 --event crash --rate 100/s",
            "shutdown": "settle --client 4.9.8 --event shutdown --mode 'push orderly' --rate 20/s",
            "join": "settle --client 5.3.3 --event join --busy 3",
            "added": "settle --client 4.9.8 --event queues-added --rate 50/s --within 15s",
            "rolling": "settle --client 4.9.8 --event rolling --mode 'push orderly' --distance 60s",
        },
        lambda call: (called(settings.document, call, ("rebalance_proofs.cli.settle",))[0], "Like 5.2.", {}),
    ),
    "settle_grpc": calls(
        "settle_grpc",
        sdks.document,
        ("rebalance_proofs.cli.settle",),
        crash="settle --client 'grpc-java 5.1' --event crash",
        ordered="settle --client grpc-rust --event broker-added --mode 'push orderly'",
        simple="settle --client 'grpc-go 5.1.9' --event shutdown --mode simple --invisible 30s",
    ),
    "shares": calls(
        "shares",
        of_shares.document,
        ("rebalance_proofs.cli.shares",),
        two="shares --strategy avg,circle --queues 8 --consumers 4",
        sees="shares --strategy avg --queues 8 --consumers 3 --sees c2=c0,c2 --knows c0=4",
        topics="shares --strategy circle,kafka-range --topic a=3 --topic b=3 --consumers 2 --subscribe c1=a",
        rooms="shares --strategy room,nearby --brokers r@a:4,s@b:2 --ids r-x,s-y,r-z --rooms r,s",
        config="shares --strategy config --config c0=0-3 --config c1=3,5 --consumers 2",
        foreign=_foreign,
    ),
    "moves": calls(
        "moves",
        of_moves.document,
        ("rebalance_proofs.cli.moves",),
        leave="moves --queues 8 --consumers 3 --event leave",
        grow="moves --strategy avg,hash,room --consumers 2 --grow 4:6",
        ids="moves --strategy hash,AVG --consumers 2 --queues 7 --ids b,a,c",
        crash="moves --strategy avg,circle --consumers 4 --event crash",
    ),
    "moves_change": calls(
        "moves_change",
        change_document.document,
        ("rebalance_proofs.cli.moves", "rebalance_proofs.cli.changes"),
        restart="moves --strategy avg,circle --consumers 4 --restart 2 --grow 8:12",
        ids="moves --queues 8 --ids a,b,c --add d,aa --remove a",
        both="moves --strategy avg --queues 6 --consumers 2 --add 2 --remove 1",
    ),
    "why": calls(
        "why",
        of_why.document,
        ("rebalance_proofs.cli.why", "rebalance_proofs.report.symptoms.pastes"),
        1,
        lost="why lost --client 4.9.8 --mode push",
        twice="why twice --after deploy --queues all --client 5.2 --mode 'push orderly' --for 2m --still",
        words="why 'one queue stands still after a crash, no rebalance, 5.2'",
        denies="why 'messages are redelivered, but not lost, 5.2'",
        denies_other="why 'messages are redelivered, but no message is stuck, 5.2'",
        line="why 'subscription not exist'",
        hash="why stuck --strategy hash",
        old="why lost --client 3.2",
        table=f"why --file {TABLES / 'blocked-only.txt'}",
        other_table=f"why --file {TABLES / 'hot.txt'}",
    ),
    "audit": calls(
        "audit",
        of_audit.document,
        (),
        1,
        **AUDITS,
        gone=audit_of_departures,
        **{f"drawn{number}": _drawn(number) for number in range(1, 5)},
    ),
    "check": calls(
        "check",
        page.document,
        (),
        1,
        overlaps=lambda: checked("overlaps"),
        reads=lambda: checked("reads_ids"),
        elsewhere=elsewhere,
        joins=joins,
    ),
    "explore": calls(
        "explore",
        of_explored.document,
        ("rebalance_proofs.cli.explore",),
        lite="explore lock-lite --queues 1",
        restart="explore ordered --queues 1 --unlock 4 --fault broker-restart --levels 8 --no-settle",
        concurrent="explore concurrent --consumers 2 --queues 1",
        contradicted=_contradicted,
    ),
    "record": Subject(
        "record",
        _recorded,
        {
            "threw": partial(shipped, "java-4.9.8/x_start_threw"),
            "stopped": partial(shipped, "java-4.9.8/b_sigstop"),
            "mixed": shipped,
            **{name: partial(edited, *edit) for name, edit in EDITS.items()},
            "in_turn": in_turn,
            "lost": lost,
            "grpc": grpc,
        },
        lambda found: (*found(), FAILED, {}),
        1,
    ),
    "results": calls(
        "results",
        json_results.to_json,
        (),
        1,
        run=run,
        green=green,
        **{kind: partial(over_time, names) for kind, names in OVER_TIME.items()},
        hides_first=partial(hides, 0),
        hides_second=partial(hides, 1),
    ),
    "releases": calls("releases", released.document, (), all="list --releases"),
    "conform_java": calls(
        "conform_java",
        jar.document,
        (),
        differs=lambda: (Version("5.3.3", "its pom"), JAVA_V5, (COMPARED,), "5.3.3", (STEPS,), "Like 5.3."),
        agrees=lambda: (Version("5.3.3", "its pom"), JAVA_V5, (AGREES,), "5.3.3", ()),
    ),
    "conform_package": calls(
        "conform_package",
        of_package.document,
        (),
        differs=lambda: (package("ali-ons==3.12.0"), Conformed((COMPARED,), (COMPARED,), ("null lists: none",))),
        agrees=lambda: (package("ali-ons==3.12.0"), Conformed((AGREES,), (), ())),
        go=lambda: (package(f"{GO}==v2.1.2"), Conformed((AGREES,), (), ())),
    ),
    "conform_steps": calls(
        "conform_steps",
        of_steps.document,
        (),
        differs=lambda: (package("rocketmq-python-client==5.1.1"), Sequences(4, 10_000, 90, OUT_OF_STEP)),
        agrees=lambda: (package("rocketmq-python-client==5.1.1"), Sequences(4, 10_000, 0, None)),
        node=lambda: (package("rocketmq-client-nodejs==1.0.8"), Sequences(3, 1000, 0, None)),
    ),
    "conform_cluster": calls(
        "conform_cluster", cluster.document, (), rejected=lambda: ((JUDGED,),), accepted=lambda: ((ACCEPTED,),)
    ),
}
