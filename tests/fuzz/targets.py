"""What is fuzzed: each target reads some bytes as one parser does, and holds what always holds.

A target raises on a defect only: what a parser is allowed to say of bad input is caught here.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path

from assistant.errors import UsageError

#: Folder of the inputs that brought something to light, one folder a target.
CORPUS = Path(__file__).parent / "corpus"
#: Bytes that are read of one member of an archive.
_READ = 1 << 20


def prefix(data: bytes) -> None:
    """Heads of records, error lines, codes, shapes of messages."""
    from assistant.logtext import codes, errorline, prefix, template, wrappers

    for line in data.split(b"\n"):
        rest = wrappers.strip(line)[0]
        assert len(rest) <= len(line)
        found = prefix.parse(line)
        assert found is None or 0 <= found.start <= len(line)
        errorline.is_error(line, found)
        text = line.decode("utf-8", "replace")
        codes.find(text)
        assert len(template.shape(text)) <= template.MAX_SHAPE


def steps(data: bytes) -> None:
    """Step lines, monitor lines and those of other trainers."""
    from assistant.logtext import layout, steps

    for line in data.split(b"\n"):
        for found in steps.parse_all(line):
            layout.layout_of(line, found)


def events(data: bytes) -> None:
    """Tracebacks, CANN blocks, sections and native crashes."""
    from assistant.logtext.events import EventReader

    reader = EventReader()
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        reader.feed(number, line, None)
    reader.close()
    for event in reader.take():
        assert 1 <= event.line <= event.end_line <= len(lines)


def config(data: bytes) -> None:
    """A dump of the configuration."""
    from assistant.logtext.config import MAX_BYTES, START, ConfigReader

    first, *rest = (START + data).split(b"\n")
    reader = ConfigReader(first)
    for line in rest:
        if not reader.feed(line):
            break
    assert sum(len(key) for key in reader.values) <= MAX_BYTES * 64


def scan(data: bytes) -> None:
    """A whole log: the evidence does not depend on how its bytes were cut into blocks."""
    from assistant.scan.scanner import scan_stream

    engine = _engine()
    whole = scan_stream("worker_0.log", io.BytesIO(data), engine, ())
    parts = scan_stream("worker_0.log", io.BytesIO(data), engine, (), block_size=64)
    assert whole == parts


@cache
def _engine():  # type: ignore[no-untyped-def]  # its type costs an import
    from assistant.scan.compile import build_engine

    return build_engine((), None, "re2")


def check(data: bytes) -> None:
    """Some logs, as `tail` shows several files, with all rules: the report stands on lines that
    are there, can be shown in every form, and each rule can say why."""
    from assistant.evidence.types import Evidence, FileEvidence
    from assistant.explain.reported import why_text
    from assistant.render import markdown, terminal
    from assistant.render.as_json import json_text
    from assistant.scan.one import scan_logs
    from assistant.sources import LogSource, sections
    from bench.cuts import unsupported

    shown = sections.Shown("", True)
    contents = {name or "pasted.log": text for name, text in reversed(sections.split(data))}
    knowledge, patterns, specs = _known()
    source = LogSource("pasted.log", None, None, None, lambda: io.BytesIO(data), shown=shown)
    files = [found for found in scan_logs(source, patterns, specs)
             if isinstance(found, FileEvidence)]
    assert len({file.name for file in files}) == len(files) > 0
    evidence = Evidence(tuple(sorted(files, key=lambda file: file.name)))
    judged = knowledge.judge(evidence)
    diagnosis = _conclude(judged)
    assert list(unsupported(diagnosis, contents)) == []
    for lang in ("en", "zh"):
        report = knowledge.report(diagnosis, evidence, lang)
        shown = terminal.render(report, 80, False, True) + why_text(judged, lang, 80)
        assert all(line.isprintable() for line in shown.split("\n"))
        json_text(report)
        markdown.render(report)


def _conclude(judged):  # type: ignore[no-untyped-def]  # its type costs an import
    from assistant.diagnose.run import conclude

    return conclude(judged)


@cache
def _known():  # type: ignore[no-untyped-def]
    from assistant.pipeline import Knowledge
    from assistant.scan.compile import build_engine

    knowledge = Knowledge()
    specs = knowledge.rules.patterns()
    return knowledge, build_engine(specs, knowledge.cache_dir), specs


def asked(data: bytes) -> None:
    """What people type in: codes to explain, words to search for, lines to find articles for."""
    from assistant.guide import codes

    knowledge = _known()[0]
    for line in data.decode("utf-8", "replace").split("\n")[:8]:
        for lang in ("en", "zh"):
            codes.explain(line, knowledge.rules, knowledge.library, lang)
        assert len(knowledge.search.find(line, limit=3)) <= 3
        knowledge.search.suggest(line)


def names(data: bytes) -> None:
    """The rank, node and role that a log's name tells."""
    from assistant.evidence.types import Evidence, FileEvidence
    from assistant.job import build, names, roles
    from assistant.sources.names import member_name, printable

    paths = list(dict.fromkeys(member_name(name) for name in
                               data.decode("utf-8", "surrogateescape").split("\n")[:20]))
    for name in paths:
        assert printable(name) == name
        number, rank = names.number_in(name), names.rank_folder(name)
        assert number is None or 0 <= number < 10**6
        assert rank is None or rank >= 0
        names.folder_of(name)
        names.host_in(name)
        names.cann_pid(name)
        roles.role_of(FileEvidence(name))
    job = build(Evidence(tuple(FileEvidence(name, size=1, lines=1) for name in paths)))
    assert sorted(file.name for file in job.files) == sorted(paths)


def archives(data: bytes) -> None:
    """An archive, or a compressed log, on standard input."""
    from assistant.sources import LogSource, find

    seen: set[str] = set()
    try:
        for source in find(["-"], stdin=io.BytesIO(data)):
            if isinstance(source, LogSource):
                assert source.name not in seen and not source.name.startswith(("/", "../"))
                seen.add(source.name)
                try:
                    with source.open() as stream:
                        stream.read(_READ)
                except OSError:
                    pass  # how a damaged one is told
            else:
                assert source.why
    except UsageError:
        pass


def collected(data: bytes) -> None:
    """A .kbt file, as it is and as what stands inside one that is sealed; what can be read can
    be written and read again, and is a job."""
    import hashlib
    import json

    import zstandard

    from assistant.evidence.types import EVIDENCE_VERSION
    from assistant.job import build
    from assistant.portable import kbt

    head = json.dumps({"kbtriage.collected": kbt.LAYOUT, "evidence": EVIDENCE_VERSION,
                       "program": "x", "files": max(0, data.count(b"\n") - 2)},
                      separators=(",", ":")).encode() + b"\n"
    sealed = head + zstandard.ZstdCompressor(level=1).compress(data)
    for content in (data, sealed + hashlib.sha256(sealed).digest()):
        try:
            read = kbt.read(io.BytesIO(content))
        except UsageError:
            continue
        written = _written(read)
        assert _written(kbt.read(io.BytesIO(written))) == written
        build(read.evidence)


def _written(collection):  # type: ignore[no-untyped-def]  # its type costs an import
    from assistant.portable import kbt

    stream = io.BytesIO()
    kbt.write(collection, stream)
    return stream.getvalue()


def rules(data: bytes) -> None:
    """A file of rules: nothing that it holds raises, each problem names a place, and those that
    are mechanical can be mended."""
    from assistant.authoring.fix import fixed
    from assistant.rules.reading import read_content

    problems = read_content(data, "rules/file.yaml").problems
    for problem in problems:
        assert problem.position.line >= 1 and problem.position.column >= 1 and problem.message
    fixed(data.decode("utf-8", "replace"), problems, Path("rules/file.yaml"))


def site(data: bytes) -> None:
    """The files pack.yaml and site.yaml."""
    from assistant.rules.layer import read_pack, read_site

    read_pack(data, "pack.yaml")
    read_site(data, "site.yaml")


def article(data: bytes) -> None:
    """An article: front matter, sections, steps, and what becomes of them on a terminal."""
    from assistant.guide.articles import parse
    from assistant.guide.fill import fill
    from assistant.guide.printable import printable
    from assistant.render.cells import width, wrap, wrap_step

    text = data.decode("utf-8", "replace")
    found, problems = parse(text, "an-article", "en", "kb/en/an-article.md")
    assert all(problem.position.line >= 1 for problem in problems)
    for step in found.steps:
        shown = printable(fill(step, {"rank": "1"}))
        for line in wrap_step(shown, 60):
            assert sum(width(run.text) for run in line) <= 60
    assert all(width(line) <= 40 for line in wrap(printable(found.title), 40))


def redact(data: bytes) -> None:
    """Texts in which something private may stand: the same text always becomes the same, and
    what was told to be private is in none of them any more."""
    import re

    from assistant.redact.redactor import Redactor, replaced_everywhere

    lines = data.decode("utf-8", "replace").split("\n")
    redactor = Redactor()
    for line in lines:
        redactor.learn(line)
    made = [redactor.rewrite(line) for line in lines]
    assert made == [redactor.rewrite(line) for line in lines]
    rest = "\n".join(re.sub(r"<[a-z]+-\d+>", "\0", line) for line in made)
    for value in filter(replaced_everywhere, redactor.values.values()):
        word = rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])"
        assert re.search(word, rest) is None, value


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (
        prefix, steps, events, config, scan, check, asked, names, archives, collected, rules,
        site, article, redact)}
