"""cvc5, one of the two solvers."""

from collections.abc import Callable, Iterable

import cvc5

from rebalance_proofs.proofs.solvers.answer import Outcome, Said, Solver


def solve(text: str, seed: int = 0, seconds: float | None = None) -> Said:
    """Solve the text with a separate term manager; see ``Solver.solve``."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    if seed:
        solver.setOption("seed", str(seed))
        solver.setOption("sat-random-seed", str(seed))
    if seconds:
        solver.setOption("tlimit-per", str(int(1000 * seconds)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        if command.getCommandName() == "check-sat":
            break
        said = command.invoke(solver, symbols)
        if "error" in said:
            raise ValueError(said.strip())
    else:
        raise ValueError("the text contains no check-sat")
    result = solver.checkSat()
    if result.isSat():
        constants = [term for term in symbols.getDeclaredTerms() if _is_number(term.getSort())]
        return Outcome.SAT, {_name(term): _number(solver.getValue(term)) for term in constants}, ""
    if result.isUnsat():
        return Outcome.UNSAT, {}, ""
    return Outcome.UNKNOWN, {}, str(result.getUnknownExplanation())


def _is_number(sort: cvc5.Sort) -> bool:
    found: bool = sort.isInteger() or sort.isBoolean()
    return found


def _number(value: cvc5.Term) -> int:
    return int(value.getBooleanValue() if value.isBooleanValue() else value.getIntegerValue())


def _name(term: cvc5.Term) -> str:
    written: str = term.getSymbol()
    return written.strip("|")


def solve_all(texts: Iterable[str], seconds: float | None = None) -> list[Said]:
    """Solve the texts one after another; see ``Solver.solve_all``."""
    return [solve(text, seconds=seconds) for text in texts]


def listener() -> Callable[[str], str]:
    """Return a new solver that takes SMT-LIB commands; see ``Solver.listener``."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver)

    def listen(commands: str) -> str:
        parser.setIncrementalStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "dialogue")
        parser.appendIncrementalStringInput(commands)
        said = []
        while not (command := parser.nextCommand()).isNull():
            said.append(command.invoke(solver, parser.getSymbolManager()))
        return "".join(said)

    return listen


CVC5 = Solver("cvc5", lambda: cvc5.__version__, solve, solve_all, listener)
