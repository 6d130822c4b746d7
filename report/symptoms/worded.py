"""The answer of ``rebalance why`` to a description in the user's own words."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rebalance_proofs.documents import Explanation
from rebalance_proofs.language import gettext, language
from rebalance_proofs.model.receiving.releases import ANY, is_sdk
from rebalance_proofs.recorded.knowledge.similar import similar
from rebalance_proofs.report.symptoms import told
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked, whose
from rebalance_proofs.report.symptoms.brief import brief
from rebalance_proofs.report.symptoms.cause import Cause, Facts, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, causes_for
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.mixed import mixed
from rebalance_proofs.report.symptoms.narrowed import FIRST, Ranked, first_of, ranked
from rebalance_proofs.report.symptoms.search import elsewhere, hinted, likely, named
from rebalance_proofs.report.symptoms.understood import Understood
from rebalance_proofs.report.symptoms.unmodelled import near

NEAR = 2
"""Most words of a text that may be a misspelt name."""
DELETED = "offset-illegal"
"""The cause of messages that the broker deleted before they were read; the others are still on the broker."""
NOT_UNDERSTOOD = 2
"""Exit status if the user's words name no symptom and no cause."""


class Answer(NamedTuple):
    """The answer as lines of text, and a function that returns it as JSON values.

    They are separate because each can need computations that the other does not.
    """

    lines: Iterable[str]
    document: Callable[[], Explanation]
    status: int = 0


def of_symptoms(
    about: str, symptom: Symptom | None, words: Understood, question: Asked, facts: Facts, everything: bool
) -> Answer:
    """Return the causes of the symptom, or of the symptoms and causes that the user's words name."""
    of_sdk = is_sdk(question.release)
    learned = None if symptom or of_sdk else similar(about)
    if learned and not words.sure and elsewhere(about, learned, event=bool(words.after)):
        reason = gettext("This is rather about another subject than a consumer group, so no cause is listed.")
        return questions(about, words, question, facts, reason)
    symptoms = (symptom,) if symptom else words.symptoms or tuple(Symptom)
    every_cause = [one for one in causes_for(question.release) if one.name not in words.excluded]
    among = every_cause if symptom or words.symptoms else [one for one in every_cause if one.name in words.sure]
    causes = [one for each in symptoms for one in found(each, question, facts.lasted, among)]
    notes, of_user, untold = _notes(words), question, []
    if among is not every_cause and question.release and not any(one.possible for one in causes):
        # The words name a cause that is claimed for other clients only: say so rather than nothing.
        untold = [
            gettext("No claim about this cause covers {client}; this is the answer for other clients.").format(
                client=whose(question.release)
            )
        ]
        question = replace(question, release=ANY if of_sdk else "")
        causes = [one for each in symptoms for one in found(each, question, facts.lasted, among)]
    if symptom is None and words.symptoms:
        others = _others({*words.sure, *(likely(learned) if learned else ())}, words.symptoms, question, facts)
        causes += [one for one in others if one.cause.name not in words.excluded]
    if of_sdk and symptoms == (Symptom.OFTEN,) and not words.sure:
        return _no_rebalance(
            about, words.echo if symptom is None else _asked(symptom, question, facts), question, facts
        )
    echo = [words.echo] * (symptom is None)
    if everything:
        lines = [line for each in symptoms for line in _in_full(each, question, causes)]
        return Answer(
            [*echo, *untold, *lines[:-1]], lambda: document(about, of_user, facts.lasted, causes=causes, untold=untold)
        )
    asked = symptoms if symptom or words.symptoms else ()
    every = ranked(causes, facts, (*words.hints, *(hinted(learned) if learned else ())), asked)
    first = first_of(every, asked)
    rest = [one for one in every if not any(one is other for other in first)]
    names = " ".join(one.value for one in asked)
    more = f"rebalance why {names or first[0].found.cause.name}{' --all' if names else ''}" if every else ""
    head = words.echo if symptom is None else _asked(symptom, question, facts)
    deleted = DELETED in words.sure
    remarks = [] if deleted else [*told.before(symptom or (asked[0] if len(asked) == 1 else None), "")]
    lines = [*brief(head, question, (*first, *rest), more, [*notes, *untold, *remarks], several=len(asked) > 1)]
    return _ranked(about, of_user, facts, causes, first, lines, None if symptom else words, untold)


def _no_rebalance(about: str, head: str, question: Asked, facts: Facts) -> Answer:
    """Return the answer to a question about rebalances of gRPC clients, which have none."""
    said = gettext("The proxy assigns every broker to every consumer; there is no group rebalance.")
    more = gettext("See `rebalance why polls-every-broker`.")
    return Answer([head, said, more], lambda: document(about, question, facts.lasted, facts=facts, untold=[said]))


def of_similar(about: str, words: Understood, question: Asked, facts: Facts) -> Answer | None:
    """Return the causes that known questions give a text without a symptom; None if they do not tell."""
    learned = similar(about)
    among = [next(one for one in CAUSES if one.name == name) for name in named(learned)]
    causes = [one for cause in among for one in _first_effect(cause, question, facts)]
    every = ranked(causes, facts, (*words.hints, *hinted(learned)))
    if not every:
        return None
    first = every[:FIRST]
    head = [gettext("No symptom was recognised. Known questions with similar words have these causes:"), *_notes(words)]
    more = f"rebalance why {first[0].found.cause.name}"
    lines = [*brief(words.echo, question, first, more, head, several=True)]
    return _ranked(about, question, facts, causes, first, lines, words)


def _ranked(
    about: str,
    question: Asked,
    facts: Facts,
    causes: Sequence[Found],
    first: Sequence[Ranked],
    lines: Sequence[str],
    words: Understood | None,
    untold: Sequence[str] = (),
) -> Answer:
    """Return the answer with its JSON: all ``causes``, the names of the ``first`` ones, and what it leaves open."""
    names = [one.found.cause.name for one in first]
    return Answer(
        lines,
        lambda: document(
            about, question, facts.lasted, causes=causes, first=names, facts=facts, understood=words, untold=untold
        ),
    )


def _others(names: Collection[str], symptoms: Sequence[Symptom], question: Asked, facts: Facts) -> list[Found]:
    """Return the effects of causes that have none of the symptoms, but are taken for them, or have one of the names."""
    others = [
        one
        for one in causes_for(question.release)
        if not any(one.effect(each) for each in symptoms)
        and (one.name in names or any(one.looks_like(each) for each in symptoms))
    ]
    return [one for cause in others for one in _first_effect(cause, question, facts)]


def _first_effect(cause: Cause, question: Asked, facts: Facts) -> Sequence[Found]:
    return found(cause.effects[0].symptom, question, facts.lasted, [cause])


def _asked(symptom: Symptom, question: Asked, facts: Facts) -> str:
    asked = gettext("; ").join(part for part in (question.label, facts.words) if part)
    return told.titled(symptom.question, asked)


def _notes(words: Understood) -> list[str]:
    notes = [one.note for one in words.clients if one.note]
    return list(dict.fromkeys((*mixed([one.release for one in words.clients]), *notes)))


def _in_full(symptom: Symptom, question: Asked, causes: Sequence[Found]) -> Iterator[str]:
    yield from told.by_symptom(symptom, question, [one for one in causes if one.effect.symptom is symptom])
    yield ""


def wished(about: str, words: Understood, question: Asked, facts: Facts) -> Answer:
    """Return the answer to a text that asks for a feature, or whether there is one."""
    why = gettext(
        "This asks for a feature, or whether there is one. It is no symptom of a group, so no cause is listed."
    )
    return questions(about, words, question, facts, why)


def questions(about: str, words: Understood, question: Asked, facts: Facts, why: str = "") -> Answer:
    """Return what was understood in a text without a symptom, and the questions that would help.

    ``why``: the reason why no cause is listed, by default that no symptom was recognised.
    """
    names = (*(one.value for one in Symptom), *(one.name for one in CAUSES))
    meant = near(about, names) if len(about.split()) <= NEAR else ""
    lines = [
        words.echo,
        why or gettext("No symptom was recognised, so no cause is listed."),
        *[gettext("Did you mean {name}?").format(name=repr(meant))] * bool(meant),
        gettext("Which symptom do you see? For example:"),
        *(f'  rebalance why "{example}"' for example in EXAMPLES[language()]),
        gettext('Which log line do you see? Paste it: rebalance why "subscription not exist"'),
        gettext("What does mqadmin print? Run: mqadmin consumerProgress -g GROUP -s true | rebalance why --file -"),
    ]
    return Answer(
        lines,
        lambda: document(about, question, facts.lasted, facts=facts, understood=words, untold=lines[1:2]),
        NOT_UNDERSTOOD,
    )


EXAMPLES = {
    "en": (
        "messages are consumed twice after a deploy",
        "one queue is stalled, consumer crashed",
        "messages are lost, new group",
        "offset rolled back after a broker restart",
        "queues are uneven / rebalances all the time",
        "扩容后重复消费, 5.3.1",
    ),
    "zh": (
        "扩容后重复消费, 5.3.1",
        "消费者宕机后一个队列不消费",
        "新消费者组丢消息",
        "Broker 重启后位点回退",
        "队列分配不均",
        "频繁重平衡",
    ),
}
"""Language -> descriptions that are understood."""
