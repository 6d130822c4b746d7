"""Parser of the SMT-LIB texts of obligations."""

import re
from fractions import Fraction

from rebalance_proofs.proofs.certificates.terms import BOOL, INT, REAL, ArraySort, Refused, Sort, Term, Terms

# Reader of S-expressions and terms, for SMT-LIB texts and for proofs.

_TOKEN = re.compile(r"[()]|\|[^|\\]*\||;[^\n]*|[^\s()|;\"]+|\S")
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
_NUMERAL = re.compile(r"0|[1-9][0-9]*")
_SIGNED = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?")
LONGEST = 1000
"""Longest literal that is read, in characters."""


class Reader:
    """Tokens of a text, read from the first to the last."""

    def __init__(self, text: str, terms: Terms) -> None:
        self.terms = terms
        self.names: dict[str, Term] = {"true": terms.true, "false": terms.false, "@list.nil": terms.make("@list")}
        """Atoms that are terms: constants, and names of defined terms."""
        self.in_proof = False
        """Whether the text is a proof: there ``-1`` and ``1/2`` are literals, and operators can begin with ``@``."""
        self.open(text)

    def open(self, text: str) -> None:
        """Continue with another text."""
        self._tokens: list[str] = [token for token in _TOKEN.findall(text) if token[0] != ";"]
        self._tokens.append("")  # the end
        self._at = 0

    @property
    def ended(self) -> bool:
        """Return whether all tokens are read."""
        return self._at == len(self._tokens) - 1

    def peek(self) -> str:
        """Return the next token, without reading it; empty at the end."""
        return self._tokens[self._at]

    def next(self) -> str:
        """Read a token."""
        if self.ended:
            raise Refused("the text ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def expect(self, *wanted: str) -> None:
        """Read tokens that have to be these."""
        for one in wanted:
            found = self.next()
            if found != one:
                raise Refused(f"{found} instead of {one}")

    def symbol(self) -> str:
        """Read a symbol; the bars of a quoted symbol are no part of it."""
        return _symbol(self.next())

    def symbols(self) -> list[str]:
        """Read a list of symbols in parentheses."""
        self.expect("(")
        found = []
        while self.peek() != ")":
            found.append(self.symbol())
        self.next()
        return found

    def sort(self) -> Sort:
        """Read a sort."""
        if self.peek() != "(":
            return self.terms.check_sort(self.symbol())
        self.expect("(", "Array")
        domain, value = self.sort(), self.sort()
        self.expect(")")
        return ArraySort(domain, value)

    def sorts(self) -> list[Sort]:
        """Read a list of sorts in parentheses."""
        self.expect("(")
        found = []
        while self.peek() != ")":
            found.append(self.sort())
        self.next()
        return found

    def term(self) -> Term:
        """Read a term."""
        tokens, names, make = self._tokens, self.names, self.terms.make
        at = self._at
        open_: list[tuple[str, list[Term]]] = []
        while True:
            token = tokens[at]
            at += 1
            if token == "(":
                op = _symbol(tokens[at])
                if op.startswith("@") and not self.in_proof:
                    raise Refused(f"unknown symbol {op}")
                open_.append((op, []))
                at += 1
                continue
            if token == ")" and open_:
                op, args = open_.pop()
                if not args and op != "@list":
                    raise Refused(f"{op} in parentheses has no arguments")
                found = make(op, *args)
            else:
                found = names.get(token) or self._atom(token)
            if not open_:
                self._at = at
                return found
            open_[-1][1].append(found)

    def terms_(self) -> list[Term]:
        """Read a list of terms in parentheses."""
        self.expect("(")
        found = []
        while self.peek() != ")":
            found.append(self.term())
        self.next()
        return found

    def _atom(self, token: str) -> Term:
        if len(token) <= LONGEST:
            if _NUMERAL.fullmatch(token):
                found = self.terms.literal(int(token))
            elif self.in_proof and (parts := _SIGNED.fullmatch(token)):
                number, divisor = parts.groups()
                exact = Fraction(int(number), int(divisor or 1))
                found = self.terms.literal(exact, REAL) if divisor else self.terms.literal(int(number), INT)
            elif token.startswith("|") and not _SIGNED.fullmatch(_symbol(token)) and _symbol(token) in self.names:
                found = self.names[_symbol(token)]
            else:
                raise Refused(f"unknown symbol {token or 'at the end'}")
            self.names[token] = found
            return found
        raise Refused(f"unknown symbol {token[:40]} ...")


def _symbol(token: str) -> str:
    if token.startswith("|") and len(token) > 1:
        return token[1:-1]
    if not _SIMPLE.fullmatch(token):
        raise Refused(f"{token or 'the end'} instead of a symbol")
    return token


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
