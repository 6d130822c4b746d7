"""Find log statements in source text: their levels and texts, with ``{}`` for each value."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

# Split source text of Java, Go, C++ and JavaScript: comments, string literals, and arguments of a call.

LITERAL = r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'|" + r"`(?:\\.|[^`\\])*`"
"""Regular expression of a string literal in all four languages, or of a character."""
COMMENT_OR_LITERAL = re.compile(rf"//[^\n]*|/\*.*?\*/|{LITERAL}", re.DOTALL)
TOKEN = re.compile(rf"{LITERAL}|[()\[\]{{}},+]", re.DOTALL)
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def without_comments(source: str) -> str:
    """Return the source with a space for each character of a comment; line ends stay."""

    def blank(found: re.Match[str]) -> str:
        text = found[0]
        return re.sub(r"[^\n]", " ", text) if text.startswith(("//", "/*")) else text

    return COMMENT_OR_LITERAL.sub(blank, source)


def arguments(source: str, start: int) -> list[str]:
    """Return the arguments of the call whose opening bracket is right before ``start``.

    Return an empty list for a call without arguments, or without an end.
    """
    found: list[str] = []
    depth, begin = 0, start
    for token in TOKEN.finditer(source, start):
        match token[0]:
            case "(" | "[" | "{":
                depth += 1
            case ")" | "]" | "}":
                depth -= 1
                if depth < 0:
                    last = source[begin : token.start()].strip()
                    return [*found, last] if last else found
            case "," if not depth:
                found.append(source[begin : token.start()].strip())
                begin = token.end()
    return []


def parts(expression: str, operator: str = "+") -> Iterator[str]:
    """Yield the operands of an expression's outermost ``operator``: ``+``, or ``<<`` of C++."""
    depth = begin = 0
    for token in re.finditer(rf"{LITERAL}|[()\[\]{{}}]|{re.escape(operator)}", expression, re.DOTALL):
        if token[0] in {"(", "[", "{"}:
            depth += 1
        elif token[0] in {")", "]", "}"}:
            depth -= 1
        elif token[0] == operator and not depth:
            yield expression[begin : token.start()].strip()
            begin = token.end()
    yield expression[begin:].strip()


def nesting(source: str) -> int:
    """Return the lowest depth of curly brackets that the source reaches, relative to its beginning."""
    depth = lowest = 0
    for token in re.finditer(rf"{LITERAL}|[{{}}]", source, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        lowest = min(lowest, depth)
    return lowest


def decoded(literal: str) -> str:
    """Return the text of a string literal with its quotes; a Go literal in backquotes has no escapes."""

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "ux" and len(code) > 1:
            return chr(int(code[1:], 16))
        return ESCAPED.get(code, code) if not code.isdigit() or code == "0" else chr(int(code, 8))

    return ESCAPE.sub(character, literal[1:-1])


HOLE = "{}"
PRINTF = re.compile(r"%(?:\d+\$)?[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]|%%")
MESSAGE_FORMAT = re.compile(r"\{\d+[^{}]*\}")
TEMPLATE = re.compile(r"\$\{[^{}]*\}")
CONSTANT = re.compile(
    rf"(?:\b(?:final|const|constexpr)|#define)\s+(?:(?:std::)?[sS]tring\s+|char\s*\*?\s*)?(\w+)(?:\[\])?\s*=?\s*"
    rf"({LITERAL})(?=\s*[;)\n])"
)
CONVERTED = re.compile(r"(?:std::)?(?:move|string|String)\((\w+)\)$|(\w+)(?:\.(?:str|c_str|data|toString)\(\))+$")
"""A variable's text in another type, such as ``text.str().c_str()``."""
NEARBY = 6_000
"""Number of characters before a call that are searched for the value of a variable."""
DEEPEST = 6
"""Largest number of variables that are replaced by values inside each other."""


@dataclass(frozen=True)
class Language:
    """How one language writes a log statement."""

    call: re.Pattern[str]
    """Start of a log statement up to its opening bracket; the group is the level."""
    suffixes: tuple[str, ...]
    """Suffixes of the language's files."""
    printf: bool = False
    """True if the message is a format of printf."""
    levels: Mapping[str, str] = field(default_factory=dict)
    """Word of the language -> level, if they differ in more than case."""


@dataclass(frozen=True)
class Call:
    """A log statement in a source file."""

    text: str
    """Text with ``{}`` for each value, and one space between words."""
    level: str
    """``info``, ``warn``, ``error`` or ``fatal``."""
    line: int
    """Number of the line in which the statement begins, from 1."""


LANGUAGES = {
    "java": Language(re.compile(r"\b\w*(?i:log|logger)\w*(?:\(\))?\s*\.\s*(info|warn|error)\s*\("), (".java",)),
    "go": Language(re.compile(r"\brlog\s*\.\s*(Info|Warning|Error|Fatal)\s*\("), (".go",), levels={"warning": "warn"}),
    "cpp": Language(re.compile(r"\bLOG_(INFO|WARN|ERROR|FATAL)(?:_NEW)?\s*\("), (".cpp", ".h"), printf=True),
    "node": Language(re.compile(r"\blogger\s*\.\s*(info|warn|error)\s*\("), (".js", ".ts"), printf=True),
}
"""Name of a language -> how it writes a log statement."""


def calls(source: str, language: Language) -> Iterator[Call]:
    """Yield the log statements of a source text at INFO or above, in order."""
    source = without_comments(source)
    constants = {name: decoded(text) for name, text in CONSTANT.findall(source)}
    for found in language.call.finditer(source):
        if re.search(r"(?:#define|function|func) *$", source[: found.start()].rpartition("\n")[2]):
            continue
        given = arguments(source, found.end())
        if not given:
            continue
        level = found[1].lower()
        # An error of JavaScript, or an exception of Java, is a value.
        reader = _Reader(source, found.start(), constants, language)
        text = reader.text(given[0], outermost=True)
        if text == HOLE and language.printf and len(given) == 2:
            text = reader.text(given[1])
        yield Call(" ".join(text.split()), language.levels.get(level, level), source.count("\n", 0, found.start()) + 1)


@dataclass(frozen=True)
class _Reader:
    """Reads the text of an expression at one place of a source text."""

    source: str
    place: int
    constants: Mapping[str, str]
    language: Language
    depth: int = 0

    def text(self, expression: str, outermost: bool = False) -> str:
        """Return the expression's text; ``outermost``: it is the message of a log statement, perhaps a format."""
        expression = expression.strip()
        if not expression:
            return ""
        pieces = [*parts(expression)]
        if len(pieces) > 1:
            return "".join(self.text(piece, outermost) for piece in pieces)
        if expression.startswith("(") and len(inside := arguments(expression, 1)) == 1 and expression.endswith(")"):
            return self.text(inside[0], outermost)
        found = re.match(r"(?:String\.format|fmt\.Sprintf|MessageFormat\.format|util\.format)\s*\(", expression)
        if found and (given := arguments(expression, found.end())):
            form = self.text(given[0])
            return MESSAGE_FORMAT.sub(HOLE, form) if found[0].startswith("MessageFormat") else PRINTF.sub(_value, form)
        if text := self._literals(expression):
            return PRINTF.sub(_value, text) if outermost and self.language.printf else text
        if expression in ('""', "''"):
            return ""
        converted = CONVERTED.match(expression)
        name = (converted[1] or converted[2]) if converted else expression
        return self._value_of(name, outermost) if re.fullmatch(r"[A-Za-z_]\w*", name) else HOLE

    def _literals(self, expression: str) -> str:
        """Return the text of one literal, or of several literals and macros of C++ in a row; else an empty text."""
        if not re.fullmatch(rf"(?:(?:{LITERAL}|[A-Z_]{{3,}})\s*)+", expression, re.DOTALL) or not re.search(
            LITERAL, expression
        ):
            return ""
        found = re.findall(rf"{LITERAL}|[A-Z_]{{3,}}", expression, re.DOTALL)
        return "".join(
            (TEMPLATE.sub(HOLE, decoded(one)) if one[0] == "`" else decoded(one)) if one[0] in "\"'`" else HOLE
            for one in found
        )

    def _value_of(self, name: str, outermost: bool) -> str:
        """Return a constant's or local variable's text, if the source shows it; else a placeholder."""
        if name in self.constants:
            return self.constants[name]
        if self.depth >= DEEPEST:
            return HOLE
        begin = max(0, self.place - NEARBY)
        before = self.source[begin : self.place]
        if found := self._streamed(name, before):
            return found
        pattern = rf"\b{name}\s*:?=(?!=)\s*|\bstring\s+{name}\s*\((?=\s*\")"
        for place in reversed([*re.finditer(pattern, before)]):
            if nesting(before[place.end() :]) < 0:
                continue
            end = before.find(";" if self.language.suffixes[0] != ".go" else "\n", place.end())
            expression = before[place.end() : end].strip()
            if place[0].endswith("("):
                expression = expression.removesuffix(")")
            inner = _Reader(self.source, begin + place.start(), self.constants, self.language, self.depth + 1)
            later = re.findall(rf"\b{name}(?:\.append\(|\s*\+=)(.*?)\)?;", before[end:], re.DOTALL)
            return inner.text(expression, outermost) + "".join(inner.text(one, outermost) for one in later)
        return HOLE

    def _streamed(self, name: str, before: str) -> str:
        """Return the text of a C++ stringstream up to this place."""
        made = [*re.finditer(rf"\bstringstream\s+{name}\s*;", before)]
        if not made:
            return ""
        text = ""
        for chain in re.finditer(rf"\b{name}\s*<<(.*?);", before[made[-1].end() :], re.DOTALL):
            for piece in parts(chain[1], "<<"):
                text += self._literals(piece) or ("\n" if piece.endswith("endl") else HOLE)
        return text


def _value(found: re.Match[str]) -> str:
    return "%" if found[0] == "%%" else HOLE
