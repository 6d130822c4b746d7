"""Parser of the SMT-LIB texts of obligations."""

from rebalance_proofs.proofs.certificates.reading import Reader
from rebalance_proofs.proofs.certificates.terms import BOOL, Refused, Term, Terms

LOGICS = ("QF_LIA", "QF_UFLIA", "QF_NIA", "QF_UFNIA", "QF_AUFLIA")
"""Logics of integers, uninterpreted functions and arrays; in all of them a numeral is an integer."""


class Script:
    """A text of SMT-LIB: its symbols, definitions and assertions."""

    def __init__(self, text: str) -> None:
        if "\r" in text:
            raise Refused("the text has a carriage return, which ends a comment in SMT-LIB but not for all solvers")
        self.terms = Terms()
        self.reader = Reader(text, self.terms)
        self.assertions: set[Term] = set()
        self._read()

    def _read(self) -> None:
        reader = self.reader
        reader.expect("(", "set-logic")
        logic = reader.symbol()
        if logic not in LOGICS:
            raise Refused(f"unknown logic {logic}")
        reader.expect(")")
        while True:
            reader.expect("(")
            command = reader.symbol()
            if command == "check-sat":
                break
            if command not in _COMMANDS:
                raise Refused(f"unknown command {command}")
            _COMMANDS[command](self)
            reader.expect(")")
        reader.expect(")")
        if not reader.ended:
            raise Refused("the text goes on after check-sat")
        if not self.assertions:
            raise Refused("the text has no assertion")

    def _declare_sort(self) -> None:
        self.terms.declare_sort(self.reader.symbol())
        self.reader.expect("0")

    def _declare_const(self) -> None:
        name = self.reader.symbol()
        self.terms.declare(name, (), self.reader.sort())
        self.reader.names[name] = self.terms.make(name)

    def _declare_fun(self) -> None:
        name, arguments = self.reader.symbol(), self.reader.sorts()
        sort = self.reader.sort()
        if not arguments:
            raise Refused(f"{name} is no function")
        self.terms.declare(name, arguments, sort)

    def _define_fun(self) -> None:
        name = self.reader.symbol()
        self.reader.expect("(", ")")
        sort, term = self.reader.sort(), self.reader.term()
        if term.sort != sort:
            raise Refused(f"the definition of {name} has another sort")
        self.terms.reserve(name)
        self.reader.names[name] = term

    def _assert(self) -> None:
        term = self.reader.term()
        if term.sort != BOOL:
            raise Refused("an assertion is no formula")
        self.assertions.add(term)


_COMMANDS = {
    "declare-sort": Script._declare_sort,
    "declare-const": Script._declare_const,
    "declare-fun": Script._declare_fun,
    "define-fun": Script._define_fun,
    "assert": Script._assert,
}
