"""``rebalance list``: list all claims, or claims and fixes for a client, mode or strategy."""

import shlex
from collections.abc import Iterator, Sequence

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import ANSWERED, CLAIMS
from rebalance_proofs.cli.paged import paged
from rebalance_proofs.cli.params import Name, mode_option, strategy_option
from rebalance_proofs.model.receiving.releases import strictly
from rebalance_proofs.model.releases import UnknownRelease
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.named import selected
from rebalance_proofs.report.claims.mark import MEANINGS, Mark
from rebalance_proofs.report.claims.mine import Mine, chosen_strategy, require_shipped
from rebalance_proofs.report.family import arranged
from rebalance_proofs.report.index.entries import Entry, by_label, entries, families, listed
from rebalance_proofs.report.symptoms.asked import UnknownName, asked
from rebalance_proofs.report.symptoms.mixed import mixed
from rebalance_proofs.report.symptoms.unmodelled import outside, strategy_named
from rebalance_proofs.report.text.english import count, do_not_hold, hold
from rebalance_proofs.report.text.grouped import grouped


@click.command("list", epilog=f"{CLAIMS}\n\n{ANSWERED}")
@click.argument("claims", nargs=-1)
@click.option(
    "--client",
    type=Name(),
    metavar="VERSION",
    help="Your client: a Java client version such as 5.2 or 4.9.8, go, node, cpp, rust, or a gRPC client such as "
    "grpc-java or grpc-python-5.1.1. Put commas between several.",
)
@mode_option
@strategy_option
@click.option(
    "--releases", "of_releases", is_flag=True, help="List RocketMQ's releases instead: read, compared, recorded."
)
@click.option("--all", "everything", is_flag=True, help="Print all selected claims, not only the short answer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def list_(
    claims: tuple[str, ...],
    client: str | None,
    mode: str | None,
    strategy: str | None,
    of_releases: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """List claims, or those that apply to your client.

    Each line has the expected verdict, the id and the sentence of one claim. Lines that start with # are headings.
    With --client, --mode or --strategy, the command prints recommended fixes, and counts the claims that apply to your
    choice. With --all, it also lists these claims, refuted claims first.

    With --releases, the command lists releases of RocketMQ and of other clients. The list shows whether a release's
    source was read, its code was compared with the model, and groups were recorded.

    \b
    Examples:
      rebalance list 'allocation.*.disjoint'
      rebalance list CONSISTENT_HASH
      rebalance list --client 5.2 --mode "push orderly" --strategy avg
      rebalance list --releases
    """
    if of_releases:
        if claims or client or mode or strategy:
            raise UsageError("--releases lists all releases; leave out CLAIMS, --client, --mode and --strategy")
        _releases(everything, as_json)
        return
    chosen, mine = selected(claims, tuple(entries().values())), None
    each = [one.strip() for one in (client or "").split(",") if one.strip()]
    if len(each) > 1:
        if as_json:
            raise UsageError("--json lists the claims of one client; give one with --client")
        paged(_of_several(claims, each, mode, strategy, chosen, everything=everything))
        return
    if client or mode or strategy:
        mine = _mine(chosen, client or "", mode or "", strategy or "")
        chosen = mine.chosen
    if as_json:
        rows = [
            {
                "id": claim.id,
                "family": claim.family.name,
                "sentence": claim.sentence,
                "expected": claim.expected,
                "scope": claim.scope,
                "source": claim.source,
                "seen": claim.mark.value,
                "cases": claim.cases,
                "recorded_results": claim.results,
                "remark": (mine.question.remark or None) if mine else None,
            }
            for claim in chosen
        ]
        print(encoded(rows))
        return
    if mine and not everything:
        paged(mine.brief(_command(claims, client, mode, strategy)))
    else:
        paged([*(mine.full(lines) if mine else counted(chosen)), *legend(chosen)])


def _releases(everything: bool, as_json: bool) -> None:
    if everything and as_json:
        raise UsageError("--all adds details to the text answer; leave out --json")
    # Imported here because these modules load recordings, and other answers do not need them.
    from rebalance_proofs.report.released.table import document, table, told

    found = table()
    if as_json:
        print(encoded(document(found)))
    else:
        paged(told(found, everything=everything))


def _of_several(
    typed: Sequence[str],
    clients: Sequence[str],
    mode: str | None,
    strategy: str | None,
    claims: Sequence[Entry],
    *,
    everything: bool,
) -> Iterator[str]:
    """Yield what mixes badly in one group, then the answer about each client."""
    every = [_mine(claims, one, mode or "", strategy or "") for one in clients]
    yield from (first := list(mixed([one.question.release for one in every])))
    for number, (client, mine) in enumerate(zip(clients, every, strict=True)):
        yield from [""] * bool(first or number)
        yield from mine.full(lines) if everything else mine.brief(_command(typed, client, mode, strategy))


def _mine(claims: Sequence[Entry], client: str, mode: str, strategy: str) -> Mine:
    try:
        sdk = strictly(client)
    except UnknownRelease as error:
        raise UsageError(str(error)) from None
    try:
        wanted = chosen_strategy(strategy_named(strategy)) if strategy else ()
        found = Mine(claims, asked(client, mode, with_sdks=True), wanted)
        require_shipped(found.question, found.wanted)
    except UnknownName as error:
        of_client = "" if sdk else client  # gRPC clients are covered
        raise UsageError(outside(of_client, mode, strategy) or str(error)) from None
    return found


def _command(claims: Sequence[str], client: str | None, mode: str | None, strategy: str | None) -> str:
    """Return the command line that prints all claims of this selection."""
    options = {"--client": client, "--mode": mode, "--strategy": strategy}
    given = [word for name, value in options.items() if value for word in (name, value)]
    return shlex.join(["rebalance", "list", *claims, *given, "--all"])


def counted(claims: Sequence[Entry]) -> Iterator[str]:
    """Yield how many claims hold and do not hold, then the claims."""
    holding = sum(claim.holds for claim in claims)
    yield f"# {count(len(claims), 'claim')}: {hold(holding)}, {do_not_hold(len(claims) - holding)}"
    yield ""
    yield from lines(claims)


def legend(claims: Sequence[Entry]) -> Iterator[str]:
    """Yield the meaning of each mark of these claims, such as "observed"; nothing without claims.

    A mark says how far recordings of real clients confirm a claim.
    """
    found = {claim.mark for claim in claims}
    if not found:
        return
    yield ""
    yield "# Real clients (`rebalance show CLAIM --all` lists the recordings):"
    yield from (f"# {mark}: {MEANINGS[mark]}" for mark in Mark if mark in found)


def lines(claims: Sequence[Entry]) -> Iterator[str]:
    """Yield a line for each claim, family by family, with headings.

    Families are grouped by strategy, assumption or guarantee.
    """
    every = arranged(claims, lambda claim: claim.family, lambda claim: claim.row, families().values())
    for number, (kind, own) in enumerate(every.items()):
        if number:
            yield ""
        yield f"# {kind.title}"
        yield from (f"# {limit}" for limit in dict.fromkeys(limit for claim in own for limit in claim.limits))
        yield f"# Real clients: {by_label((claim.mark, claim.label) for claim in own)}"
        groups = list(grouped(own, lambda claim: claim.row[0]).values())
        width = max(len(claim.id) for claim in own)
        for place, group in enumerate(groups):
            if place and max(map(len, groups)) > 1:
                yield ""
            heading, sentences = listed(group)
            if heading:
                yield f"# {heading}"
            for claim, sentence in zip(group, sentences, strict=True):
                yield f"{claim.expected:8} {claim.id:{width}}  {sentence}{_cases(claim)}"


def _cases(claim: Entry) -> str:
    """Return how often recorded groups could have contradicted the claim, or showed its event; else "".

    If only packages show it, the number counts last steps of their sequences.
    """
    if not claim.cases:
        return ""
    where = " in packages" if claim.mark is Mark.TESTED else ""
    return f" ({count(claim.cases, 'chance' if claim.kept else 'time')}{where})"
