"""What the parts of exit statuses are computed from, with cases like those of ``statuses``."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace as Of
from typing import Any

from click import Command, Context
from click.exceptions import NoArgsIsHelpError

from rebalance_proofs.model.own.names import YOURS
from rebalance_proofs.proofs.certificates.terms import Refused
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.report.released.commands import Failed
from rebalance_proofs.report.replay.file import NotATrace
from rebalance_proofs.spark_enum.own.rows import Holds
from tests.cli import fakes

Case = tuple[Mapping[str, Any], Any]
"""Values of the variables, and the status or its part that follows."""
BOTH = Of(yours=True), Of(yours=False)
ANSWERED, UNANSWERED = Of(status=0), Of(status=2)
MESSAGE, PLAIN = ("{name} left",), ("all left",)

BENEATH: Mapping[tuple[str, str, str], Sequence[Case]] = {
    ("recorded.audit.outcome", "File.incomplete", "return"): [
        ({"self": Of(damage=damage, tally=Of(truncated=cut))}, end)
        for damage, cut, end in (("", False, False), ("it is cut", False, True), ("", True, True))
    ],
    ("recorded.audit.finding", "Finding.long", "return"): [
        ({"self": Of(intervals=every)}, end) for every, end in (([], 0), ([Of(long=3), Of(long=5)], 5))
    ],
    ("report.own.answer", "Answer.failing", "return"): [
        ({"failing": lambda rows, _: rows, "_of_a_part": id, "self": Of(checked=Of(rows=rows), required=())}, rows)
        for rows in ((), (1,))
    ],
    ("spark_enum.own.rows", "failing", "return"): [
        ({"told": [Of(holds=holds)], "required": (), "needed": lambda *_, need=need: need}, end)
        for holds, need, end in (
            (Holds.NO, True, 1),
            (Holds.UNTOLD, True, 1),
            (Holds.UNTRIED, True, 1),
            (Holds.YES, True, 0),
            (Holds.NO, False, 0),
        )
    ],
    ("spark_enum.own.rows", "needed", ""): [
        ({"row": fakes.row("disjoint"), "required": ()}, False),
        ({"row": fakes.row("disjoint"), "required": ("disjoint",)}, True),
        ({"row": fakes.row("disjoint.history", "history"), "required": ()}, True),
        ({"row": fakes.row("idle.history", "history"), "required": ()}, False),
        ({"row": fakes.row("idle.vary", "vary"), "required": ("idle",)}, True),
    ],
    ("spark_enum.own.rows", "Row.shown", "return"): [
        ({"self": Of(smallest=None, elsewhere=None)}, None),
        ({"self": Of(smallest=None, elsewhere=1)}, 1),
        ({"self": Of(smallest=2, elsewhere=None)}, 2),
    ],
    ("spark_enum.own.rows", "Row.deciding", "return"): [
        ({"self": Of(found=BOTH, only_yours=only), "_is_yours": lambda one: one.yours}, BOTH[: 1 if only else 2])
        for only in (True, False)
    ],
    ("spark_enum.own.rows", "Row.holds", ""): [
        (fakes.held(1, fakes.space()), Holds.NO),
        (fakes.held(None), Holds.UNTOLD),
        (fakes.held(None, fakes.space()), Holds.YES),
        (fakes.held(None, fakes.space(), fakes.space(groups=1)), Holds.UNTOLD),
        (fakes.held(None, fakes.space(), fakes.space(unjudged=1)), Holds.UNTOLD),
        (fakes.held(None, fakes.space(groups=1, cut=True)), Holds.YES),
        (fakes.held(None, fakes.space(), fakes.space(groups=0, expected=0)), Holds.UNTRIED),
    ],
    ("spark_enum.own.checked", "Checked.incomplete", "return"): [
        (fakes.named((True, 1), (True, 2)), True),
        (fakes.named((True, 2)), False),
        (fakes.named((False, 1)), False),
    ],
    ("recorded.cluster.judge", "Verdict.accepted", "return"): [
        ({"self": Of(tallies=[Of(accepted=True), Of(accepted=one)])}, one) for one in (True, False)
    ],
    ("recorded.cluster.tally", "Tally.accepted", "return"): [
        ({"self": Of(rejected=[])}, True),
        ({"self": Of(rejected=[1])}, False),
    ],
    ("recorded.packages.conform", "Conformed.differ", "return"): [
        ({"self": Of(results=[Of(differ=0), Of(differ=2)])}, 2)
    ],
    ("report.live.explain", "Explained.unexplained", "return"): [
        ({"self": Of(found=found, words=words)}, end)
        for found, words, end in ((None, "", True), (1, "", False), (None, "a delay", False))
    ],
    ("report.index.entries", "Entry.holds", "return"): [
        ({"self": Of(expected="PROVED")}, True),
        ({"self": Of(expected="REFUTED")}, False),
    ],
    ("proofs.results", "ClaimResult.green", "return"): [
        ({"self": Of(verdict=verdict, claim=Of(expected="PROVED"))}, verdict == "PROVED")
        for verdict in ("PROVED", "REFUTED")
    ],
    ("report.results.run", "Run.complete", "return"): [
        ({"self": Of(unfinished="")}, True),
        ({"self": Of(unfinished="interrupted")}, False),
    ],
    ("report.results.run", "Run.green", "return"): [
        ({"self": Of(failures=())}, True),
        ({"self": Of(failures=("a",))}, False),
    ],
    ("report.results.run", "Run.failures", ""): [
        (fakes.run(claims=(1,)), ()),
        (fakes.run(claims=(1,), judged_wrong=("a",)), ("a",)),
        (fakes.run(claims=(1,), unfounded=("b",)), ("b",)),
        (fakes.run(conformance=Of(failures=("c",))), ("c",)),
        (fakes.run(conformance=Of(failures=())), ()),
        (fakes.run(), ("nothing was checked",)),
        (fakes.run(enumerated=1), ()),
        (fakes.run(complete=False), ()),
        (fakes.run(claims=(1,), unfinished="interrupted"), ("incomplete: interrupted",)),
    ],
    ("report.results.run", "Run.judged_wrong", ""): [
        (fakes.run(claims=(fakes.Failures(),)), ()),
        (fakes.run(claims=(fakes.Failures(["a"]),)), ("a",)),
        (fakes.run(claims=(fakes.Failures(),), enumerated=fakes.swept(findings=[["b"]])), ("b",)),
        (fakes.run(claims=(fakes.Failures(),), enumerated=fakes.swept("avg: violated")), ("avg: violated",)),
        (fakes.run(claims=(fakes.Failures(),), enumerated=fakes.swept("a: it is broken")), ()),
    ],
    ("report.results.run", "Run.unfounded", ""): [
        (fakes.run(), ()),
        (fakes.run(self_tests=(["a"],)), ("a",)),
        (fakes.run(self_tests=(["a"],), required=(["b"],), complete=False), ("a",)),
        (fakes.run(claims=(1,), required=([],)), ()),
        (fakes.run(claims=(1,), required=(["b"],)), ("b",)),
        (fakes.run(certified=["c"]), ("c",)),
        (fakes.run(claims=(1,)), ("the required amount of work was not computed",)),
        (
            fakes.run(enumerated=1),
            ("the required amount of work was not computed", "no self-test was run"),
        ),
        (fakes.run(enumerated=1, required=([],), self_tests=([],)), ()),
        (fakes.run(conformance=1), ("no self-test was run",)),
    ],
    ("report.results.baseline", "known", "return"): [
        (fakes.before(), True),
        (fakes.before(failing=False), False),
        (fakes.before(listed=False), False),
        (fakes.before(as_expected=True), False),
        (fakes.before(state="CONTRADICTED"), False),
    ],
    ("report.results.baseline", "Judged.as_expected", "return"): [
        ({"self": Of(verdict=verdict, expected="PROVED", contradicted=contradicted)}, end)
        for verdict, contradicted, end in (("PROVED", False, True), ("REFUTED", False, False), ("PROVED", True, False))
    ],
    ("report.results.baseline", "Judged.state", "return"): [
        ({"undecided": True, "self": Of(verdict="UNKNOWN", contradicted=False)}, ("undecided", False)),
        ({"undecided": False, "self": Of(verdict="PROVED", contradicted=True)}, ("PROVED", True)),
    ],
    ("report.results.baseline", "changes", "gone"): [
        ({"baseline": Of(claims={"a": 1, "b": 1, "c": 1}), "now": {"a": 1}, "LEDGER": [Of(id="b")]}, 1)
    ],
    ("report.failures", "_claim", ""): [
        (fakes.verdict(True), ()),
        (fakes.verdict(False), ("a: expected PROVED, is REFUTED. why",)),
        (fakes.verdict(True, "why"), ("a: why",)),
        (fakes.verdict(False, "why"), ("a: expected PROVED, is REFUTED. why",)),
        (fakes.verdict(False, "more"), ("a: expected PROVED, is REFUTED. why", "a: more")),
    ],
    ("report.failures", "_self_test", "return"): [
        ({"test": Of(noticed=True, name="", said="")}, ()),
        ({"test": Of(noticed=False, name="a", said="b")}, ("self-test 'a' failed: b",)),
    ],
    ("report.failures", "_required", ""): [
        ({"work": Of(ok=True, expected="x", found="x")}, ()),
        ({"work": Of(ok=False, name="a", expected=2000, found="x")}, ("a: 2,000 required, x found",)),
    ],
    ("report.failures", "Required.ok", "return"): [
        ({"self": Of(found=1, expected=1)}, True),
        ({"self": Of(found=2, expected=1)}, False),
        ({"self": Of(found=0, expected=1)}, False),
    ],
    ("report.failures", "_certified", ""): [
        ({"found": Of(drawn=[1, 2], certified=2)}, ()),
        ({"found": Of(drawn=[1, 2], certified=1)}, ("1 of 2 formulas have no accepted certificate",)),
    ],
    ("recorded.files", "FileReport.failures", ""): [
        (fakes.file(), ()),
        (fakes.file(lacking=("holds 1 row",)), ("avg.tsv: holds 1 row",)),
        (fakes.file(malformed=(Of(sentence="a"),)), ("a",)),
        (fakes.file(disagreements=(Of(sentence="b"),)), ("b",)),
        (
            fakes.file(lacking=("a", "b"), malformed=(Of(sentence="c"),)) | {"SENTENCES_PER_FILE": 2},
            ("avg.tsv: a", "avg.tsv: b", "avg.tsv: 1 more failures (malformed: 1, disagreements: 0)"),
        ),
    ],
    ("recorded.files", "Conformance.failures", ""): [
        ({"self": Of(files=[Of(failures=("a",))], checks=1)}, ("a",)),
        ({"self": Of(files=[Of(failures=())], checks=1)}, ()),
        ({"self": Of(files=[], checks=0)}, ("no recorded result was compared with the model",)),
    ],
    ("recorded.files", "Conformance.contradicted", "return"): [
        ({"self": Of(files=[Of(disagreements=()), Of(disagreements=one)])}, bool(one)) for one in ((), (1,))
    ],
    ("recorded.files", "Conformance.lacking", "return"): [
        ({"self": Of(files=[Of(lacking=()), Of(lacking=one)])}, bool(one)) for one in ((), ("rows",))
    ],
    ("proofs.certified.folder", "_problem", ""): [
        (fakes.certificate(), ""),
        (fakes.certificate(size=2), "f is larger than 1 bytes"),
        (fakes.certificate(error=FileNotFoundError(2, "", "f")), "f is missing"),
        (fakes.certificate(error=PermissionError()), "f cannot be read"),
        (fakes.certificate(text="b"), "f.smt2 is not the text of this obligation"),
        (fakes.certificate(error=Refused("no rule")), "f.cpc is no proof: no rule"),
    ],
    ("report.replay.file", "held", ""): [
        (fakes.trace(), ""),
        (fakes.trace(differs="one", stopped="it stops", states=2, sentence=""), "one"),
        (fakes.trace(stopped="it stops", states=2, sentence=""), "it: it stops."),
        (fakes.trace(states=2, sentence=""), "the trace has 1 states, and the replay has 2."),
        (fakes.trace(sentence=""), "the client's code takes all steps, but no guarantee is broken at the end."),
        (fakes.trace(differs="one"), "one"),
        (fakes.trace(stopped="it stops"), "it: it stops."),
        (fakes.trace(states=2), "the trace has 1 states, and the replay has 2."),
        (fakes.trace(again=False), NotATrace),
    ],
    ("report.replay.way", "gone", ""): [
        (fakes.moved(), ""),
        (fakes.moved(allowed=False), "step 1 (joins): the model does not allow this step here."),
        (fakes.moved(differs=("", "queues")), "step 1 (joins): queues."),
        (fakes.moved(differs=("queues", "")), "initial state: queues."),
        (fakes.moved(refused="it does not ask"), "step 0 (None): it does not ask."),
        (fakes.moved(bad=False), "all steps agree with the model, but the last state is not bad: it"),
        (fakes.moved(flags=False, bad=False), ""),
        (fakes.moved(flags=False, ends=False), "all steps agree with the model, but the last state is not bad: it"),
    ],
    ("cli.replay", "_wrong", ""): [({"sentence": "it is no run", "Reporter": fakes.Quiet}, 1)],
    ("report.symptoms.pastes", "of_elsewhere", "Answer()"): [
        ({"not_here": None}, 2),
        ({"not_here": Of(what="pop", why="")}, 0),
    ],
    ("report.symptoms.pastes", "of_unknown", "Answer()"): [({}, 2)],
    ("report.symptoms.worded", "questions", "Answer()"): [({}, 2)],
    ("report.symptoms.explained", "_other", "return"): [
        ({"other": other, "words": Of(answerable=answerable)}, end)
        for other, answerable, end in (
            (None, True, None),
            (ANSWERED, True, ANSWERED),
            (UNANSWERED, False, UNANSWERED),
            (UNANSWERED, True, None),
        )
    ],
    ("recorded.packages.__main__", "main", "return"): [
        ({"failed": failed, "found": {"packages": [{"differ": 0}], "sdks": [{"differ": 0}, {"differ": differ}]}}, end)
        for failed, differ, end in ((False, 0, 0), (False, 3, 1), (True, 0, 2), (True, 3, 2))
    ],
    ("recorded.knowledge.messages", "main", "return"): [({"wrong": []}, False), ({"wrong": ["a"]}, True)],
    ("recorded.knowledge.messages", "problems", ""): [
        ({"found": [MESSAGE], "translations": {MESSAGE: "{name} gone"}}, 0),
        ({"found": [PLAIN], "translations": {}}, 1),
        ({"found": [PLAIN], "translations": {PLAIN: " "}}, 1),
        (
            {"found": [MESSAGE], "translations": {MESSAGE: "{who}"}},
            1,
        ),
        ({"found": [], "translations": {MESSAGE: "{name}"}}, 1),
    ],
    ("recorded.knowledge.statements.__main__", "main", "return"): [
        ({"found": [Of(differ=False), Of(differ=one)]}, int(one)) for one in (True, False)
    ],
    ("recorded.knowledge.statements.compare", "Compared.differ", "return"): [
        ({"self": Of(new=new, missing=missing)}, bool(new or missing))
        for new, missing in (((), ()), ((1,), ()), ((), (1,)))
    ],
    ("report.released.__main__", "_run", ""): [
        (fakes.measured(), 0),
        (fakes.measured(True), 0),
        (fakes.measured(True, False), 1),
        (fakes.measured(False, True), 1),
        (fakes.measured(error=LiveError("it is no release")), 1),
        (fakes.measured(error=KeyboardInterrupt()), 130),
    ],
    ("report.released.__main__", "_do", ""): [
        ({"step": Of(name="a", do=lambda: ("said", True))}, ("a: said", True)),
        ({"step": Of(name="a", do=fakes.raising(Failed("no")))}, ("a: could not be measured: no", False)),
    ],
    ("report.released.schedules", "_run", ""): [
        (fakes.scheduled(True), 0),
        (fakes.scheduled(True, False), 1),
        (fakes.scheduled(error=Failed("no")), 1),
        (fakes.scheduled(error=KeyboardInterrupt()), 130),
    ],
    ("report.released.schedules", "_judge", ""): [
        (fakes.judged(), True),
        (fakes.judged(rejected=("ordered",)), False),
        (fakes.judged(unexplained=1), False),
        (fakes.judged(contradicted={"pulls.java_v5_3_3.rests": 1}), False),
        (fakes.judged(error=Failed("no")), False),
    ],
    ("spark_enum.own.rows", "_is_yours", "return"): [
        ({"found": Of(space=Of(naming=Of(name=name)))}, name == YOURS) for name in (YOURS, "plain")
    ],
    ("recorded.packages.conform", "Conformed.results", "return"): [
        ({"self": Of(strategies=[1], sorts=[2])}, (1, 2)),
    ],
    ("recorded.files", "Conformance.checks", "return"): [
        ({"self": Of(files=[Of(checks=1), Of(checks=2)])}, 3),
    ],
    ("cli.main", "main", ""): [
        (fakes.main(0), 0),
        (fakes.main(3), 3),
        (fakes.main(0, by=Of(status=143, complaint="")), 143),
        (fakes.main(0, by=Of(status=143, complaint="the disk is full")), "the disk is full"),
        (fakes.main(SystemExit(5)), 5),
        (fakes.main(0, ["list"]), "libraries are silent"),
        (fakes.main(0, None), 0),
    ],
    ("cli.main", "_status", ""): [
        (fakes.called(None), 0),
        (fakes.called(3), 3),
        (fakes.called(OSError()), "OSError"),
        (fakes.called(KeyboardInterrupt()), "Abort"),
        (fakes.called(OSError(), "--debug"), "the stack trace"),
        (fakes.called(NoArgsIsHelpError(Context(Command("list"))), "--debug"), "NoArgsIsHelpError"),
    ],
    ("cli.main", "_complain", ""): [
        ({"error": error, "_say": lambda _: None}, 2) for error in (UsageError("a"), OSError("b"))
    ],
}
"""(module, function, what it computes) -> cases, as in ``statuses``; "Answer()" is the last argument of that call."""
