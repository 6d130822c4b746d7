"""What of the module itself is used."""

from . import Ast, Context, ExprRef

def _to_expr_ref(a: Ast, ctx: Context) -> ExprRef: ...
