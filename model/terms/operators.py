"""Names of the operators of SMT terms (``Term.kind``).

A name is the operator's SMT-LIB symbol, except where a symbol has two meanings.
"""

from typing import Final

ADD: Final = "+"
AND: Final = "and"
DISTINCT: Final = "distinct"
EQ: Final = "="
FALSE: Final = "false"
GE: Final = ">="
GT: Final = ">"
IDIV: Final = "div"
IMPLIES: Final = "=>"
ITE: Final = "ite"
LE: Final = "<="
LT: Final = "<"
MOD: Final = "mod"
MUL: Final = "*"
NOT: Final = "not"
OR: Final = "or"
SELECT: Final = "select"
STORE: Final = "store"
SUB: Final = "-"
TRUE: Final = "true"
NEG: Final = "negation"
"""Negation of a number, which SMT-LIB writes as a minus sign with one argument."""
NUMERAL: Final = "numeral"
UNINTERPRETED: Final = "uninterpreted"
"""An unknown, or an application of an unknown function."""
