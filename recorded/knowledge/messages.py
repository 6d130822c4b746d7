"""The messages of the code, and their translations in ``rebalance_proofs/locale/zh/LC_MESSAGES/rebalance.po``.

``python -m rebalance_proofs.recorded.knowledge.messages`` adds new messages to the file, removes those that are gone,
and compiles ``rebalance.mo``. It lists the messages to translate, and ends with status 1 if there are any.

A message is the first argument of ``gettext``, ``ngettext``, ``later`` or ``phrase``, or a help text of a
``translated`` command.
"""

import ast
import inspect
import re
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter

from rebalance_proofs.language import DOMAIN, LOCALE

Message = tuple[str, ...]
"""An English message, or its forms for one and for many."""
FUNCTIONS = {"gettext": 1, "later": 1, "phrase": 1, "ngettext": 2}
"""Function -> number of its arguments that are messages."""
COMMAND = "Translated"
"""The class of commands whose help texts are messages."""
CATALOGUE = LOCALE / "zh" / "LC_MESSAGES" / f"{DOMAIN}.po"
SOURCES = ("cli", "model", "recorded", "report")
"""Folders of the package that are searched."""
HEADER = "Content-Type: text/plain; charset=UTF-8\nLanguage: zh\nPlural-Forms: nplurals=1; plural=0;\n"
ABOUT = "# Chinese translations of the messages of `rebalance why`.\n"
MAGIC = 0x950412DE
"""First number of a file of compiled messages."""


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a help text; lines are joined, except in a paragraph that begins with a mark."""
    every = [one.strip("\n") for one in inspect.cleandoc(text).split("\n\n") if one.strip()]
    return [one if one.startswith("\b") else " ".join(one.split()) for one in every]


def messages(root: Path = Path(__file__).parents[2]) -> dict[Message, str]:
    """Return all messages in the code, each with the file that has it first."""
    found: dict[Message, str] = {}
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if any(name in text for name in (*FUNCTIONS, COMMAND)):
                for message in _in_code(ast.parse(text)):
                    found.setdefault(message, path.relative_to(root).as_posix())
    return found


def _in_code(tree: ast.AST) -> Iterator[Message]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            forms = [one.value for one in node.args[: FUNCTIONS[node.func.id]] if isinstance(one, ast.Constant)]
            if len(forms) == FUNCTIONS[node.func.id]:
                yield tuple(map(str, forms))
        elif isinstance(node, ast.FunctionDef) and any(COMMAND in ast.unparse(one) for one in node.decorator_list):
            yield from ((one,) for one in paragraphs(ast.get_docstring(node) or ""))
            for each in node.decorator_list:
                for word in each.keywords if isinstance(each, ast.Call) else ():
                    if word.arg == "help" and isinstance(word.value, ast.Constant):
                        yield (str(word.value.value),)


def problems(found: Iterable[Message], translations: Mapping[Message, str]) -> list[str]:
    """Return what is wrong with the translations: missing, empty, of no message, or with other placeholders."""
    wanted = list(found)
    wrong = [f"no message of the code: {one[0]!r}" for one in translations if one not in set(wanted)]
    for message in wanted:
        chinese = translations.get(message, "")
        if not chinese.strip():
            wrong.append(f"not translated: {message[0]!r}")
        elif _placeholders(chinese) != _placeholders(message[-1]):
            wrong.append(f"other placeholders: {message[0]!r}: {chinese!r}")
    return wrong


def _placeholders(text: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:  # braces that are no placeholders
        return {text.count("{").__str__()}


def parsed(text: str) -> dict[Message, str]:
    """Return the translations in the text of a ``.po`` file."""
    found: dict[Message, str] = {}
    for entry in re.split(r"\n\s*\n", text):
        parts: dict[str, str] = {}
        key = ""
        for line in entry.splitlines():
            match = re.fullmatch(r'(?:(msg\w+(?:\[0\])?) )?(".*")', line)
            if match:
                key = match[1] or key
                parts[key] = parts.get(key, "") + ast.literal_eval(match[2])
        if parts.get("msgid"):
            forms = (parts["msgid"], parts["msgid_plural"]) if "msgid_plural" in parts else (parts["msgid"],)
            found[forms] = parts.get("msgstr", parts.get("msgstr[0]", ""))
    return found


def written(found: Mapping[Message, str], translations: Mapping[Message, str]) -> str:
    """Return the text of the ``.po`` file: each message with its file and its translation, if there is one."""
    entries = [f'{ABOUT}msgid ""\nmsgstr ""\n' + "".join(f"{_quoted(line)}\n" for line in HEADER.splitlines(True))]
    for message, path in found.items():
        chinese = translations.get(message, "")
        names = ("msgid", "msgid_plural")
        lines = [f"#: {path}", *(f"{name} {_quoted(form)}" for name, form in zip(names, message, strict=False))]
        lines.append(f"{'msgstr' if len(message) == 1 else 'msgstr[0]'} {_quoted(chinese)}")
        entries.append("\n".join(lines) + "\n")
    return "\n".join(entries)


def _quoted(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\b": "\\b"}
    return '"' + "".join(escapes.get(one, one) for one in text) + '"'


def compiled(translations: Mapping[Message, str]) -> bytes:
    """Return the content of the ``.mo`` file, without empty translations."""
    pairs = {"\0".join(message): chinese for message, chinese in translations.items() if chinese}
    texts = sorted((key.encode(), value.encode()) for key, value in {"": HEADER, **pairs}.items())
    start = 28 + 16 * len(texts)
    content, tables = b"", []
    for side in (0, 1):
        for pair in texts:
            tables.append(struct.pack("<II", len(pair[side]), start + len(content)))
            content += pair[side] + b"\0"
    head = struct.pack("<7I", MAGIC, 0, len(texts), 28, 28 + 8 * len(texts), 0, 28)
    return head + b"".join(tables) + content


def main() -> int:
    """Update the translations' file, compile it, and print what is left to translate."""
    found = messages()
    translations = parsed(CATALOGUE.read_text(encoding="utf-8")) if CATALOGUE.exists() else {}
    kept = {message: translations.get(message, "") for message in found}
    CATALOGUE.write_text(written(found, kept), encoding="utf-8")
    CATALOGUE.with_suffix(".mo").write_bytes(compiled(kept))
    wrong = problems(found, kept)
    for one in wrong:
        print(one)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
