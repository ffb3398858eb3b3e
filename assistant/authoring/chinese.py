"""What the commands for authors of rules say, in Chinese.

The rooms below say what is wrong in English, each where it finds it. Here whole lines are
looked up in a table (messages.zh.txt, the sentences of explain, the descriptions of schemas),
in which places hold what the program fills in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources

from assistant.explain.words import SENTENCES
from assistant.rules.types import Problem

_SLOT = re.compile(r"%(\d)")
#: A space that stood beside a name, and has Chinese on both sides now.
_IDLE_SPACE = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
#: A place in the sentences of explain: `{name}`, `{n:,}`.
_NAME = re.compile(r"\{(\w+)(?::[^{}]*)?\}")


def said(text: str, lang: str) -> str:
    """A text of one or more lines in a language, `en` or `zh`; a line that nobody has put into
    Chinese stays as it is."""
    if lang == "en":
        return text
    return "\n".join(_line(line) for line in text.split("\n"))


def problem_in(problem: Problem, lang: str) -> Problem:
    """A problem, its message and cure in a language."""
    return replace(problem, message=said(problem.message, lang), cure=said(problem.cure, lang))


def _line(line: str) -> str:
    text = line.strip(" ")
    start = line.index(text) if text else 0
    return line[:start] + _translated(text, 0) + line[start + len(text):]


def _translated(text: str, depth: int) -> str:
    """The Chinese of a line, or of what stands in a place of one: that can be a phrase, too."""
    exact, patterns = _table()
    if text in exact:
        return exact[text]
    # What stands in a place of a place is a name or a quotation.
    for pattern, chinese in patterns if depth < 2 else ():
        found = pattern.fullmatch(text)
        if found is not None:
            return _filled(chinese, found.groupdict(), depth)
    return text


def _filled(chinese: str, parts: Mapping[str, str], depth: int) -> str:
    """A line with its places filled; a spelling or quotation stays as it is."""
    def part(slot: re.Match[str]) -> str:
        text = parts[f"s{slot[1]}"]
        spelled = chinese[:slot.start()].endswith(("`", "{", "“"))
        return text if spelled else _translated(text, depth + 1)

    return _IDLE_SPACE.sub("", _SLOT.sub(part, chinese))


@cache
def messages() -> Mapping[str, str]:
    """The table: English, with %1, %2 ... as places, to Chinese."""
    text = (resources.files("assistant.authoring") / "messages.zh.txt").read_text("utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("# ")]
    return {english: chinese.removeprefix("= ")
            for english, chinese in zip(lines[::2], lines[1::2], strict=True)}


@cache
def _table() -> tuple[Mapping[str, str], list[tuple[re.Pattern[str], str]]]:
    """Lines without places, and the others as expressions, the one that says most first."""
    known = {**_descriptions(), **dict(_sentences()), **messages()}
    exact = {english: chinese for english, chinese in known.items() if not _SLOT.search(english)}
    others = sorted(known.keys() - exact.keys(),
                    key=lambda english: (-len(_SLOT.sub("", english)), english))
    return exact, [(_expression(english), known[english]) for english in others]


def _descriptions() -> Mapping[str, str]:
    """What schemas say of keys, which stands in cures."""
    from assistant.authoring.reference import chinese

    return chinese()


def _sentences() -> Iterator[tuple[str, str]]:
    """The sentences of an account of a rule, which stand below a test that failed."""
    for english, chinese in SENTENCES.values():
        for form in english.split("||"):
            names = list(dict.fromkeys(_NAME.findall(form)))
            if re.search("[a-z]{3}", _NAME.sub("", form)):
                places = {name: f"%{number}" for number, name in enumerate(names[:9], 1)}
                yield _placed(form, places), _placed(chinese, places)


def _placed(text: str, places: Mapping[str, str]) -> str:
    """A text with places for names; a form for one thing does not name the number."""
    return _NAME.sub(lambda found: places.get(found[1], "1"), text)


def _expression(english: str) -> re.Pattern[str]:
    """What a line of this form looks like; a place that stands twice holds the same twice."""
    parts, known = [], set()
    for number, part in enumerate(_SLOT.split(english)):
        if number % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P=s{part})" if part in known else f"(?P<s{part}>.+?)")
            known.add(part)
    return re.compile("".join(parts), re.DOTALL)
