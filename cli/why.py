"""``rebalance why``: possible causes of a symptom."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.params import Duration, Name
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.chosen import chosen_strategy
from rebalance_proofs.report.symptoms import told
from rebalance_proofs.report.symptoms.answer import causes_of, found
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, asked
from rebalance_proofs.report.symptoms.brief import brief
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.facts import After, Facts, Reach
from rebalance_proofs.report.symptoms.fits import fits, question_of
from rebalance_proofs.report.symptoms.fits import ranked as by_signs
from rebalance_proofs.report.symptoms.meaning import Meant, meant, near, strategy_named
from rebalance_proofs.report.symptoms.mqadmin.errors import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.read import read
from rebalance_proofs.report.symptoms.mqadmin.signs import untold
from rebalance_proofs.report.symptoms.narrowed import FIRST, ranked
from rebalance_proofs.report.symptoms.search import pointed_to
from rebalance_proofs.report.symptoms.unmodelled import outside, unmodelled

WEEK = 7 * 24 * 3_600_000
"""One week in ms, the longest time that ``--for`` takes."""
AFTER, REACH = ([one.value for one in kind] for kind in (After, Reach))


@click.command(epilog=ANSWERED)
@click.argument("about", required=False, default="")
@click.option(
    "--after",
    type=click.Choice(AFTER),
    help="Event just before the symptom began. Values: see below.",
)
@click.option("--queues", "reach", type=click.Choice(REACH), help="Extent: one queue or consumer, or all of them.")
@click.option("--over/--still", "over", default=None, help="Whether the symptom is over, or still there.")
@click.option("--for", "lasted", type=Duration(most=WEEK), help="How long the symptom has lasted, or did last: 2m, 1h.")
@click.option(
    "--client",
    type=Name(),
    metavar="VERSION",
    help="Your client: a Java client version such as 5.2 or 4.9.8, or go, node, cpp, rust.",
)
@click.option(
    "--mode",
    type=Name(),
    metavar="MODE",
    help="Consumer mode: push, 'push orderly', pull or 'lite pull'; add the word broadcasting for that message model.",
)
@click.option(
    "--strategy",
    type=Name(),
    metavar="NAME",
    help="Allocation strategy, by its short name or RocketMQ's name: hash, AVG_BY_CIRCLE.",
)
@click.option("--all", "everything", is_flag=True, help="List all causes, with all details.")
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Read output of `mqadmin consumerProgress -g GROUP -s true` or `mqadmin consumerStatus` from FILE, or from "
    "standard input if FILE is -. Repeat the option for more files.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def why(
    about: str,
    after: str | None,
    reach: str | None,
    over: bool | None,
    lasted: int | None,
    client: str | None,
    mode: str | None,
    strategy: str | None,
    everything: bool,
    files: tuple[Path, ...],
    as_json: bool,
) -> None:
    """List likely causes of a symptom, and fixes.

    The answer has up to three causes, each with a way to confirm it, a fix, and the evidence. ABOUT is a symptom, a
    log line, the name of a cause, or a description in your own words. Without ABOUT, the command lists the symptoms.
    In a terminal, the command asks for details that narrow the causes down. In JSON, times are in milliseconds.

    \b
    Symptoms:
      twice   messages are redelivered
      lost    messages are lost
      stuck   consumption is stalled
      back    an offset rolled back
      tilted  the queue distribution is skewed

    \b
    Values of --after:
      deploy        a deploy of the consumers
      crash         a consumer crashed
      broker        a broker restarted or failed
      scaling       consumers joined or left
      subscription  a subscription changed
      new           the topic, queue, broker or group is new
      reset         offsets were reset
      nothing       nothing changed
      always        no event: since the group was set up

    \b
    Examples:
      rebalance why twice --after deploy --client 4.9.8 --mode push --for 2m --over
      rebalance why "one queue stands still after a crash"
      rebalance why "subscription not exist"
      rebalance why --file consumer-status.txt
    """
    if lasted == 0:
        raise UsageError("--for is 0; give the time that the symptom has lasted, such as --for 2m")
    about = about.strip()
    facts = Facts(After(after) if after else None, Reach(reach) if reach else None, over, lasted)
    try:
        words = meant(about)
        if _by_name(about) or (not words.whole and pointed_to(about, Asked(), None)):
            words = Meant()  # a name or a log line takes precedence over plain words
        question = asked(client or words.client, mode or words.mode)
        named = strategy or words.strategy
        question = replace(question, wanted=chosen_strategy(strategy_named(named)) if named else ())
    except UnknownName as error:
        raise UsageError(outside(client, mode, strategy) or str(error)) from None
    facts = replace(
        facts,
        after=facts.after or words.after,
        reach=facts.reach or words.reach,
        over=words.over if facts.over is None else facts.over,
    )
    if not as_json and not everything and not files and facts == Facts() and about and _asks():
        facts = _asked_for(facts)
    lines, answer = _answer(about, words, question, facts, files, everything)
    with Reporter() as reporter:
        for line in encoded(answer()).splitlines() if as_json else lines:
            reporter.line(line)


Answer = tuple[Iterable[str], Callable[[], dict[str, object]]]
"""The answer as lines of text, and a function that returns the answer as JSON values.

They are separate because each can need computations that the other does not.
"""


def _remark(words: Meant, question: Asked) -> str:
    return " ".join(filter(None, (question.remark, words.remark)))


def _symptom(about: str) -> Symptom | None:
    return next((one for one in Symptom if one.value == about.casefold()), None)


def _by_name(about: str) -> bool:
    """Return True if the text is empty, or the name of a symptom or cause."""
    return not about or bool(_symptom(about)) or any(one.name == about.casefold() for one in CAUSES)


def _asks() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _asked_for(facts: Facts) -> Facts:
    """Ask the user for details of the symptom, and return them; the user can skip each question."""

    def ask(question: str, answers: Sequence[str]) -> str:
        choice = click.Choice(["", *answers])
        return str(
            click.prompt(
                f"{question} ({', '.join(answers)}; Enter if unknown)",
                "",
                type=choice,
                show_choices=False,
                show_default=False,
            )
        )

    after = ask("What happened just before the symptom began?", AFTER)
    reach = ask("Does it affect one queue or consumer, or all?", REACH)
    over = ask("Is it over, or still there?", ("over", "still"))
    return replace(
        facts,
        after=After(after) if after else None,
        reach=Reach(reach) if reach else None,
        over={"over": True, "still": False}.get(over),
    )


def _answer(
    about: str, words: Meant, question: Asked, facts: Facts, files: tuple[Path, ...], everything: bool
) -> Answer:
    """Return the answer to the user's question, as lines and as JSON values.

    ``about`` is the user's text, and ``words`` is its meaning. ``question`` has the user's client, mode and strategy.
    Raises ``UsageError``.
    """
    lasted, symptom = facts.lasted, _symptom(about)
    if files:
        if about and not symptom:
            raise UsageError(f"{about!r} is not a symptom; with --file, name one of {_symptoms()}, or nothing")
        return _of_files(about, question, lasted, files, symptom)
    if not about:
        if facts != Facts() or question != Asked():
            raise UsageError(f"the symptom is missing; name one of {_symptoms()}")
        return told.symptoms(), lambda: document(about, question, lasted)
    named = [one for one in CAUSES if one.name in (about.casefold(), words.cause)]
    if named and not symptom:
        causes = causes_of(named, question, lasted)
        return told.by_cause(causes, _remark(words, question)), lambda: document(about, question, lasted, causes=causes)
    not_here = unmodelled(about)
    if not_here and not symptom:
        return told.outside(not_here), lambda: document(
            about, question, lasted, untold=[f"{not_here.what}: {not_here.why}"]
        )
    if not symptom and not words.something:
        lines = pointed_to(about, question, lasted)
        if not lines:
            raise UsageError(_unknown(about))
        return told.by_lines(lines, question.remark), lambda: document(about, question, lasted, lines=lines)
    return _of_symptom(about, symptom or words.symptom, words, question, facts, everything)


def _of_symptom(
    about: str, symptom: Symptom | None, words: Meant, question: Asked, facts: Facts, everything: bool
) -> Answer:
    """Return the causes of a symptom, or of all symptoms if the user's text names none."""
    symptoms = (symptom,) if symptom else tuple(Symptom)
    causes = [one for each in symptoms for one in found(each, question, facts.lasted)]
    if everything:
        lines = [line for each in symptoms for line in (*told.by_symptom(each, question, _those(causes, each)), "")]
        return lines[:-1], lambda: document(about, question, facts.lasted, causes=causes)
    first = ranked(causes, facts)
    head = symptom.question if symptom else "What is it?"
    options = f"rebalance why {symptom.value if symptom else 'SYMPTOM'} --all"
    told_first = (*brief(head, question, facts, first, options, tuple(told.before(symptom, words.remark))),)
    names = [one.found.cause.name for one in first[:FIRST]]
    return told_first, lambda: document(about, question, facts.lasted, causes=causes, first=names, facts=facts)


def _those(causes: Sequence[told.Found], symptom: Symptom) -> list[told.Found]:
    return [one for one in causes if one.effect.symptom is symptom]


def _of_files(
    about: str, question: Asked, lasted: int | None, files: tuple[Path, ...], symptom: Symptom | None
) -> Answer:
    try:
        printed = read(files)
    except NotReadable as error:
        raise UsageError(str(error)) from None
    known = question_of(printed, question)
    signs = fits(printed, known, symptom, lasted)
    left = tuple(untold(printed))
    return told.by_files(known, question, signs, left), lambda: document(
        about, known, lasted, causes=[one for one, _ in by_signs(signs)], signs=signs, untold=left
    )


def _unknown(about: str) -> str:
    names = (*(one.value for one in Symptom), *(one.name for one in CAUSES))
    meant_by = near(about, names)
    return (
        f"{about!r} is not a known symptom, cause or log line; "
        f"{f'did you mean {meant_by!r}? ' if meant_by else ''}the symptoms are {_symptoms()}"
    )


def _symptoms() -> str:
    return ", ".join(one.value for one in Symptom)
