"""Source text of a client's function, and its compilation for symbolic execution."""

import ast
import builtins as python
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

from rebalance_proofs.proofs.code.lists import NAMES
from rebalance_proofs.proofs.code.run import Unsupported

# Check that code belongs to the fragment of Python that symbolic execution supports.
# The fragment excludes hidden dependences between loop iterations. It has straight-line code, conditions and ``for``,
# over names that are set before they are read. A name that a loop sets counts as unset at the start of an iteration
# and after the loop, so that no iteration can read a value of another one. The only calls for a side effect are calls
# of ``append`` on a list that the function created.

METHODS = ("index", "split")
"""Names of methods that code may call, because they change nothing."""
_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.If, ast.For, ast.Return, ast.Raise, ast.Continue, ast.Expr)
_EXPRESSIONS = (
    *(ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Subscript),
    *(ast.Attribute, ast.Call, ast.Tuple, ast.JoinedStr, ast.FormattedValue, ast.Starred),
    *(ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop),
)


def check_fragment(function: ast.FunctionDef) -> None:
    """Raise ``Unsupported``, with the line, for a function outside the supported fragment."""
    _block(function.body, _arguments(function), _stored(function.body), inside=False)


def local_names(function: ast.FunctionDef) -> set[str]:
    """Return the function's arguments, and the names that it sets."""
    return _arguments(function) | _stored(function.body)


def _arguments(function: ast.FunctionDef) -> set[str]:
    return {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}


def _block(statements: Iterable[ast.stmt], known: set[str], local: set[str], inside: bool) -> set[str]:
    """Check statements, and return the names that are set after them.

    ``known`` names are set before, ``local`` names are all that the function sets. ``inside``: whether the statements
    are inside a loop.
    """
    for statement in statements:
        known = _statement(statement, known, local, inside)
    return known


def _statement(statement: ast.stmt, known: set[str], local: set[str], inside: bool) -> set[str]:
    if not isinstance(statement, _STATEMENTS) or (inside and isinstance(statement, ast.Return)):
        raise _unsupported(statement)
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=given)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as given)
        ):
            _reads(given, known, local)
            return known | {name}
        case ast.If():
            _reads(statement.test, known, local)
            ways = [_block(way, known, local, inside) for way in (statement.body, statement.orelse) if not _ends(way)]
            return set.intersection(*ways) if ways else known
        case ast.For(target=target, orelse=[]):
            _reads(statement.iter, known, local)
            targets = _stored([target])
            own = known - _stored(statement.body)
            _block(statement.body, own | targets, local, inside=True)
            return own - targets
        case ast.Return(value=value) | ast.Raise(exc=value, cause=None):
            _reads(value or ast.Constant(None), known, local)
        case ast.Expr(value=ast.Constant()):
            pass
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name) as built, attr="append"), args=[added])
        ) if name in local:
            _reads(built, known, local)
            _reads(added, known, local)
        case ast.Continue():
            pass
        case _:
            raise _unsupported(statement)
    return known


def _ends(statements: list[ast.stmt]) -> bool:
    """Return whether control never continues after these statements."""
    return bool(statements) and isinstance(statements[-1], (ast.Return, ast.Raise, ast.Continue))


def _reads(expression: ast.expr, known: set[str], local: set[str]) -> None:
    for node in ast.walk(expression):
        if not isinstance(node, _EXPRESSIONS) and not _empty_list(node):
            raise _unsupported(node)
        if isinstance(node, ast.Name) and node.id in local and node.id not in known:
            raise Unsupported(f"{node.id!r}, which may not be set yet in this iteration, line {node.lineno}")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in METHODS:
            raise Unsupported(f"a call of {node.func.attr!r}, line {node.lineno}")


def _empty_list(node: ast.AST) -> bool:
    return isinstance(node, ast.List) and not node.elts


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    found = [inner for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    return {name.id for name in found if isinstance(name.ctx, ast.Store)}


_WORDS: dict[type[ast.AST], str] = {
    ast.Assign: "an assignment to anything other than one name",
    ast.AnnAssign: "a name without a value, or an assignment to anything other than a name",
    ast.AugAssign: "an assignment like '+=' to anything other than a name",
    ast.Assert: "'assert'",
    ast.Break: "'break'",
    ast.Delete: "'del'",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary comprehension",
    ast.Expr: "a call for its side effect, other than append to a list created here",
    ast.For: "a loop with 'else'",
    ast.FunctionDef: "a function inside the function",
    ast.GeneratorExp: "a generator",
    ast.Global: "'global'",
    ast.Import: "an import inside the function",
    ast.ImportFrom: "an import inside the function",
    ast.Lambda: "a lambda",
    ast.List: "a non-empty list literal",
    ast.ListComp: "a comprehension that is neither returned nor directly assigned",
    ast.Match: "'match'",
    ast.NamedExpr: "an assignment with ':='",
    ast.Nonlocal: "'nonlocal'",
    ast.Pass: "'pass'",
    ast.Raise: "'raise' with 'from'",
    ast.Return: "'return' inside a loop",
    ast.Set: "a set",
    ast.SetComp: "a set comprehension",
    ast.Slice: "a slice",
    ast.Try: "'try'",
    ast.While: "'while'",
    ast.With: "'with'",
}


def _unsupported(node: ast.AST) -> Unsupported:
    """Return the error for an unsupported construct.

    It describes the construct in words and by its name in Python's ``ast``.
    """
    kind = type(node).__name__
    return Unsupported(
        f"{_WORDS.get(type(node), 'an unsupported construct')} ({kind}, line {getattr(node, 'lineno', '?')})"
    )


@dataclass(frozen=True)
class Code:
    """The text of a function, and the function itself.

    The function is needed to resolve global names and closures.
    """

    text: str
    function: Callable[..., Any]

    def compiled(self, symbolic: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
        """Return the function compiled with ``symbolic`` in place of Python's builtins.

        Project functions that it calls are compiled in the same way; values from enclosing functions are used
        unchanged. Raises ``Unsupported`` for code outside the supported fragment of Python.
        """
        tree = ast.parse(self.text)
        (definition,) = tree.body
        if not isinstance(definition, ast.FunctionDef):
            raise Unsupported(type(definition).__name__)
        check_fragment(definition)
        plain = ast.fix_missing_locations(_Plain().visit(tree))
        names = self._names(definition, symbolic)
        exec(compile(plain, f"<{definition.name}>", "exec"), names)
        compiled: Callable[..., Any] = names[definition.name]
        return compiled

    def _names(self, definition: ast.FunctionDef, symbolic: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
        found = inspect.getclosurevars(self.function)
        used = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)} - local_names(definition)
        names: dict[str, Any] = {"__builtins__": {}}
        for name in sorted(used - {definition.name}):
            if name in found.nonlocals:
                names[name] = found.nonlocals[name]
            elif name in self.function.__globals__:
                value = self.function.__globals__[name]
                names[name] = code_of(value).compiled(symbolic) if isinstance(value, FunctionType) else value
            elif name in symbolic:
                names[name] = symbolic[name]
            elif hasattr(python, name):
                raise Unsupported(f"Python's own {name}")
        return names | {"list": symbolic["list"]}


def code_of(function: Callable[..., Any]) -> Code:
    """Return the function with its text from the source file."""
    return Code(textwrap.dedent(inspect.getsource(function)), function)


class _Plain(ast.NodeTransformer):
    """Removes annotations, and replaces ``[]`` by ``list()``.

    The call can then return a symbolic list.
    """

    def visit_List(self, node: ast.List) -> ast.Call:
        return ast.Call(ast.Name(NAMES[-1], ast.Load()), [], [])

    def visit_Raise(self, node: ast.Raise) -> ast.Raise:
        if node.exc:
            node.exc = _Unsaid().visit(node.exc)
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        return ast.Assign(
            [node.target], self.visit(cast(ast.expr, node.value))
        )  # the supported fragment requires a value

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns, node.decorator_list = None, []
        return node


class _Unsaid(ast.NodeTransformer):
    """Removes the messages of exceptions, which may not support symbolic values.

    No client code catches these exceptions, so that their messages have no effect.
    """

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return ast.copy_location(ast.Constant(""), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        said = isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        return ast.copy_location(ast.Constant(""), node) if said else node
