# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ as tokens and matching brackets, as far as sources go that clang-format has laid out: binary operators stand
between spaces, the brackets of templates do not."""

import re
from typing import NamedTuple


class Token(NamedTuple):
    kind: str  # word, number, string, directive, sign
    text: str
    start: int
    end: int


PATTERN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<directive>(?<![^\n])[ \t]*\#(?:[^\n\\]|\\.)*)
    |(?P<string>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
       |(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
    |(?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<sign><=>|<<=|>>=|\.\.\.|->\*|<<|<=|>=|->|\+\+|--|&&|\|\||==|!=|[-+*/%&|^]=|::|\#\#|[^\w\s])""",
    re.VERBOSE | re.DOTALL,
)

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = set(OPENERS.values())
TYPE_WORDS = {"const", "auto", "int", "char", "bool", "unsigned", "signed", "long", "short", "float", "double", "void"}
HEADS = {"if", "for", "while", "switch", "catch"}
NO_NAMES = {"requires", "noexcept", "decltype", "alignas", "__attribute__", "explicit"}
STATEMENT_WORDS = HEADS | {
    "return", "else", "do", "case", "throw", "break", "continue", "goto", "using", "static", "constexpr", "try",
    "default", "typename", "template", "struct", "class", "enum", "union", "delete", "new", "typedef",
    "static_assert", "static_cast", "extern", "inline", "thread_local", "alignas", "mutable", "operator",
    "co_return", "co_await", "co_yield", "requires", "not", "and", "or",
}  # fmt: skip


def tokens_of(text):
    """All tokens; a directive is one token, comments are none. A '>>' is one token only between spaces."""
    found = []
    at = 0
    while at < len(text):
        match = PATTERN.match(text, at)
        kind = match.lastgroup if match.lastgroup != "mark" else "string"
        end = match.end()
        if kind == "sign" and match.group() == ">" and text[at : at + 3] == ">> " and text[at - 1].isspace():
            end = at + 2
        if kind != "space":
            found.append(Token(kind, text[at:end], at, end))
        at = end
    return found


class Source:
    """A file's tokens with the partner of each bracket, and what each token is part of."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.tokens = tokens_of(text)
        self.partner = {}
        self.angles = set()
        self._match()

    def _match(self):
        stack = []
        for i, token in enumerate(self.tokens):
            sign = token.text
            if token.kind != "sign":
                continue
            if sign in OPENERS or (sign == "<" and self.opens_angle(i)):
                stack.append(i)
            elif sign == ">" and stack and self.tokens[stack[-1]].text == "<" and not self.space_before(i):
                self._pair(stack.pop(), i)
                self.angles.add(i)
            elif sign in CLOSERS:
                while stack and self.tokens[stack[-1]].text == "<":
                    stack.pop()
                if not stack or OPENERS[self.tokens[stack[-1]].text] != sign:
                    raise ValueError(f"{self.path}:{self.line(i)}: {sign} closes nothing")
                self._pair(stack.pop(), i)

    def _pair(self, opener, closer):
        self.partner[opener] = closer
        self.partner[closer] = opener
        if self.tokens[opener].text == "<":
            self.angles.add(opener)

    def opens_angle(self, i):
        return i > 0 and (not self.space_before(i) or self.tokens[i - 1].text == "template")

    def word(self, i):
        """The token's text, "" beyond the ends."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_word(self, i):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "word"

    def space_before(self, i):
        start = self.tokens[i].start
        return start == 0 or self.text[start - 1].isspace()

    def space_after(self, i):
        end = self.tokens[i].end
        return end >= len(self.text) or self.text[end].isspace()

    def is_binary(self, i):
        """An operator between two operands; where a line breaks, it ends the line."""
        return self.tokens[i].kind == "sign" and i not in self.angles and self.space_before(i) and self.space_after(i)

    def line(self, i):
        return self.text.count("\n", 0, self.tokens[i].start) + 1

    def flat(self, begin, end, changed=None):
        """Tokens begin to end (not with it) on one line, without comments; changed: other texts of some."""
        parts = []
        for i in range(begin, end):
            if i > begin and self.tokens[i].start > self.tokens[i - 1].end:
                parts.append(" ")
            parts.append((changed or {}).get(i, self.tokens[i].text))
        return "".join(parts)

    def top_level(self, begin, end):
        """The positions from begin to end that are in no bracket that opens there; of such brackets, the openers."""
        i = begin
        while i < end:
            yield i
            i = self.partner[i] + 1 if i in self.partner and self.partner[i] > i else i + 1


def function_name(source, head, brace):
    for i in source.top_level(head, brace):
        if source.word(i) == "(" and source.is_word(i - 1) and source.word(i - 1) not in NO_NAMES:
            return source.word(i - 1)
    return ""


class Function(NamedTuple):
    name: str
    head: int
    initialisers: int  # first token of a constructor's, or of the body
    begin: int
    end: int
    constant: bool


def _kind(source, head, brace):
    texts = [source.word(i) for i in source.top_level(head, brace)]
    if "namespace" in texts or texts[:1] == ["extern"]:
        return "scope"
    if "enum" in texts:
        return "data"
    if {"struct", "class", "union"} & set(texts):
        return "scope"
    if "=" in texts and "operator" not in texts:
        return "data"
    return "function" if "(" in texts else "data"


def _initialisers(source, head, brace):
    """The colon of a constructor's initialisers, or None."""
    for i in source.top_level(head, brace):
        if source.word(i) == ":" and source.word(i - 1) in (")", "noexcept") and source.space_before(i):
            return i
    return None


def functions_of(source, begin=0, end=None):
    """All function bodies of namespaces and classes."""
    end = len(source.tokens) if end is None else end
    head = i = begin
    while i < end:
        text = source.word(i)
        if source.tokens[i].kind == "directive" or text == ";":
            head = i + 1
        elif text == ":" and source.word(i - 1) in ("public", "private", "protected"):
            head = i + 1
        elif text == "{":
            kind = _kind(source, head, i)
            colon = _initialisers(source, head, i) if kind == "function" else None
            if colon is not None and source.word(i - 1) not in (")", "}"):
                pass  # a member's braces
            elif kind == "scope":
                yield from functions_of(source, i + 1, source.partner[i])
                head = source.partner[i] + 1
            elif kind == "function":
                words = {source.word(j) for j in range(head, i)}
                first = i + 1 if colon is None else colon + 1
                constant = bool({"constexpr", "consteval"} & words)
                yield Function(function_name(source, head, i), head, first, i + 1, source.partner[i], constant)
                head = source.partner[i] + 1
            i = source.partner[i]
        elif i in source.partner and source.partner[i] > i:
            i = source.partner[i]
        i += 1
