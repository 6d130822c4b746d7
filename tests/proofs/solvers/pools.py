"""A pool without processes that gives prepared answers."""

from collections.abc import Callable, Sequence

from rebalance_proofs.proofs.solvers import Answer, Outcome

Said = str | tuple[str, dict[str, int]]


def said(outcome: str, **model: int) -> Said:
    """An answer with a model."""
    return outcome, model


class Scripted:
    """Stand-in for ``Pool``; ``answers``: the solvers' answers to one text after the other, or by text."""

    def __init__(self, answers: Sequence[Sequence[Said]] | Callable[[str], Sequence[Said]]) -> None:
        self._answers = answers if callable(answers) else None
        self._rest = iter(() if callable(answers) else answers)
        self._said: dict[str, tuple[Answer, ...]] = {}
        self.solvers = ("z3", "cvc5")
        self.seeds: list[int] = []
        """The seed that came with each text."""

    async def ask(self, solver: str, text: str) -> Answer:
        """As ``Pool.ask``; all solvers' prepared answers are used up."""
        if text not in self._said:
            self._said[text] = await self.ask_all(text)
        return next(answer for answer in self._said[text] if answer.solver == solver)

    async def ask_all(self, text: str, seed: int = 0) -> tuple[Answer, ...]:
        """As ``Pool.ask_all``."""
        if text in self._said:
            return self._said[text]
        self.seeds.append(seed)
        given = self._answers(text) if self._answers else next(self._rest)
        return tuple(_answer(solver, item) for solver, item in zip(self.solvers, given, strict=False))


def _answer(solver: str, item: Said) -> Answer:
    outcome, model = (item, {}) if isinstance(item, str) else item
    reason = "" if outcome in ("sat", "unsat") else f"{solver} said {outcome}"
    return Answer(solver, Outcome(outcome), 0.0, model, reason)
