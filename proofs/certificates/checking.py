"""Checker of certificates: cvc5's proofs that a text of SMT-LIB is unsatisfiable."""

from dataclasses import dataclass

from rebalance_proofs.proofs.certificates.rules import rules
from rebalance_proofs.proofs.certificates.script import Script
from rebalance_proofs.proofs.certificates.terms import BOOL, Refused, Term

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
