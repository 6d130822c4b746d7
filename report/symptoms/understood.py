"""The meaning of a user's text: symptoms, event, extent, course, clients, mode, strategy and causes that it names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.language import Text, gettext, language
from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.recorded.knowledge.schema import text as told_text
from rebalance_proofs.report.symptoms.cause import After, Reach, Symptom
from rebalance_proofs.report.symptoms.lexicon import Match, Words
from rebalance_proofs.report.symptoms.unmodelled import SHIPPED
from rebalance_proofs.report.symptoms.versions import Named, clients_in

WEAK = (After.NOTHING, After.ALWAYS)
"""Events that count only if the text has no other."""
REBALANCE = "after a rebalance"
"""The event of a text that names no more exact one."""
UNITS = {
    r"ms|milli\w*|毫秒": 1,
    r"s|secs?|seconds?|秒钟?|초": 1_000,
    r"m|mins?|minutes?|分钟|分|분": 60_000,
    r"h|hrs?|hours?|小时|个小时|시간": 3_600_000,
    r"d|days?|天|일": 86_400_000,
}
"""Unit of time -> ms."""
UNIT = "|".join(UNITS)
NUMBER = r"\d+(?:\.\d+)?|an?|one|two|three|five|ten|twenty|thirty|half an|几|十几"
TIME = re.compile(rf"(?<![A-Za-z0-9.])(?P<number>{NUMBER})\s*(?P<unit>{UNIT})(?![A-Za-z0-9])", re.I)
NUMBERS = {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "five": 5.0, "ten": 10.0, "twenty": 20.0,
           "thirty": 30.0, "half an": 0.5, "几": 2.0, "十几": 10.0}  # fmt: skip
# The next four are compiled when a text has a time; that takes long.
PERIOD = r"(?i)(?:every|each|per|within|interval|last|ago|past|first|每|每隔|间隔|前|最近)\s*$"
"""Words before a time that is not the symptom's duration."""
LASTS = (
    r"(?i)(?:\b(?:for|lasts?|lasted|lasting|took|takes?|about|around|over|than|least|nearly|almost|up to|another)"
    r"|持续|了|要|需要|等|约|大概|超过|长达|停滞|卡住?|延迟|堆积|过了|将近|经过|暂停|停顿|동안)\s*$"
)
"""Words before the symptom's duration."""
OF_LISTENER = (
    r"(?i)(?:\b(?:listener|handler|callback|process\w*|business logic|task)s?\b|监听器?|处理|业务|回调)"
    r"[^,.;:，。；：]{0,20}?"
    r"(?:\b(?:takes?|took|needs?|runs?|sleeps?|lasts?)\b|耗时|要|需要?|花|睡眠?)[^,.;:，。；：]{0,14}$"
)
"""Words before the time that a listener takes for a message."""
AFTERWARDS = (
    r"(?i)^\s*(?:左右|多)?\s*(?:之?后?才?恢复|后才|才|不消费|没有消费|没消费|long\b|的?停滞|的?停顿|的?延迟|동안|이상)"
)
"""Words after the symptom's duration."""
RUNS = 5
"""Ignored parts of the text that are printed."""


@dataclass(frozen=True)
class Hint:
    """A cause that the text names or makes likelier."""

    cause: str
    sure: bool
    """True if the words name the cause, not only its circumstances."""
    weight: float
    """Bits by which the cause gets likelier."""
    symptoms: tuple[str, ...] = ()
    """The symptoms for which it does; empty for all."""


@dataclass(frozen=True)
class Understood:
    """What was recognised in the text; None or empty for what was not found."""

    symptoms: tuple[Symptom, ...] = ()
    denied: tuple[Symptom, ...] = ()
    """Symptoms that the text says the group does not have."""
    after: tuple[After, ...] = ()
    reach: Reach | None = None
    over: bool | None = None
    lasted: int | None = None
    """Duration of the symptom in ms."""
    mode: str = ""
    clients: tuple[Named, ...] = ()
    strategy: str = ""
    hints: tuple[Hint, ...] = ()
    excluded: tuple[str, ...] = ()
    """Causes that the text rules out: those of a listener, if it names a consumer without one."""
    wish: str = ""
    """"request" if the text asks for a feature, "question" if it asks whether there is one."""
    said: tuple[Text, ...] = field(default=(), compare=False)
    """What was understood, in words."""
    ignored: tuple[str, ...] = field(default=(), compare=False)
    """Parts of the text that were not understood or not used."""

    @property
    def something(self) -> bool:
        """True if anything was recognised."""
        return self != Understood()

    @property
    def sure(self) -> tuple[str, ...]:
        """Names of the causes that the text names."""
        return tuple(dict.fromkeys(one.cause for one in self.hints if one.sure))

    @property
    def answerable(self) -> bool:
        """True if the text has a symptom, or names a cause."""
        return bool(self.symptoms or self.sure)

    @property
    def wishes(self) -> bool:
        """True if the text is about a feature, and about no symptom."""
        return not self.symptoms and bool(self.wish) and (self.wish == "request" or not self.sure)

    @property
    def echo(self) -> str:
        """The first line of an answer: ``Understood: duplicates, after scaling out. Ignored: 'our prod'.``."""
        parts = []
        if self.said:
            listed = gettext(", ").join(str(one) for one in self.said)
            parts.append(gettext("Understood: {what}.").format(what=listed))
        else:
            parts.append(gettext("Understood: nothing."))
        if self.ignored:
            listed = gettext(", ").join(f"'{one}'" for one in self.ignored)
            parts.append(gettext("Ignored: {what}.").format(what=listed))
        return ("" if language() == "zh" else " ").join(parts)


def understood(text: str) -> Understood:
    """Return what is recognised in the text."""
    return _Reader(text).understood()


class _Reader:
    """Collects what the words of a text mean, and which words it has used."""

    def __init__(self, text: str) -> None:
        self._words = Words(text)
        self._used: set[int] = set()
        self._said: list[Text] = []
        self._hints: list[Hint] = []
        self._told: frozenset[int] = frozenset()
        """Tokens of symptoms: their negations deny nothing else."""

    def understood(self) -> Understood:
        """Return everything that is recognised."""
        clients = self._clients()
        strategy = self._strategy()
        symptoms, denied, modes = self._symptoms()
        after = self._after()
        reach = self._reach()
        over = self._over()
        lasted = self._lasted()
        modes |= self._modes()
        self._causes(symptoms, modes)
        self._combined(
            {
                *(one.en for one in self._said),
                *(f"symptom {one.value}" for one in symptoms),
                *(f"after {one.value}" for one in after),
                *(f"mode {word}" for mode in modes for word in mode.split()),
            }
        )
        self._said.extend(one.words for one in clients)
        return Understood(
            symptoms,
            denied,
            after,
            reach,
            over,
            lasted,
            mode_of(modes),
            clients,
            strategy,
            tuple(self._hints),
            (),
            self._wish(),
            tuple(dict.fromkeys(self._said)),
            tuple(self._ignored()),
        )

    def _say(self, match: Match, field_name: str = "says") -> None:
        self._used |= self._words.covered(match.meaning)
        if field_name in match.meaning.fields:
            self._said.append(told_text(match.meaning.fields[field_name]))

    def _symptoms(self) -> tuple[tuple[Symptom, ...], tuple[Symptom, ...], set[str]]:
        wished = self._wished()
        matches = [one for one in self._words.matches("symptom") if not one.covered & wished]
        covered = frozenset(index for one in matches for index in one.covered)
        self._told = covered
        symptoms: dict[Symptom, None] = {}
        denied: dict[Symptom, None] = {}
        modes: set[str] = set()
        replaced: set[Symptom] = set()
        told: list[Match] = []
        asks = self._words.has_term("how-to")
        for one in matches:
            symptom = Symptom(one.meaning.means)
            if one.meaning.denies or self._words.denied(one, covered - one.covered):
                denied[symptom] = None
                self._say(one, "says" if asks else "denied")
                continue
            symptoms |= dict.fromkeys((symptom, *map(Symptom, one.meaning.fields.get("also", ()))))
            replaced |= {*map(Symptom, one.meaning.fields.get("replaces", ()))}
            told.append(one)
            modes |= {one.meaning.fields["mode"]} if "mode" in one.meaning.fields else set()
            self._hinted(one)
        # A more exact description of the symptom replaces a general one: queues without a client are not lost messages.
        for one in told:
            self._say(one, "" if Symptom(one.meaning.means) in replaced else "says")
        kept = tuple(one for one in symptoms if one not in replaced)
        if not kept and asks:
            # "How to avoid duplicates?" is a question about duplicates.
            return tuple(denied), (), modes
        return kept, tuple(one for one in denied if one not in symptoms), modes

    def _wished(self) -> frozenset[int]:
        """Return the tokens of the clauses that ask for a feature: "please support that consumption stops"."""
        ends = [index for index, one in enumerate(self._words.tokens) if one.stop or one.text == "." or "," in one.text]
        wished: set[int] = set()
        for one in self._words.matches("wish"):
            if one.meaning.fields.get("whole"):
                return frozenset(range(len(self._words.tokens)))
            before = max((end for end in ends if end < one.first), default=-1)
            after = min((end for end in ends if end > max(one.covered)), default=len(self._words.tokens))
            wished |= {*range(before + 1, after)}
        return frozenset(wished)

    def _wish(self) -> str:
        matches = self._words.matches("wish")
        for one in matches:
            self._say(one)
        kinds = {one.meaning.means for one in matches}
        return "request" if "request" in kinds else "question" if kinds else ""

    def _hinted(self, match: Match) -> None:
        for entry in self._words.meanings("cause"):
            if entry.fields.get("hint") in match.meaning.fields.get("hints", ()):
                self._hint(entry.fields)

    def _hint(self, fields: object) -> None:
        assert isinstance(fields, dict)
        weight = float(fields.get("weight", 8 if fields.get("sure") else 2))
        self._hints.extend(
            Hint(cause, bool(fields.get("sure")), weight - place / 4, tuple(fields.get("symptoms", ())))
            for place, cause in enumerate(fields["causes"])
        )

    def _after(self) -> tuple[After, ...]:
        matches = [one for one in self._words.matches("trigger") if not self._words.denied(one, self._told)]
        exact = [one for one in matches if one.meaning.fields["says"]["en"] != REBALANCE]
        strong = [one for one in exact or matches if After(one.meaning.means) not in WEAK]
        for one in chosen_last(strong or exact or matches):
            self._say(one)
        return tuple(dict.fromkeys(After(one.meaning.means) for one in strong or exact or matches))

    def _reach(self) -> Reach | None:
        matches = self._words.matches("scope")
        reach = [Reach(one.meaning.means) for one in matches]
        found = None if not reach else Reach.ONE if Reach.ONE in reach else Reach.ALL
        for one in matches:
            if Reach(one.meaning.means) is found:
                self._say(one)
        return found

    def _over(self) -> bool | None:
        matches = self._words.matches("course")
        found = {one.meaning.means for one in matches}
        if len(found) != 1:
            return None
        for one in matches:
            self._say(one)
        return found == {"over"}

    def _lasted(self) -> int | None:
        text = self._words.text
        for match in TIME.finditer(text):
            before, later = text[: match.start()], text[match.end() :]
            if re.search(PERIOD, before) or re.search(OF_LISTENER, before):
                continue
            if not (re.search(LASTS, before) or re.search(AFTERWARDS, later)):
                continue
            number = NUMBERS.get(match["number"].casefold()) or float(match["number"])
            unit = next(ms for words, ms in UNITS.items() if re.fullmatch(words, match["unit"], re.I))
            lasted = int(number * unit)
            if 0 < lasted <= 7 * 86_400_000:
                self._used |= {
                    index
                    for index, token in enumerate(self._words.tokens)
                    if token.start < match.end() and match.start() < token.end
                }
                self._said.append(Text(f"for {match[0]}", f"持续{match[0]}"))
                return lasted
        return None

    def _modes(self) -> set[str]:
        matches = [one for one in self._words.matches("mode") if not self._words.denied(one, frozenset())]
        for one in matches:
            self._say(one)
        return {one.meaning.means for one in matches}

    def _clients(self) -> tuple[Named, ...]:
        found, used = clients_in(self._words)
        self._used |= used
        return found

    def _strategy(self) -> str:
        for index, token in enumerate(self._words.tokens):
            found = SHIPPED.get(token.plain.rpartition(".")[2]) or ("_" in token.text and _by_name(token.plain))
            if found:
                self._used.add(index)
                self._said.append(Text(token.text, token.text))
                return found
        return ""

    def _causes(self, symptoms: Sequence[Symptom], modes: Iterable[str]) -> None:
        words = {word for mode in modes for word in mode.split()}
        for one in self._words.all_matches("cause"):
            fields = one.meaning.fields
            wanted = fields.get("symptoms")
            if wanted and not any(symptom.value in wanted for symptom in symptoms) and not fields.get("sure"):
                continue
            if fields.get("mode", "") not in (*words, "") or (symptoms and fields.get("alone")):
                continue
            if not fields.get("firm") and self._words.denied(one, self._told, within=bool(fields.get("sure"))):
                continue
            self._hint(fields)
            self._say(one)

    def _combined(self, facts: Iterable[str]) -> None:
        """Add the hints of several facts together: a backlog, on one queue."""
        told = {*facts}

        def fits(part: str) -> bool:
            return told.isdisjoint(part.removeprefix("!").split("|")) == part.startswith("!")

        rules = loaded("words")["combined"]["rule"] if any(one.startswith("symptom ") for one in told) else ()
        for entry in rules:
            if all(fits(part) for part in entry["when"]):
                self._hint(entry)

    def _ignored(self) -> Iterator[str]:
        runs: list[list[int]] = []
        for index in range(len(self._words.tokens)):
            if index in self._used or self._words.is_quiet(index):
                continue
            if runs and self._joined(runs[-1][-1], index):
                runs[-1].append(index)
            else:
                runs.append([index])
        read = self._words.tokens
        yield from dict.fromkeys(self._words.text[read[run[0]].start : read[run[-1]].end] for run in runs[:RUNS])
        if len(runs) > RUNS:
            yield "..."

    def _joined(self, last: int, index: int) -> bool:
        """Return whether only plain, unused words are between two ignored tokens of a sentence."""
        between = range(last + 1, index)
        return len(between) <= 2 and not any(
            one in self._used or self._words.tokens[one].stop or not self._words.tokens[one].text[:1].isalnum()
            for one in between
        )


def chosen_last(matches: Iterable[Match]) -> list[Match]:
    """Return the matches, each wording once."""
    return list({one.meaning.fields["says"]["en"]: one for one in matches}.values())


def _by_name(name: str) -> str:
    """Return the short name of the strategy with that name of RocketMQ's in lower case; empty if there is none."""
    # Imported here because strategies take long to load.
    from rebalance_proofs.model.allocation import ALL

    return next((one.name for one in ALL if one.rocketmq_name.casefold() == name), "")


def mode_of(modes: Iterable[str]) -> str:
    """Return the mode that several words describe together: ``push orderly`` and ``push broadcasting``.

    "clustering" is the default message model, and names no mode.
    """
    words = {word for mode in modes for word in mode.split()} - {"clustering"}
    broadcasting = " broadcasting" if "broadcasting" in words else ""
    if "lite" in words:
        return f"lite pull{broadcasting}"
    if "orderly" in words:
        return f"push orderly{broadcasting}"
    if "pull" in words and "push" not in words:
        return f"pull{broadcasting}"
    return f"push{broadcasting}" if words else ""


def mode_named(typed: str) -> str | None:
    """Return the mode that an option's value names in other words: ``orderly``, ``MessageListenerConcurrently``.

    "" stands for the default, clustering; None if the words name no mode.
    """
    words = Words(typed)
    matches = words.matches("mode")
    used = frozenset(index for one in matches for index in one.covered)
    left = any(index not in used and not words.is_plain(index) for index in range(len(words.tokens)))
    return mode_of(one.meaning.means for one in matches) if matches and not left else None
