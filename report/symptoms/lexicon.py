"""Find the words of the knowledge base (``recorded/knowledge/words``) in a user's text.

The text becomes a sequence of tokens: a Latin word, or one Chinese or Korean character. A form is a sequence of tokens,
and a phrase is a sequence of terms and gaps. Misspelt Latin words of at least five letters are matched by rapidfuzz.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rebalance_proofs.recorded.knowledge.schema import loaded

LANGUAGES = ("english", "chinese", "korean")
"""Languages of the words."""
GAP = 6
"""Longest gap of a phrase: three Latin words, or six Chinese characters."""
GAPS = {"~": GAP, "~~": 3 * GAP}
"""Sign of a gap in a phrase -> its length."""
MOST = 400
"""Tokens of a text that are read; a longer text is a paste, not a question."""
SHORTEST = 5
"""Fewest letters of a word that may be misspelt."""
LONG = 7
"""Fewest letters of a word of which two may be wrong."""
TOKEN = re.compile(
    r"(?a:(?P<quoted>(?<![\w'])['\"`](?P<name>[!#-&(-_a-~]+)['\"`](?!\w))|(?P<word>[@$%]?\w[\w.+#%/@:$-]*))"
    r"|(?P<char>\w)|(?P<stop>[.;!?\n]+)|(?P<comma>[,:()-]+)"
)
"""Tokens. It has ASCII characters only, because the others take long to compile; ``PLAIN`` replaces them."""
PLAIN = str.maketrans(
    "\u201c\u201d\u2018\u2019\u300c\u300d\u3002\uff1b\uff01\uff1f\u2026\uff0c\u3001\uff1a\uff08\uff09",
    '""\'\'"".;!?.,,:()',
)
FIRST_CJK = "\u3040"
"""The first letter of Japanese; those of Chinese and Korean follow."""
PARTS = 2
"""Parts of a compound such as "brand-new" that is read as two words; longer ones are names."""
PREFIXED = re.compile("(?:re|un|im|non|auto)-")
PART = re.compile(r"[!-~]+|\S")
NAMES = frozenset(("topic", "group", "consumergroup", "groupname", "topicname"))
"""Words before a name."""
SUFFIXES = (
    "", "e", "s", "es", "d", "ed", "er", "ing", "ings", "ion", "ions", "y", "ies", "ied", "ly", "ment", "ments", "al",
    "ance", "ability", "able", "ity", "ure", "ures",
)  # fmt: skip
"""English endings for which the * of a form stands."""
CONTRACTED = (
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n'?t\b", re.I), r"\1 not"),
    (re.compile(r"\b(?:cannot|can'?t)\b", re.I), "can not"),
    (re.compile(r"\bwon'?t\b", re.I), "will not"),
    (re.compile(r"\b(it|that|what|there|here|who)'s\b", re.I), r"\1 is"),
    (re.compile(r"'(?:s|re|ve|ll|d|m)\b", re.I), ""),
    (re.compile(r"(?<![0-9A-Za-z.)-])-1(?![0-9A-Za-z.])"), " minusone "),
    (re.compile(r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?[wkWK万千]?\+?\s*[qt]ps\b", re.I), " throughput "),
    (re.compile(r"(?<![A-Za-z0-9_-])broker-[a-z0-9]{1,2}(?![A-Za-z0-9_-])", re.I), "broker"),
)
BREAKS = frozenset(("but", "and", "however", "while", "then", "但", "而"))
"""Words that end the reach of a negation."""


@dataclass(frozen=True)
class Token:
    """A word or character of the text."""

    text: str
    """As the user wrote it."""
    start: int
    end: int
    name: bool = False
    """True for the name of a group, topic or host, which is no word."""
    stop: bool = False
    """True for punctuation that ends a sentence."""

    @property
    def plain(self) -> str:
        """The token in lower case."""
        return self.text.casefold()

    @property
    def weight(self) -> int:
        """1 for a character, 2 for a word; the end of a sentence is never within a gap."""
        return 3 * GAP + 1 if self.stop else 1 if len(self.text) == 1 and not self.text.isascii() else 2


@dataclass(frozen=True, eq=False)
class Meaning:
    """One meaning of a file of words, such as a symptom."""

    kind: str
    """Name of the file, or its ``kind``: ``symptom``."""
    fields: Mapping[str, Any]
    phrases: tuple[tuple[tuple[str, ...], ...], ...]
    """Each phrase as alternatives of terms; a gap is ``("~",)`` or, three times as long, ``("~~",)``."""

    @property
    def means(self) -> str:
        """The value; empty if the words only hide shorter ones."""
        return str(self.fields.get("means", ""))

    @property
    def hides(self) -> bool:
        """True if the words have another sense, and only hide shorter matches."""
        return not any(self.fields.get(key) for key in ("means", "causes", "excludes"))

    @property
    def denies(self) -> bool:
        """True if the words say that the group does not have the symptom: "lag is 0"."""
        return bool(self.fields.get("denies"))


@dataclass(frozen=True)
class Match:
    """A place of the text that has a meaning."""

    meaning: Meaning
    covered: frozenset[int]
    """Indices of the tokens that carry the meaning."""
    weight: int

    @property
    def first(self) -> int:
        """Index of the first token."""
        return min(self.covered)


@dataclass(frozen=True)
class Arc:
    """A form of a term or of a meaning in the text: tokens ``first`` to ``last`` - 1."""

    first: int
    last: int
    owner: str | Meaning


Form = tuple[str, ...]


@dataclass
class Lexicon:
    """All words of the knowledge base, indexed by the first token of each form."""

    languages: Sequence[str]
    forms: dict[str, list[tuple[Form, str | Meaning]]] = field(default_factory=dict)
    """First token -> (tokens, term or meaning)."""
    known: set[str] = field(default_factory=set)
    """All Latin words and stems of forms."""
    plain: set[str] = field(default_factory=set)
    """Terms that say nothing by themselves."""
    quiet: set[str] = field(default_factory=set)
    """Terms that are not reported as ignored, such as the word "consume"."""
    nouns: set[str] = field(default_factory=set)
    """Terms with forms that begin with another term."""
    meanings: list[Meaning] = field(default_factory=list)
    english: frozenset[str] = frozenset()
    """Common words that are spelt like known ones."""
    initials: dict[str, list[str]] = field(default_factory=dict)
    """First letter -> words and stems."""

    def initial(self, letter: str) -> list[str]:
        """Return the words and stems that begin with a letter."""
        if not self.initials:
            for word in self.known:
                if word.rstrip("*").isalpha():
                    self.initials.setdefault(word[0], []).append(word)
        return self.initials.get(letter, [])

    def add(self, entry: Mapping[str, Any], owner: str | Meaning) -> None:
        """Add the forms of one entry."""
        for language in self.languages:
            for form in entry.get(language, ()):
                parts = tuple(form.split()) if form.isascii() else _parts(form)
                self.forms.setdefault(parts[0], []).append((parts, owner))


def _parts(form: str) -> Form:
    return tuple(PART.findall(form))


@cache
def lexicon(foreign: bool) -> Lexicon:
    """Return the words of the knowledge base; without ``foreign`` only the English ones, which takes half the time."""
    found = Lexicon(LANGUAGES if foreign else LANGUAGES[:1])
    files = loaded("words")
    found.english = frozenset(files["english"]["words"])
    for term in files["terms"]["term"]:
        found.add(term, str(term["name"]))
        if term.get("plain"):
            found.plain.add(str(term["name"]))
        if term.get("quiet"):
            found.quiet.add(str(term["name"]))
        if term.get("noun"):
            found.nouns.add(str(term["name"]))
    for name, file in files.items():
        kind = file.get("kind", name)
        for entry in file.get("meaning", ()):
            phrases = tuple(
                tuple(tuple(part.split("|")) for part in phrase.split()) for phrase in entry.get("phrases", ())
            )
            meaning = Meaning(kind, entry, phrases)
            found.meanings.append(meaning)
            found.add(entry, meaning)
    found.known = set().union(*(form for forms in found.forms.values() for form, _ in forms))
    return found


def tokens(text: str, book: Lexicon) -> list[Token]:
    """Return the text's tokens."""
    found: list[Token] = []
    for match in TOKEN.finditer(text):
        if match["word"] and "-" in match["word"] and _named(found, match["word"], book):
            found.append(Token(match["word"], match.start(), match.end(), name=True))
        else:
            found += _token(match, book)
        if len(found) >= MOST:
            break
    return found[:MOST]


def _named(before: Sequence[Token], word: str, book: Lexicon) -> bool:
    """Return whether a word with a hyphen follows "topic" or "group" and so is a name: "topic lost-messages"."""
    return bool(before) and before[-1].plain in NAMES and not (_whole(word, book) or PREFIXED.match(word.casefold()))


def _token(match: re.Match[str], book: Lexicon) -> Iterator[Token]:
    start, end, kind = match.start(), match.end(), match.lastgroup
    if match["quoted"]:
        yield Token(match["name"], start, end, name=not _word(match["name"], book, quoted=True))
        return
    if not match["word"]:
        yield Token(match[0], start, end, stop=kind == "stop")
        return
    word = match["word"].rstrip(".:/-@$")
    parts = re.split("[-/]", word)
    if len(parts) == PARTS and not _whole(word, book) and all(_in(part.casefold(), book) for part in parts):
        yield Token(parts[0], start, start + len(parts[0]))
        yield Token(parts[1], start + len(parts[0]) + 1, start + len(word))
    else:
        yield Token(word, start, start + len(word), name=not _word(word, book))
    if len(word) < len(match["word"]) and match["word"][len(word)] in ".:":
        yield Token(".", start + len(word), end, stop=match["word"][len(word)] == ".")


def _whole(word: str, book: Lexicon) -> bool:
    """Return whether the word is a form of its own."""
    plain = word.casefold()
    return any(len(form) == 1 for key in (plain, *_stems(plain)) for form, _ in book.forms.get(key, ()))


def _in(word: str, book: Lexicon) -> bool:
    """Return whether a form has the word."""
    return len(word) > 1 and not book.known.isdisjoint((word, *_stems(word)))


def _word(word: str, book: Lexicon, quoted: bool = False) -> bool:
    """Return False for a name: quoted, with an underscore or inner capitals, unless it is a known word."""
    plain = word.casefold()
    if quoted and word == plain:
        return False
    last = plain.rpartition(".")[2]
    if last != plain and "_" in last and _whole(last, book):
        return True  # a constant with its class: ConsumeConcurrentlyStatus.RECONSUME_LATER
    joined = plain.replace("-", "")
    if _whole(word, book) or (PREFIXED.match(plain) and _in(joined, book)):
        return True
    odd = re.search(r"[_%$@/:]|[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d|.[-.].", word)
    return not odd and not quoted


class Words:
    """The tokens of a text with the forms and phrases that occur in it."""

    def __init__(self, text: str) -> None:
        text = text.translate(PLAIN)
        for short, full in CONTRACTED:
            text = short.sub(full, text)
        self.text = text
        self._book = lexicon(any(letter >= FIRST_CJK for letter in text))
        self.tokens = tokens(text, self._book)
        self._keys = [self._of(token) for token in self.tokens]
        self._arcs: dict[int, list[Arc]] = {}
        for arc in _longest(self._found(), self.tokens, self._book.nouns):
            self._arcs.setdefault(arc.first, []).append(arc)
        self._every: dict[str, list[Match]] = {}
        self.negations = [arc for arcs in self._arcs.values() for arc in arcs if arc.owner == "not"]

    def matches(self, kind: str) -> list[Match]:
        """Return the places with a meaning of one kind, in the order of the text; a longer one hides shorter ones."""
        every = sorted(self._matches(kind), key=_longest_first)
        chosen: list[Match] = []
        for one in every:
            if not any(one.covered & other.covered for other in chosen):
                chosen.append(one)
        return sorted((one for one in chosen if not one.meaning.hides), key=lambda one: one.first)

    def all_matches(self, kind: str) -> list[Match]:
        """Return the places with a meaning of one kind, although they overlap; the longest of each meaning."""
        every = sorted(self._matches(kind), key=lambda one: one.weight)
        hidden = frozenset[int]().union(*(one.covered for one in every if one.meaning.hides))
        left = [one for one in every if not one.meaning.hides and not one.covered <= hidden]
        return list({id(one.meaning): one for one in left}.values())

    def has_term(self, name: str) -> bool:
        """Return whether the text has a term."""
        return any(arc.owner == name for arcs in self._arcs.values() for arc in arcs)

    def covered(self, meaning: Meaning) -> frozenset[int]:
        """Return the tokens of all places that have a meaning."""
        every = [one.covered for one in self._matches(meaning.kind) if one.meaning is meaning]
        return frozenset[int]().union(*every)

    def meanings(self, kind: str) -> list[Meaning]:
        """Return the meanings of a file."""
        return [one for one in self._book.meanings if one.kind == kind]

    def denied(self, match: Match, others: frozenset[int], *, within: bool = True) -> bool:
        """Return whether a negation precedes the match: "not duplicated", "no lost messages", "没有重复".

        ``others``: tokens of other matches, whose negations are their own. ``within``: also count one in a gap of it.
        """
        if any(index in match.covered for arc in self.negations for index in range(arc.first, arc.last)):
            return False
        own = [arc for arc in self.negations if arc.first not in others]
        last = max(match.covered)
        return any(
            self._reaches(arc, match.first) or (within and self._within(arc, match.first, last, others)) for arc in own
        )

    def is_plain(self, index: int) -> bool:
        """Return whether the token says nothing by itself."""
        token = self.tokens[index]
        if token.name:
            return False
        if not re.search(r"\w", token.text) or token.text.isdigit():
            return True
        return self._is_part(index, self._book.plain)

    def is_quiet(self, index: int) -> bool:
        """Return whether the token is not worth mention if it is ignored."""
        return self.is_plain(index) or self._is_part(index, self._book.quiet)

    def _is_part(self, index: int, terms: set[str]) -> bool:
        return any(arc.first <= index < arc.last and arc.owner in terms for each in self._arcs.values() for arc in each)

    def _reaches(self, negation: Arc, first: int) -> bool:
        between = range(negation.last, first)
        return (
            negation.last <= first
            and sum(self.tokens[index].weight for index in between) <= GAP
            and all(self.is_plain(index) and self.tokens[index].plain not in BREAKS for index in between)
        )

    def _within(self, negation: Arc, first: int, last: int, others: frozenset[int]) -> bool:
        """Return whether a negation in a gap of a match belongs to the match: "the offset did not go back"."""
        later = range(negation.last, last)
        return first < negation.first < last and not any(
            index in others or self.tokens[index].plain in BREAKS for index in later
        )

    def _of(self, token: Token) -> frozenset[str]:
        """Return the forms' words that a token stands for: itself, its stems, or the words that it misspells."""
        word = token.plain
        if token.name:
            return frozenset()
        if not token.text.isascii() or not word[:1].isalpha():
            return frozenset((word,))
        keys = {word, *_stems(word)}
        if "_" in word and "." in word:
            keys.add(word.rpartition(".")[2])
        if PREFIXED.match(word):
            keys |= {word.replace("-", ""), *_stems(word.replace("-", ""))}
        correct = not self._book.known.isdisjoint(keys) or word in self._book.english
        if not correct and word.isalpha() and len(word) >= SHORTEST:
            keys |= self._misspelt(word)
        return frozenset(keys)

    def _misspelt(self, word: str) -> frozenset[str]:
        """Return the known words and stems that a word misspells; empty if none is near.

        The first letter must be right. Two letters may be wrong in a long word, otherwise one.
        """
        from rapidfuzz.distance import OSA  # only misspelt words need it

        forms = list(_stripped(word))
        best = 3
        found: set[str] = set()
        for known in self._book.initial(word[0]):
            right = known.rstrip("*")
            for typed, ending in forms if known.endswith("*") else ((word, ""),):
                part = typed.rstrip("*")
                shorter = min(len(right), len(part))
                most = 2 if shorter >= LONG else 1
                if shorter + (len(ending) > 1) < SHORTEST or abs(len(right) - len(part)) > most:
                    continue
                away = OSA.distance(right, part, score_cutoff=most)
                if away <= min(most, best):
                    found = {*found, known} if away == best else {known}
                    best = away
        return frozenset(found)

    def _found(self) -> Iterator[Arc]:
        for index, keys in enumerate(self._keys):
            for key in keys:
                for form, owner in self._book.forms.get(key, ()):
                    last = index + len(form)
                    if last <= len(self._keys) and all(part in self._keys[index + at] for at, part in enumerate(form)):
                        yield Arc(index, last, owner)

    def _matches(self, kind: str) -> list[Match]:
        """Return all places with a meaning of one kind, also overlapping ones; they are searched once."""
        if kind not in self._every:
            self._every[kind] = list(self._searched(kind))
        return self._every[kind]

    def _searched(self, kind: str) -> Iterator[Match]:
        for arcs in self._arcs.values():
            for arc in arcs:
                if isinstance(arc.owner, Meaning) and arc.owner.kind == kind:
                    yield self._match(arc.owner, frozenset(range(arc.first, arc.last)))
        for meaning in self._book.meanings:
            if meaning.kind == kind:
                for phrase in meaning.phrases:
                    yield from (self._match(meaning, covered) for covered in self._phrases(phrase))

    def _match(self, meaning: Meaning, covered: frozenset[int]) -> Match:
        return Match(meaning, covered, sum(self.tokens[index].weight for index in covered))

    def _phrases(self, phrase: Sequence[tuple[str, ...]]) -> Iterator[frozenset[int]]:
        for arcs in self._arcs.values():
            for arc in arcs:
                if arc.owner in phrase[0]:
                    last = self._clause(arc.last) if phrase[0] == ("not",) else len(self.tokens)
                    yield from self._rest(phrase[1:], arc.last, frozenset(range(arc.first, arc.last)), last)

    def _clause(self, at: int) -> int:
        """Return the index of the next comma: "no lag, messages are consumed" does not mean "not consumed"."""
        return next(
            (index for index in range(at, len(self.tokens)) if self.tokens[index].text[0] == ","), len(self.tokens)
        )

    def _rest(
        self, phrase: Sequence[tuple[str, ...]], at: int, covered: frozenset[int], last: int
    ) -> Iterator[frozenset[int]]:
        if not phrase:
            yield covered
            return
        reach, wanted, left = 0, phrase[0], phrase[1:]
        if wanted[0] in GAPS:
            reach, wanted, left = GAPS[wanted[0]], phrase[1], phrase[2:]
        while at < last:
            for arc in self._arcs.get(at, ()):
                if arc.owner in wanted:
                    yield from self._rest(left, arc.last, covered | frozenset(range(arc.first, arc.last)), last)
            reach -= self.tokens[at].weight
            at += 1
            if reach < 0:
                return


def _longest_first(match: Match) -> tuple[int, bool, int]:
    """Return the sort key of matches: of two equally long ones, the one that says what is not meant is first."""
    return -match.weight, "replaces" not in match.meaning.fields, match.first


def _longest(arcs: Iterable[Arc], read: Sequence[Token], named: set[str]) -> list[Arc]:
    """Return the arcs without Chinese and Korean terms within longer ones: 消费 within 消费者."""
    every = list(arcs)
    spans = {(one.first, one.last) for one in every if isinstance(one.owner, str) or one.owner.kind == "symptom"}
    nouns = {(one.first, one.last) for one in every if one.owner in named}

    def hidden(arc: Arc) -> bool:
        if not isinstance(arc.owner, str):
            return False
        if read[arc.first].text.isascii():
            # "consume" in "consume offset", and "consumer" in "consumer group", is no verb and no consumer.
            return any(first == arc.first and arc.last < last for first, last in nouns)
        return any(
            first <= arc.first and arc.last <= last and (first, last) != (arc.first, arc.last) for first, last in spans
        )

    return [arc for arc in every if not hidden(arc)]


@cache
def _stems(word: str) -> frozenset[str]:
    return frozenset(stem for stem, _ in _stripped(word))


def _stripped(word: str) -> Iterator[tuple[str, str]]:
    """Yield (stem with *, ending) for each English ending of a word."""
    for suffix in SUFFIXES:
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            if len(stem) >= 2:
                yield f"{stem}*", suffix
                if suffix and stem[-1:] == stem[-2:-1]:
                    yield f"{stem[:-1]}*", suffix
