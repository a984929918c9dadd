# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a source can be mutated, and how: the sites of each operator."""

import re
from typing import NamedTuple

import source as cxx

BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
SIGNS = {"+": "-", "-": "+"}
STEPS = {"+=": "-=", "-=": "+="}
BRANCHES = {"==": "!=", "!=": "==", "&&": "||", "||": "&&"}
PAIRS = [
    ("row_stride", "col_stride"), ("a_rs", "a_cs"), ("b_rs", "b_cs"), ("c_rs", "c_cs"), ("rows", "cols"), ("m", "n"),
    ("row", "col"), ("line_stride", "depth_stride"), ("i", "j"), ("a_ld", "b_ld"), ("block_rows", "block_cols"),
    ("tile_rows", "tile_cols"), ("op_a", "op_b"), ("conj_a", "conj_b"), ("pack_a", "pack_b"), ("mc", "nc"),
    ("a_row", "a_col"), ("down", "across"),
]  # fmt: skip
SWAPS = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
# Statements that order one thing after another, or guard it.
FENCES = {"fence", "team_barrier", "lock", "unlock", "wait", "join", "stream_end", "record", "store", "release", "sync"}

# From loose to tight; what is not listed binds tighter than all of these.
LEVELS = [{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"<=>"}, {"<<", ">>"}, {"+", "-"},
          {"*", "/", "%"}]
LEVEL = {sign: level for level, signs in enumerate(LEVELS) for sign in signs}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
BEFORE_EXPRESSION = {"return", "throw", "case", "else", "do", "co_return"}

# Functions that make texts for people: tests compare some of them, but no fault of theirs spoils a result.
TEXT_FUNCTIONS = re.compile(
    r"^(explain\w*|describe\w*|label|labels|kernel_label|region_label|\w*_text|\w*_names?|make_checker|read_tuple)$")

OPERATORS = ("bounds", "signs", "off by one", "swapped strides", "dropped fence", "inverted branch",
             "dropped statement")


class Site(NamedTuple):
    path: str
    operator: str
    begin: int  # tokens
    end: int
    template: str  # "{old}" stands for the expression or statement, with whatever is planted in it
    old: str
    new: str
    line: int
    function: str
    constant: bool  # the function may be one that the compiler evaluates


def left_operand(src, i):
    """First token of the operand to the left of the binary operator at i."""
    level = LEVEL[src.word(i)]
    j = i - 1
    first = i
    while j >= 0:
        if j in src.partner and src.partner[j] < j:
            j = src.partner[j]
        elif j in src.partner or _ends_expression(src, j) or src.tokens[j].kind == "directive":
            break
        elif src.is_binary(j) and LEVEL.get(src.word(j), 99) < level:
            break
        first = j
        j -= 1
    return first


def right_operand(src, i):
    """One past the last token of the operand to the right of the binary operator at i."""
    level = LEVEL.get(src.word(i), -1)
    j = i + 1
    while j < len(src.tokens):
        if j in src.partner and src.partner[j] > j:
            j = src.partner[j]
        elif j in src.partner or _ends_expression(src, j) or src.tokens[j].kind == "directive":
            break
        elif src.is_binary(j) and LEVEL.get(src.word(j), 99) <= level:
            break
        j += 1
    return j


def _ends_expression(src, j):
    text = src.word(j)
    return (text in {";", ",", "?", ":", "..."} or text in BEFORE_EXPRESSION
            or (text in ASSIGNMENTS and src.is_binary(j)))


def chain_begin(src, i):
    """First token of a.b[c](d)->i."""
    while src.word(i - 1) in (".", "->", "::"):
        j = i - 2
        while j in src.partner and src.partner[j] < j:
            j = src.partner[j] - 1
        if not src.is_word(j):
            return None
        i = j
    return i


def chain_end(src, i):
    """One past the last token of -a.b[c](d), from its first name, number or bracket."""
    while i in src.partner and src.partner[i] > i or src.is_word(i) or src.tokens[i].kind == "number":
        i = src.partner.get(i, i) + 1
        while src.word(i) in ("(", "[") or (src.word(i) == "<" and i in src.angles):
            i = src.partner[i] + 1
        if src.word(i) not in (".", "->", "::"):
            return i
        i += 1
    return i


def is_declared(src, begin):
    """Is the name whose chain begins here declared here: does a type stand before it?"""
    before = src.word(begin - 1)
    if src.is_word(begin - 1):
        return before not in BEFORE_EXPRESSION
    if before == ">" and (begin - 1) in src.angles:
        return True
    if before in ("*", "&", "&&") and not src.space_before(begin - 1):
        return src.space_after(begin - 1)  # T* name; *name has no space behind the sign
    return False


class Finder:
    """The sites of one file."""

    def __init__(self, src):
        self.src = src
        count = len(src.tokens)
        self.function = [None] * count  # of runtime code, else None
        self.quiet = [False] * count  # in a statement with a text for people
        functions = list(cxx.functions_of(src))
        for function in functions:
            if not TEXT_FUNCTIONS.match(function.name):
                self._mark(function)
        self.heads = {i for function in functions for i in range(function.head, function.begin)}
        self._leave_out()
        self._mark_texts()
        self.inside = enclosing(src)
        self.words = {token.text for token in src.tokens if token.kind == "word"}

    def _mark(self, function):
        for i in range(function.initialisers, function.end):
            self.function[i] = function
        if function.initialisers != function.begin:
            self.function[function.begin - 1] = None

    def _clear(self, begin, end):
        for i in range(begin, end):
            self.function[i] = None

    def _leave_out(self):
        """What the compiler must evaluate, and what is no expression."""
        src = self.src
        self._leave_out_machines()
        for i, token in enumerate(src.tokens):
            text = token.text
            end = src.partner.get(i, i)
            if i in src.angles and text == "<":
                self._clear(i, end + 1)
            elif text == "[" and self._is_no_subscript(i):
                self._clear(i, end + 1)
                if src.word(end + 1) == "(":
                    self._clear(end + 1, src.partner[end + 1] + 1)
            elif text in ("static_assert", "sizeof", "decltype", "alignof", "noexcept", "requires", "alignas",
                          "__attribute__", "KOKKOS_ASSERT"):  # fmt: skip
                after = i + 2 if src.word(i + 1) == "..." else i + 1
                if src.word(after) == "(":
                    self._clear(i, src.partner[after] + 1)
            elif text == "constexpr" and src.word(i - 1) == "if":
                self._clear(i, src.partner[i + 1] + 1)
                self._leave_out_devices(i + 2, src.partner[i + 1])
            elif text in ("constexpr", "using", "case") and i not in self.heads:
                self._clear(i, self._statement_end(i, {";", ":"} if text == "case" else {";"}))
            elif token.kind == "directive":
                self._clear(i, i + 1)

    def _leave_out_machines(self):
        """What #if keeps for machines that are no x86 hosts."""
        others = []  # of each #if around: is its present branch for others?
        for i, token in enumerate(self.src.tokens):
            if token.kind == "directive":
                for_others = re.search(r"CUDA|HIP|DEVICE|ARM|aarch64|__GFX", token.text) is not None
                if re.match(r"\s*#\s*if", token.text):
                    others.append(for_others)
                elif re.match(r"\s*#\s*el", token.text):
                    others[-1] = for_others
                elif re.match(r"\s*#\s*endif", token.text):
                    others.pop()
            elif any(others):
                self._clear(i, i + 1)

    def _leave_out_devices(self, begin, end):
        """The branch of `if constexpr (Arch::device)` that hosts do not compile."""
        src = self.src
        condition = src.flat(begin, end)
        if not re.fullmatch(r"!?[\w:<>]*\bdevice", condition) or src.word(end + 1) != "{":
            return
        block = end + 1
        if condition.startswith("!"):
            block = src.partner[block] + 2 if src.word(src.partner[block] + 1) == "else" else None
        if block is not None and src.word(block) == "{":
            self._clear(block, src.partner[block] + 1)

    def _is_no_subscript(self, i):
        src = self.src
        before = src.tokens[i - 1] if i else None
        if before is None or (before.kind != "word" and before.text not in (")", "]")):
            return True
        if before.kind == "word" and before.text in cxx.TYPE_WORDS | BEFORE_EXPRESSION:
            return True
        if before.kind != "word":
            return False
        begin = chain_begin(src, i - 1)
        return begin is None or is_declared(src, begin)

    def _statement_end(self, i, ends):
        src = self.src
        for j in src.top_level(i, len(src.tokens)):
            if src.word(j) in ends or src.word(j) in cxx.CLOSERS:
                return j
        return len(src.tokens)

    def _mark_texts(self):
        src = self.src
        segment = []
        has_text = False
        head_ends = {src.partner[i + 1] for i in range(len(src.tokens) - 1)
                     if src.word(i) in cxx.HEADS and src.word(i + 1) == "("}
        for i, token in enumerate(src.tokens):
            segment.append(i)
            has_text = has_text or (token.kind == "string" and '"' in token.text)
            if token.text in ("{", "}", ";") or i in head_ends:
                for j in segment if has_text else ():
                    self.quiet[j] = True
                segment, has_text = [], False

    def _site(self, operator, begin, end, new, template="(PANTILE_MUTANT({id}) ? ({new}) : ({old}))"):
        src = self.src
        function = self.function[begin]
        if function is None or any(src.tokens[i].kind == "directive" for i in range(begin, end)):
            return
        old = src.flat(begin, end)
        yield Site(src.path, operator, begin, end, template, old, new, src.line(begin), function.name,
                   function.constant)

    def sites(self):
        """Each mutant once: an inverted condition and an exchanged == may be the same."""
        seen = set()
        for site in self._all_sites():
            same = "!=" if " == " in site.old else "=="
            exchanged = re.sub(r"^!\(([^=!&|<>?]+) [=!]= ([^=!&|<>?]+)\)$", rf"\1 {same} \2", site.new)
            key = (site.begin, site.end, re.sub(r"[()\s]", "", exchanged), site.template == DROPPED)
            if key not in seen:
                seen.add(key)
                yield site

    def _all_sites(self):
        src = self.src
        for i in range(len(src.tokens)):
            if self.function[i] is None:
                continue
            yield from self._statements(i)
            if not self.quiet[i]:
                yield from self._operators(i)
                yield from self._numbers(i)
                yield from self._swaps(i)
                yield from self._branches(i)

    def _operators(self, i):
        src = self.src
        text = src.word(i)
        if not src.is_binary(i):
            operand = not src.is_word(i - 1) or src.word(i - 1) in BEFORE_EXPRESSION
            if text == "-" and not src.space_after(i) and operand and src.word(i - 1) not in cxx.CLOSERS:
                end = chain_end(src, i + 1)
                yield from self._site("signs", i, end, src.flat(i + 1, end))
            return
        table = {**BOUNDS, **SIGNS, **BRANCHES}
        if text in table:
            begin, end = left_operand(src, i), right_operand(src, i)
            if begin == i or end == i + 1:
                return
            operator = "bounds" if text in BOUNDS else "signs" if text in SIGNS else "inverted branch"
            yield from self._site(operator, begin, end, src.flat(begin, end, {i: table[text]}))
            if text in BOUNDS:
                step = "- 1" if text in ("<", ">=") else "+ 1"  # the other step is the other bound
                yield from self._site("off by one", i + 1, end, f"({src.flat(i + 1, end)}) {step}")
        elif text in STEPS:
            begin, end = chain_begin_backward(src, i - 1), right_operand(src, i)
            if begin is not None:
                yield from self._site("signs", begin, end, src.flat(begin, end, {i: STEPS[text]}))

    def _numbers(self, i):
        src = self.src
        token = src.tokens[i]
        if token.kind == "number" and re.fullmatch(r"\d[\d']*", token.text):
            for step in (1, -1):
                if token.text != "0" or step == 1:
                    yield from self._site("off by one", i, i + 1, f"{token.text} {'+' if step > 0 else '-'} 1")
        elif token.text == "[" and i in src.partner:
            end = src.partner[i]
            if end > i + 1:
                yield from self._site("off by one", i + 1, end, f"({src.flat(i + 1, end)}) + 1")

    def _swaps(self, i):
        src = self.src
        other = SWAPS.get(src.word(i))
        if other is None or src.word(i + 1) in ("{", "::", "<", ":") or src.word(i - 1) in ("::", "&"):
            return
        begin = chain_begin(src, i)
        if begin is None or is_declared(src, begin) or not src.is_word(begin) or src.word(begin - 1) == ".":
            return
        if self.function[begin] is None or i < self.function[begin].begin and src.word(i + 1) == "(":
            return
        if src.word(i + 1) == "=" and src.word(begin - 1) == ",":
            return  # a second name that is declared
        if not (self._is_known(other, i) if begin == i else other in self.words):
            return
        end = i + 1
        if src.word(end) == "(":
            end = src.partner[end] + 1
        yield from self._site("swapped strides", begin, end, src.flat(begin, end, {i: other}))

    def _is_known(self, name, i):
        """Has the function declared this name before token i?"""
        src = self.src
        return any(src.word(j) == name and is_declared(src, j) for j in range(self.function[i].head, i))

    def _branches(self, i):
        src = self.src
        if src.word(i) in ("if", "while") and src.word(i + 1) == "(":
            begin, end = i + 2, src.partner[i + 1]
            inside = {src.word(j) for j in src.top_level(begin, end)}
            if not inside & {"=", ";"}:
                yield from self._site("inverted branch", begin, end, f"!({src.flat(begin, end)})", CONDITION)
        elif src.word(i) == "?" and src.is_binary(i):
            begin = i
            while begin > 0 and not _ends_expression(src, begin - 1):
                before = begin - 1
                if before in src.partner and src.partner[before] > before:
                    break
                begin = src.partner.get(before, before)
            if begin < i:
                yield from self._site("inverted branch", begin, i, f"!({src.flat(begin, i)})", CONDITION)

    def _statements(self, i):
        src = self.src
        if not self._begins_statement(i):
            return
        end = self._statement_end(i, {";"})
        if src.word(end) != ";":
            return
        if re.match(r"(std::)?(lock_guard|scoped_lock) const \w+\(", src.flat(i, end)):
            name = src.word(end - 1 - (end - 1 - src.partner[end - 1]) - 1)
            lock = src.flat(src.partner[end - 1] + 1, end - 1)
            text = f"std::unique_lock {name}({lock}, std::defer_lock); if (!PANTILE_MUTANT({{id}})) {name}.lock()"
            yield from self._site("dropped fence", i, end, "", text)
        elif is_effect(src, i, end):
            called = src.word(src.partner[end - 1] - 1) if src.word(end - 1) == ")" else ""
            operator = "dropped fence" if called in FENCES else "dropped statement"
            yield from self._site(operator, i, end, "", DROPPED)

    def _begins_statement(self, i):
        src = self.src
        before = src.word(i - 1)
        if self.inside[i] is None or src.word(self.inside[i]) != "{":
            return False
        if before in (";", "{", "}", "else", "do"):
            return self._is_block(i - 1) if before == "{" else before != "}" or src.space_before(src.partner[i - 1])
        opener = src.partner.get(i - 1)
        if before != ")" or opener is None or not src.space_before(i):
            return False
        return (src.word(opener - 1) in ("if", "for", "while")
                or (src.word(opener - 1), src.word(opener - 2)) == ("constexpr", "if"))

    def _is_block(self, brace):
        """Statements in these braces, and not values: a semicolon or an inner block says so."""
        src = self.src
        return any(src.word(j) in (";", "}") for j in src.top_level(brace + 1, src.partner[brace]))


def enclosing(src):
    """Of each token, the opener of the bracket that it is in, or None."""
    found = []
    stack = []
    for i in range(len(src.tokens)):
        if stack and src.partner[stack[-1]] == i:
            stack.pop()
        found.append(stack[-1] if stack else None)
        if i in src.partner and src.partner[i] > i:
            stack.append(i)
    return found


CONDITION = "(PANTILE_MUTANT({id}) ? {new} : static_cast<bool>({old}))"
DROPPED = "(PANTILE_MUTANT({id}) ? (void)0 : (void)({old}))"


def chain_begin_backward(src, i):
    """First token of the chain that ends at i: the left side of an assignment."""
    while i in src.partner and src.partner[i] < i:
        i = src.partner[i] - 1
    if not src.is_word(i):
        return None
    begin = chain_begin(src, i)
    if begin is None or is_declared(src, begin):
        return None
    if src.word(begin - 1) == "*" and not src.space_after(begin - 1):
        begin -= 1
    return begin


def is_effect(src, begin, end):
    """Is begin to end an assignment, a call or an increment, as a statement of its own?"""
    first = src.word(begin)
    if first in cxx.STATEMENT_WORDS | cxx.TYPE_WORDS or (not src.is_word(begin)
                                                         and first not in ("*", "++", "--", "(")):
        return False
    top = list(src.top_level(begin, end))
    assignment = next((i for i in top if src.word(i) in ASSIGNMENTS and src.is_binary(i)), None)
    left = [i for i in top if assignment is None or i < assignment]
    for this, following in zip(left, left[1:]):
        ends_name = src.is_word(this) or (src.word(this) == "<" and this in src.angles)
        if ends_name and src.is_word(following) and src.word(this) != "template":
            return False
        if src.word(following) in ("*", "&", "&&") or src.word(following) == "{":
            return False
    if assignment is not None:
        return first != "("
    if "..." in [src.word(i) for i in range(begin, end)]:
        return False
    return src.word(end - 1) == ")" and first != "(" or first in ("++", "--") or src.word(end - 1) in ("++", "--")


def sites_of(path, text):
    return list(Finder(cxx.Source(path, text)).sites())
