"""Source text of a client's function, and its compilation for symbolic execution."""

import ast
import builtins as python
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

from rebalance_proofs.proofs.code.builtins_ import NAMES
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.fragment import check_fragment, local_names


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
