"""A line of a real log -> a rule that finds such lines, with tests, and its article to be written.

The line is scanned with what stands around it: inside a traceback or an error block the rule asks
for that event, else for the line. Its tests are the line with its neighbours, and healthy lines
that look most like it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from assistant.authoring import draft_text, healthy
from assistant.authoring.bench import Bench
from assistant.authoring.generalise import Generalised, generalise
from assistant.authoring.place import Place
from assistant.errors import UsageError
from assistant.evidence.types import Event, FileEvidence
from assistant.guide import Library, printable
from assistant.job.roles import role_of
from assistant.logtext import prefix, template, wrappers
from assistant.patterns import check
from assistant.patterns.confirm import compile_bytes, re2_bytes
from assistant.rules.types import CATEGORIES

#: Neighbours that a test's log holds before and behind the line.
_BEFORE, _BEHIND = 2, 1
#: Lines behind the message of an event that its test's log holds, and longest such log.
_TAIL, _LONGEST = 5, 200
#: Words of an id, and letters that an expression must hold besides its classes.
_WORDS, _LETTERS = 5, 4
#: Names of files by which the kind of a log is known, for logs whose own name says nothing.
_NAMES = {"worker": "worker_0.log", "scheduler": "scheduler.log", "console": "console.log",
          "cann": "plog/plog-1_20260101000000000.log"}
_LEVELS = ("WARNING", "ERROR", "CRITICAL")
_COMPONENT = re.compile(r"[A-Z][A-Z0-9_]*")
_CLASSES = re.compile(r"\[[^\]]*\][*+]?|\\[a-zA-Z]|\(\?P<\w+>")


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule to be, and its article.

    Attributes:
        rule, article: their ids. files: path below the pack, and text.
        told_by: rules in force that tell of the very line already.
        blamed: a healthy line that the expression matches, "" if there is none.
    """

    rule: str
    article: str
    files: tuple[tuple[str, str], ...]
    told_by: tuple[str, ...] = ()
    blamed: str = ""


def draft(place: Place, bench: Bench, library: Library, *, rule_id: str = "",
          category: str = "", taken: Collection[str] = (), schema: str = "") -> Draft:
    """The draft for a place in a log.

    Args:
        bench: rules in force. library: their articles.
        rule_id: of the new rule; "": made of the line's words.
        category: of the rule; "": that of the nearest article.
        taken: ids of rules and articles that cannot be used any more.
        schema: where the editor finds the schema, for the first line of the file.

    Raises:
        UsageError: the id or the category cannot be used, or the line holds no words by which
            it could be told from others.
    """
    evidence = bench.evidence({place.name: "\n".join(place.lines) + "\n"})
    file = evidence.files[0]
    number = place.index + 1
    event = next((one for one in file.events if one.line <= number <= one.end_line), None)
    role = role_of(file)
    shape, signal = _of_event(event) if event is not None else _of_line(place.text)
    if role in _NAMES:
        signal = {**signal, "in": role}
    letters = re.findall(r"[^\W\d_]", _CLASSES.sub("", shape.expression))
    if event is None and len(letters) < _LETTERS:
        raise UsageError(f"line {place.number} holds no words by which it could be told from "
                         "others; give another line")
    if (trouble := check(shape.expression)) is not None and shape.expression:
        raise UsageError(f"line {place.number}: no expression can be made of it: "
                         f"{trouble.message}; give another line")
    name = posixpath.basename(place.name)
    log = name if role not in _NAMES or role_of(FileEvidence(name)) == role else _NAMES[role]
    lines, index = _log_of(place, event, shape.expression)
    chosen = _id(rule_id, category or _category(place.text, library, bench, event), shape.title,
                 {*taken, *(rule.id for rule in bench.ruleset.every()), *library.ids()})
    slug = chosen.partition(".")[2]
    look_alikes, blamed = _healthy(shape.expression, place.text, role)
    text = draft_text.rule_text(
        chosen, slug, shape, signal, log=log, lines=lines, line=index + 1,
        healthy=look_alikes, healthy_log=_NAMES.get(role, log), schema=schema)
    folder = chosen.partition(".")[0]
    return Draft(chosen, slug, (
        (f"rules/{folder}/{slug}.yaml", text),
        (f"kb/en/{slug}.md", draft_text.article_text("en", shape.title, folder)),
        (f"kb/zh/{slug}.md", draft_text.article_text("zh", shape.title, folder))),
        _told_by(bench, file, event, number), blamed)


def _of_line(text: str) -> tuple[Generalised, dict[str, str]]:
    """What a plain line is generalised to, and its signal."""
    raw = text.encode("utf-8", "replace")
    head = prefix.parse(raw)
    start = head.start if head is not None else wrappers.find(raw).end
    shape = generalise(printable(raw[start:].decode("utf-8", "replace")))
    signal = {"log": shape.expression}
    if head is not None and head.level in _LEVELS:
        signal["level"] = head.level
    if head is not None and head.component and _COMPONENT.fullmatch(head.component):
        signal["component"] = head.component
    return shape, signal


def _of_event(event: Event) -> tuple[Generalised, dict[str, str]]:
    """What an event is generalised to, and its signal."""
    message = next((line for line in event.message.splitlines() if line.strip()), "")
    shape = generalise(printable(message))
    if event.kind == "traceback":
        signal = {"exception": event.title.replace(".", r"\.")}
        if not shape.expression and event.innermost is not None:
            signal["frame"] = f":{re.escape(event.innermost.function)}$"
    else:
        signal = {"block": event.kind}
        if event.kind == "cann" and event.codes:
            signal["code"] = event.codes[0]
    if shape.expression:
        signal["message"] = shape.expression
    head = event.title if event.title not in shape.title else ""
    title = ": ".join(part for part in (head, shape.title) if part)
    return Generalised(shape.expression, title, shape.captures), signal


def _log_of(place: Place, event: Event | None, expression: str) -> tuple[list[str], int]:
    """The lines of the matching test's log, and which of them the finding quotes."""
    if event is not None:
        end = min(event.end_line, event.message_line + _TAIL, event.line + _LONGEST)
        lines = list(place.lines[event.line - 1:end])
        return lines, min(max(event.message_line - event.line, 0), len(lines) - 1)
    matches = _matcher(expression)
    own = _time(place.text)

    def fits(line: str, sign: int) -> bool:
        """Whether a neighbour can stand in the test: it is none of the lines sought, and the
        clock does not turn back between them, as it does where another run begins."""
        time = _time(line)
        ordered = own is None or time is None or (own - time) * sign >= 0
        return bool(line.strip()) and not matches(line) and ordered

    before = [line for line in place.lines[max(0, place.index - _BEFORE):place.index]
              if fits(line, 1)]
    behind = [line for line in place.lines[place.index + 1:place.index + 1 + _BEHIND]
              if fits(line, -1)]
    return [*before, place.text, *behind], len(before)


def _time(line: str) -> float | None:
    """The time that a line states, seconds of its own clock."""
    head = prefix.parse(line.encode("utf-8", "replace"))
    return head.time if head is not None else None


def _matcher(expression: str) -> Callable[[str], bool]:
    """Tells whether a line matches an expression; none matches the empty one."""
    compiled = compile_bytes(re2_bytes(expression)) if expression else None
    return lambda line: compiled is not None and compiled.search(
        line.encode("utf-8", "replace")) is not None


def _category(text: str, library: Library, bench: Bench, event: Event | None) -> str:
    """The category of the article that is nearest to the line."""
    from assistant.guide.search import Search

    for name in Search(library, bench.ruleset.every()).suggest(text):
        article = library.article(name, "en")
        if article is not None and article.category in CATEGORIES:
            return article.category
    return "user-code" if event is not None and event.kind == "traceback" else "framework"


def _id(wanted: str, category: str, title: str, taken: Collection[str]) -> str:
    """The id of the rule; its second half is the article's, so that both must be free."""
    if category not in CATEGORIES:
        from assistant.rules.suggest import instead

        raise UsageError(f"there is no category {category!r}; {instead(category, CATEGORIES)}")
    if wanted:
        if not re.fullmatch(r"[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*", wanted):
            raise UsageError(f"{wanted}: not an id; write CATEGORY.some-words, such as "
                             "network.port-taken")
        if wanted.partition(".")[0] not in CATEGORIES:
            raise UsageError(f"{wanted}: an id begins with its category, one of "
                             + ", ".join(CATEGORIES))
        if wanted in taken:
            raise UsageError(f"there is a rule {wanted} already; give another --id")
        return wanted
    plain = re.sub(r"\{\w+\}|\.\.\.", " ", title).lower()
    words = [word for word in re.findall(r"[a-z0-9]+", plain) if len(word) > 2][:_WORDS]
    slug = "-".join(words) or "line"
    candidates = (slug, *(f"{slug}-{number}" for number in range(2, 1000)))
    return next(f"{category}.{one}" for one in candidates
                if f"{category}.{one}" not in taken and one not in taken)


def _healthy(expression: str, text: str, role: str) -> tuple[list[str], str]:
    """Healthy lines that look most like the line and that the expression does not match, and
    one that it does match."""
    corpus = healthy.default_corpus()
    if corpus is None:
        return [], ""
    matches = _matcher(expression)
    words = set(re.findall(r"[A-Za-z]{3,}", text))
    scored: list[tuple[int, str]] = []
    blamed = ""
    for line in dict.fromkeys(_lines(corpus, role)):
        if matches(line):
            blamed = blamed or line
        elif line.isprintable():
            scored.append((-len(words & set(re.findall(r"[A-Za-z]{3,}", line))), line))
    scored.sort(key=lambda pair: pair[0])
    by_shape = {template.shape(line): line for _, line in reversed(scored[:200])}
    return list(by_shape.values())[-3:], blamed


def _lines(corpus: Path, role: str) -> list[str]:
    """The lines of the healthy logs of one kind."""
    found: list[str] = []
    for job in healthy.jobs(corpus):
        for path in sorted(job.path.rglob("*.log")) if job.path.is_dir() else [job.path]:
            if role_of(FileEvidence(path.name)) == role or role not in _NAMES:
                found += path.read_text("utf-8", "replace").splitlines()
    return [line[:400] for line in found if line.strip()]


def _told_by(bench: Bench, file: FileEvidence, event: Event | None,
             number: int) -> tuple[str, ...]:
    """Rules that know the line and tell of it, last resorts left out."""
    from assistant.evidence.types import Evidence

    lines = range(event.line, event.end_line + 1) if event is not None else (number,)
    diagnosis = bench.diagnosis(bench.job(Evidence((file,))))
    return tuple(dict.fromkeys(
        finding.rule.id for finding in diagnosis.findings
        if not finding.rule.fallback and any(quote.line in lines for quote in finding.evidence)))
