"""Checker of certificates: cvc5's proofs that a text of SMT-LIB is unsatisfiable."""

import re
from dataclasses import dataclass
from fractions import Fraction

from rebalance_proofs.proofs.certificates.rules import rules
from rebalance_proofs.proofs.certificates.terms import BOOL, INT, REAL, ArraySort, Refused, Sort, Term, Terms

# Parser of the SMT-LIB texts of obligations.

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
            if command not in _SCRIPT_COMMANDS:
                raise Refused(f"unknown command {command}")
            _SCRIPT_COMMANDS[command](self)
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


_SCRIPT_COMMANDS = {
    "declare-sort": Script._declare_sort,
    "declare-const": Script._declare_const,
    "declare-fun": Script._declare_fun,
    "define-fun": Script._define_fun,
    "assert": Script._assert,
}

LARGEST = 20_000_000
"""Most characters of a text and of a certificate."""


@dataclass
class _Scope:
    """An assumption that is open, with the steps that may depend on it."""

    assumed: Term
    names: list[str]


class _Certificate:
    """A certificate while its steps are checked."""

    def __init__(self, script: Script, certificate: str) -> None:
        self.script, self.reader, self.terms = script, script.reader, script.terms
        self.reader.open(certificate)
        self.reader.in_proof = True
        self.proved: dict[str, Term] = {}
        """Name of a step -> its conclusion, which follows from the assertions and from the open assumptions."""
        self.open: list[_Scope] = []
        self.steps = 0
        self.last: Term | None = None
        """Conclusion of the last step outside all assumptions; None after any other command."""
        self._rules = rules()

    def check(self) -> None:
        """Check all commands."""
        reader = self.reader
        reader.expect("(")
        while reader.peek() != ")":
            reader.expect("(")
            command = reader.next()
            if command not in _COMMANDS:
                raise Refused(f"unknown command {command}")
            self.last = None
            _COMMANDS[command](self)
            reader.expect(")")
        reader.expect(")")
        if not reader.ended:
            raise Refused("the certificate goes on after its end")
        if self.last is not self.terms.false:
            raise Refused("the certificate does not end in false")

    def define(self) -> None:
        """Read ``(define @t1 () term)``."""
        name = self._name(self.reader.names)
        self.reader.expect("(", ")")
        self.reader.names[name] = self.reader.term()

    def assume(self) -> None:
        """Read ``(assume @p1 formula)``: the formula has to be an assertion of the text."""
        name = self._name(self.proved)
        formula = self._formula()
        if self.open:
            raise Refused(f"{name}: an assertion within an assumption")
        if formula not in self.script.assertions:
            raise Refused(f"{name} assumes what the text does not assert")
        self.proved[name] = formula

    def push(self) -> None:
        """Read ``(assume-push @p1 formula)``, which opens an assumption."""
        name = self._name(self.proved)
        self.open.append(_Scope(self._formula(), []))
        self._prove(name, self.open[-1].assumed)

    def step(self) -> None:
        """Read ``(step @p1 formula :rule name :premises (@p2 ...) :args (term ...))``; all but the rule may lack."""
        name, rule, given, args, stated = self._step()
        if rule not in self._rules:
            raise Refused(f"{name}: unknown rule {rule}")
        self.terms.spend(sum(len(term.args) for term in (*given, *args)))
        try:
            found = self._rules[rule](self.terms, given, args)
        except Refused as error:
            raise Refused(f"{name}: rule {rule}: {error}") from None
        self._conclude(name, found, stated)

    def pop(self) -> None:
        """Read ``(step-pop @p1 :rule scope :premises (@p2))``.

        It closes the last open assumption ``a``, and concludes ``(=> a b)`` from ``b``. The steps since it was opened
        are forgotten.
        """
        name, rule, given, args, stated = self._step()
        if rule != "scope" or len(given) != 1 or args or not self.open:
            raise Refused(f"{name}: no end of an assumption")
        closed = self.open.pop()
        for forgotten in closed.names:
            del self.proved[forgotten]
        self._conclude(name, self.terms.make("=>", closed.assumed, given[0]), stated)

    def _step(self) -> tuple[str, str, list[Term], list[Term], Term | None]:
        reader = self.reader
        name = self._name(self.proved)
        stated = None if reader.peek() == ":rule" else self._formula()
        reader.expect(":rule")
        rule = reader.next()
        given: list[Term] = []
        args: list[Term] = []
        if reader.peek() == ":premises":
            reader.next()
            given = [self._premise(name, premise) for premise in reader.symbols()]
        if reader.peek() == ":args":
            reader.next()
            args = reader.terms_()
        return name, rule, given, args, stated

    def _premise(self, name: str, premise: str) -> Term:
        if premise not in self.proved:
            raise Refused(f"{name}: the premise {premise} is not proved")
        return self.proved[premise]

    def _conclude(self, name: str, found: Term, stated: Term | None) -> None:
        if found.sort != BOOL:
            raise Refused(f"{name} concludes no formula")
        if stated is not None and stated is not found:
            raise Refused(f"{name} states another conclusion")
        self.steps += 1
        self._prove(name, found)
        if not self.open:
            self.last = found

    def _prove(self, name: str, formula: Term) -> None:
        self.proved[name] = formula
        if self.open:
            self.open[-1].names.append(name)

    def _formula(self) -> Term:
        term = self.reader.term()
        if term.sort != BOOL:
            raise Refused("a term is no formula")
        return term

    def _name(self, known: dict[str, Term]) -> str:
        name = self.reader.next()
        if not name.startswith("@") or name in known:
            raise Refused(f"the name {name} is used twice, or reserved for symbols of the text")
        return name


_COMMANDS = {
    "define": _Certificate.define,
    "assume": _Certificate.assume,
    "assume-push": _Certificate.push,
    "step": _Certificate.step,
    "step-pop": _Certificate.pop,
}


def check(text: str, certificate: str) -> int:
    """Check that a certificate proves a text unsatisfiable, and return its number of steps.

    Raises ``Refused`` unless the certificate ends in ``false``, by known rules, from assertions of the text alone; also
    for a certificate that is too large to check.
    """
    if max(len(text), len(certificate)) > LARGEST:
        raise Refused(f"it is longer than {LARGEST:,} characters")
    try:
        checked = _Certificate(Script(text), certificate)
        checked.check()
    except RecursionError:
        raise Refused("a term is nested too deeply") from None
    except MemoryError:
        raise Refused("the check needs too much memory") from None
    return checked.steps
