"""Reads an expression: RE2's syntax, less what means nothing on the bytes of one line.

What is refused is refused with a cure, so that the author of a rule need not know the
engines. Meaning of each construct: https://github.com/google/re2/wiki/Syntax
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from assistant.patterns import classes
from assistant.patterns.nodes import (
    LINE_BYTES,
    Anchor,
    Byte,
    Choice,
    Node,
    Repeat,
    Sequence,
)
from assistant.patterns.trouble import BadExpression, Trouble

MAX_LENGTH = 4096
MAX_NESTING = 60

_COUNT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_NO_LOWER_BOUND = re.compile(r"\{,(\d+)\}")
FLAGS = re.compile(r"\(\?([imsU]*)(?:-([imsU]+))?([:)])")
NAMED = re.compile(r"\(\?P?<([^>]*)>")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_POSIX = re.compile(r"\[:(\^?\w*):\]")
_HEX = re.compile(r"x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))")
_CONTROLS = {"a": 0x07, "f": 0x0C, "t": 0x09, "v": 0x0B, "n": 0x0A, "r": 0x0D}
_ANCHORS = {"A": "^", "z": "$", "b": r"\b", "B": r"\B"}

_REFUSED_GROUPS = {
    "(?=": ("look-ahead is not supported", "match the text itself, or use two signals"),
    "(?!": ("negative look-ahead is not supported",
            "use a second signal and `not` in the condition"),
    "(?<=": ("look-behind is not supported", "match the text before it too"),
    "(?<!": ("negative look-behind is not supported",
             "use a second signal and `not` in the condition"),
    "(?>": ("atomic groups are not supported", "write (?:...): nothing is ever tried twice"),
    "(?#": ("comments are not supported", "put it into a YAML comment"),
    "(?P=": ("back-references are not supported", "capture both and compare in the rule"),
    "(?(": ("conditional groups are not supported", "write both cases: (?:...|...)"),
    "(?x": ("the flag x is not supported", "write the expression without spare spaces"),
}
_REFUSED_ESCAPES = {
    "Z": (r"\Z is not supported", r"write $ or \z"),
    "C": (r"\C is not supported", "write . (it matches any byte of the line)"),
    "Q": (r"\Q...\E is not supported", "put a backslash before each special character"),
    "E": (r"\Q...\E is not supported", "put a backslash before each special character"),
    "h": (r"\h is not supported", r"write [ \t]"),
    "R": ("a line holds no line end", "leave it out: each line is matched by itself"),
    "K": (r"\K is not supported", "use a named group for the part that is wanted"),
    "p": ("classes of Unicode characters are not supported: lines are bytes",
          "write the characters: (?:错误|失败), or .* for any text"),
    "P": ("classes of Unicode characters are not supported: lines are bytes",
          "write the characters: (?:错误|失败), or .* for any text"),
    "u": (r"\u is not supported", "write the character itself"),
    "U": (r"\U is not supported", "write the character itself"),
}


@dataclass(frozen=True, slots=True)
class Parsed:
    """An expression that was understood.

    Attributes:
        node: what it matches.
        repeated: (start, end) of the characters outside ASCII that a repetition follows; RE2,
            which sees bytes, needs a group around them.
    """

    node: Node
    repeated: tuple[tuple[int, int], ...] = ()


def parse(expression: str) -> Parsed:
    """Read an expression. Raises BadExpression."""
    if len(expression) > MAX_LENGTH:
        raise BadExpression(Trouble(
            MAX_LENGTH, f"the expression is longer than {MAX_LENGTH} characters",
            "split it: `log:` takes a list"))
    reader = Reader(expression)
    node = reader.choice(fold=False, depth=0)
    if reader.at < len(expression):
        reader.fail("there is a ) without (", r"write \) for the character")
    return Parsed(node, tuple(reader.repeated))


@dataclass(slots=True)
class Reader:
    """Recursive descent over an expression. Attributes: text; at: index of the next character;
    repeated: see Parsed; names: of the groups so far."""

    text: str
    at: int = 0
    repeated: list[tuple[int, int]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def fail(self, message: str, cure: str = "", at: int | None = None) -> None:
        raise BadExpression(Trouble(self.at if at is None else at, message, cure))

    def peek(self, count: int = 1) -> str:
        return self.text[self.at:self.at + count]

    def choice(self, fold: bool, depth: int) -> Node:
        """Alternatives, up to `)` or the end; a flag group inside holds to the end."""
        if depth > MAX_NESTING:
            self.fail(f"groups are nested more than {MAX_NESTING} deep", "simplify it")
        alternatives: list[Node] = []
        parts: list[Node] = []
        while self.at < len(self.text) and self.peek() != ")":
            if self.peek() == "|":
                self.at += 1
                alternatives.append(Sequence(tuple(parts)))
                parts = []
            elif (flags := FLAGS.match(self.text, self.at)) and flags[3] == ")":
                fold = self.flags(flags, fold)
            else:
                parts.append(self.repetition(fold, depth))
        last = Sequence(tuple(parts))
        return Choice((*alternatives, last)) if alternatives else last

    def repetition(self, fold: bool, depth: int) -> Node:
        """An atom and the repetition behind it."""
        start = self.at
        if self.peek() in "*+?" or _COUNT.match(self.text, start):
            self.fail(f"there is nothing before {self.peek()} to repeat",
                      f"write \\{self.peek()} for the character")
        node = self.atom(fold, depth)
        if self.peek() == "{" and (bare := _NO_LOWER_BOUND.match(self.text, self.at)):
            self.fail(f"{bare[0]} would be taken literally", f"write {{0,{bare[1]}}}")
        bounds = self.bounds()
        if bounds is None:
            return node
        if self.text[start] > "\x7f":
            self.repeated.append((start, start + 1))
        return Repeat(node, *bounds)

    def bounds(self) -> tuple[int, int | None] | None:
        """The repetition at this place, if there is one."""
        simple: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        start = self.at
        bounds = simple.get(self.peek())
        if bounds is not None:
            self.at += 1
        elif count := _COUNT.match(self.text, self.at):
            low = int(count[1])
            high = low if count[2] is None else int(count[3]) if count[3] else None
            bounds = (low, high)
            self.at = count.end()
            if max(low, high or 0) > 1000:
                self.fail("more than 1000 repetitions", "write + or * instead", start)
            if high is not None and high < low:
                self.fail(f"the bounds of {count[0]} are the wrong way round",
                          f"write {{{high},{low}}}", start)
        else:
            return None
        if self.peek() == "?":
            self.at += 1
        elif self.peek() == "+":
            self.fail("possessive repetition is not supported",
                      "leave the second + out: nothing is ever tried twice")
        if self.peek() and (self.peek() in "*+?" or _COUNT.match(self.text, self.at)):
            self.fail("a repetition of a repetition", "put the first into a group: (?:...)")
        return bounds

    def atom(self, fold: bool, depth: int) -> Node:
        char = self.peek()
        if char == "(":
            return self.group(fold, depth)
        if char == "[":
            return self.bracket(fold)
        if char == "\\":
            return self.escape(fold)
        self.at += 1
        if char == ".":
            return Byte(LINE_BYTES)
        if char in "^$":
            return Anchor(char)
        return self.literal(char, fold)

    def literal(self, char: str, fold: bool) -> Node:
        """A character, which is several bytes outside ASCII."""
        if char in "\n\r":
            self.fail("a line holds no line end", "leave it out", self.at - 1)
        try:
            data = char.encode()
        except UnicodeEncodeError:
            self.fail("half of a surrogate pair is not a character", at=self.at - 1)
        masks = [classes.fold_wide(1 << byte) if fold else 1 << byte for byte in data]
        return Byte(masks[0]) if len(masks) == 1 else Sequence(tuple(map(Byte, masks)))

    def group(self, fold: bool, depth: int) -> Node:
        start = self.at
        for opening, (message, cure) in _REFUSED_GROUPS.items():
            if self.text.startswith(opening, start):
                self.fail(message, cure)
        if named := NAMED.match(self.text, start):
            if not _NAME.match(named[1]):
                self.fail(f"{named[1]!r} is not a name for a group",
                          "use ASCII letters, digits and _, and begin with a letter")
            if named[1] in self.names:
                self.fail(f"the name {named[1]} is given to two groups",
                          "use another name, or make two expressions: `log:` takes a list")
            self.names.add(named[1])
            self.at = named.end()
        elif flags := FLAGS.match(self.text, start):
            fold = self.flags(flags, fold)
        elif self.text.startswith("(?", start):
            self.fail(f"{self.peek(4)} does not begin a group",
                      r"write (?:...), (?P<name>...) or \( for the character")
        else:
            self.at += 1
        node = self.choice(fold, depth + 1)
        if self.peek() != ")":
            self.fail("this ( is never closed", r"add ), or write \( for the character", start)
        self.at += 1
        return node

    def flags(self, flags: re.Match[str], fold: bool) -> bool:
        """Take flags in; returns whether case is ignored from here on."""
        given, taken = flags[1], flags[2] or ""
        if "s" in given:
            self.fail("the flag s is not needed: a line holds no line end", "leave it out")
        if "U" in given:
            self.fail("the flag U is not supported", "write *? where the shortest is wanted")
        self.at = flags.end()
        return (fold or "i" in given) and "i" not in taken

    def escape(self, fold: bool) -> Node:
        """A backslash and what follows, outside brackets."""
        letter = self.text[self.at + 1:self.at + 2]
        if letter in _ANCHORS:
            self.at += 2
            return Anchor(_ANCHORS[letter])
        if letter and letter in "nr":
            self.fail("a line holds no line end", "leave it out: each line is matched by itself")
        bits = self.escaped_set()
        return Byte(classes.fold_wide(bits) & LINE_BYTES if fold else bits & LINE_BYTES)

    def escaped_set(self) -> int:
        """The bytes that the escape at this place stands for; moves behind it."""
        letter = self.text[self.at + 1:self.at + 2]
        if not letter:
            self.fail("the expression ends in a lone backslash", r"write \\ for the character")
        if letter in _REFUSED_ESCAPES:
            self.fail(*_REFUSED_ESCAPES[letter])
        if letter in "0123456789":
            self.fail(f"\\{letter} is a back-reference or an octal number, "
                      "neither of which is supported", r"write \x.. for a byte")
        if number := _HEX.match(self.text, self.at + 1):
            value = int(number[1] or number[2], 16)
            if value > 0xFF:
                self.fail("a line is bytes: there is none above \\xff",
                          "write the character itself")
            self.at = number.end()
            return 1 << value
        if (named := classes.perl(letter)) is not None:
            self.at += 2
            return named
        if letter in _CONTROLS:
            self.at += 2
            return 1 << _CONTROLS[letter]
        if not letter.isascii() or letter.isalnum() or not letter.isprintable():
            self.fail(f"\\{letter} means nothing", "leave the backslash out")
        self.at += 2
        return 1 << ord(letter)

    def bracket(self, fold: bool) -> Node:
        """A set in brackets."""
        start = self.at
        self.at += 1
        negated = self.peek() == "^"
        self.at += negated
        bits, first = 0, True
        while first or self.peek() != "]":
            if self.at >= len(self.text):
                self.fail("this [ is never closed", r"add ], or write \[ for the character", start)
            first = False
            bits |= self.bracket_item(negated)
        self.at += 1
        if fold:
            bits = classes.fold(bits) if negated else classes.fold_wide(bits)
        bits = (classes.ALL & ~bits if negated else bits) & LINE_BYTES
        if not bits:
            self.fail(f"{self.text[start:self.at]} can never match: nothing is left in it",
                      at=start)
        return Byte(bits)

    def bracket_item(self, negated: bool) -> int:
        """One member of a set: a class, a byte or a range; moves behind it."""
        if self.peek(2) == "[:" and (named := _POSIX.match(self.text, self.at)):
            bits = classes.posix(named[1])
            if bits is None:
                self.fail(f"there is no class {named[0]}", "e.g. [[:alpha:]], [[:digit:]]")
            self.at = named.end()
            return bits or 0
        at = self.at
        low = self.bracket_byte(negated)
        if self.peek() != "-" or self.peek(2) == "-]" or low.bit_count() != 1:
            return low
        self.at += 1
        if self.at >= len(self.text):
            return low
        high = self.bracket_byte(negated)
        if high.bit_count() != 1 or high < low:
            self.fail(f"{self.text[at:self.at]} is not a range",
                      r"write \- for the character, or the smaller end first", at)
        return classes.span(low.bit_length() - 1, high.bit_length() - 1)

    def bracket_byte(self, negated: bool) -> int:
        char = self.peek()
        if char == "\\":
            if self.text[self.at + 1:self.at + 2] in ("b", "B", "A", "z"):
                self.fail(f"{self.peek(2)} means nothing inside brackets", "take it out")
            return self.escaped_set()
        if not char.isascii():
            cure = ("say what does end it: ASCII characters, or .*?" if negated else
                    f"take it out of the brackets: (?:{char}|[...])")
            self.fail(f"{char} is several bytes, and a set holds single bytes", cure)
        self.at += 1
        return 1 << ord(char)
