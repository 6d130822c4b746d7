"""Split source text of Java, Go, C++ and JavaScript: comments, string literals, and arguments of a call."""

import re
from collections.abc import Iterator

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
