"""``rebalance why``: possible causes of a symptom."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.params import Duration, Name
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.translated import Translated, lang_option
from rebalance_proofs.cli.worded import NOT_UNDERSTOOD, Answer, of_similar, of_symptoms, questions, wished
from rebalance_proofs.language import gettext, use
from rebalance_proofs.model.releases import LANGUAGES
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.knowledge.statements.irrelevant import irrelevant
from rebalance_proofs.report.symptoms import told
from rebalance_proofs.report.symptoms.answer import causes_of
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, each_asked, whose
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.facts import After, Facts, Reach
from rebalance_proofs.report.symptoms.how_long import asks_how_long, durations
from rebalance_proofs.report.symptoms.mixed import mixed
from rebalance_proofs.report.symptoms.search import is_logged, pointed_to, quotes
from rebalance_proofs.report.symptoms.understood import Understood, understood
from rebalance_proofs.report.symptoms.unmodelled import outside, strategy_named, unmodelled

if TYPE_CHECKING:
    from rebalance_proofs.cli.pastes import Given

WEEK = 7 * 24 * 3_600_000
"""One week in ms, the longest time that ``--for`` takes."""
QUOTED = 3
"""Fewest words of a text that is taken for a part of a log line although its words are understood."""
AFTER, REACH = ([one.value for one in kind] for kind in (After, Reach))


# Click keeps the help options of a command's first call, so they are the same without the group.
@click.command(cls=Translated, epilog=ANSWERED, context_settings={"help_option_names": ["-h", "--help"]})
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
    help="Your client: a Java client version such as 5.2 or 4.9.8, or go, node, cpp, rust, spring, python. Put commas "
    "between several: 4.9.8,go.",
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
    help="Read what you paste from FILE, or from standard input if FILE is -: output of `mqadmin consumerProgress -g "
    "GROUP -s true`, `mqadmin consumerStatus` or the dashboard, exceptions, or a log. Repeat the option for more "
    "files.",
)
@lang_option
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
) -> int:
    """List likely causes of a symptom, and fixes.

    The answer has up to three causes, each with a way to confirm it and a fix. ABOUT is a symptom, a log line, an
    exception, a table of mqadmin, the name of a cause, or a description in your own words, in English or Chinese. With
    -, it is read from standard input. The first line of the answer to a description says what was understood. Without
    ABOUT, the command lists the symptoms. In a terminal, the command asks for details that narrow the causes down. In
    JSON, times are in milliseconds.

    \b
    Symptoms:
      twice   messages are redelivered
      lost    messages are lost
      stuck   consumption is stalled
      back    an offset rolled back
      tilted  the queue distribution is skewed
      often   the group rebalances all the time
      start   a new group starts at an unexpected offset

    \b
    Values of --after:
      deploy        a deploy of the consumers
      crash         a consumer crashed
      broker        a broker restarted or failed
      network       the network was unstable, or connections broke
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
      rebalance why "扩容后重复消费" --client 4.9.8,go
      rebalance why "subscription not exist"
      rebalance why --file consumer-status.txt
    """
    if as_json:
        use("en")
    if lasted == 0:
        raise UsageError(gettext("--for is 0; give the time that the symptom has lasted, such as --for 2m"))
    about = about.strip()
    if about == "-":
        about, files = "", (*files, Path("-"))
    facts = Facts(After(after) if after else None, Reach(reach) if reach else None, over, lasted)
    try:
        words = Understood() if _by_name(about) else understood(about)
        quoted = words.ignored or not words.something or len(about.split()) >= QUOTED
        if is_logged(about) or (quoted and quotes(about)) or _table(about):
            words = Understood()  # a log line or a table takes precedence over plain words
        asks = each_asked(client or "", mode or words.mode)
        if not client and len(words.clients) == 1:
            asks = (replace(asks[0], release=words.clients[0].release),)
        named = strategy or words.strategy
        if named:
            # Imported here because strategies take long to load.
            from rebalance_proofs.report.chosen import chosen_strategy

            asks = tuple(replace(one, wanted=chosen_strategy(strategy_named(named))) for one in asks)
    except UnknownName as error:
        raise UsageError(outside(client, mode, strategy) or str(error)) from None
    facts = replace(
        facts,
        after=facts.after or next(iter(words.after), None),
        reach=facts.reach or words.reach,
        over=words.over if facts.over is None else facts.over,
        lasted=facts.lasted or words.lasted,
        also=() if facts.after else words.after[1:],
    )
    if (
        not as_json
        and not everything
        and not files
        and facts == Facts()
        and (_symptom(about) or words.answerable)
        and _asks()
    ):
        facts = _asked_for(facts)
    if len(asks) > 1 and as_json:
        raise UsageError(gettext("--json answers about one client; give one with --client"))
    given = _read(about, files)
    answer = _of_each([_answer(about, words, one, facts, given, everything) for one in asks], asks)
    with Reporter() as reporter:
        for line in encoded(answer.document()).splitlines() if as_json else answer.lines:
            reporter.line(line)
    return answer.status


def _of_each(answers: Sequence[Answer], asks: Sequence[Asked]) -> Answer:
    """Return the answers for several clients as one: what mixes badly first, then each client's answer."""
    if len(answers) == 1:
        return answers[0]
    lines = list(mixed([one.release for one in asks]))
    for one, question in zip(answers, asks, strict=True):
        lines += ["", f"== {whose(question.release) or LANGUAGES['java']} ==", *one.lines]
    return Answer(lines, answers[0].document, max(one.status for one in answers))


def _symptom(about: str) -> Symptom | None:
    return next((one for one in Symptom if one.value == about.casefold()), None)


def _table(about: str) -> bool:
    """Return True if the text has several lines and a table."""
    if "\n" not in about:
        return False
    # Imported here because readers of tables take long to load.
    from rebalance_proofs.cli.pastes import of_text

    return any(one.printed.something for one in of_text(about))


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
                gettext("{question} ({answers}; Enter if unknown)").format(
                    question=question, answers=gettext(", ").join(answers)
                ),
                "",
                type=choice,
                show_choices=False,
                show_default=False,
            )
        )

    after = ask(gettext("What happened just before the symptom began?"), AFTER)
    reach = ask(gettext("Does it affect one queue or consumer, or all?"), REACH)
    over = ask(gettext("Is it over, or still there?"), ("over", "still"))
    return replace(
        facts,
        after=After(after) if after else None,
        reach=Reach(reach) if reach else None,
        over={"over": True, "still": False}.get(over),
    )


def _read(about: str, files: tuple[Path, ...]) -> "Sequence[Given]":
    """Return the content of the files, read once for all clients. Raises ``UsageError``."""
    if not files:
        return ()
    if about and not _symptom(about):
        raise UsageError(
            gettext("{text} is not a symptom; with --file, name one of {symptoms}, or nothing").format(
                text=repr(about), symptoms=_symptoms()
            )
        )
    # Imported here, as below, because readers of tables and logs take long to load.
    from rebalance_proofs.cli.pastes import of_files

    return of_files(files)


def _answer(
    about: str, words: Understood, question: Asked, facts: Facts, given: "Sequence[Given]", everything: bool
) -> Answer:
    """Return the answer to the user's question, as lines and as JSON values.

    ``about`` is the user's text, and ``words`` is its meaning. ``question`` has the user's client, mode and strategy.
    ``given`` has the content of the user's files. Raises ``UsageError``.
    """
    lasted, symptom = facts.lasted, _symptom(about)
    if given:
        from rebalance_proofs.cli.pastes import answered

        return answered(given, question, lasted, symptom, about, everything=everything)
    description = words.answerable and not words.ignored and "\n" not in about
    if about and not symptom and not description:
        from rebalance_proofs.cli.pastes import of_paste

        if pasted := of_paste(about, question, lasted):
            return pasted
    if not about:
        if facts != Facts() or question != Asked():
            raise UsageError(gettext("the symptom is missing; name one of {symptoms}").format(symptoms=_symptoms()))
        return Answer(told.symptoms(), lambda: document(about, question, lasted))
    named = [one for one in CAUSES if one.name == about.casefold()]
    if named and not symptom:
        causes = causes_of(named, question, lasted)
        return Answer(told.by_cause(causes, question.remark), lambda: document(about, question, lasted, causes=causes))
    if not symptom and "\n" not in about and asks_how_long(about, bool(words.symptoms)):
        bounds = [*durations()]
        return Answer(bounds, lambda: document(about, question, lasted, untold=bounds[2:-1]))
    not_here = unmodelled(about)
    if not_here and not symptom:
        return Answer(
            told.outside(not_here),
            lambda: document(about, question, lasted, untold=[f"{not_here.what}: {not_here.why}"]),
        )
    if not symptom and words.wishes:
        return wished(about, words, question, facts)
    if not symptom and not description and (other := _other(about, words, question, lasted)):
        return other
    if not symptom and not words.something:
        if lines := pointed_to(about, question, lasted):
            return Answer(
                told.by_lines(lines, about, question.remark), lambda: document(about, question, lasted, lines=lines)
            )
        if statement := irrelevant(about):
            left = f"{statement.client}, {statement.where}: {statement.about.en}"
            return Answer(told.of_irrelevant(statement), lambda: document(about, question, lasted, untold=[left]))
    if not symptom and is_logged(about) and not words.something:
        from rebalance_proofs.cli.pastes import of_unknown

        return of_unknown(about, question, lasted)
    if not symptom and not words.answerable:
        return of_similar(about, words, question, facts) or questions(about, words, question, facts)
    return of_symptoms(about, symptom, words, question, facts, everything)


def _other(about: str, words: Understood, question: Asked, lasted: int | None) -> Answer | None:
    """Return the answer about a text of mqadmin, pop, gRPC or a producer that is not about a group; else None."""
    from rebalance_proofs.cli.pastes import of_elsewhere, refuse_others

    refuse_others(about, words=bool(words.symptoms))
    other = of_elsewhere([about], question, lasted, about)
    # An identifier of pop or gRPC says more than the words of a symptom; a producer's exception does not.
    return other if other and (other.status != NOT_UNDERSTOOD or not words.answerable) else None


def _symptoms() -> str:
    return gettext(", ").join(one.value for one in Symptom)
