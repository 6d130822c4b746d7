"""What decides each exit status, and small cases of which two differ in one part of it."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace as Of
from typing import Any

from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.report.audit.answer import SIGNS
from tests.cli.beneath import BENEATH, Case

YES, NO = Of(holds=True), Of(holds=False)
SIGN = next(iter(SIGNS))
OTHER = next(what for what in What if what is not What.TWO and what is not SIGNS[SIGN])


def _findings(**values: Any) -> Of:
    one = Of(**{"level": Level.SEEN, "what": What.TWO, "long": 5} | values)
    return Of(audited=Of(groups=[Of(findings=[one])]), never={What.TWO: 5})


def _audit(**values: Any) -> Of:
    return Of(**{"failing": [], "signs": [], "incomplete": [], "named": True} | values)


def _check(**values: Any) -> Of:
    return Of(**{"failing": (), "contradicted": (), "unfinished": False} | values)


def _part(**values: bool) -> Of:
    return Of(checked=Of(incomplete=values["incomplete"], one_group=values["one"]), sampled=values["sampled"])


def _run(**values: Any) -> Of:
    fields = {
        "changes": None,
        "complete": True,
        "green": False,
        "conformance": None,
        "judged_wrong": (),
        "unfounded": (),
    }
    return Of(**fields | values)


BROKEN, PROVED = Of(name="covers", shown=True), Of(name="covers", proved=True)
REPLAYED = {
    **{"steps": lambda *_: (), "heading": lambda *_: (), "group_heading": lambda *_: (), "group_steps": lambda *_: ()},
    **{"_wrong": lambda _: 1, "_tell": lambda *_: 0},
}
WATCHED = Of(found=[Of(watch=Of(name="two")), Of(watch=Of(name="a"))])
SELF_TEST, UNNOTICED = Of(noticed=True), Of(noticed=False)
DECIDED: Mapping[tuple[str, str, str], Sequence[Case]] = {
    ("cli.audit", "audit_", "return"): [({"answer": Of(status=3)}, 3), ({"answer": Of(status=0)}, 0)],
    ("report.audit.answer", "Answer.status", "return"): [
        ({"self": _audit()}, 0),
        ({"self": _audit(failing=[1])}, 1),
        ({"self": _audit(signs=[1])}, 1),
        ({"self": _audit(incomplete=["a.log"])}, 3),
        ({"self": _audit(named=False)}, 3),
        ({"self": _audit(failing=[1], incomplete=["a.log"])}, 1),
    ],
    ("report.audit.answer", "Answer.failing", "return"): [
        ({"self": _findings()}, 1),
        ({"self": _findings(long=6)}, 1),
        ({"self": _findings(long=4)}, 0),
        ({"self": _findings(level=Level.POSSIBLE)}, 0),
        ({"self": _findings(what=OTHER, long=9)}, 0),
    ],
    ("report.audit.answer", "Answer.signs", "return"): [
        ({"kinds": [What.TWO], "self": Of(never={What.TWO: 0})}, 1),
        ({"kinds": [What.TWO], "self": Of(never={OTHER: 0})}, 0),
    ],
    ("report.audit.answer", "Answer.signs", "kinds"): [
        ({"self": Of(printed=[Of(signs=[Of(sign=SIGN)])])}, 1),
        ({"self": Of(printed=[Of(signs=[Of(sign="no sign")])])}, 0),
    ],
    ("report.audit.answer", "Answer.incomplete", "return"): [
        (
            {"self": Of(audited=Of(files=[Of(name="a", incomplete=one)]), left=[Of(name="b", damaged=other)])},
            one + other,
        )
        for one, other in ((False, False), (True, False), (False, True))
    ],
    ("report.audit.answer", "Answer.named", "return"): [
        ({"self": Of(printed=printed, audited=Of(groups=[Of(name=name)]))}, found)
        for printed, name, found in (([], "", False), ([1], "", True), ([], "G", True))
    ]
    + [({"self": Of(printed=[], audited=Of(groups=[Of(name="G"), Of(name="")]))}, True)],
    ("cli.certify", "certify", "return"): [({"bad": []}, 0), ({"bad": [("claim", "step", "why")]}, 1)],
    ("cli.certify", "certify", "bad"): [
        ({"found": [Of(claim="a", obligation="b", problem="")]}, 0),
        ({"found": [Of(claim="a", obligation="b", problem="it is missing")]}, 1),
    ],
    ("cli.check", "check", "return"): [({"answer": Of(status=3)}, 3), ({"answer": Of(status=0)}, 0)],
    ("report.own.answer", "Answer.status", "return"): [
        ({"self": _check()}, 0),
        ({"self": _check(failing=(1,))}, 1),
        ({"self": _check(contradicted=("covers",))}, 1),
        ({"self": _check(unfinished=True)}, 3),
        ({"self": _check(failing=(1,), unfinished=True)}, 1),
    ],
    ("report.own.answer", "Answer.unfinished", "return"): [
        ({"self": _part(incomplete=True, sampled=False, one=False)}, True),
        ({"self": _part(incomplete=False, sampled=False, one=False)}, False),
        ({"self": _part(incomplete=True, sampled=True, one=False)}, False),
        ({"self": _part(incomplete=True, sampled=False, one=True)}, False),
    ],
    ("report.own.answer", "Answer.contradicted", "broken"): [
        ({"self": Of(checked=Of(rows=[BROKEN]))}, 1),
        ({"self": Of(checked=Of(rows=[Of(name="covers", shown=None)]))}, 0),
    ],
    ("report.own.answer", "Answer.contradicted", "return"): [
        ({"broken": {"covers"}, "self": Of(proofs=[PROVED])}, ("covers",)),
        ({"broken": {"inside"}, "self": Of(proofs=[PROVED])}, ()),
        ({"broken": {"covers"}, "self": Of(proofs=[Of(name="covers", proved=False)])}, ()),
    ],
    ("cli.cluster", "conform", "return"): [({"wrong": True}, 1), ({"wrong": False}, 0)],
    ("cli.cluster", "conform", "wrong"): [
        ({"found": [Of(accepted=True), Of(accepted=one)]}, not one) for one in (True, False)
    ],
    ("cli.jar", "conform", "return"): [({"wrong": True}, 1), ({"wrong": False}, 0)],
    ("cli.jar", "conform", "wrong"): [
        ({"strategies": [Of(smallest=None), Of(smallest=one)], "steps": [Of(smallest=other)]}, bool(one or other))
        for one, other in ((None, None), (1, None), (None, 1))
    ],
    ("cli.package", "conform", "return"): [({"wrong": True}, 1), ({"wrong": False}, 0)],
    ("cli.package", "conform", "wrong"): [({"conformed": Of(differ=2)}, True), ({"conformed": Of(differ=0)}, False)],
    ("cli.package", "_steps", "return"): [({"wrong": True}, 1), ({"wrong": False}, 0)],
    ("cli.package", "_steps", "wrong"): [({"result": Of(differ=2)}, True), ({"result": Of(differ=0)}, False)],
    ("cli.explore", "explore_", "return"): [
        ({"disagreeing": lambda _, one=one: one, "found": WATCHED, "required": to}, end)
        for one, to, end in (((), (), 0), (("claim",), (), 1), ((), ("two",), 1), ((), ("twice",), 0))
    ],
    ("report.explorer.told", "disagreeing", "return"): [
        (
            {
                "entry": lambda claim: YES if claim == "proved" else NO,
                "explored": Of(found=[Of(watch=Of(claims=("refuted", *claims)))]),
            },
            claims,
        )
        for claims in (("proved",), ())
    ],
    ("cli.finish", "finish", "unnoticed"): [
        ({"run": Of(exit_status=0, self_tests=[SELF_TEST, UNNOTICED])}, (UNNOTICED,)),
        ({"run": Of(exit_status=0, self_tests=[SELF_TEST])}, ()),
        ({"run": Of(exit_status=1, self_tests=[UNNOTICED])}, ()),
    ],
    ("cli.finish", "finish", "status"): [
        ({"run": Of(exit_status=2), "unnoticed": ()}, 2),
        ({"run": Of(exit_status=0), "unnoticed": (1,)}, 1),
        ({"run": Of(exit_status=0), "unnoticed": ()}, 0),
    ],
    ("cli.finish", "finish", "return"): [({"status": 2}, 2), ({"status": 0}, 0)],
    ("report.results.run", "Run.exit_status", ""): [
        ({"self": _run(green=True)}, 0),
        ({"self": _run(green=True, changes=Of(worse=("a",)))}, 1),
        ({"self": _run(green=True, complete=False, changes=Of(worse=()))}, 0),
        ({"self": _run(changes=Of(worse=()), judged_wrong=("a",))}, 0),
        ({"self": _run(changes=Of(worse=("a",)), judged_wrong=("a",))}, 1),
        ({"self": _run(changes=Of(worse=()), complete=False)}, 2),
        ({"self": _run()}, 2),
        ({"self": _run(judged_wrong=("a",))}, 1),
        ({"self": _run(unfounded=("a",))}, 1),
        ({"self": _run(judged_wrong=("a",), complete=False)}, 2),
        ({"self": _run(conformance=Of(contradicted=True, lacking=False))}, 1),
        ({"self": _run(conformance=Of(contradicted=False, lacking=True))}, 1),
        ({"self": _run(conformance=Of(contradicted=False, lacking=False))}, 2),
    ],
    ("cli.record", "record", "return"): [
        ({"answers": [Of(wrong=frozenset()), Of(wrong=frozenset(one))]}, len(one)) for one in ([], ["twice"])
    ],
    ("cli.record", "Recorder.tell", "unwanted"): [
        ({"told": Of(kind_of=str), "every": [Of(fact="twice")], "self": Of(never=never)}, len(never) % 2)
        for never in (["twice"], ["pause", "back"], [])
    ],
    ("cli.record", "Recorder.tell", "unexplained"): [
        ({"told": Of(kind_of=str), "every": [Of(fact="twice", unexplained=one)]}, one) for one in (True, False)
    ],
    ("cli.record", "Recorder.tell", "return"): [
        (
            {
                **{
                    "Told": lambda document, wrong: wrong,
                    "of_run": lambda *_: {},
                    "name": "",
                    "history": None,
                    "every": [],
                },
                **{"unwanted": {*one}, "unexplained": {*other}},
            },
            len({*one, *other}),
        )
        for one, other in (("", ""), ("a", ""), ("", "b"), ("a", "a"), ("a", "b"))
    ],
    ("cli.record", "record", "Told()"): [({"wrong": one}, int(one)) for one in (True, False)],
    ("cli.record", "Recorder.tell", "Told()"): [({"wrong": one}, int(one)) for one in (True, False)],
    ("cli.grpc", "tell", "wrong"): [
        ({"found": Of(problems=problems)}, bool(problems)) for problems in ([], ["a step that the model excludes"])
    ],
    ("cli.replay", "_run", ""): [
        ({**REPLAYED, "found": Of(wrong=one, example=None, states=()), "claim": Of(id="a")}, end)
        for one, end in (("", 0), ("it is no run", 1))
    ],
    ("cli.replay", "_go", ""): [
        ({**REPLAYED, "found": Of(subject=Of(name="a")), "gone": lambda _, one=one: Of(wrong=one)}, end)
        for one, end in (("", 0), ("it is no run", 1))
    ],
    ("cli.safe", "safe", "return"): [
        ({"answers": [Of(proved=True), Of(proved=one)]}, 1 - one) for one in (True, False)
    ],
    ("cli.show", "show", "return"): [({"result": Of(green=True)}, 0), ({"result": Of(green=False)}, 1)],
    ("cli.why", "why", "return"): [({"answer": Of(status=2)}, 2), ({"answer": Of(status=0)}, 0)],
    ("report.symptoms.explained", "_of_each", "return"): [
        (
            {
                "Answer": lambda lines, document, status: (document, status),
                "lines": [],
                "answers": [Of(document=number, status=status) for number, status in enumerate(every)],
            },
            (0, max(every)),
        )
        for every in ((0, 0), (2, 0), (0, 2))
    ],
    **BENEATH,
}
"""(module, function, what it computes) -> cases.

What: the value that is returned last, a variable, the last argument of a call such as "Answer()", or "" for all.
"""

RETURNS: Mapping[str, str] = {
    "cli.audit.audit_": "* *",
    "cli.certify.certify": "*",
    "cli.check.check": "*",
    "cli.cluster.conform": "*",
    "cli.conform.conform": "cli.package.conform cli.cluster.conform cli.jar.conform cli.finish.finish",
    "cli.enumerate_.enumerate_": "cli.finish.finish",
    "cli.explore.explore_": "*",
    "cli.export_test.export_test": "0 0",
    "cli.finish.finish": "*",
    "cli.help_.help_": "None",
    "cli.jar.conform": "*",
    "cli.list_.list_": "None None None",
    "cli.moves.moves_": "None",
    "cli.new_kind.new_kind": "0",
    "cli.package._steps": "*",
    "cli.package.conform": "cli.package._steps cli.jar.conform *",
    "cli.prove.prove": "cli.finish.finish",
    "cli.record._list": "0",
    "cli.record.record": "cli.record._list *",
    "cli.replay._go": "cli.replay._wrong cli.replay._tell",
    "cli.replay._of_claim": "cli.replay._run cli.replay._run",
    "cli.replay._run": "cli.replay._wrong cli.replay._tell",
    "cli.replay._tell": "0 0",
    "cli.replay._wrong": "1",
    "cli.replay.replay": "cli.replay._of_claim cli.replay._go cli.replay._run",
    "cli.safe.safe": "0 0 *",
    "cli.settle.settle": "0",
    "cli.shares.shares": "",
    "cli.show.show": "*",
    "cli.verify.verify": "cli.finish.finish",
    "cli.why.why": "*",
    "recorded.knowledge.messages.main": "*",
    "recorded.knowledge.statements.__main__._add": "0",
    "recorded.knowledge.statements.__main__.main": "recorded.knowledge.statements.__main__._add 2 *",
    "recorded.packages.__main__.main": "*",
    "report.released.__main__._run": "* *",
    "report.released.__main__.main": "report.released.__main__._run",
    "report.released.schedules._run": "* *",
    "report.released.schedules.main": "0 report.released.schedules._run",
}
"""Function of a command or module -> what it returns, in order: a constant, the status of another function, or *.

Each * is computed as the function's cases say.
"""
COMPARES = "it compares a trace's state; tests/cli/test_replay_altered.py and test_replay_group.py alter each part"
CHANGES = "tests/report/test_changes.py has each change from a baseline"
PRINTS = "it makes what is printed"
LEAVES: Mapping[tuple[str, str], str] = {
    ("cli.main", "_say"): PRINTS,
    ("cli.streams", "guarded"): "tests/cli/test_pipes.py and test_streams.py have streams that break",
    ("cli.replay", "_tell"): PRINTS,
    ("recorded.rows", "printable"): PRINTS,
    ("report.live.told", "of_run"): PRINTS,
    ("report.replay.file", "_named"): PRINTS,
    ("report.replay.steps", "heading"): PRINTS,
    ("report.replay.steps", "steps"): PRINTS,
    ("report.replay.way", "_quoted"): PRINTS,
    ("report.replay.way", "group_heading"): PRINTS,
    ("report.replay.way", "group_steps"): PRINTS,
    ("report.explorer.document", "state_of"): COMPARES,
    ("report.replay.file", "_differs"): COMPARES,
    ("report.replay.file", "different"): COMPARES,
    ("report.replay.way", "_read"): COMPARES,
    ("report.replay.way", "_so"): COMPARES,
    ("proofs.certificates.checking", "check"): "tests/proofs/certificates has a test of each rule",
    ("proofs.certified.found", "formulas"): "tests/proofs/certified has texts that differ",
    ("recorded.knowledge.messages", "_placeholders"): "it parses a text",
    ("report.failures", "failures"): "it calls the function of the record's type",
    ("report.index.entries", "entry"): "it looks the claim up",
    ("report.kinds", "shown"): "it looks the kind up",
    ("report.results.baseline", "judged"): CHANGES,
    ("report.results.run", "Run.changes"): CHANGES,
    ("spark_enum.own.checked", "Checked.named"): "it selects spaces",
}
"""Function that a status is computed from, without cases -> the reason."""
WORKER = "the status of a process that a command starts and reads"
MAIN = "its function has cases"
MODULE = "test_module_that_is_run_ends_with_its_error"
ENTRY = "test_entry_point_ends_with_the_status_of_a_completion"
SIGNALS = "tests/cli/test_signals.py"
EXITS: Mapping[tuple[str, str], str] = {
    ("__main__", "sys.exit(answer(os.environ[VARIABLE]))"): ENTRY,
    ("__main__", "sys.exit(f'rebalance: {error}')"): "test_entry_point_ends_with_the_message_of_a_wrong_claim",
    ("cli.ending", "sys.exit(self.by.status)"): SIGNALS,
    ("cli.main", "ctx.exit()"): "tests/cli/test_version.py",
    ("cli.main", "sys.exit(status)"): MAIN,
    ("cli.signals", "os._exit(cause.status)"): SIGNALS,
    ("evidence.digests", "sys.exit(2)"): MODULE,
    ("evidence.groups", "sys.exit(f'python -m rebalance_proofs.evidence.groups: {error}')"): MODULE,
    ("model.own.child", "os._exit(0)"): WORKER,
    ("model.own.child", "os._exit(1)"): WORKER,
    ("model.own.child", "os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)"): WORKER,
    ("proofs.judges", "sys.exit(1)"): WORKER,
    ("recorded.knowledge.__main__", "sys.exit(str(error))"): MODULE,
    ("recorded.knowledge.messages", "sys.exit(main())"): MAIN,
    ("recorded.knowledge.statements.__main__", "sys.exit(main())"): MAIN,
    ("recorded.live.starter", "os._exit(1)"): WORKER,
    ("recorded.live.starter", "os._exit(127)"): WORKER,
    ("recorded.packages.__main__", "sys.exit(main())"): MAIN,
    ("report.released.__main__", "SystemExit(main())"): MAIN,
    ("report.released.schedules", "SystemExit(main())"): MAIN,
}
"""(module, code) of each end of a process -> what tries its status."""
