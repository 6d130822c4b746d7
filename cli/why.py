"""``rebalance why``: possible causes of a symptom."""

import json
from collections.abc import Iterable
from pathlib import Path

import click

from rebalance_proofs.cli.params import Duration, Name
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.symptoms import told
from rebalance_proofs.report.symptoms.answer import causes_of, found
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, asked, nearest
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.fits import fits, question_of, ranked
from rebalance_proofs.report.symptoms.mqadmin.errors import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.read import read
from rebalance_proofs.report.symptoms.mqadmin.signs import untold
from rebalance_proofs.report.symptoms.search import pointed_to

WEEK = 7 * 24 * 3_600_000
"""In ms."""


@click.command()
@click.argument("about", required=False, default="")
@click.option(
    "--for",
    "lasted",
    type=Duration(most=WEEK),
    help="How long you have seen it: 2m, 1h. What is over sooner is told last.",
)
@click.option("--client", type=Name(), help="A version of Java's client (4.9.8, 5.2), or go, node, cpp, rust.")
@click.option("--mode", type=Name(), help="push, 'push orderly', pull, 'lite pull', each also with broadcasting.")
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="What `mqadmin consumerProgress -g GROUP -s true` or `mqadmin consumerStatus` printed; can be given again.",
)
@click.option("--json", "as_json", is_flag=True, help="For tools; times in ms.")
def why(
    about: str, lasted: int | None, client: str | None, mode: str | None, files: tuple[Path, ...], as_json: bool
) -> None:
    """Tell what can be behind a symptom, how long that lasts, how to tell it apart, and what helps.

    ABOUT is a symptom (twice, lost, stuck, back, tilted), a line of a log, or the name of a cause; without it, the
    symptoms are listed.

    \b
    Example:
      rebalance why twice --client 4.9.8 --mode push --for 2m
      rebalance why "subscription not exist"
      rebalance why --file consumer-status.txt
    """
    try:
        question = asked(client or "", mode or "")
    except UnknownName as error:
        raise UsageError(str(error)) from None
    if lasted == 0:
        raise UsageError("--for is 0: say for how long you have seen it, as in --for 2m")
    about = about.strip()
    lines, answer = _answer(about, question, lasted, files)
    with Reporter() as reporter:
        for line in json.dumps(answer, indent=2).splitlines() if as_json else lines:
            reporter.line(line)


Answer = tuple[Iterable[str], dict[str, object]]


def _answer(about: str, question: Asked, lasted: int | None, files: tuple[Path, ...]) -> Answer:
    """The answer in words, and as JSON."""
    symptom = next((one for one in Symptom if one.value == about.casefold()), None)
    if files:
        if about and not symptom:
            raise UsageError(f"{about!r} and --file: with a file, name a symptom or nothing")
        return _of_files(about, question, lasted, files, symptom)
    if not about:
        if lasted is not None or question != Asked():
            raise UsageError(f"name a symptom: {', '.join(one.value for one in Symptom)}")
        return told.symptoms(), document(about, question, lasted)
    if symptom:
        causes = found(symptom, question, lasted)
        return told.by_symptom(symptom, question, causes), document(about, question, lasted, causes=causes)
    named = [one for one in CAUSES if one.name == about.casefold()]
    if named:
        causes = causes_of(named, question, lasted)
        return told.by_cause(causes), document(about, question, lasted, causes=causes)
    lines = pointed_to(about, question, lasted)
    if not lines:
        raise UsageError(_unknown(about))
    return told.by_lines(lines), document(about, question, lasted, lines=lines)


def _of_files(
    about: str, question: Asked, lasted: int | None, files: tuple[Path, ...], symptom: Symptom | None
) -> Answer:
    try:
        printed = read(files)
    except NotReadable as error:
        raise UsageError(str(error)) from None
    question = question_of(printed, question)
    signs = fits(printed, question, symptom, lasted)
    left = tuple(untold(printed))
    return told.by_files(question, signs, left), document(
        about, question, lasted, causes=[one for one, _ in ranked(signs)], signs=signs, untold=left
    )


def _unknown(about: str) -> str:
    names = (*(one.value for one in Symptom), *(one.name for one in CAUSES))
    return (
        f"unknown symptom {about!r}, and no known line of a log has it; {nearest(about.casefold(), names)}"
        f"there are {', '.join(one.value for one in Symptom)}"
    )
