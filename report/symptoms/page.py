"""The text of docs/reference/symptoms.md."""

from collections.abc import Iterable, Iterator
from itertools import chain

from rebalance_proofs.language import gettext, later
from rebalance_proofs.model.receiving.releases import ANY as ANY_SDK
from rebalance_proofs.model.releases import JAVA, java_from
from rebalance_proofs.recorded.logs.lines import ALL, HOLE, Line, Logs
from rebalance_proofs.report.claims.mark import explained, from_docs
from rebalance_proofs.report.index.entries import of_claims, word_of
from rebalance_proofs.report.see import see
from rebalance_proofs.report.symptoms.answer import Found, bugs, found
from rebalance_proofs.report.symptoms.asked import Asked, by_id, whose
from rebalance_proofs.report.symptoms.bugs import ROOMS, Bug, Said
from rebalance_proofs.report.symptoms.cause import TIMER, Basis, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.search import LINES
from rebalance_proofs.report.symptoms.told import MARK, NOT_LOST, titled
from rebalance_proofs.report.symptoms.words import CAVEAT, by_client, read_in, worth
from rebalance_proofs.report.text.english import capitalized, listing, seconds
from rebalance_proofs.report.text.grouped import grouped

# The part of docs/reference/symptoms.md about known bugs.

TITLE = later("Known bugs, by version")
ADDRESS = "#known-bugs-by-version"
HEAD_OF_BUGS = (
    later(
        "These bugs were reported by users or found in the source. The versions that were read are {java},\n"
        "Go 2.1 and Node 3.12.2."
    ),
    later(
        "- **Present**: a counterexample refutes a claim that would exclude the bug.\n"
        "- **Absent**: the claim is proved, under the given condition if there is one.\n"
        "- **Causes** lists the causes on this page that have the bug.\n"
        "- **Reproduce** lists commands. `rebalance replay` shows step by step how the first claim fails. "
        "`rebalance explore`\n"
        "  finds such a failure among all states of a small group."
    ),
    later(
        "A claim states exactly what it covers (`rebalance show CLAIM --all`); an issue may cover more. The "
        "issue, not the claim,\n"
        "says whether a real client has a reported bug."
    ),
)
"""Paragraphs below the title."""


def known_bugs() -> Iterator[str]:
    """Yield a list of bugs for each subject."""
    title = gettext(TITLE)
    # Links lead to the English title, which has the anchor by itself.
    yield f"## {title}\n" if title == TITLE else f'<a id="{ADDRESS[1:]}"></a>\n\n## {title}\n'
    for part in HEAD_OF_BUGS:
        yield gettext(part).format(java=java_from(JAVA[0])) + "\n"
    for room, own in ROOMS.items():
        yield f"### {room}\n"
        for bug in own:
            yield from _bug_row(bug)
        yield ""


def link(bug: Bug) -> str:
    """Return a Markdown link to the bug's issue."""
    return f"[{bug.called}]({bug.address})" if bug.issue else gettext("No issue is known")


def _bug_row(bug: Bug) -> Iterator[str]:
    yield gettext('- <a id="{anchor}"></a>**{sentence}** {issue}.').format(
        anchor=bug.anchor, sentence=bug.sentence, issue=link(bug)
    )
    yield from _listed(gettext("Present"), bug.present)
    yield from _listed(gettext("Absent"), bug.absent)
    if bug.not_modelled:
        yield gettext("  - Not modelled: {reason}.").format(reason=bug.not_modelled)
    names = [cause.name for cause in CAUSES if any(bug in bugs(cause, effect) for effect in cause.effects)]
    if names:
        yield gettext("  - Causes: {causes}.").format(causes=gettext(", ").join(f"[{name}](#{name})" for name in names))
    else:
        yield gettext("  - Causes: none, because {reason}.").format(reason=bug.unseen)
    if commands := _see(bug):
        yield gettext("  - Reproduce: {commands}.").format(
            commands=gettext(", ").join(f"`{command}`" for command in commands)
        )


def _see(bug: Bug) -> tuple[str, ...]:
    """Return the commands that reproduce the bug.

    They replay its first claim, and explore each group where one of its claims fails.
    """
    every = [see(by_id(one.claim)) for one in bug.present]
    groups = () if bug.other_group else dict.fromkeys(chain.from_iterable(commands[1:] for commands in every))
    return (*(commands[0] for commands in every[:1]), *groups)


def _listed(head: str, said: Iterable[Said]) -> Iterator[str]:
    """Yield list items that start with ``head``, one for each conformance mark, with versions and their claims."""
    for own in grouped(said, lambda one: word_of(one.claim)).values():
        yield gettext("  - {state}: {versions}. {claims}.").format(
            state=head,
            versions=gettext("; ").join(dict.fromkeys(_versions(one) for one in own)),
            claims=of_claims([one.claim for one in own], _claim),
        )


def _versions(one: Said) -> str:
    if one.versions:
        return str(one.versions)
    if not one.when:
        return _of(one.claim)
    return gettext("{client}, {condition}").format(client=_of(one.claim), condition=one.when)


def _claim(name: str) -> str:
    return f"[`{name}`]({from_docs(name)})"


def _of(name: str) -> str:
    return gettext(" and ").join(by_id(name).labels)


ANY = Asked()

HEAD = (
    later("# Symptoms"),
    later("This page is also available [in Chinese](symptoms.zh-CN.md)."),
    later(
        "This page lists the known causes of each symptom, with checks and fixes, then known bugs and log lines.\n"
        "`rebalance why` ranks the causes for your case:"
    ),
    later(
        "- `rebalance why twice --client 4.9.8 --mode push --after deploy --over` prints the three likeliest "
        "causes. Add `--all`\n"
        "  for all causes, or `--for 2m` if you observe the symptom for two minutes: causes that end sooner "
        "then come last.\n"
        '- `rebalance why "one queue stands still"` takes your own words.\n'
        '- `rebalance why "subscription not exist"` takes a log line.\n'
        "- `rebalance why --file consumer-status.txt` takes the output of mqadmin.\n"
        "- `rebalance why hand-over` explains one cause."
    ),
    later("[On your own cluster](../how-to/your-cluster.md) shows which commands to run."),
    later(
        "Each symptom has three groups of causes. The first needs only ordinary operation with default "
        "settings, the second a\n"
        "particular setup of the group. The third needs a failure of a broker, a host, the network or a request."
    ),
    later("How to read a cause:"),
    later(
        "- **Evidence** names the claims that show it. REFUTED: a counterexample shows it. PROVED: the claim "
        "itself states it.\n"
        "- **Excluded** names claims that rule it out for their clients or strategies.\n"
        "- **Limits** names claims that limit its extent.\n"
        "- **NOT CLAIMED**: no claim shows it. It was read in RocketMQ's source, or found by exploring the model.\n"
        "- **Happens** marks a one-time event, whose effect stays. **Lasts** gives a duration with default "
        "settings.\n"
        '- **Bound** gives the evidence for "at most". {caveat}\n'
        "- A rebalance within 26 s is a part of several bounds. {timer}."
    ),
    later(
        "A *ProcessQueue* is the client's entry for a queue in its processQueueTable. *cidAll* is the list "
        "of the group's client\n"
        "ids, and *mqAll* the list of the topic's queues."
    ),
    later("Each claim has a mark, which says what recordings of real clients show about it. {seen}"),
)
"""Paragraphs at the top of the page."""


def page() -> str:
    """Return docs/reference/symptoms.md as text, or symptoms.zh-CN.md if the language in use is Chinese."""
    values = {"seen": explained(), "caveat": gettext(CAVEAT), "timer": TIMER}
    head = "\n\n".join(gettext(part).format(**values) for part in HEAD) + "\n"
    return "\n".join((head, *_symptoms(), *_sdks(), *known_bugs(), *_lines())).rstrip() + "\n"


def _sdks() -> Iterator[str]:
    """Yield the causes of gRPC clients."""
    yield "## " + gettext("gRPC clients (rocketmq-clients)") + "\n"
    yield gettext("`rebalance why SYMPTOM --client grpc-java` (or grpc-go and so on) lists these causes.") + "\n"
    explained: set[str] = set()
    for symptom in Symptom:
        every = found(symptom, Asked(ANY_SDK))
        if every:
            yield f"### {titled(symptom.question, whose(ANY_SDK))}\n"
        for one in every:
            yield from _cause(one, one.cause.name in explained)
            explained.add(one.cause.name)


def _symptoms() -> Iterator[str]:
    explained: set[str] = set()
    for symptom in Symptom:
        yield f"## {symptom.question}\n"
        if symptom is Symptom.LOST:
            yield f"{gettext(NOT_LOST)}\n"
        every = found(symptom, ANY)
        for needs in Needs:
            chosen = [one for one in every if one.cause.needs is needs]
            if chosen:
                yield f"### {needs.heading}\n"
            for one in chosen:
                yield from _cause(one, one.cause.name in explained)
                explained.add(one.cause.name)


def _cause(one: Found, explained: bool) -> Iterator[str]:
    """Yield the Markdown lines about one cause.

    If the cause is already ``explained`` under another symptom, yield only what differs for this symptom.
    """
    mark = "" if one.claimed else f"**{gettext(MARK).strip()}** "
    yield f"#### {one.cause.name}\n"
    yield f"{mark}{one.cause.headline if explained else one.cause.sentence}\n"
    yield from (f"- {gettext('{sentence}.').format(sentence=part)}" for part in (*_lasts(one), *_known(one)))
    if explained:
        yield gettext("- Checks and fixes: see [{name}](#{name}).").format(name=one.cause.name)
    else:
        if one.cause.lines:
            yield gettext("- Log lines: {lines}.").format(lines=gettext(", ").join(map(_link, one.cause.lines)))
        yield from ("- " + gettext("Confirm: {check}").format(check=part) for part in one.cause.looks_of(""))
        yield from ("- " + gettext("Fix: {fix}").format(fix=_help(part)) for part in one.cause.helps)
    if one.bugs:
        yield gettext("- [Known bugs]({address}): {bugs}.").format(
            address=ADDRESS, bugs=gettext(", ").join(map(_bug, one.bugs))
        )
    yield ""


def _lasts(one: Found) -> Iterator[str]:
    lasts = one.effect.lasts
    if lasts.basis in (Basis.EVENT, Basis.OPEN):
        if lasts.event:
            yield gettext("Happens {when}").format(when=lasts.words)
        else:
            yield gettext("Lasts {duration}").format(duration=lasts.words)
        return
    if lasts.way:
        yield gettext("Lasts {duration}").format(duration=lasts.words)
        yield gettext("Lasts at most: {times}").format(times=by_client(lasts))
    else:
        assert lasts.most is not None
        yield gettext("Lasts at most {time}, {duration}").format(time=seconds(lasts.most), duration=_words(lasts))
    yield gettext("Bound: {evidence}").format(evidence=worth(lasts, _claim))


def _words(lasts: Lasts) -> str:
    """Return the duration in words, without the sentence about the timer: the page's head has it."""
    return str(lasts.words).removesuffix(str(TIMER)).rstrip(" .。")


def _known(one: Found) -> Iterator[str]:
    if one.shown:
        yield gettext("Evidence: {claims}").format(claims=of_claims(one.shown, _claim))
        if one.cause.read:
            yield gettext("Other clients: source of {releases} ({source})").format(
                releases=read_in(one.cause), source=one.cause.source
            )
    elif not one.cause.read:
        yield gettext("Evidence: exploration of the model")
    else:
        yield gettext("Evidence: source of {releases} ({source})").format(
            releases=read_in(one.cause), source=one.cause.source
        )
    if one.excluded:
        yield gettext("Excluded: {claims}").format(claims=of_claims(one.excluded, _claim))
    if one.bounds:
        yield gettext("Limits: {claims}").format(claims=of_claims(one.bounds, _claim))


def _help(one: Help) -> str:
    if one.symptoms:
        only = ", ".join(symptom.value for symptom in one.symptoms)
        return gettext("[{symptoms} only] {fix}").format(symptoms=only, fix=_proved(one))
    return _proved(one)


def _proved(one: Help) -> str:
    if not one.claims:
        return str(one.words)
    return gettext("{fix} {claims}.").format(fix=one.words, claims=capitalized(of_claims(one.claims, _claim)))


def _bug(bug: Bug) -> str:
    return link(bug) if bug.issue else gettext("[one without a known issue](#{anchor})").format(anchor=bug.anchor)


def _link(line: Line) -> str:
    return f"[{line.title}](#{line.name})"


def _lines() -> Iterator[str]:
    yield f"## {gettext('Log lines')}\n"
    yield gettext(
        "The texts are those of RocketMQ's source, with `{hole}` for a value. The releases {releases} were read.\n"
        "A text that only some of them have is followed by their numbers."
    ).format(hole=HOLE, releases=listing(ALL))
    yield ""
    for logs in Logs:
        for file in dict.fromkeys(line.file for line in LINES.values() if line.logs is logs):
            chosen = [line for line in LINES.values() if (line.logs, line.file) == (logs, file)]
            yield f"### {gettext('Log of the {log}').format(log=chosen[0].place)}\n"
            for line in chosen:
                yield from _line(line)
            yield ""


def _line(line: Line) -> Iterator[str]:
    yield gettext('- <a id="{anchor}"></a>**{title}.** {more}.').format(
        anchor=line.name, title=capitalized(str(line.title)), more=line.more
    )
    for one in line.wordings:
        releases = f" ({', '.join(one.releases)})" if one.releases not in ((), ALL) else ""
        yield f"  - {one.where}: `{one.text.strip()}`{releases}"
