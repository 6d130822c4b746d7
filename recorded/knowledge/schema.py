"""The schema of the knowledge files: keys of each kind of entry, their types, and the names that they refer to.

Each problem is a sentence that names the file, the entry, the key and the remedy.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from rebalance_proofs.language import Text

# Read the compiled knowledge: ``compiled.json``, made from the TOML files of this folder.

COMPILED = Path(__file__).parent / "compiled.json"
"""The file that ``python -m rebalance_proofs.recorded.knowledge`` writes."""


@cache
def _everything() -> Mapping[str, Any]:
    everything: Mapping[str, Any] = json.loads(COMPILED.read_bytes())
    return everything


def loaded(folder: str) -> Mapping[str, Any]:
    """Return the content of the folder's files, by name without ``.toml``: ``loaded("causes")["handover"]``.

    Files beside the folders are in the folder "". Claims and phrases are expanded.
    """
    found: Mapping[str, Any] = _everything().get(folder, {})
    return found


def entries(folder: str, kind: str) -> Sequence[Mapping[str, Any]]:
    """Return all entries of one kind in the folder's files, in order: ``entries("causes", "cause")``."""
    return [entry for file in loaded(folder).values() for entry in file.get(kind, ())]


def text(table: Mapping[str, str]) -> Text:
    """Return the text of a table with the keys ``en`` and ``zh``."""
    return Text(table["en"], table.get("zh", ""))


def joined(first: Text, more: Text | None, en: str = ". ", zh: str = "。") -> Text:
    """Return a text and its continuation as one text, with ``en`` or ``zh`` between them."""
    if more is None:
        return first
    return Text(f"{first.en}{en}{more.en}", f"{first.zh}{zh}{more.zh}" if first.zh and more.zh else "")


FREE = ("pasted", "statements", "words")
"""Folders with schemas of their own."""
CLAIMS = ("bounds", "claims", "proved", "proved_most", "refuted", "shown")
"""Keys whose values are lists of claim ids, in which braces are expanded."""
AFTER = ("deploy", "crash", "broker", "network", "scaling", "subscription", "new", "reset", "nothing", "always")
REACH = ("one", "all")
UNUSUAL = ("strategy", "languages", "client", "mode", "ordered", "setting", "code", "moment", "beside")
WAYS = ("free", "shut", "crashed", "alive", "lost", "back")
NEEDS = ("nothing", "setting", "failure")
MODES = (
    "push",
    "push orderly",
    "push broadcasting",
    "push orderly broadcasting",
    "pull",
    "pull broadcasting",
    "lite pull",
    "lite pull broadcasting",
)
CLIENTS = ("java", "go", "node", "cpp", "rust")
SDKS = ("grpc-java", "grpc-go", "grpc-cpp", "grpc-rust", "grpc-csharp", "grpc-node", "grpc-python")
CLAIM = re.compile(r"[a-z]\w*(?:\.[\w+,{}-]+)+")
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
PHRASE = re.compile(r"\{([^{}]*)\}")
SPAN = re.compile(r"java from \d+\.\d+(?:\.\d+)?")

Names = Mapping[str, Iterable[str]]
Check = Callable[[Any, Names], Iterator[str]]
"""Function (value, known names by kind) -> what is wrong with the value, as the end of a sentence."""


class KnowledgeError(Exception):
    """Raised for knowledge files that do not follow the schema; the message lists all problems."""

    def __init__(self, problems: Iterable[str]) -> None:
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class Key:
    """A key of an entry."""

    check: Check
    required: bool = False


def _text(value: Any, names: Names) -> Iterator[str]:
    if not isinstance(value, dict) or not isinstance(value.get("en"), str) or not isinstance(value.get("zh"), str):
        yield "needs a text in both languages: add the strings `en` and `zh`"
        return
    if not value["en"].strip():
        yield "has an empty `en`: write the English text"
    for found in (one for language in ("en", "zh") for one in PHRASE.findall(value[language])):
        if not SPAN.fullmatch(found):
            yield from _known("phrase")(found, names)


def _string(value: Any, names: Names) -> Iterator[str]:
    if not isinstance(value, str) or not value:
        yield "must be a string that is not empty"


def _name(value: Any, names: Names) -> Iterator[str]:
    if not isinstance(value, str) or not NAME.fullmatch(value):
        yield "must be lower-case words joined by hyphens, as `lock-denied`"


def _number(value: Any, names: Names) -> Iterator[str]:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        yield "must be a whole number above 0"


def _flag(value: Any, names: Names) -> Iterator[str]:
    if value is not True:
        yield "must be `true`: leave the key out otherwise"


def _regex(value: Any, names: Names) -> Iterator[str]:
    try:
        re.compile(value)
    except (TypeError, re.error) as error:
        yield f"must be a regular expression: {error}"


def _claim(value: Any, names: Names) -> Iterator[str]:
    if not isinstance(value, str) or not CLAIM.fullmatch(value):
        yield f"has {value!r}, which is no claim id: write `kind.subject.guarantee`, perhaps with braces"


def _known(kind: str) -> Check:
    """Return a check that a value is a known name of that kind."""

    def check(value: Any, names: Names) -> Iterator[str]:
        known = list(names[kind])
        if value not in known:
            near = get_close_matches(str(value), known, n=1)
            yield f"has the unknown {kind} {value!r}: " + (
                f"did you mean {near[0]!r}?" if near else f"write one of {', '.join(known)}"
            )

    return check


def _of(*values: str) -> Check:
    def check(value: Any, names: Names) -> Iterator[str]:
        if value not in values:
            yield f"has {value!r}: write one of {', '.join(values)}"

    return check


def _list(each: Check, *, empty: bool = False) -> Check:
    def check(value: Any, names: Names) -> Iterator[str]:
        if not isinstance(value, list) or (not value and not empty):
            yield "must be a list that is not empty"
            return
        for one in value:
            yield from each(one, names)
        if any(value.count(one) > 1 for one in value):
            yield "has an element twice: remove one"

    return check


def _table(keys: Mapping[str, Key]) -> Check:
    def check(value: Any, names: Names) -> Iterator[str]:
        if not isinstance(value, dict):
            yield "must be a table"
            return
        for key in value:
            if key not in keys:
                near = get_close_matches(key, keys, n=1)
                yield f"has the unknown key `{key}`: " + (
                    f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(keys)}"
                )
        for key, one in keys.items():
            if key in value:
                yield from (f"`{key}` {wrong}" for wrong in one.check(value[key], names))
            elif one.required:
                yield f"lacks the key `{key}`: add it"

    return check


def _text_and(keys: Mapping[str, Key]) -> Check:
    """Return a check of a table that is a text and has further keys."""
    table = _table({"en": Key(_string, required=True), "zh": Key(_anything, required=True), **keys})

    def check(value: Any, names: Names) -> Iterator[str]:
        yield from table(value, names)
        if isinstance(value, dict) and {"en", "zh"} <= value.keys():
            yield from _text(value, names)

    return check


def _anything(value: Any, names: Names) -> Iterator[str]:
    yield from ()


REQUIRED_TEXT, TEXT = Key(_text, required=True), Key(_text)
CLAIM_IDS = Key(_list(_claim))
EFFECT = _table(
    {
        "symptoms": Key(_list(_known("symptom")), required=True),
        "lasts": Key(_text_and({"more": TEXT}), required=True),
        "event": Key(_flag),
        "most": Key(_number),
        "proved_most": CLAIM_IDS,
        "then": Key(_number),
        "way": Key(_of(*WAYS)),
        "by_itself": Key(_flag),
        "refuted": CLAIM_IDS,
        "proved": CLAIM_IDS,
        "shown": CLAIM_IDS,
        "bounds": CLAIM_IDS,
    }
)
PREDICTS = _table(
    {
        "after": Key(_list(_of(*AFTER)), required=True),
        "reach": Key(_list(_of(*REACH)), required=True),
        "unusual": Key(_list(_of(*UNUSUAL))),
    }
)
CONFIRM = _text_and({"clients": Key(_list(_of(*CLIENTS, *SDKS)))})
FIX = _text_and(
    {
        "short": TEXT,
        "claims": CLAIM_IDS,
        "clients": Key(_list(_of(*CLIENTS, *SDKS))),
        "symptoms": Key(_list(_known("symptom"))),
    }
)
CAUSE = _table(
    {
        "name": Key(_name, required=True),
        "headline": REQUIRED_TEXT,
        "more": TEXT,
        "needs": Key(_of(*NEEDS), required=True),
        "lines": Key(_list(_known("line"))),
        "signs": Key(_list(_known("sign"))),
        "issues": Key(_list(_known("issue"))),
        "read": Key(_list(_string)),
        "modes": Key(_list(_of(*MODES))),
        "any_client": Key(_flag),
        "common": Key(_list(_known("symptom"))),
        "taken_for": Key(_list(_known("symptom"))),
        "source": Key(_string),
        "predicts": Key(PREDICTS, required=True),
        "effect": Key(_list(EFFECT), required=True),
        "confirm": Key(_list(CONFIRM)),
        "fix": Key(_list(FIX)),
    }
)
SAID = _table({"claims": Key(_list(_claim), required=True), "versions": TEXT, "when": TEXT})
BUG = _table(
    {
        "issue": Key(_string),
        "sentence": REQUIRED_TEXT,
        "other_group": Key(_flag),
        "not_modelled": TEXT,
        "unseen": TEXT,
        "present": Key(_list(SAID)),
        "absent": Key(_list(SAID)),
    }
)
WORDING = _table(
    {
        "text": Key(_string, required=True),
        "where": Key(_string, required=True),
        "releases": Key(_list(_string, empty=True)),
    }
)
LINE = _table(
    {
        "name": Key(_name, required=True),
        "title": REQUIRED_TEXT,
        "more": TEXT,
        "fix": TEXT,
        "log": Key(_of("client", "broker"), required=True),
        "file": Key(_of("broker.log", "lock.log", "remoting.log", "storeerror.log", "namesrv.log")),
        "like": Key(_known("line")),
        "parsed_only": Key(_flag),
        "wording": Key(_list(WORDING)),
    }
)
PLACE = Key(_number, required=True)
FILES: Mapping[str, Mapping[str, Key]] = {
    "causes": {"place": PLACE, "cause": Key(_list(CAUSE), required=True)},
    "bugs": {"place": PLACE, "title": REQUIRED_TEXT, "bug": Key(_list(BUG), required=True)},
    "lines": {"place": PLACE, "line": Key(_list(LINE), required=True)},
    "questions": {
        "question": Key(
            _list(
                _table(
                    {
                        "causes": Key(_list(_known("cause"), empty=True), required=True),
                        "en": Key(_list(_string)),
                        "zh": Key(_list(_string)),
                    }
                )
            ),
            required=True,
        )
    },
    "symptoms": {
        "symptom": Key(_list(_table({"name": Key(_name, required=True), "question": REQUIRED_TEXT})), required=True),
        "needs": Key(
            _list(_table({"name": Key(_of(*NEEDS), required=True), "text": REQUIRED_TEXT, "heading": REQUIRED_TEXT})),
            required=True,
        ),
        "phrase": Key(_list(_text_and({"name": Key(_name, required=True)})), required=True),
    },
    "signs": {
        "sign": Key(_list(_table({"name": Key(_name, required=True), "text": REQUIRED_TEXT})), required=True),
    },
    "unmodelled": {
        "subject": Key(
            _list(
                _table(
                    {
                        "anchor": Key(_string, required=True),
                        "words": Key(_regex, required=True),
                        "what": REQUIRED_TEXT,
                        "why": REQUIRED_TEXT,
                        "known": TEXT,
                    }
                )
            ),
            required=True,
        )
    },
}
"""Keys of a file, by its folder, or by its name if it is in no folder."""
KINDS = ("cause", "bug", "line", "question", "symptom", "needs", "phrase", "sign", "subject")
NAMED = {"cause": "name", "line": "name", "symptom": "name", "sign": "name", "phrase": "name", "issue": "issue"}
"""Kind of name -> the key that has it."""
FOLDER_OF = {"cause": "causes", "line": "lines", "issue": "bugs", "symptom": "", "sign": "", "phrase": ""}


def problems(everything: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """Return what is wrong with the files, each as a sentence; no sentence if all is right.

    ``everything``: folder -> file name without ``.toml`` -> parsed file, as ``sources.read`` returns it.
    """
    names = {kind: [*_names(everything, kind)] for kind in NAMED}
    found = [wrong for folder, files in everything.items() for wrong in _folder(folder, files, names)]
    for kind, known in names.items():
        found.extend(
            f"{FOLDER_OF[kind] or 'the files'}: the {kind} {name!r} is there twice: rename or remove one"
            for name in dict.fromkeys(known)
            if known.count(name) > 1 and kind != "issue"
        )
    return found


def untranslated(everything: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """Return a sentence for each text of the files that lacks its Chinese; questions are in one language each."""
    return [
        f"{folder}/{stem}.toml: {where} lacks the Chinese text: write `zh` beside `en`".lstrip("/")
        for folder, files in everything.items()
        if folder != "questions"
        for stem, file in files.items()
        for where in _without_chinese(file)
    ]


def _without_chinese(value: Any, where: str = "the file") -> Iterator[str]:
    if isinstance(value, dict):
        if "en" in value and not str(value.get("zh", "")).strip():
            yield where
        for key, one in value.items():
            if isinstance(one, list):
                for number, each in enumerate(one, 1):
                    label = _label(key, number, each)
                    yield from _without_chinese(each, label if where == "the file" else f"{where}, {label}")
            else:
                yield from _without_chinese(one, f"{where}, `{key}`")


def _names(everything: Mapping[str, Mapping[str, Mapping[str, Any]]], kind: str) -> Iterator[str]:
    key, entry = NAMED[kind], "bug" if kind == "issue" else kind
    for file in everything.get(FOLDER_OF[kind], {}).values():
        for one in _entries(file, entry):
            if isinstance(one.get(key), str):
                yield one[key]


def _entries(file: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    listed = file.get(kind, [])
    yield from (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()


def _folder(folder: str, files: Mapping[str, Mapping[str, Any]], names: Names) -> Iterator[str]:
    if folder in FREE:
        return
    for stem, file in files.items():
        path = f"{folder}/{stem}.toml".lstrip("/")
        keys = FILES.get(folder or stem)
        if keys is None:
            yield f"{path}: no file of this name is known: the folders are {', '.join((*FILES, *FREE))}"
            continue
        yield from _file(path, file, keys, names)


def _file(path: str, file: Mapping[str, Any], keys: Mapping[str, Key], names: Names) -> Iterator[str]:
    """Yield the problems of one file, each with the name of the entry that has it."""
    whole = {key: value for key, value in file.items() if key not in KINDS or key not in keys}
    own = {key: one for key, one in keys.items() if key not in KINDS}
    yield from (f"{path}: the file {wrong}" for wrong in _table({**own, **_placeholders(keys)})(whole, names))
    for kind in (key for key in keys if key in KINDS):
        entries = file.get(kind)
        if not isinstance(entries, list) or not entries:
            yield f"{path}: the file has no [[{kind}]]: add one"
            continue
        for number, entry in enumerate(entries, 1):
            label = _label(kind, number, entry)
            yield from (f"{path}: {label} {wrong}" for wrong in keys[kind].check([entry], names))


def _placeholders(keys: Mapping[str, Key]) -> dict[str, Key]:
    return {key: Key(_anything) for key in keys if key in KINDS}


def _label(kind: str, number: int, entry: Any) -> str:
    name = next((entry[key] for key in ("name", "issue", "anchor") if isinstance(entry, dict) and key in entry), None)
    return f"{kind} {name!r}" if name else f"{kind} number {number}"
