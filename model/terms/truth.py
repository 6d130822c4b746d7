"""The truth values as terms."""

import z3

YES, NO = z3.BoolVal(True), z3.BoolVal(False)
