"""What decides each exit status, and small cases of which two differ in one part of it."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from types import SimpleNamespace as Of
from typing import Any

from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.report.audit.answer import SIGNS

Case = tuple[Mapping[str, Any], Any]
"""Values of the variables, and the status or its part that follows."""
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
}
"""(module, function, what it computes) -> cases. What: the value that is returned last, a variable, or "" for all."""


def decides(module: str, function: str) -> ast.FunctionDef:
    """Return the parsed source of a function or method."""
    found: Any = import_module(f"rebalance_proofs.{module}")
    for name in function.split("."):
        found = vars(found)[name]
    found = getattr(found, "callback", None) or getattr(found, "fget", None) or getattr(found, "func", None) or found
    (parsed,) = ast.parse(textwrap.dedent(inspect.getsource(found))).body
    assert isinstance(parsed, ast.FunctionDef)
    parsed.decorator_list = []
    return parsed


def expression(parsed: ast.FunctionDef, what: str) -> ast.expr:
    """Return the expression that a function returns last, or that it gives a variable last."""
    found = [
        node.value
        for node in ast.walk(parsed)
        if isinstance(node, ast.Return if what == "return" else ast.Assign)
        and (what == "return" or ast.unparse(node).startswith(f"{what} = "))
    ]
    assert found, what
    return max(filter(None, found), key=lambda node: node.lineno)


def value(module: str, node: ast.FunctionDef | ast.expr, variables: Mapping[str, Any]) -> Any:
    """Compute an expression, or call a function, in a module."""
    names = {**vars(import_module(f"rebalance_proofs.{module}")), **variables}
    if isinstance(node, ast.FunctionDef):
        exec(compile(ast.fix_missing_locations(ast.Module([node], [])), module, "exec"), names)
        return names[node.name](*(variables.get(argument.arg) for argument in node.args.args))
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), module, "eval"), names)


def result(module: str, node: ast.FunctionDef | ast.expr, variables: Mapping[str, Any]) -> Any:
    """Compute a status or a part of it; the number of results if it is a collection of them."""
    found = value(module, node, variables)
    return len(found) if isinstance(found, list | set | frozenset) else found


def mutants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield copies with one operand, condition or negation left out, or one operator or number exchanged."""
    for place, inner in enumerate(ast.walk(node)):
        for number in range(len(_changes(inner))):
            mutant = deepcopy(node)
            target = list(ast.walk(mutant))[place]
            new = _changes(target)[number]
            if target is mutant:
                yield new
            else:
                yield _Exchange(target, new).visit(mutant)


class _Exchange(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self._new if node is self._old else self.generic_visit(node)


_COMPARED = {ast.GtE: ast.Gt, ast.Gt: ast.GtE, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Is: ast.IsNot, ast.In: ast.NotIn}
"""Comparison -> another one."""


def _changes(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.BoolOp(op, values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            fewer = [[*values[:at], *values[at + 1 :]] for at in range(len(values))]
            return [ast.BoolOp(other, values), *(ast.BoolOp(op, few) if len(few) > 1 else few[0] for few in fewer)]
        case ast.BinOp(left, ast.BitOr() | ast.Add(), right):
            return [left, right]
        case ast.UnaryOp(ast.Not(), operand):
            return [operand]
        case ast.IfExp(_, body, otherwise):
            return [body, otherwise]
        case ast.Call(ast.Name("any" | "all" as name), args):
            return [ast.Call(ast.Name("all" if name == "any" else "any", ast.Load()), args, [])]
        case ast.comprehension(target, iterated, [_, *_] as conditions):
            return [
                ast.comprehension(target, iterated, conditions[:at] + conditions[at + 1 :], 0)
                for at in range(len(conditions))
            ]
        case ast.Compare(left, [operator], right) if type(operator) in _COMPARED:
            return [ast.Compare(left, [_COMPARED[type(operator)]()], right)]
        case ast.Constant(bool()):
            return []
        case ast.Constant(int() as number):
            return [ast.Constant(number + 1)]
        case ast.If(_, body, otherwise):
            return [ast.If(ast.Constant(True), body, otherwise), ast.If(ast.Constant(False), body, otherwise)]
    return []


def returning() -> set[tuple[str, str]]:
    """Return the functions of commands whose status is neither a constant nor another such function's."""
    left = [(f"cli.{place.module}", place.function) for place in COMMANDS.values()]
    seen, found = set(left), set()
    while left:
        module, function = which = left.pop()
        parsed = decides(module, function)
        own = {part for one in parsed.body if not isinstance(one, ast.FunctionDef) for part in ast.walk(one)}
        nested = {part for one in own if isinstance(one, ast.FunctionDef) for part in ast.walk(one)}
        for node in own - nested:
            if not isinstance(node, ast.Return) or node.value is None or isinstance(node.value, ast.Constant):
                continue
            passed = isinstance(node.value, ast.Call) and _called(module, node.value)
            if not passed:
                found.add(which)
            elif passed not in seen:
                seen.add(passed)
                left.append(passed)
    return found


def _called(module: str, call: ast.Call) -> tuple[str, str] | None:
    """Return the function of the command line that is called; None if it is another function."""
    called = eval(ast.unparse(call.func), dict(vars(import_module(f"rebalance_proofs.{module}"))))
    place = getattr(called, "__module__", "").removeprefix("rebalance_proofs.")
    return (place, called.__qualname__) if place.startswith("cli.") else None
