"""What is known of each cause, for clients and modes, in words and for programs; which causes come first, for all that
can be said of a symptom; and what is seen in output of mqadmin that is drawn."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms import told
from rebalance_proofs.report.symptoms.answer import found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.brief import brief
from rebalance_proofs.report.symptoms.cause import After, Facts, Reach, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.fits import question_of
from rebalance_proofs.report.symptoms.mqadmin.answer import observed
from rebalance_proofs.report.symptoms.mqadmin.read import read
from rebalance_proofs.report.symptoms.narrowed import ranked
from rebalance_proofs.report.symptoms.search import LINES, pointed_to
from rebalance_proofs.report.symptoms.stated import by_tables
from rebalance_proofs.report.symptoms.todo import fixes, todo
from tests.golden.digested import digest, each_digested
from tests.report.symptoms.drawn import drawn

CLIENTS = ("", "4.9.0", "4.9.8", "5.1.4", "5.3.3", "go", "node", "cpp")
LASTED = (None, 20_000, 600_000)
"""For how long it has been seen, in ms."""
FILES = 200
"""How often output is drawn."""


def symptoms() -> Iterator[str]:
    """Digests of what is said: of each cause, of each symptom, and of each sign; names of what comes first."""
    yield from _causes()
    yield from _first()
    yield from _lines()
    yield from _printed()


def _causes() -> Iterator[str]:
    said = defaultdict[str, defaultdict[str, list[object]]](lambda: defaultdict(list))
    for client, mode, symptom in product(CLIENTS, ("", *MODES), Symptom):
        of = client or "any client"
        question = Asked(client, mode)
        every = found(symptom, question)
        for one in every:
            said[one.cause.name][of].append(document("", question, None, causes=[one])["causes"])
        said[symptom.value][of] += [*told.by_symptom(symptom, question, every)]
    for client, mode in product(CLIENTS, MODES):
        said["to do"][client or "any client"] += [*todo(fixes(Asked(client, mode), entries()))]
    for cause in CAUSES:
        said[cause.name]["by name"] += [
            *told.by_cause([one for symptom in Symptom for one in found(symptom, Asked(), 1, [cause])])
        ]
    for name, answers in said.items():
        yield f"{name}: {each_digested((f'{of} {len(words)} answers', words) for of, words in answers.items())}"


def _first() -> Iterator[str]:
    """The first causes of each symptom, by what is said of it."""
    questions = [Asked("4.9.8", "push orderly"), Asked("go", "push"), Asked("", "", tuple(ALL[-1:]))]
    known = cache(found)
    for symptom, after in product(Symptom, (None, *After)):
        first, words = Counter[str](), []
        for question, reach, over, lasted in _some(questions, (None, *Reach), (None, False, True), LASTED):
            facts = Facts(after, reach, over, lasted)
            every = ranked(known(symptom, question, lasted), facts)
            first.update(one.found.cause.name for one in every[:1])
            words += brief("", question, every, "")
            words += [f"{one.found.cause.name} {one.bits}" for one in every]
        yield f"{symptom.value} {after.value if after else 'any'}: {', '.join(first)}, {digest(words)}"


def _some(*of: Sequence[Any]) -> Iterator[Any]:
    """A third of all combinations; any two values of different sequences meet in some."""
    places = product(*(range(len(one)) for one in of))
    return (values for values, at in zip(product(*of), places, strict=True) if sum(at) % 3 == 0)


def _lines() -> Iterator[str]:
    """The causes that a log's line points to, of each wording, and what is said of them."""
    for name, line in LINES.items():
        pointed = [pointed_to(one.text, Asked("5.3.3"), 60_000) for one in line.wordings]
        causes = {cause.cause.name: None for found in pointed for _, told_of in found for cause in told_of}
        words = [line for found in pointed for line in told.by_lines(found)]
        words += [json.dumps(document("", Asked(), None, lines=found)["lines"]) for found in pointed]
        yield f"{name}: {', '.join(causes)}, {digest(words)}"


def _printed() -> Iterator[str]:
    """What is seen in output of mqadmin, each sign with its sightings and causes."""
    said = defaultdict[str, list[object]](list)
    with TemporaryDirectory() as folder:
        for number in range(FILES):
            texts = drawn(number)
            paths = [Path(folder) / f"{place}.txt" for place, _ in enumerate(texts)]
            for path, text in zip(paths, texts, strict=True):
                path.write_text(text, encoding="utf-8")
            printed = read(paths)
            question = question_of(printed, Asked())
            answer = observed(printed, question)
            for one in answer.shown:
                said[one.kind.name] += [number, one.words]
                said[one.kind.name] += [cause.found.cause.name for cause in answer.causes if one in cause.by]
            said["words"] += by_tables(answer, question)
            programs = document("", question, None, causes=[one.found for one in answer.causes], observed=answer)
            said["for programs"].append(json.dumps(programs))
    yield from (f"{name}: {digest(words)}" for name, words in sorted(said.items()))
