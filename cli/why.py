"""``rebalance why``: possible causes of a symptom."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.params import Duration, Name, mode_option, strategy_option
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.translated import Translated, lang_option
from rebalance_proofs.language import gettext, use
from rebalance_proofs.report.symptoms.cause import After, Facts, Reach, fact
from rebalance_proofs.report.symptoms.explained import read

WEEK = 7 * 24 * 3_600_000
"""One week in ms, the longest time that ``--for`` takes."""
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
    help="Your client: a Java client version such as 5.2 or 4.9.8, or go, node, cpp, rust, spring, python. A gRPC "
    "client (rocketmq-clients) is grpc-java, grpc-go, grpc-cpp, grpc-rust, grpc-csharp, grpc-node or grpc-python, with "
    "its version: grpc-python-5.1.1. Put commas between several: 4.9.8,go.",
)
@mode_option
@strategy_option
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
    facts = Facts(fact(After, after), fact(Reach, reach), over, lasted)
    question = read(about, facts, client, mode, strategy, files)
    plain = not as_json and not everything and not files
    if plain and question.facts == Facts() and question.answerable and _asks():
        question = question._replace(facts=_asked_for(question.facts))
    answer = (question.of_one() if as_json else question).answer(everything=everything)
    with Reporter() as reporter:
        for line in encoded(answer.document()).splitlines() if as_json else answer.lines:
            reporter.line(line)
    return answer.status


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
        after=fact(After, after),
        reach=fact(Reach, reach),
        over={"over": True, "still": False}.get(over),
    )
